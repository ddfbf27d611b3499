import { type Sandbox, seedPerson } from "./sandbox.ts";
import type { Viewer } from "./workspace/render/viewer.ts";

/** Renders texts for a person: names instead of ids, times in their zone. */
export function viewerOf(sandbox: Sandbox, handle: string): Viewer {
  const { seed, workspace, clock } = sandbox;
  const names = new Map<string, string>([
    ...seed.people.map(({ id, handle: name }) => [id, name] as const),
    ...seed.channels.map(({ id, name }) => [id, name] as const),
    ...seed.userGroups.map(({ id, handle: name }) => [id, name] as const),
    [workspace.botUserId, "Curfew"],
    ["USLACK", "Slack"],
  ]);
  return { nameOf: (id) => names.get(id) ?? id, zone: seedPerson(sandbox, handle).tz ?? "UTC", now: clock.now() };
}
