import { formatDay, formatMoment, formatTime } from "../../time/format-moment.ts";
import { addDays, instantOf, type WallClock, wallClockAt } from "../../time/wall-clock.ts";
import { offsetAt } from "../../time/zone.ts";
import type { SaidZone } from "../time-words/parts.ts";
import { invalid, type TimeReading } from "./time-reading.ts";

/** One way to read a time. */
export interface Way {
  /** The first of these that is ahead is meant. */
  readonly clocks: readonly WallClock[];
  /** Whether the time of day was said. One that was only assumed is moved out of a skipped hour. */
  readonly isTyped: boolean;
  /** It is less likely than the others. */
  readonly isInstead?: boolean;
  /** `isMoved`: the first of the clocks has passed. */
  readonly assumed: (isMoved: boolean) => string | undefined;
}

export type Outcome =
  | {
      readonly kind: "ahead";
      readonly ats: readonly number[];
      readonly zone: SaidZone;
      readonly assumed: string | undefined;
      readonly isInstead: boolean;
    }
  | { readonly kind: "skipped"; readonly reason: string }
  | { readonly kind: "past"; readonly at: number; readonly zone: SaidZone };

export function followWay({ clocks, isTyped, isInstead = false, assumed }: Way, zone: SaidZone, now: number): Outcome {
  let latest = now;
  for (const [index, clock] of clocks.entries()) {
    const found = instantOf(clock, zone.zone);
    if (found.kind === "skipped" && isTyped && found.resumesAt > now)
      return { kind: "skipped", reason: skipped(clock, found.resumesAt, zone.zone) };
    const first = found.kind === "skipped" ? found.resumesAt : found.at - zone.aheadMs;
    const again = found.kind === "skipped" || !isTyped || found.again === undefined ? [] : [found.again - zone.aheadMs];
    const ats = [first, ...again].filter((at) => at > now);
    if (ats.length > 0 && !(found.kind === "skipped" && isTyped))
      return { kind: "ahead", ats, zone, isInstead, assumed: assumed(index > 0) };
    latest = first;
  }
  return { kind: "past", at: latest, zone };
}

/** The one moment that is ahead, or the several as a choice. A zone that is not the person's is named. */
export function chooseMoment(outcomes: readonly Outcome[], typed: string, ownZone: string): TimeReading {
  const all = outcomes.flatMap((outcome) => (outcome.kind === "ahead" ? [outcome] : []));
  const ahead = all.filter(({ isInstead }) => !isInstead);
  const options = new Map<number, Pick<(typeof ahead)[number], "zone" | "assumed"> & { readonly at: number }>();
  const isOwnZone = ahead.every(({ zone, ats }) => zone.name === ownZone && ats.length === 1);
  for (const { ats, zone, assumed } of ahead)
    for (const at of ats) if (!options.has(at)) options.set(at, { at, zone, assumed });
  const [only, ...others] = [...options.values()].sort((one, other) => one.at - other.at);
  if (!only) return invalid(whyNone(outcomes));
  if (others.length === 0) {
    const instead = all.find((each) => each.isInstead && each.ats[0] !== only.at)?.ats[0];
    const { at, assumed } = only;
    return {
      ...{ kind: "moment", at },
      ...(assumed === undefined ? {} : { assumed }),
      ...(instead === undefined ? {} : { instead }),
    };
  }
  const label = (at: number, zone: SaidZone) => (isOwnZone ? dayAndTime(at, zone) : shownAt(at, zone));
  const reason = `“${typed}” can mean more than one time.`;
  return { kind: "choice", reason, options: [only, ...others].map(({ at, zone }) => ({ at, label: label(at, zone) })) };
}

function whyNone(outcomes: readonly Outcome[]): string {
  const why = outcomes.find(({ kind }) => kind === "skipped") ?? outcomes.at(-1);
  if (why?.kind === "past") return `${shownAt(why.at, why.zone)} is in the past.`;
  return why?.kind === "skipped" ? why.reason : "There is no such moment.";
}

function shownAt(at: number, { zone, name, aheadMs }: SaidZone): string {
  return aheadMs === 0 ? formatMoment(at, zone) : `${dayAndTime(at, { zone, name, aheadMs })} (${name})`;
}

/** `Fri 20 Nov 2026, 18:00` */
function dayAndTime(at: number, { zone, aheadMs }: SaidZone): string {
  const clock = wallClockAt(at + aheadMs, zone);
  return `${formatDay(clock)}, ${formatTime(clock)}`;
}

function skipped(clock: WallClock, resumesAt: number, zone: string): string {
  const offsetBeforeMs = offsetAt(zone, resumesAt - 1) * 60_000;
  const from = formatTime(wallClockAt(resumesAt + offsetBeforeMs, "UTC"));
  const to = formatTime(wallClockAt(resumesAt, zone));
  return (
    `On ${formatDay(addDays(clock, 0))} the clocks in ${zone} jump from ${from} to ${to}: ${formatTime(clock)} does not exist. ` +
    `The next valid time is ${formatMoment(resumesAt, zone)}.`
  );
}
