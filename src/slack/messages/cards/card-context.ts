import { type ConcernPorts, concernsAbout } from "../../../changes/approvals/concerns.ts";
import { type Change, isRemoval } from "../../../changes/change.ts";
import type { ChangeSettings, ChangeStore, GroupStore, OutboxStore } from "../../../changes/ports.ts";
import type { Sentence } from "../../../commands/answer.ts";
import { expiryOf } from "../../../commands/exclusion/exclusion-body.ts";
import { alsoHeld } from "../../../commands/exclusion/overlapping-exclusions.ts";
import { groupOf } from "../../../commands/exclusion/resource-context.ts";
import type { DirectoryStore } from "../../../directory/directory.ts";
import type { Action } from "../../../service/resources.ts";
import type { Mrkdwn } from "../message.ts";
import { askedInWords, type ThreadLink } from "./card-link.ts";
import { bodyAfter, exclusionState } from "./exclusion-state.ts";
import { type NextStop, nextStopAfter } from "./next-stop.ts";

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
  /** "asked for in a thread", with a link to it, where it was. */
  readonly askedIn?: readonly Mrkdwn[] | undefined;
  /** Of a series: the exclusion of the time that has begun and is not over. */
  readonly running?: { readonly exclusionId: string; readonly endsAt: number } | undefined;
  /** What the approvers of a waiting change should look at. */
  readonly concerns?: readonly Sentence[] | undefined;
}

export interface CardSources extends ConcernPorts {
  readonly store: ConcernPorts["store"] &
    Pick<DirectoryStore, "get" | "liveExclusions"> &
    Pick<GroupStore, "groups"> &
    Pick<ChangeStore, "planned" | "waiting"> &
    Pick<OutboxStore, "changeOfCard">;
  readonly threadLink: ThreadLink;
  readonly settings: () => Pick<ChangeSettings, "announce" | "resourceGroups" | "ticketUrl">;
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
  const askedIn = await askedInWords([change, ...later], sources);
  if (change.subjectKind !== "exclusion") return { later, now, ticketUrl, concerns, askedIn };
  const exclusion = change.subjectId === null ? undefined : await store.get("exclusion", change.subjectId);
  const goneAt = exclusion?.endedAt ?? undefined;
  const state = exclusionState(change, later, now, goneAt);
  const body = bodyAfter([change, ...later]);
  const groups = { ...(await store.groups()), ...resourceGroups };
  const groupName = groupOf(body.resourceIds ?? [], groups);
  const project = body.projectId ? await store.get("project", body.projectId) : undefined;
  const named = { projectName: project?.name ?? undefined, groupName };
  const running = change.state === "planned" ? await runningOf(change, store, now) : undefined;
  const known = { later, now, ticketUrl, concerns, askedIn, goneAt, running, ...named };
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
  return { ...known, nextStop: await nextStopAfter(group, (await actions()) ?? [], state.endsAt, store) };
}

/** The exclusion of the time of a series that is in force. */
async function runningOf(
  { children = [] }: Change,
  store: Pick<DirectoryStore, "get">,
  now: number,
): Promise<CardContext["running"]> {
  const exclusionId = children.findLast(({ state }) => state === "succeeded")?.subjectId ?? undefined;
  const exclusion = exclusionId === undefined ? undefined : await store.get("exclusion", exclusionId);
  if (exclusionId === undefined || !exclusion || exclusion.endedAt !== null) return undefined;
  const endsAt = expiryOf(exclusion.body);
  return endsAt === undefined || endsAt <= now ? undefined : { exclusionId, endsAt };
}
