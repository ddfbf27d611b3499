import type { ActionDifference, ChangedElsewhere } from "../commands/changed-elsewhere.ts";
import { dayWords, scheduleWords } from "../commands/schedule-facts.ts";
import { actsOn, resourceTypeLabel } from "../service/action-types.ts";
import { resourceTypes, type Schedule } from "../service/resources.ts";
import type { ActionEvent, ActionFacts, WatchedAction } from "./watched-action.ts";

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
