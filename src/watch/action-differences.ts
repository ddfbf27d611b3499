import type { ActionDifference, ChangedElsewhere } from "../commands/changed-elsewhere.ts";
import { dayWords, nextScheduledRun, scheduleWords } from "../commands/schedule-facts.ts";
import { accountOf } from "../service/account-ids.ts";
import { actsOn, resourceTypeLabel } from "../service/action-types.ts";
import { type Action, resourceTypes, type Schedule } from "../service/resources.ts";
import type { Sliced } from "../time/slices.ts";
import { type ActionEvent, type ActionFacts, factsOf, type WatchedAction } from "./watched-action.ts";

/** What somebody did to an action; undefined where nothing that people see is different. */
export function changeIn(event: ActionEvent, now: number): ChangedElsewhere | undefined {
  switch (event.kind) {
    case "created":
      return { what: "created", differences: factsOfNew(event.after), ...madeBy(event.after.facts), seenAt: now };
    case "deleted":
      // The service does not say who deleted it.
      return { what: "deleted", differences: lostRun(event.before, now), by: null, at: null, seenAt: now };
    case "changed": {
      const { before, after } = event;
      const differences = differencesOf(before, after, now);
      const isSigned = isModified(before.facts, after.facts);
      const made = isSigned ? madeBy(after.facts) : { by: null, at: null };
      return differences.length === 0 ? undefined : { what: "changed", differences, ...made, seenAt: now };
    }
  }
}

/** Whether the service says that somebody modified it. */
export const isModified = (before: ActionFacts, after: ActionFacts): boolean =>
  before.lastModifiedDate !== after.lastModifiedDate || before.lastModifiedBy !== after.lastModifiedBy;

function madeBy({ lastModifiedBy, lastModifiedDate }: ActionFacts) {
  const at = Date.parse(lastModifiedDate ?? "");
  return { by: lastModifiedBy, at: Number.isNaN(at) ? null : at };
}

function factsOfNew({ facts, nextAt }: WatchedAction): readonly ActionDifference[] {
  const { schedule, projectId, actionType } = facts;
  const type = resourceTypes.find((each) => actsOn({ actionType }, each) === true);
  return [
    added("acts on", type ? resourceTypeLabel(type) : actionType),
    added("project", projectId),
    added("schedule", schedule && scheduleWords(schedule)),
    added("next run", nextAt),
  ].filter(({ after }) => after !== null && after !== "");
}

const added = (part: string, after: ActionDifference["after"]): ActionDifference => ({ part, before: null, after });

/** The run that does not come any more. */
function lostRun({ nextAt }: WatchedAction, now: number): readonly ActionDifference[] {
  return nextAt !== null && nextAt > now ? [added("due", nextAt)] : [];
}

function differencesOf(before: WatchedAction, after: WatchedAction, now: number): readonly ActionDifference[] {
  const [one, other] = [before.facts, after.facts];
  const schedule = scheduleDifferences(one.schedule, other.schedule);
  const switched = compared("enabled", switchWord(one), switchWord(other));
  const isOn = switched.length > 0 && other.isEnabled !== false && after.nextAt !== null;
  return [
    ...compared("name", one.name, other.name),
    ...switched,
    ...schedule,
    ...(isOn ? [added("next run", after.nextAt)] : []),
    // A run that somebody moved, and not the clock, the service or another schedule.
    ...(schedule.length + switched.length === 0 && isModified(one, other) ? movedRun(before, after, now) : []),
    ...compared("project", one.projectId, other.projectId),
    ...compared("type", one.actionType, other.actionType),
    ...tagDifferences(one.tags, other.tags),
    ...compared("comments", one.comments || null, other.comments || null),
  ];
}

function compared(
  part: string,
  before: ActionDifference["before"],
  after: ActionDifference["after"],
): readonly ActionDifference[] {
  return before === after ? [] : [{ part, before, after }];
}

const switchWord = ({ isEnabled }: ActionFacts): string => (isEnabled === false ? "off" : "on");

function movedRun(before: WatchedAction, after: WatchedAction, now: number): readonly ActionDifference[] {
  const wasComing = before.nextAt !== null && before.nextAt > now;
  return wasComing && after.nextAt !== null ? compared("next run", before.nextAt, after.nextAt) : [];
}

