import { WebAPIRateLimitedError, type WebClient } from "@slack/web-api";
import { z } from "zod";
import type { Logger } from "../../observability/log.ts";
import { type Actor, isGroupId, isProgram, programActor } from "../../permissions/actor.ts";
import { ianaZone } from "../../time/zone.ts";
import { slackRefusal } from "../checks/slack-refusal.ts";
import { groupMembers, teamsToAsk } from "./group-members.ts";
import { createLookUp, type LookUp, type Purpose, SlackSilentError } from "./look-up.ts";

/** The parts of Slack's user object that Curfew reads (PLATFORM.md §12.5). */
const slackUser = z.looseObject({
  id: z.string(),
  team_id: z.string().optional(),
  deleted: z.boolean().optional(),
  is_bot: z.boolean().optional(),
  is_app_user: z.boolean().optional(),
  is_workflow_bot: z.boolean().optional(),
  is_connector_bot: z.boolean().optional(),
  is_restricted: z.boolean().optional(),
  is_ultra_restricted: z.boolean().optional(),
  is_stranger: z.boolean().optional(),
  is_invited_user: z.boolean().optional(),
  real_name: z.string().optional(),
  tz: z.string().optional(),
  enterprise_user: z
    .looseObject({ enterprise_id: z.string().optional(), teams: z.array(z.string()).optional() })
    .optional(),
  profile: z
    .looseObject({
      display_name: z.string().optional(),
      real_name: z.string().optional(),
      email: z.string().optional(),
    })
    .optional(),
});
type SlackUser = z.infer<typeof slackUser>;

export interface Actors {
  /** The person with their user groups, or the program. Throws when Slack cannot say. */
  actor(userId: string, purpose?: Purpose): Promise<Actor>;
  /** The same; undefined when Slack knows or shows nobody with that id. */
  find(userId: string): Promise<Actor | undefined>;
  /**
   * A person's own id; the ids of a user group's people, none when Slack refuses to say, since nobody has its roles then. Throws when
   * Slack is silent.
   */
  idsIn(memberId: string): Promise<readonly string[]>;
  /** The person without groups, as Slack described them within the last five minutes. Never asks Slack. */
  known(userId: string): Actor | undefined;
  emailOf(userId: string): Promise<string | undefined>;
  /** The person with this e-mail address, without groups; undefined when Slack knows or shows nobody. Throws when Slack cannot say. */
  withEmail(email: string, purpose?: Purpose): Promise<Actor | undefined>;
}

export interface ActorOptions {
  readonly client: WebClient;
  /** The workspace that Curfew is installed in, or the organization when it is installed for all of one. */
  readonly teamId: string;
  /** The user groups that the permissions name. */
  readonly groupIds: () => readonly string[];
  /** Whether the permissions name this person directly: they may have a role without any group. */
  readonly isNamed?: (userId: string) => boolean;
  /** The zone of a program; UTC for all if left out. */
  readonly zoneOfProgram?: ((id: string) => string) | undefined;
  /** The workspaces whose members count as ours; undefined for `teamId`. */
  readonly teams?: (() => ReadonlySet<string> | undefined) | undefined;
  /** A monotonic clock. */
  readonly elapsedMs: () => number;
  readonly log: Logger;
}

/**
 * How long an answer about a person or a group counts. Short for a change: a revoked right must not be used. Not zero: a group may be
 * read only some 20 times a minute (PLATFORM.md §11.3, tier 2), and one change reads it several times.
 */
const maxAgeMs: Readonly<Record<Purpose, number>> = { read: 30_000, change: 5000 };

