import type { WebClient } from "@slack/web-api";
import { z } from "zod";
import type { Logger } from "../log.ts";
import type { Actor } from "../permissions/actor.ts";
import { ianaZone } from "../time/zone.ts";
import { createAgedCache } from "./aged-cache.ts";

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
  enterprise_user: z.looseObject({ teams: z.array(z.string()).optional() }).optional(),
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
  /** Who this is, with the groups they are in. Throws when Slack cannot say. */
  actor(userId: string): Promise<Actor>;
  emailOf(userId: string): Promise<string | undefined>;
}

export interface ActorOptions {
  readonly client: WebClient;
  /** The workspace Curfew is installed in. */
  readonly teamId: string;
  /** The user groups that the permissions name. */
  readonly groupIds: () => readonly string[];
  readonly now: () => number;
  readonly log: Logger;
}

/** How long what Slack said of a person or a group is taken as true. */
const maxAgeMs = 30_000;

/** Looks people up in Slack and remembers them for a while. A group that cannot be read has no members: it fails closed. */
export function createActors({ client, teamId, groupIds, now, log }: ActorOptions): Actors {
  const users = createAgedCache(
    async (userId: string) => slackUser.parse((await client.users.info({ user: userId })).user),
    { now, maxAgeMs },
  );
  const groups = createAgedCache(
    async (groupId: string) => new Set((await client.usergroups.users.list({ usergroup: groupId })).users),
    { now, maxAgeMs },
  );
  const membersOf = (groupId: string) =>
    groups.get(groupId).catch((error: unknown) => {
      log.warn({ err: error, groupId }, "a user group could not be read: nobody has its roles for now");
      return new Set<string>();
    });
  return {
    actor: async (userId) => {
      const ids = [...groupIds()];
      const [user, ...members] = await Promise.all([users.get(userId), ...ids.map(membersOf)]);
      return toActor(
        user,
        teamId,
        ids.filter((_id, index) => members[index]?.has(userId)),
      );
    },
    emailOf: async (userId) => (await users.get(userId)).profile?.email,
  };
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
    standing: standingOf(user, installedTeam),
    groupIds,
    ...(email ? { email } : {}),
  };
}

function standingOf(user: SlackUser, installedTeam: string): Actor["standing"] {
  const teams = [user.team_id, ...(user.enterprise_user?.teams ?? [])];
  // Slackbot and Slack's own notices are bots that do not say so (platform.md §12.5).
  if (user.is_bot || user.is_app_user || user.is_workflow_bot || user.is_connector_bot || user.id.startsWith("USLACK"))
    return "bot";
  if (user.deleted) return "deleted";
  if (user.is_stranger || !teams.includes(installedTeam)) return "external";
  return user.is_restricted || user.is_ultra_restricted || user.is_invited_user ? "guest" : "member";
}
