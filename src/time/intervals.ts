/** From one moment up to another, which is outside; in epoch ms. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** The same time in order, without overlaps and without anything empty. */
export function merged(intervals: readonly Interval[]): readonly Interval[] {
  const found: Interval[] = [];
  for (const next of intervals.filter(({ from, to }) => to > from).sort((one, other) => one.from - other.from)) {
    const last = found.at(-1);
    if (last === undefined || next.from > last.to) found.push(next);
    else found[found.length - 1] = { from: last.from, to: Math.max(last.to, next.to) };
  }
  return found;
}

/** The whole time that an interval is part of, with the others that no such pause parts from it. */
export function runOf(own: Interval, others: readonly Interval[], pauseMs: number): Interval {
  const joined = merged([own, ...others].map(({ from, to }) => ({ from, to: to + pauseMs - 1 })));
  const { from, to } = joined.find((each) => each.from <= own.from && own.from < each.to) ?? own;
  return { from, to: Math.max(own.to, to - pauseMs + 1) };
}

/** What of an interval is in another. */
export function clipped({ from, to }: Interval, range: Interval): readonly Interval[] {
  const part = { from: Math.max(from, range.from), to: Math.min(to, range.to) };
  return part.to > part.from ? [part] : [];
}

/** The time that is in one of the first and in none of the others. */
export function without(some: readonly Interval[], others: readonly Interval[]): readonly Interval[] {
  const taken = merged(others);
  return merged(some).flatMap((whole) => {
    const left: Interval[] = [];
    let from = whole.from;
    for (const each of taken) {
      left.push({ from, to: Math.min(each.from, whole.to) });
      from = Math.max(from, each.to);
    }
    return merged([...left, { from, to: whole.to }]);
  });
}

/** How long they are within a range; what overlaps counts once. */
export function lengthWithin(intervals: readonly Interval[], range: Interval): number {
  const parts = merged(intervals.flatMap((each) => clipped(each, range)));
  return parts.reduce((sum, { from, to }) => sum + to - from, 0);
}