/** Looks people up in Slack and caches them for a while. A group that cannot be read has no members: it fails closed. Programs are not in Slack. */
export function createActors(options: ActorOptions): Actors {
  const { client, teamId, groupIds, isNamed, elapsedMs, log } = options;
  const { zoneOfProgram = () => "UTC", teams = () => undefined } = options;
  const ours = () => teams() ?? new Set([teamId]);
  const program = (id: string) => programActor(id, teamId, zoneOfProgram(id));
  const users = createLookUp(
    async (userId: string) => slackUser.parse((await client.users.info({ user: userId })).user),
    { elapsedMs, maxAgeMs },
  );
  const found: Parameters<typeof groupMembers>[3] = new Map();
  const groups = createLookUp((groupId: string) => groupMembers(client, groupId, teamsToAsk(teamId, teams()), found), {
    elapsedMs,
    maxAgeMs,
  });
  const orNobody = (error: unknown) => {
    const refusal = slackRefusal(error);
    if (refusal.kind !== "refused" || !noSuchPerson.includes(refusal.code)) throw error;
    return undefined;
  };
  const readByEmail = async (email: string): Promise<Actor | undefined> => {
    try {
      return toActor(slackUser.parse((await client.users.lookupByEmail({ email })).user), ours(), []);
    } catch (error) {
      const nobody = orNobody(error);
      log.debug({ error: codeOf(error) }, "found nobody in Slack by an e-mail address");
      return nobody;
    }
  };
  const byEmail = createLookUp(readByEmail, { elapsedMs, maxAgeMs });
  // When Slack is silent, a person whose role may depend on this group gets an error, not a refusal. Others go on without the group.
  const mayDependOn = (error: unknown, groupId: string, userId: string) =>
    error instanceof SlackSilentError && (groups.last(groupId)?.has(userId) ?? isNamed?.(userId) === false);
  const membersOf = (groupId: string, userId: string, purpose: Purpose) =>
    freshEnough(groups, groupId, purpose).catch((error: unknown) => {
      if (mayDependOn(error, groupId, userId)) throw error;
      log.warn({ err: error, groupId }, "could not read a user group: nobody has its roles for now");
      return new Set<string>();
    });
  // Only a group that gives its roles is read again for a change.
  const isMember = async (groupId: string, userId: string, purpose: Purpose) =>
    (await membersOf(groupId, userId, "read")).has(userId) && (await membersOf(groupId, userId, purpose)).has(userId);
  const actor: Actors["actor"] = async (userId, purpose = "read") => {
    if (isProgram(userId)) return program(userId);
    const ids = [...groupIds()];
    const [user, ...isIn] = await Promise.all([
      freshEnough(users, userId, purpose),
      ...ids.map((id) => isMember(id, userId, purpose)),
    ]);
    return toActor(
      user,
      ours(),
      ids.filter((_id, index) => isIn[index]),
    );
  };
  return {
    actor,
    find: (userId) => actor(userId).catch(orNobody),
    idsIn: async (memberId) => {
      if (!isGroupId(memberId)) return [memberId];
      try {
        return [...(await groups.get(memberId, "read"))];
      } catch (error) {
        if (slackRefusal(error).kind !== "refused") throw error;
        return [];
      }
    },
    known: (userId) => {
      if (isProgram(userId)) return program(userId);
      const user = users.last(userId);
      return user && toActor(user, ours(), []);
    },
    emailOf: async (userId) => (isProgram(userId) ? undefined : (await users.get(userId, "read")).profile?.email),
    withEmail: (email, purpose = "change") => (purpose === "read" ? byEmail.get(email, purpose) : readByEmail(email)),
  };
}

function codeOf(error: unknown): string {
  const refusal = slackRefusal(error);
  return refusal.kind === "refused" ? refusal.code : refusal.kind;
}

/** Slack knows or shows nobody with that address (PLATFORM.md §12.5). A missing scope is not listed: the operator can fix it. */
const noSuchPerson: readonly string[] = ["users_not_found", "user_not_found", "user_not_visible"];

/** While Slack limits the rate, a recent answer must do: a busy hour must not lock everybody out. */
async function freshEnough<V>(lookUp: LookUp<V>, key: string, purpose: Purpose): Promise<V> {
  try {
    return await lookUp.get(key, purpose);
  } catch (error) {
    const kept = purpose === "change" && error instanceof WebAPIRateLimitedError && lookUp.last(key, maxAgeMs.read);
    if (kept) return kept;
    throw error;
  }
}

function toActor(user: SlackUser, ours: ReadonlySet<string>, groupIds: readonly string[]): Actor {
  const { id, profile, real_name, tz } = user;
  const email = profile?.email;
  return {
    teamId: user.team_id ?? "",
    userId: id,
    name: profile?.display_name || profile?.real_name || real_name || id,
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
  if (user.is_bot || user.is_app_user || user.is_workflow_bot || user.is_connector_bot || user.id.startsWith("USLACK"))
    return "bot";
  if (user.deleted) return "deleted";
  if (user.is_stranger || !teams.some((id) => id !== undefined && ours.has(id))) return "external";
  return user.is_restricted || user.is_ultra_restricted || user.is_invited_user ? "guest" : "member";
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
