import { type ConcernPorts, concernsAbout } from "../../../changes/approvals/concerns.ts";
import { type Change, isRemoval } from "../../../changes/change.ts";
import type { ChangeSettings, GroupStore } from "../../../changes/ports.ts";
import type { Sentence } from "../../../commands/answer.ts";
import { runAfter } from "../../../commands/exclusion/next-run.ts";
import { alsoHeld } from "../../../commands/exclusion/overlapping-exclusions.ts";
import { groupOf } from "../../../commands/exclusion/resource-context.ts";
import type { DirectoryStore } from "../../../directory/directory.ts";
import type { ResourceGroup } from "../../../directory/resource-group.ts";
import { actionsNamed, isFor } from "../../../service/action-types.ts";
import type { Action } from "../../../service/resources.ts";
import { bodyAfter, exclusionState } from "./exclusion-state.ts";

/** What a card shows beside its own change. */
export interface CardContext {
  /** The succeeded changes of the same thing since, oldest first. */
  readonly later: readonly Change[];
  readonly now: number;
  /** Where tickets are found. */
  readonly ticketUrl?: string | undefined;
  /** Of an exclusion: the name of its project, and of the group of exactly its resources. */
  readonly projectName?: string | undefined;
  readonly groupName?: string | undefined;
  /** The other exclusions that cover its resources, or some of them, when it is over. */
  readonly stillHeld?: { readonly by: number; readonly isWhole: boolean } | undefined;
  /** When a change of it found that the service no longer knew it. */
  readonly goneAt?: number | undefined;
  /** The first action of its group that stops it after its end. */
  readonly nextStop?: NextStop | undefined;
  /** What the approvers of a waiting change should look at. */
  readonly concerns?: readonly Sentence[] | undefined;
}

export interface NextStop {
  readonly action: string;
  /** In epoch ms. */
  readonly at: number;
}

export interface CardSources extends ConcernPorts {
  readonly store: ConcernPorts["store"] & Pick<DirectoryStore, "get" | "liveExclusions"> & Pick<GroupStore, "groups">;
  readonly settings: () => Pick<ChangeSettings, "resourceGroups" | "ticketUrl">;
  /** The service's actions; undefined when they cannot be read. */
  readonly actions: () => Promise<readonly Action[] | undefined>;
}

/** Looks up what a card shows beside its own change: of an exclusion, and of what waits for an approval. */
export async function cardContext(
  sources: CardSources,
  change: Change,
  later: readonly Change[],
  now: number,
): Promise<CardContext> {
  const { store, settings, actions } = sources;
  const { resourceGroups, ticketUrl } = settings();
  const concerns = await concernsAbout(change, sources, now);
  if (change.subjectKind !== "exclusion") return { later, now, ticketUrl, concerns };
  const exclusion = change.subjectId === null ? undefined : await store.get("exclusion", change.subjectId);
  const goneAt = exclusion?.endedAt ?? undefined;
  const state = exclusionState(change, later, now, goneAt);
  const body = bodyAfter([change, ...later]);
  const groups = { ...(await store.groups()), ...resourceGroups };
  const groupName = groupOf(body.resourceIds ?? [], groups);
  const project = body.projectId ? await store.get("project", body.projectId) : undefined;
  const known = { later, now, ticketUrl, concerns, projectName: project?.name ?? undefined, groupName, goneAt };
  if (state?.kind === "over" || state?.kind === "ended") {
    const endedAt = state.kind === "over" ? state.endsAt : ([change, ...later].find(isRemoval)?.settledAt ?? now);
    const others = exclusion ? await alsoHeld(exclusion, Math.max(endedAt, now), store) : [];
    const isHeld = (id: string, process: string) =>
      others.some(({ resourceIds, processes }) => resourceIds.includes(id) && processes.includes(process));
    const isWhole = (body.resourceIds ?? []).every((id) =>
      (body.processes ?? []).every((process) => isHeld(id, process)),
    );
    return { ...known, stillHeld: others.length > 0 ? { by: others.length, isWhole } : undefined };
  }
  const group = groupName === undefined ? undefined : groups[groupName];
  const isStopHeld = body.processes?.includes("stop-resource") ?? false;
  if (state?.kind !== "in-force" || !group?.actions?.length || !isStopHeld) return known;
  return { ...known, nextStop: nextStopAfter(group, await actions(), state.endsAt) };
}

/** When an action of the group stops it first after `end`, as far as the service's next runs and daily schedules say. */
function nextStopAfter(group: ResourceGroup, listed: readonly Action[] | undefined, end: number): NextStop | undefined {
  const stops = actionsNamed(group, listed ?? []).filter(
    (action) => action.isEnabled !== false && isFor("stop", action),
  );
  const runs = stops.flatMap((action) => {
    // At the very moment of its end an exclusion holds nothing back any more.
    const at = runAfter(action, end - 1);
    return at === undefined ? [] : [{ action: action.name || action.actionId, at }];
  });
  return runs.sort((one, other) => one.at - other.at)[0];
}
