import type { WebClient } from "@slack/web-api";
import { z } from "zod";
import type { Logger } from "../../observability/log.ts";
import { type Actor, isGroupId, isProgram, mailboxOf, programActor } from "../../permissions/actor.ts";
import { ianaZone } from "../../time/zone.ts";
import { slackRefusal } from "../checks/slack-refusal.ts";
import { optionalText } from "../optional-text.ts";
import { groupMembers, teamsToAsk } from "./group-members.ts";
import { createLookUp, type Dated, type Purpose } from "./look-up.ts";
import { createPeopleList, type PeopleListOptions } from "./people-list.ts";

/** The parts of Slack's user object that Curfew reads (PLATFORM.md §12.5). */
const slackUser = z.object({
  id: z.string(),
  team_id: optionalText,
  deleted: z.boolean().nullish(),
  is_bot: z.boolean().nullish(),
  is_workflow_bot: z.boolean().nullish(),
  is_connector_bot: z.boolean().nullish(),
  is_restricted: z.boolean().nullish(),
  is_ultra_restricted: z.boolean().nullish(),
  is_stranger: z.boolean().nullish(),
  real_name: optionalText,
  tz: optionalText,
  enterprise_user: z.object({ enterprise_id: optionalText, teams: z.array(z.string()).nullish() }).nullish(),
  profile: z.object({ display_name: optionalText, real_name: optionalText, email: optionalText }).nullish(),
});
type SlackUser = z.infer<typeof slackUser>;

export type Actors = ReturnType<typeof createActors>;

export interface ActorOptions {
  readonly client: WebClient;
  /** The workspace that Curfew is installed in, or the organization when it is installed for all of one. Empty while not known. */
  readonly teamId: () => string;
  /** The user groups that the permissions name. */
  readonly groupIds: () => readonly string[];
  /** Whether the permissions name this person directly: they may have a role without any group. */
  readonly isNamed?: (userId: string) => boolean;
  /** The zone of a program; UTC for all if left out. */
  readonly zoneOfProgram?: ((id: string) => string) | undefined;
  /** The workspaces whose members count as ours; undefined for `teamId`. */
  readonly teams?: (() => ReadonlySet<string> | undefined) | undefined;
  /** What instances read for each other. */
  readonly shared?: PeopleListOptions<SlackUser>["shared"];
  /** A monotonic clock. */
  readonly elapsedMs: () => number;
  readonly log: Logger;
}

type Members = Awaited<ReturnType<typeof groupMembers>>;
/** Read together, so kept together: the groups may be read only some 20 times a minute (PLATFORM.md §11.3, tier 2). */
const everyGroup = "all";

/** With more people active than this, the workspace's list is read instead of each of them. Slack allows some 100 look-ups a minute. */
const fewPeople = 15;
/** How long those who are not known wait for the list, before Slack is asked about them alone. */
const listWaitMs = 1000;

/** Looks people up in Slack and caches them for a while. A group that Slack does not show has no members: it fails closed. Programs are not in Slack. */
export function createActors(options: ActorOptions) {
  const { client, teamId, groupIds, elapsedMs, log } = options;
  const { isNamed = () => false, zoneOfProgram = () => "UTC", teams = () => undefined } = options;
  const ours = () => teams() ?? new Set(teamId() === "" ? [] : [teamId()]);
  const program = (id: string) => programActor(id, teamId(), zoneOfProgram(id));
  const teamsAsked = () => teamsToAsk(teamId(), teams());
  const users = createUsers({ client, teams: teamsAsked, shared: options.shared, elapsedMs, log });
  const groups = createLookUp(() => groupMembers(client, teamsAsked(), log), { elapsedMs });
  const orNobody = (error: unknown) => {
    const refusal = slackRefusal(error);
    if (refusal.kind !== "refused" || !noSuchPerson.includes(refusal.code)) throw error;
    return undefined;
  };
  const readByEmail = alsoByMailbox(async (email) => {
    try {
      return readActor((await client.users.lookupByEmail({ email })).user, ours());
    } catch (error) {
      const nobody = orNobody(error);
      log.debug({ error: codeOf(error) }, "found nobody in Slack by an e-mail address");
      return nobody;
    }
  });
  const byEmail = createLookUp(readByEmail, { elapsedMs });
  const within = (userId: string, members: Members = new Map()) =>
    groupIds().filter((id) => members.get(id)?.has(userId));
  const groupsOf = async (userId: string, purpose: Purpose): Promise<readonly string[]> => {
    if (groupIds().length === 0) return [];
    try {
      return within(userId, await groups.get(everyGroup, purpose));
    } catch (error) {
      // Who has a role without any group goes on without them. Anybody else might read that they lack a role that they have.
      if (!isNamed(userId) || within(userId, groups.last(everyGroup)).length > 0) throw error;
      log.warn({ err: error, userId }, "could not read the user groups: going on with the roles of the person alone");
      return [];
    }
  };
  const actor = async (userId: string, purpose: Purpose = "read"): Promise<Actor> => {
    if (isProgram(userId)) return program(userId);
    const [user, inGroups] = await Promise.all([users.get(userId, purpose), groupsOf(userId, purpose)]);
    return toActor(user, ours(), inGroups);
  };
  return {
    /** The person with their user groups, or the program. Throws when Slack cannot say. */
    actor,
    /** The same; undefined when Slack knows or shows nobody with that id. */
    find: (userId: string) => actor(userId).catch(orNobody),
    /** A person's own id; the ids of a user group's people, none when Slack does not show it. Throws when Slack is silent. */
    idsIn: async (memberId: string) =>
      isGroupId(memberId) ? [...((await groups.get(everyGroup, "read")).get(memberId) ?? [])] : [memberId],
    /** The person with their groups, as Slack described both within the last five minutes. Never asks Slack. */
    known: (userId: string) => {
      if (isProgram(userId)) return program(userId);
      const user = users.last(userId);
      return user && toActor(user, ours(), within(userId, groups.last(everyGroup)));
    },
    emailOf: async (userId: string) =>
      isProgram(userId) ? undefined : (await users.get(userId, "read")).profile?.email,
    /** Slack said that this person or group is no longer as known. */
    changed: (id: string) => {
      if (!isGroupId(id)) users.forget(id);
      // Of a company's hundreds of groups, those without a role change all day.
      else if (groupIds().includes(id)) groups.forget(everyGroup);
    },
    /** Reads again the people who were active lately, and the groups. */
    refresh: async () => {
      await Promise.all([users.refresh(), groups.refresh()]);
    },
    /** The person with this e-mail address, without groups; undefined when Slack knows or shows nobody. Throws when Slack cannot say. */
    withEmail: (email: string, purpose: Purpose = "change") =>
      purpose === "read" ? byEmail.get(email, purpose) : readByEmail(email),
  };
}

