import type { WebClient } from "@slack/web-api";
import type { Logger } from "../../observability/log.ts";
import { isGroupId } from "../../permissions/actor.ts";
import type { Policy } from "../../permissions/policy.ts";
import { slackRefusal } from "../checks/slack-refusal.ts";

/** Whether this is the id of an organization, not of a workspace (PLATFORM.md §18.4). */
export const isOrganization = (teamId: string): boolean => teamId.startsWith("E");

/** The workspaces whose groups are asked for: an organization's token does not say which (PLATFORM.md §18.4). */
export function teamsToAsk(
  installedIn: string,
  teams: ReadonlySet<string> | undefined,
): readonly { readonly team_id?: string }[] {
  if (!isOrganization(installedIn) || teams === undefined) return [{}];
  return [...teams].map((team_id) => ({ team_id }));
}

/** The people of each user group. One call reads all groups of a workspace: Slack allows few calls (PLATFORM.md §11.3, tier 2). */
export async function groupMembers(
  client: WebClient,
  teams: ReturnType<typeof teamsToAsk>,
  log: Logger,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const lists = await Promise.all(
    teams.map(async (team) => {
      try {
        return (await client.usergroups.list({ include_users: true, ...team })).usergroups ?? [];
      } catch (error) {
        if (slackRefusal(error).kind !== "refused") throw error;
        log.warn({ err: error, ...team }, "Slack does not show the user groups: nobody has their roles");
        return [];
      }
    }),
  );
  return new Map(lists.flat().flatMap(({ id, users }) => (id ? [[id, new Set(users)] as const] : [])));
}

/** The user groups and people that the permissions name. */
export function namedIn(settings: () => { readonly policy: Policy }) {
  let known: { readonly policy: Policy; readonly members: ReadonlySet<string>; readonly groups: string[] } | undefined;
  const named = () => {
    const { policy } = settings();
    if (known?.policy === policy) return known;
    const members = new Set(policy.roles.flatMap((role) => [...role.members]));
    known = { policy, members, groups: [...members].filter(isGroupId) };
    return known;
  };
  return {
    groupIds: () => named().groups,
    isNamed: (userId: string) => named().members.has(userId),
  };
}
