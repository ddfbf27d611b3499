import type { WebClient } from "@slack/web-api";
import type { Actor } from "../../permissions/actor.ts";
import { readActor } from "../people/actors.ts";
import type { teamsToAsk } from "../people/group-members.ts";
import { pages } from "../people/pages.ts";
import { type SlackRefusal, slackRefusal } from "./slack-refusal.ts";

export type Found = { readonly actor: Actor } | { readonly refusal: SlackRefusal };

/** Slack allows some 100 look-ups of one person a minute (PLATFORM.md §11.3). For more, everybody is read page by page. */
const maxLookUps = 100;
const pageSize = 1000;

/** Any number of people, without groups. `ours`: the workspaces whose members count as ours. */
export async function findPeople(
  client: WebClient,
  ids: readonly string[],
  teams: ReturnType<typeof teamsToAsk>,
  ours: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Found>> {
  try {
    const listed = ids.length > maxLookUps ? await everybody(client, teams) : new Map<string, unknown>();
    // People of other organizations are not in the list.
    const find = async (id: string): Promise<Found> => {
      try {
        return { actor: readActor(listed.get(id) ?? (await client.users.info({ user: id })).user, ours) };
      } catch (error) {
        return { refusal: slackRefusal(error) };
      }
    };
    return new Map(await Promise.all(ids.map(async (id) => [id, await find(id)] as const)));
  } catch (error) {
    const refusal = slackRefusal(error);
    return new Map(ids.map((id) => [id, { refusal }]));
  }
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
