import { WebAPIRateLimitedError, type WebClient } from "@slack/web-api";
import { z } from "zod";
import type { Logger } from "../../observability/log.ts";
import type { Actor } from "../../permissions/actor.ts";
import { ianaZone } from "../../time/zone.ts";
import { slackRefusal } from "../checks/slack-refusal.ts";
import { createLookUp, type LookUp, SlackSilentError } from "./look-up.ts";

/** The parts of Slack's user object that decide who someone is (platform.md §12.5). */
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

/** What somebody is looked up for. */
export type Purpose = "read" | "change";

export interface Actors {
  /** Who this is, with the groups they are in. Throws when Slack cannot say. */
  actor(userId: string, purpose?: Purpose): Promise<Actor>;
  emailOf(userId: string): Promise<string | undefined>;
  /** Who has this e-mail address, without their groups; undefined where Slack knows nobody, or may not tell. Throws when it cannot say. */
  withEmail(email: string): Promise<Actor | undefined>;
}

export interface ActorOptions {
  readonly client: WebClient;
  /** The workspace that Curfew is installed in, or the organisation when it is installed for all of one. */
  readonly teamId: string;
  /** The user groups that the permissions name. */
  readonly groupIds: () => readonly string[];
  /** Whether the permissions name this person themselves, so that they may have a role whatever their groups are. */
  readonly isNamed?: (userId: string) => boolean;
  /** A clock that is never set. */
  readonly elapsedMs: () => number;
  readonly log: Logger;
}

/**
 * How long what Slack said of a person or a group is taken as true. For a change it is asked again soon, so that a right that was
 * taken away a moment ago changes nothing any more; longer than a moment, since a group may be read only some 20 times a minute
 * (platform.md §11.3, tier 2) and one change asks several times.
 */
const maxAgeMs: Readonly<Record<Purpose, number>> = { read: 30_000, change: 5000 };

/** Looks people up in Slack and remembers them for a while. A group that cannot be read has no members: it fails closed. */
export function createActors({ client, teamId, groupIds, isNamed, elapsedMs, log }: ActorOptions): Actors {
  const users = createLookUp(
    async (userId: string) => slackUser.parse((await client.users.info({ user: userId })).user),
    { elapsedMs, maxAgeMs },
  );
  const groups = createLookUp(
    async (groupId: string) => new Set((await client.usergroups.users.list({ usergroup: groupId })).users),
    { elapsedMs, maxAgeMs },
  );
  // Nobody is told that they have no role when it is only that Slack is silent; who has one by another way goes on with that.
  const isToBeTold = (error: unknown, groupId: string, userId: string) =>
    error instanceof SlackSilentError && (groups.last(groupId)?.has(userId) ?? isNamed?.(userId) === false);
  const membersOf = (groupId: string, userId: string, purpose: Purpose) =>
    freshEnough(groups, groupId, purpose).catch((error: unknown) => {
      if (isToBeTold(error, groupId, userId)) throw error;
      log.warn({ err: error, groupId }, "a user group could not be read: nobody has its roles for now");
      return new Set<string>();
    });
  // Only a group that would give its roles is worth asking for again.
  const isMember = async (groupId: string, userId: string, purpose: Purpose) =>
    (await membersOf(groupId, userId, "read")).has(userId) && (await membersOf(groupId, userId, purpose)).has(userId);
  return {
    actor: async (userId, purpose = "read") => {
      const ids = [...groupIds()];
      const [user, ...isIn] = await Promise.all([
        freshEnough(users, userId, purpose),
        ...ids.map((id) => isMember(id, userId, purpose)),
      ]);
      return toActor(
        user,
        teamId,
        ids.filter((_id, index) => isIn[index]),
      );
    },
    emailOf: async (userId) => (await users.get(userId, "read")).profile?.email,
    withEmail: async (email) => {
      try {
        return toActor(slackUser.parse((await client.users.lookupByEmail({ email })).user), teamId, []);
      } catch (error) {
        const refusal = slackRefusal(error);
        if (refusal.kind !== "refused" || !noSuchPerson.includes(refusal.code)) throw error;
        log.debug({ error: refusal.code }, "nobody in Slack could be found by an e-mail address");
        return undefined;
      }
    },
  };
}

/** Slack knows nobody by that address, or may not tell who it is (platform.md §12.5). Where the app lacks a scope, whoever runs Curfew can mend it. */
const noSuchPerson: readonly string[] = ["users_not_found", "user_not_visible"];

/** When Slack takes no more questions for now, what it said lately has to do: a busy hour must not lock everybody out. */
async function freshEnough<V>(lookUp: LookUp<V>, key: string, purpose: Purpose): Promise<V> {
  try {
    return await lookUp.get(key, purpose);
  } catch (error) {
    const kept = purpose === "change" && error instanceof WebAPIRateLimitedError && lookUp.last(key, maxAgeMs.read);
    if (kept) return kept;
    throw error;
  }
}

function toActor(user: SlackUser, installedTeam: string, groupIds: readonly string[]): Actor {
  const { id, profile, real_name, tz } = user;
  const email = profile?.email;
  return {
    teamId: user.team_id ?? "",
    userId: id,
    name: profile?.display_name || profile?.real_name || real_name || id,
    // A zone too new for this Node would make every time that is shown to them fail.
    timeZone: ianaZone(tz ?? "") ?? "UTC",
    membership: membershipOf(user, installedTeam),
    groupIds,
    ...(email ? { email } : {}),
  };
}

function membershipOf(user: SlackUser, installedTeam: string): Actor["membership"] {
  const { enterprise_user: inEnterprise } = user;
  const teams = [user.team_id, inEnterprise?.enterprise_id, ...(inEnterprise?.teams ?? [])];
  // Slackbot and Slack's own notices are bots that do not say so (platform.md §12.5).
  if (user.is_bot || user.is_app_user || user.is_workflow_bot || user.is_connector_bot || user.id.startsWith("USLACK"))
    return "bot";
  if (user.deleted) return "deleted";
  if (user.is_stranger || !teams.includes(installedTeam)) return "external";
  return user.is_restricted || user.is_ultra_restricted || user.is_invited_user ? "guest" : "member";
}
