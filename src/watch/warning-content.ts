import { isDeepStrictEqual } from "node:util";
import type { WarnedAction, WarnedGroup, WarningContent } from "../changes/bulletin.ts";
import { expiryOf, instant, isSwitchedOff, processesOf } from "../commands/exclusion/exclusion-body.ts";
import { heldBack } from "../commands/lookup/holding.ts";
import type { Entity, ResourceGroup } from "../directory/directory.ts";
import { actionsNamed, actsOn } from "../service/action-types.ts";
import { resourceKeys, resourceTypes } from "../service/resources.ts";
import { wallClockAt } from "../time/wall-clock.ts";
import type { WatchSources } from "./watch-store.ts";
import type { Poll, WatchedAction } from "./watched-action.ts";

/** What the content of a warning is made from. */
export interface WarningSources extends Pick<Poll, "now" | "actions" | "watched"> {
  readonly groups: Readonly<Record<string, ResourceGroup>>;
  readonly liveExclusions: WatchSources["liveExclusions"];
  /** Of its recipient. */
  readonly zone: string;
}

/** The warning as things stand now, and when it is over: after the last of its runs that day. Null when it is. */
export async function warningNow(
  content: WarningContent,
  sources: WarningSources,
): Promise<{ readonly content: WarningContent; readonly overAt: number | null }> {
  const { now, watched, zone } = sources;
  const actions = content.actions.map((action) => actionNow(action, watched.get(action.actionId), now));
  const due = actions.filter(({ off, at, warnedAt }) => off === null && dayOf(at, zone) === dayOf(warnedAt, zone));
  const overAt = Math.max(content.at, ...due.map(({ at }) => at));
  const isOver = now >= overAt;
  const groups = await groupsNow(due, content.groups, sources);
  const known = { ...content, actions, groups, isOver };
  return {
    content: isDeepStrictEqual(known, content) ? content : { ...known, changedAt: now },
    overAt: isOver ? null : overAt,
  };
}

export function warnedAction({ id, facts }: WatchedAction, process: WarnedAction["process"], at: number): WarnedAction {
  const resourceType = resourceTypes.find((type) => actsOn(facts, type) === true) ?? null;
  const { name, projectId } = facts;
  return { actionId: id, name: name ?? id, projectId, resourceType, process, warnedAt: at, at, off: null };
}

/** A calendar day in an IANA zone. */
export function dayOf(at: number, zone: string): string {
  const { year, month, day } = wallClockAt(at, zone);
  return `${year}-${month}-${day}`;
}

/** The service's clock may be ahead: a run that is due just now was not moved. */
const sameMinuteMs = 60_000;

/** What was due stays as it is: its next run is another one. */
function actionNow(action: WarnedAction, watched: WatchedAction | undefined, now: number): WarnedAction {
  if (action.at <= now || watched?.missingSince) return action;
  if (!watched) return { ...action, off: "deleted" };
  if (watched.facts.isEnabled === false) return { ...action, off: "switched off" };
  const { nextAt } = watched;
  const isMoved = nextAt !== null && nextAt > now && action.at - now > sameMinuteMs;
  return { ...action, off: null, at: isMoved ? nextAt : action.at };
}

/** The groups that these actions act on. Once all of its runs are over, a group stays as it was. */
async function groupsNow(
  due: readonly WarnedAction[],
  former: readonly WarnedGroup[],
  { now, actions, groups, liveExclusions }: WarningSources,
): Promise<readonly WarnedGroup[]> {
  const ids = new Set(due.map(({ actionId }) => actionId));
  const listed = actions.filter(({ actionId }) => ids.has(actionId));
  const acted = Object.entries(groups).flatMap(([name, group]) => {
    const named = new Set(actionsNamed(group, listed).map(({ actionId }) => actionId));
    const runs = due.filter(({ actionId }) => named.has(actionId));
    const process = runs.some((run) => run.process === "stop") ? "stop" : "start";
    const ofProcess = runs.filter((run) => run.process === process);
    if (ofProcess.length === 0) return [];
    const at = Math.max(...ofProcess.map((run) => run.at));
    return [{ name, group, process, at, actionIds: ofProcess.map(({ actionId }) => actionId) } as const];
  });
  const soonest = Math.min(...acted.map(({ at }) => at));
  const keys = acted.flatMap(({ group }) => group.ids.flatMap((id) => resourceKeys(id)));
  const live = acted.length === 0 ? [] : await liveExclusions(soonest, keys);
  return acted.map(({ name, group: { project, type, ids }, process, at, actionIds }) => {
    const before = former.find((each) => each.name === name);
    const held = heldAt(at, ids, processesOf[process][0], live);
    const kept = at <= now ? (before?.held ?? null) : null;
    return { name, project, type, ids, process, actionIds, at, held: held ?? kept };
  });
}

/** What holds back a process of these resources at a moment. */
function heldAt(
  at: number,
  ids: readonly string[],
  process: string,
  live: readonly Entity<"exclusion">[],
): WarnedGroup["held"] {
  const holding = live.filter(
    ({ body }) =>
      !isSwitchedOff(body) &&
      (instant(body.startDate) ?? at) <= at &&
      (expiryOf(body) ?? Number.POSITIVE_INFINITY) > at,
  );
  const isHeldBy = (some: readonly Entity<"exclusion">[]) => heldBack(ids, some, process);
  const held = isHeldBy(holding);
  if (held.length === 0) return null;
  const ends = held.map((id) => {
    const its = holding.filter((each) => isHeldBy([each]).includes(id));
    return Math.max(...its.map(({ body }) => expiryOf(body) ?? Number.POSITIVE_INFINITY));
  });
  const until = Math.min(...ends);
  const last = holding.filter((each) => isHeldBy([each]).length > 0).at(-1);
  return {
    until: Number.isFinite(until) ? until : null,
    by: last?.ownerId ?? null,
    isWhole: held.length === ids.length,
  };
}