function tagDifferences(before: readonly string[], after: readonly string[]): readonly ActionDifference[] {
  const without = (tags: readonly string[], others: readonly string[]) =>
    tags.filter((tag) => !others.includes(tag)).join(", ") || null;
  return compared("tags", without(before, after), without(after, before));
}

/** Only the parts that differ; of another kind of schedule, the whole. */
function scheduleDifferences(before: Schedule | null, after: Schedule | null): readonly ActionDifference[] {
  if (!before || !after || before.scheduleType !== after.scheduleType)
    return compared("schedule", wholeSchedule(before), wholeSchedule(after));
  const [one, other] = [before, after].map(scheduleParts);
  const parts = [...new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})])];
  return parts.flatMap((part) => compared(part, one?.[part] ?? null, other?.[part] ?? null));
}

const wholeSchedule = (schedule: Schedule | null): string | null => (schedule && scheduleWords(schedule)) || null;

/** What the service may send beside the known fields is shown by its own name. */
function scheduleParts(schedule: Schedule): Readonly<Record<string, string | null>> {
  const { scheduleType: _, timeOfDay, timeZoneId, startDate, parameters, ...more } = schedule;
  const { days, ...moreParameters } = parameters ?? {};
  const others = Object.entries({ ...more, ...moreParameters }).map(([name, each]) => [name, textOf(each)]);
  return {
    time: timeOfDay?.slice(0, 5) ?? null,
    days: dayWords(days ?? []) || null,
    zone: timeZoneId ?? null,
    "first day": startDate?.slice(0, 10) ?? null,
    ...Object.fromEntries(others),
  };
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}

interface Comparison {
  /** All listed actions as they are now. */
  readonly present: ReadonlyMap<string, WatchedAction>;
  /** Those that differ from the last poll. */
  readonly changed: readonly WatchedAction[];
  /** The ids of those that were deleted. */
  readonly gone: readonly string[];
  readonly events: readonly ActionEvent[];
}

/** Within this time a poll may get the answer of the one before again (read-service.ts). */
const sameAnswerMs = 10_000;

const actionsAtOnce = 200;

/** Compares the listed actions with those of the last poll. `now` in epoch ms; `missing`: the accounts that did not answer. */
export function* compareActions(
  last: ReadonlyMap<string, WatchedAction>,
  listed: readonly Action[],
  now: number,
  missing: readonly string[] = [],
): Sliced<Comparison> {
  const present = new Map<string, WatchedAction>();
  const changed: WatchedAction[] = [];
  const gone: string[] = [];
  const events: ActionEvent[] = [];
  // The first poll of an account finds every action new.
  const watched = new Set([...last.keys()].map(accountOf));
  for (const action of listed) {
    if (present.has(action.actionId)) continue;
    if (present.size % actionsAtOnce === 0) yield;
    const before = last.get(action.actionId);
    const seen = asSeen(action, before, now);
    const isFirst = before === undefined && !watched.has(accountOf(action.actionId));
    const event = seen === before || isFirst ? undefined : eventOf(before, seen);
    const change = event && changeIn(event, now);
    const after = change ? { ...seen, change } : seen;
    present.set(after.id, after);
    if (after !== before) changed.push(after);
    if (event) events.push({ ...event, after });
  }
  for (const before of last.values()) {
    if (present.has(before.id)) continue;
    if (missing.includes(accountOf(before.id))) {
      present.set(before.id, before);
    } else if (before.missingSince === null) {
      const missing = { ...before, missingSince: now };
      present.set(missing.id, missing);
      changed.push(missing);
    } else if (Math.abs(now - before.missingSince) <= sameAnswerMs) {
      present.set(before.id, before);
    } else {
      gone.push(before.id);
      events.push({ kind: "deleted", before });
    }
  }
  return { present, changed, gone, events };
}

type SeenEvent = Exclude<ActionEvent, { readonly kind: "deleted" }>;

function eventOf(before: WatchedAction | undefined, after: WatchedAction): SeenEvent | undefined {
  if (!before) return { kind: "created", after };
  // Without a change of the action itself, its next run is moved by time alone: it was due, or a clock was set.
  return isSameJson(before.facts, after.facts) ? undefined : { kind: "changed", before, after };
}

