import type { WebClient } from "@slack/web-api";
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

type Team = ReturnType<typeof teamsToAsk>[number];

/** The people of a user group, which belongs to one of these workspaces. `found`: where groups were found before. */
export async function groupMembers(
  client: WebClient,
  usergroup: string,
  teams: readonly Team[],
  found: Map<string, Team>,
): Promise<ReadonlySet<string>> {
  let unknown: unknown;
  const before = teams.filter(({ team_id }) => team_id === found.get(usergroup)?.team_id);
  for (const team of new Set([...before, ...teams])) {
    try {
      const { users } = await client.usergroups.users.list({ usergroup, ...team });
      found.set(usergroup, team);
      return new Set(users);
    } catch (error) {
      const refusal = slackRefusal(error);
      if (refusal.kind !== "refused" || refusal.code !== "no_such_subteam") throw error;
      unknown = error;
    }
  }
  throw unknown;
}