/** People as Slack describes them: each alone, or, while many are active, all by the workspace's list. */
function createUsers(options: Omit<PeopleListOptions<SlackUser>, "read" | "onGone">) {
  const { client, elapsedMs } = options;
  const users = createLookUp(
    async (userId: string) => slackUser.parse((await client.users.info({ user: userId })).user),
    { elapsedMs, otherwise: (userId): Dated<SlackUser> | undefined => (areMany() ? list.of(userId) : undefined) },
  );
  const areMany = (): boolean => users.active() > fewPeople;
  const read = (member: unknown) => slackUser.safeParse(member).data;
  const list = createPeopleList({ ...options, read, onGone: (id) => users.forget(id) });
  return {
    last: users.last,
    get: async (userId: string, purpose: Purpose): Promise<SlackUser> => {
      const askedAt = performance.now();
      if (areMany() && purpose !== "change" && !users.isFresh(userId)) await list.refresh(listWaitMs);
      return users.get(userId, purpose, askedAt);
    },
    forget: (userId: string) => {
      list.forget(userId);
      users.forget(userId);
    },
    refresh: async () => {
      if (areMany()) await list.refresh();
      await users.refresh();
    },
  };
}

/** Slack finds people by the exact address of their profile. */
const alsoByMailbox =
  (read: (address: string) => Promise<Actor | undefined>) =>
  async (address: string): Promise<Actor | undefined> => {
    const mailbox = mailboxOf(address);
    return (await read(address)) ?? (mailbox === address.toLowerCase() ? undefined : read(mailbox));
  };

function codeOf(error: unknown): string {
  const refusal = slackRefusal(error);
  return refusal.kind === "refused" ? refusal.code : refusal.kind;
}

/** Slack knows or shows nobody with that address (PLATFORM.md §12.5). A missing scope is not listed: the operator can fix it. */
const noSuchPerson: readonly string[] = ["users_not_found", "user_not_found", "user_not_visible"];

/** A person as Slack describes them, without groups. Throws if Slack does not say enough. */
export const readActor = (user: unknown, ours: ReadonlySet<string>): Actor => toActor(slackUser.parse(user), ours, []);

function toActor(user: SlackUser, ours: ReadonlySet<string>, groupIds: readonly string[]): Actor {
  const { id, profile, real_name, tz } = user;
  const email = profile?.email;
  return {
    teamId: user.team_id ?? "",
    userId: id,
    name: profile?.display_name ?? profile?.real_name ?? real_name ?? id,
    // A zone that this Node does not know would make every time shown to them fail.
    timeZone: ianaZone(tz ?? "") ?? "UTC",
    membership: membershipOf(user, ours),
    groupIds,
    ...(email ? { email } : {}),
  };
}

function membershipOf(user: SlackUser, ours: ReadonlySet<string>): Actor["membership"] {
  const { enterprise_user: inEnterprise } = user;
  const teams = [user.team_id, inEnterprise?.enterprise_id, ...(inEnterprise?.teams ?? [])];
  // Slackbot and Slack's own notices are bots without a bot flag (PLATFORM.md §12.5).
  if (user.is_bot || user.is_workflow_bot || user.is_connector_bot || user.id.startsWith("USLACK")) return "bot";
  if (user.deleted) return "deleted";
  if (user.is_stranger || !teams.some((id) => id !== undefined && ours.has(id))) return "external";
  return user.is_restricted || user.is_ultra_restricted ? "guest" : "member";
}

/** The part of `auth.test`'s answer that says where the app is installed (PLATFORM.md §12.5). A missing field may also be null. */
interface AuthTested {
  readonly team_id?: string | null | undefined;
  readonly enterprise_id?: string | null | undefined;
  readonly is_enterprise_install?: boolean | undefined;
}

/** The id of the workspace that the app is installed in, or of the organization when it is installed for all of one. */
export function installedIn({ team_id, enterprise_id, is_enterprise_install }: AuthTested): string | undefined {
  return (is_enterprise_install ? enterprise_id || team_id : team_id) || undefined;
}
