import type { WeekOfHours } from "../../permissions/held-time.ts";
import { groupBy } from "../../time/group-by.ts";
import { clipped, type Interval, lengthWithin, without } from "../../time/intervals.ts";
import { weeksTouched, weekWords } from "../../time/week.ts";
import { type ExclusionRecord, type ExclusionStep, type Kept, keptBy } from "./kept-running.ts";

export interface AskedStep extends ExclusionStep {
  /** Null for a new exclusion. */
  readonly exclusionId: string | null;
  readonly projectId: string | null;
}

/**
 * What a request adds to the hours of its requester (`by`), for each resource that it names and each week from Monday to Sunday in the
 * zone. Weeks that it adds nothing to are left out.
 */
export function weeklyHours(
  records: readonly ExclusionRecord[],
  asked: AskedStep,
  zone: string,
): readonly WeekOfHours[] {
  const { exclusionId, projectId, at, by, keeps } = asked;
  const own = (all: readonly ExclusionRecord[]) =>
    groupBy(
      all.flatMap(keptBy).filter((each) => each.by === by),
      ({ resource }) => resource.key,
    );
  // The machines of a group mostly have the same weeks.
  const weeks = new Map<string, ReturnType<typeof namedWeeks>>();
  const weeksIn = (span: Interval) => {
    const key = `${span.from} ${span.to}`;
    const found = weeks.get(key) ?? namedWeeks(span, at, zone);
    weeks.set(key, found);
    return found;
  };
  const isOld = records.some(({ id }) => id === exclusionId);
  const withAsked = records.map((record) =>
    record.id === exclusionId ? { ...record, steps: [...record.steps, asked] } : record,
  );
  const before = own(records);
  const after = own(isOld ? withAsked : [...records, { id: exclusionId ?? "", projectId, steps: [asked] }]);
  const resources = new Map(keeps.resources.map((each) => [each.key, each]));
  return [...resources.values()].flatMap(({ key, id }) => {
    const of = resources.size > 1 ? id : undefined;
    return weeksOf(before.get(key) ?? [], after.get(key) ?? [], { weeksIn, of });
  });
}

const namedWeeks = (span: Interval, at: number, zone: string) =>
  weeksTouched(span, zone).map((week) => ({ week, words: weekWords(week, at, zone) }));

function weeksOf(
  was: readonly Kept[],
  is: readonly Kept[],
  {
    weeksIn,
    of,
  }: { readonly weeksIn: (span: Interval) => ReturnType<typeof namedWeeks>; readonly of: string | undefined },
): readonly WeekOfHours[] {
  const added = without(is, was);
  const [first, last] = [added[0], added.at(-1)];
  if (!first || !last) return [];
  // An exclusion without an end fills every week that is looked at.
  const until = Math.min(last.to, first.from + longestMs);
  return weeksIn({ from: first.from, to: until }).flatMap(({ week, words }) => {
    const parts = added.flatMap((each) => clipped(each, week));
    const [before, after] = [lengthWithin(was, week), lengthWithin(is, week)];
    if (after <= before) return [];
    const addedMs = lengthWithin(parts, week);
    return [{ week: words, of, soFarMs: after - addedMs, added: parts }];
  });
}

const longestMs = 366 * 24 * 3_600_000;