/** The same object when nothing differs. */
function asSeen(action: Action, before: WatchedAction | undefined, now: number): WatchedAction {
  const facts = factsOf(action);
  const at = Date.parse(action.nextExecutionDate ?? "");
  const nextAt = Number.isNaN(at) ? null : at;
  if (!before) return { id: action.actionId, facts, nextAt, lastAt: null, missingSince: null };
  if (before.missingSince === null && before.nextAt === nextAt && isSameJson(before.facts, facts)) return before;
  return { ...before, facts, nextAt, lastAt: lastRun(before, { facts, nextAt }, now), missingSince: null };
}

/** Whether two values of JSON are equal. For thousands of them it is many times faster than Node's comparison. */
function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  // What is undefined is not there: JSON has no word for it.
  const values = Object.entries(one).filter(isThere);
  const others = Object.entries(other).filter(isThere);
  if (values.length !== others.length) return false;
  // Mostly both have their fields in the same order.
  return values.every(([name, value], place) => {
    const same = others[place]?.[0] === name ? others[place] : others.find(([otherName]) => otherName === name);
    return same !== undefined && isSameJson(value, same[1]);
  });
}

const isThere = ([, value]: readonly [string, unknown]): boolean => value !== undefined;

/** The clocks of the service and of Curfew differ a little. */
const skewMs = 30_000;
/** After a longer time without a poll, runs may have been missed. */
export const pauseMs = 10 * 60_000;

/** When an action was due last: its next run of the last poll, once that has passed. Null if that was not seen. */
function lastRun(before: WatchedAction, after: Pick<WatchedAction, "facts" | "nextAt">, now: number): number | null {
  const due = before.nextAt;
  const isPast = due !== null && due <= now + skewMs && (after.nextAt === null || after.nextAt > due);
  if (!isPast || wasMovedBefore(due, before, after)) return before.lastAt;
  return now - due <= pauseMs ? due : lastDailyRun(before, due, now);
}

/** Somebody moved the run or switched it off before it came. */
function wasMovedBefore(due: number, before: WatchedAction, { facts }: Pick<WatchedAction, "facts">): boolean {
  return isModified(before.facts, facts) && Date.parse(facts.lastModifiedDate ?? "") < due;
}

/** Longer than between two runs of a daily schedule. */
const longestGapMs = 15 * 24 * 3_600_000;

/** The last of the runs in a pause. Only a daily schedule says when they were. */
function lastDailyRun({ facts: { schedule } }: WatchedAction, due: number, now: number): number | null {
  const next = (after: number) => nextScheduledRun(schedule, after);
  let [last, run] = [due, next(Math.max(due, now - longestGapMs))];
  if (run === undefined) return null;
  for (; run !== undefined && run <= now; run = next(last)) last = run;
  return last;
}

/**
 * When Curfew had looked last, if that is long ago; null if it is not, or not known. After a restart the state itself shows it: a run
 * that was due long ago was not noticed, so nobody has looked since. The state is at least as new as the latest moment that is in it.
 */
export function lookedBefore(
  last: ReadonlyMap<string, WatchedAction>,
  present: ReadonlyMap<string, WatchedAction>,
  polledAt: number | undefined,
  now: number,
): number | null {
  if (polledAt !== undefined) return now - polledAt > pauseMs ? polledAt : null;
  const actions = [...last.values()].filter(({ missingSince }) => missingSince === null);
  // A service may leave an old date where nothing runs any more.
  const missed = actions.flatMap(({ id, nextAt }) =>
    nextAt !== null && nextAt < now - pauseMs && present.get(id)?.nextAt !== nextAt ? [nextAt] : [],
  );
  if (missed.length === 0) return null;
  const seen = actions.flatMap(({ lastAt, facts }) => [lastAt ?? 0, Date.parse(facts.lastModifiedDate ?? "") || 0]);
  const first = missed.reduce((one, other) => Math.min(one, other));
  const latest = seen.filter((at) => at <= first).reduce((one, other) => Math.max(one, other), 0);
  return latest === 0 ? first : latest;
}
