import type { WebClient } from "@slack/web-api";
import { type CheckResult, checkResultsOf } from "../../observability/check-result.ts";
import type { Logger } from "../../observability/log.ts";
import type { Policy } from "../../permissions/policy.ts";
import { groupMembers, teamsToAsk } from "../people/group-members.ts";
import { asksApprovers, checkApprovers } from "./check-approvers.ts";
import { type ChannelInUse, checkChannel } from "./check-channel.ts";
import { type ClockReading, createCheckClient } from "./check-client.ts";
import { checkGroups } from "./check-groups.ts";
import { checkPeople } from "./check-people.ts";
import { checkAppToken, signingSecretUnseen } from "./check-receiver.ts";
import { checkScopes } from "./check-scopes.ts";
import { checkTeams } from "./check-teams.ts";
import { type Bot, checkToken } from "./check-token.ts";
import { findPeople } from "./find-people.ts";
import { roleMembers } from "./role-members.ts";
import { refusalText, slackRefusal } from "./slack-refusal.ts";

export interface SlackChecks {
  readonly botToken: string;
  readonly apiUrl: string | undefined;
  readonly receiver: { readonly kind: "socket"; readonly appToken: string } | { readonly kind: "http" };
  /** The manifest's bot scopes, or why they are not known. */
  readonly scopes: readonly string[] | string;
  /** The channels and people that the config names; undefined without a usable config. */
  readonly named: NamedInSlack | undefined;
  readonly now: () => number;
  readonly log: Logger;
}

export interface NamedInSlack {
  readonly channels: readonly ChannelInUse[];
  readonly policy: Policy;
  /** The workspaces whose members count as ours. */
  readonly teams: ReadonlySet<string> | undefined;
}

export interface SlackFound {
  readonly results: readonly CheckResult[];
  readonly reading: ClockReading | undefined;
}

/** Runs every check of the workspace; changes nothing in it. */
export async function checkSlack(checks: SlackChecks): Promise<SlackFound> {
  const { client, reading } = createCheckClient({ ...checks, token: checks.botToken });
  const { result, bot } = await checkToken(client);
  const [receiver, named] = await Promise.all([checkReceiver(checks, bot), checkNamed(checks, client, bot)]);
  const scopes = bot ? checkScopes(bot.scopes, checks.scopes) : checkResultsOf("scopes").notChecked(needsBot);
  return { results: [result, scopes, receiver, ...named], reading: reading() };
}

async function checkReceiver({ receiver, apiUrl, now, log }: SlackChecks, bot: Bot | undefined): Promise<CheckResult> {
  if (receiver.kind === "http") return signingSecretUnseen;
  return checkAppToken(createCheckClient({ token: receiver.appToken, apiUrl, now, log }).client, bot?.appId);
}

const needsBot = "the bot token was not accepted";
const needsConfig = "the config cannot be used as it is";

/** The channels, user groups and people that the config names. */
async function checkNamed(
  { named, log }: SlackChecks,
  client: WebClient,
  bot: Bot | undefined,
): Promise<readonly CheckResult[]> {
  const unchecked = (why: string) =>
    ["channels", "user groups", "people"].map((name) => checkResultsOf(name).notChecked(why));
  if (bot === undefined) return unchecked(needsBot);
  if (named === undefined) return unchecked(needsConfig);
  const { groups } = roleMembers(named.policy.roles);
  const teams = teamsToAsk(bot.teamId, named.teams);
  const channels =
    named.channels.length === 0
      ? [checkResultsOf("channels").ok("the config names none")]
      : named.channels.map((channel) => checkChannel(client, channel));
  const checks = [...channels, checkGroups(client, groups, teams), ...checkTeams(bot.teamId, named.teams)];
  const ours = named.teams ?? new Set([bot.teamId]);
  return [...(await Promise.all(checks)), ...(await checkHolders({ client, teams, ours, log }, named.policy))];
}

interface HolderChecks extends Pick<SlackChecks, "log"> {
  readonly client: WebClient;
  readonly teams: ReturnType<typeof teamsToAsk>;
  readonly ours: ReadonlySet<string>;
}

/** Everybody with a role, by name or by a user group. */
async function checkHolders(
  { client, teams, ours, log }: HolderChecks,
  policy: Policy,
): Promise<readonly CheckResult[]> {
  const { groups, people } = roleMembers(policy.roles);
  const inGroups = asksApprovers(policy) ? await groupMembers(client, teams, log).catch(slackRefusal) : undefined;
  const isKnown = inGroups !== undefined && !("kind" in inGroups);
  const members = isKnown ? groups.flatMap(({ id }) => [...(inGroups.get(id) ?? [])]) : [];
  const ids = new Set([...people.map(({ id }) => id), ...members]);
  const found = await findPeople(client, [...ids], teams, ours);
  const holders = checkPeople(found, people);
  if (inGroups === undefined) return [holders];
  if (isKnown) return [holders, checkApprovers(policy, found, inGroups)];
  return [holders, checkResultsOf("approvers").notChecked(refusalText(inGroups), "Run this again in a minute.")];
}
