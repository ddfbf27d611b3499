import type { WebClient } from "@slack/web-api";
import { z } from "zod";
import { type CheckResult, checkResultsOf } from "../../observability/check-result.ts";
import type { Logger } from "../../observability/log.ts";
import { type Actor, isGroupId } from "../../permissions/actor.ts";
import { unapprovable } from "../../permissions/approval-rules.ts";
import type { Policy, Role } from "../../permissions/policy.ts";
import { indexBy } from "../../time/group-by.ts";
import { optionalText } from "../optional-text.ts";
import { installedIn, readActor } from "../people/actors.ts";
import { groupMembers, teamsToAsk } from "../people/group-members.ts";
import { pages } from "../people/pages.ts";
import { type ClockReading, createCheckClient } from "./check-client.ts";
import { adviceFor, refusalText, type SlackRefusal, slackRefusal } from "./slack-refusal.ts";

interface SlackChecks {
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

interface NamedInSlack {
  readonly channels: readonly ChannelInUse[];
  readonly policy: Policy;
  /** The workspaces whose members count as ours. */
  readonly teams: ReadonlySet<string> | undefined;
}

/** Runs every check of the workspace; changes nothing in it. */
export async function checkSlack(
  checks: SlackChecks,
): Promise<{ readonly results: readonly CheckResult[]; readonly reading: ClockReading | undefined }> {
  const { client, reading } = createCheckClient({ ...checks, token: checks.botToken });
  const { result, bot } = await checkToken(client);
  const [receiver, named] = await Promise.all([checkReceiver(checks, bot), checkNamed(checks, client, bot)]);
  const scopes = bot ? checkScopes(bot.scopes, checks.scopes) : scopesCheck.notChecked(needsBot);
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
  return [holders, approversCheck.notChecked(refusalText(inGroups), "Run this again in a minute.")];
}

/** The bot that the token belongs to. */
interface Bot {
  readonly userId: string;
  readonly teamId: string;
  readonly appId: string | undefined;
  /** The scopes of the token; undefined when Slack did not list them. */
  readonly scopes: readonly string[] | undefined;
}

const tokenCheck = checkResultsOf("bot token");

/** Asks Slack who the bot is, like the start does. Without a bot, nothing else can be checked. */
async function checkToken(client: WebClient): Promise<{ readonly result: CheckResult; readonly bot?: Bot }> {
  try {
    const tested = await client.auth.test();
    const { team, user, user_id, bot_id, app_id, is_enterprise_install, response_metadata } = tested;
    const teamId = installedIn(tested);
    if (!teamId || !bot_id || !user_id) return { result: noBot };
    const bot = { userId: user_id, teamId, appId: app_id, scopes: response_metadata?.scopes };
    const place = is_enterprise_install
      ? `for the whole organization (${teamId})`
      : `in the workspace ${team} (${teamId})`;
    return { result: tokenCheck.ok(`accepted: @${user} (${user_id}) ${place}`), bot };
  } catch (error) {
    return { result: refused(slackRefusal(error)) };
  }
}

const copyAgain = "Copy the Bot User OAuth Token again from the app's page “OAuth & Permissions” into SLACK_BOT_TOKEN";
const noBot = tokenCheck.failed("Slack did not say which bot the token belongs to", `${copyAgain}.`);

/** The remedies for token errors (PLATFORM.md §11.2). */
const remedies: Readonly<Record<string, string>> = {
  invalid_auth: `${copyAgain}. If it is right, check whether the app allows only some IP addresses.`,
  account_inactive: "The app is no longer installed: install it again and put its new token into SLACK_BOT_TOKEN.",
  token_revoked: "The app is no longer installed: install it again and put its new token into SLACK_BOT_TOKEN.",
  token_expired: "Switch token rotation off, as the manifest has it, and install the app again.",
};

function refused(refusal: SlackRefusal): CheckResult {
  const detail = refusalText(refusal);
  return refusal.kind === "refused"
    ? tokenCheck.failed(`not accepted: ${detail}`, remedies[refusal.code] ?? `${copyAgain}.`)
    : tokenCheck.failed(detail, adviceFor(refusal) ?? `${copyAgain}.`);
}

const scopesCheck = checkResultsOf("scopes");

/** What Curfew can do without, and what is different then. */
const optional: Readonly<Record<string, string>> = {
  "app_mentions:read": "mentions of Curfew get no answer",
  "im:history": "direct messages to Curfew get no answer",
};

/** Compares the scopes of the token with those of the manifest. */
export function checkScopes(granted: readonly string[] | undefined, wanted: readonly string[] | string): CheckResult {
  if (typeof wanted === "string") return scopesCheck.notChecked(wanted);
  if (granted === undefined) return scopesCheck.notChecked("Slack did not list the scopes of the token");
  const absent = wanted.filter((scope) => !granted.includes(scope));
  const missing = absent.filter((scope) => !(scope in optional));
  const superfluous = granted.filter((scope) => !wanted.includes(scope));
  if (missing.length > 0) {
    return scopesCheck.failed(
      `missing: ${missing.join(", ")}`,
      "Add them to the app, or apply the manifest. Then install the app again: only then does the token get them.",
    );
  }
  if (superfluous.length > 0)
    return scopesCheck.warning(
      `more than Curfew needs: ${superfluous.join(", ")}`,
      "Remove them from the app, so that its token can do no more than it needs.",
    );
  return absent.length > 0
    ? scopesCheck.ok(`all that are needed. Without ${absent.map((scope) => `${scope} ${optional[scope]}`).join("; ")}`)
    : scopesCheck.ok(`exactly those of the manifest: ${wanted.join(", ")}`);
}

const receiverCheck = checkResultsOf("app token");

/** Asks for a Socket Mode address (PLATFORM.md §14.1) and lets it expire unused. `botsApp`: the bot token's app. */
export async function checkAppToken(client: WebClient, botsApp: string | undefined): Promise<CheckResult> {
  try {
    const { url = "" } = await client.apps.connections.open({});
    const app = URL.canParse(url) ? new URL(url).searchParams.get("app_id") : null;
    if (app !== null && botsApp !== undefined && app !== botsApp) {
      return receiverCheck.failed(
        `it belongs to the app ${app}, and the bot token to ${botsApp}`,
        "Take both from the same app: otherwise Curfew gets no requests.",
      );
    }
    return receiverCheck.ok("accepted: Slack lets Curfew connect");
  } catch (error) {
    const refusal = slackRefusal(error);
    const detail = refusalText(refusal);
    return receiverCheck.failed(
      refusal.kind === "refused" ? `not accepted: ${detail}` : detail,
      adviceFor(refusal) ?? needed,
    );
  }
}

const needed =
  "SLACK_APP_TOKEN is an app-level token (“Basic Information”) with the scope connections:write, of an app with Socket Mode switched on.";

const signingSecretUnseen: CheckResult = checkResultsOf("signing secret").notChecked(
  "only a request from Slack shows whether SLACK_SIGNING_SECRET is right",
  "Start Curfew and type its command. If Slack says that it failed and Curfew logs a wrong signature, copy the secret again.",
);

export interface ChannelInUse {
  readonly id: string;
  /** The places in the config that name it. */
  readonly uses: readonly string[];
  /** Whether Curfew posts there by itself, rather than only answers there. */
  readonly isPostedTo: boolean;
}

const invite = "Type /invite @Curfew in the channel (with your bot's name)";

/** Whether the bot is in the channel (PLATFORM.md §12.6). Whether the channel's settings let it post there, only a post shows. */
async function checkChannel(client: WebClient, channel: ChannelInUse): Promise<CheckResult> {
  const { ok, warning, failed, notChecked } = checkResultsOf(`channel ${channel.id}`);
  const uses = channel.uses.join(", ");
  const unfit = channel.isPostedTo ? failed : warning;
  try {
    const { is_archived, is_member } = (await client.conversations.info({ channel: channel.id })).channel ?? {};
    if (is_archived)
      return unfit(`it is archived (${uses})`, "Unarchive it, or put another channel's id into the config.");
    if (is_member) return ok(`the bot is a member of it (${uses})`);
    return is_member === false
      ? unfit(`the bot is not a member of it (${uses})`, `${invite}.`)
      : warning(`Slack does not say whether the bot is a member of it (${uses})`, `${invite}.`);
  } catch (error) {
    const refusal = slackRefusal(error);
    const detail = `${refusalText(refusal)} (${uses})`;
    if (refusal.kind !== "refused") return notChecked(detail, adviceFor(refusal));
    if (refusal.code === "missing_scope") return notChecked(detail, "Fix the scopes first.");
    const what =
      refusal.code === "channel_not_found"
        ? `there is no such channel, or it is private and the bot is not in it (${uses})`
        : detail;
    return unfit(what, `${invite}, or put another channel's id into the config.`);
  }
}

const groupsCheck = checkResultsOf("user groups");

/** A disabled group has a deletion date; the count comes as text (PLATFORM.md §12.5). */
const groupList = z.array(
  z.looseObject({
    id: z.string(),
    date_delete: z.number().nullish(),
    user_count: z.union([z.number(), optionalText]),
  }),
);
/** Whether the user groups with roles exist and have members. */
export async function checkGroups(
  client: WebClient,
  members: readonly RoleMember[],
  teams: ReturnType<typeof teamsToAsk>,
): Promise<CheckResult> {
  if (members.length === 0) return groupsCheck.ok("no role names one");
  try {
    const asked = { include_disabled: true, include_count: true };
    const lists = await Promise.all(teams.map((team) => client.usergroups.list({ ...asked, ...team })));
    const all = lists.flatMap(({ usergroups }) => groupList.parse(usergroups));
    const groups = new Map(all.map((group) => [group.id, group]));
    const flaws = members.flatMap((member) => flawOf(member, groups.get(member.id)));
    const advice = "Fix the group in Slack, or give its roles to another group in the config.";
    return flaws.length === 0
      ? groupsCheck.ok(`all ${members.length} with roles exist`)
      : judged(groupsCheck, flaws, textOf(flaws), advice);
  } catch (error) {
    const refusal = slackRefusal(error);
    if (refusal.kind === "refused" && refusal.code === "missing_argument")
      return groupsCheck.failed(
        "the app is installed for an organization, and Slack shows user groups by workspace only: nobody has their roles",
        "Name the workspaces in `teams`.",
      );
    return refusal.kind === "refused" && refusal.code === "plan_upgrade_required"
      ? groupsCheck.failed("this workspace's plan has no user groups", "Give roles to people instead, by their ids.")
      : groupsCheck.notChecked(
          refusalText(refusal),
          adviceFor(refusal) ?? "Fix the scopes if one is missing, and run this again.",
        );
  }
}

function flawOf(member: RoleMember, group: z.output<typeof groupList>[number] | undefined): readonly Flaw[] {
  if (group === undefined) return [flaw(member, "does not exist", true)];
  if (group.date_delete) return [flaw(member, "is disabled: nobody has its roles")];
  return Number(group.user_count ?? 1) === 0 ? [flaw(member, "has nobody in it")] : [];
}

const teamsCheck = checkResultsOf("teams");

/** Whether the members of the workspace that Curfew is installed in count; nothing where the config leaves that open. */
export function checkTeams(installedIn: string, teams: ReadonlySet<string> | undefined): readonly CheckResult[] {
  if (teams === undefined) return [];
  if (installedIn.startsWith("T") && !teams.has(installedIn)) {
    const what = `the app is installed in ${installedIn}, which \`teams\` does not list: nobody there may do anything`;
    return [teamsCheck.failed(what, "Add it to `teams`, or leave `teams` out.")];
  }
  return [teamsCheck.ok(`members of ${[...teams].join(", ")} count as ours`)];
}

type Found = { readonly actor: Actor } | { readonly refusal: SlackRefusal };

/** Slack allows some 100 look-ups of one person a minute (PLATFORM.md §11.3). For more, everybody is read page by page. */
const maxLookUps = 100;
const pageSize = 1000;

/** Any number of people, without groups. `ours`: the workspaces whose members count as ours. */
async function findPeople(
  client: WebClient,
  ids: readonly string[],
  teams: ReturnType<typeof teamsToAsk>,
  ours: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Found>> {
  const isMany = ids.length > maxLookUps;
  const listed = isMany ? await everybody(client, teams).catch(slackRefusal) : new Map<string, unknown>();
  // People of other organizations are not in the list.
  const find = async (id: string): Promise<Found> => {
    if ("kind" in listed) return { refusal: listed };
    const person = listed.get(id) ?? (await client.users.info({ user: id })).user;
    return { actor: readActor(person, ours) };
  };
  const each = async (id: string) => find(id).catch((error: unknown) => ({ refusal: slackRefusal(error) }));
  return new Map(await Promise.all(ids.map(async (id) => [id, await each(id)] as const)));
}

async function everybody(
  client: WebClient,
  teams: ReturnType<typeof teamsToAsk>,
): Promise<ReadonlyMap<string, unknown>> {
  const all = new Map<string, unknown>();
  for (const team of teams)
    for await (const page of pages((cursor) => client.users.list({ limit: pageSize, ...team, ...cursor })))
      for (const member of page.members ?? []) if (member.id) all.set(member.id, member);
  return all;
}

/** A person or user group that the config gives roles to. */
interface RoleMember {
  readonly id: string;
  readonly roles: readonly string[];
}

/** Every member of a role once, in the order of the config. */
function roleMembers(roles: readonly Pick<Role, "name" | "members">[]) {
  const rolesOf = indexBy(roles, ({ members }) => members);
  const all: readonly RoleMember[] = [...rolesOf].map(([id, held]) => ({ id, roles: held.map(({ name }) => name) }));
  const isGroup = ({ id }: RoleMember) => isGroupId(id);
  return { groups: all.filter(isGroup), people: all.filter((member) => !isGroup(member)) };
}

/** A problem with a member; `isNobody`: there is no such person or group. */
interface Flaw {
  readonly text: string;
  readonly isNobody: boolean;
}

const flaw = ({ id, roles }: RoleMember, what: string, isNobody = false): Flaw => ({
  text: `${id} (${roles.join(", ")}) ${what}`,
  isNobody,
});

const textOf = (flaws: readonly Flaw[]): string => flaws.map(({ text }) => text).join("\n");

const judged = (check: ReturnType<typeof checkResultsOf>, flaws: readonly Flaw[], detail: string, advice: string) =>
  flaws.some(({ isNobody }) => isNobody) ? check.failed(detail, advice) : check.warning(detail, advice);

const peopleCheck = checkResultsOf("people");

/** Whether the people with roles exist and are members, who alone may do anything. */
function checkPeople(found: ReadonlyMap<string, Found>, members: readonly RoleMember[]): CheckResult {
  if (members.length === 0) return peopleCheck.ok("no role names one");
  const flaws: Flaw[] = [];
  const unseen: string[] = [];
  for (const member of members) {
    const person = found.get(member.id);
    if (person && "refusal" in person) {
      const { refusal } = person;
      if (refusal.kind === "refused" && /^user_not_(?:found|visible)$/.test(refusal.code))
        flaws.push(flaw(member, "is not known in this workspace", true));
      else unseen.push(refusalText(refusal));
    } else {
      const what = person && barred[person.actor.membership];
      if (what !== undefined) flaws.push(flaw(member, what));
    }
  }
  const [why] = unseen;
  const unseenText = why === undefined ? "" : `${unseen.length} of ${members.length} could not be checked: ${why}`;
  const detail = [textOf(flaws), unseenText].filter(Boolean).join("\n");
  const advice = "Remove them from the roles, or correct the ids (Slack: profile, ⋮, “Copy member ID”).";
  if (flaws.length > 0) return judged(peopleCheck, flaws, detail, advice);
  return why === undefined
    ? peopleCheck.ok(`all ${members.length} with roles are members`)
    : peopleCheck.notChecked(detail, "Fix the scopes if one is missing, and run this again in a minute.");
}

/** People who may do nothing, even with a role. */
const barred: Readonly<Record<Actor["membership"], string | undefined>> = {
  member: undefined,
  guest: "is a guest, and guests may do nothing",
  bot: "is a bot, and bots may do nothing",
  deleted: "is deactivated",
  external: "belongs to another organization, whose people may do nothing",
};

const approversCheck = checkResultsOf("approvers");

/** Whether anything needs an approval. */
const asksApprovers = ({ approvals, identity }: Policy): boolean => approvals.length > 0 || identity !== undefined;

/** Whether everybody with a role can get approved what they may ask for. `found`: all of them. `groups`: the members of each user group. */
function checkApprovers(
  policy: Policy,
  found: ReadonlyMap<string, Found>,
  groups: ReadonlyMap<string, ReadonlySet<string>>,
): CheckResult {
  const people = [...found.values()];
  const unseen = people.flatMap((person) =>
    "refusal" in person && person.refusal.kind !== "refused" ? [person.refusal] : [],
  );
  const [refusal] = unseen;
  if (refusal) return approversCheck.notChecked(refusalText(refusal), "Run this again in a minute.");
  const groupsOf = (userId: string) => [...groups].flatMap(([id, members]) => (members.has(userId) ? [id] : []));
  const actors = people.flatMap((person) =>
    "actor" in person ? [{ ...person.actor, groupIds: groupsOf(person.actor.userId) }] : [],
  );
  const lines = unapprovable(policy, actors);
  return lines.length === 0
    ? approversCheck.ok("everybody with a role can get approved what they may ask for")
    : approversCheck.warning(
        lines.join("\n"),
        "Give the approvers' roles to more people, or name more roles as approvers.",
      );
}
