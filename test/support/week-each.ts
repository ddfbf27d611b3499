import { beforeEach } from "vitest";
import type { Clock } from "./clock.ts";

const weekMs = 7 * 24 * 60 * 60_000;

/** Begins each test a week or more after the one before, at the same time of the week: nothing of it is left, whatever the order. */
export function aWeekEach(clock: Clock, startAt: number) {
  beforeEach(() => {
    const weeks = Math.max(0, Math.floor((clock.now() - startAt) / weekMs)) + 1;
    clock.advance(startAt + weeks * weekMs - clock.now());
  });
  return {
    /** This time of the present day, in UTC, or `after` days later. */
    day: (time: string, after = 0) =>
      `${new Date(clock.now() + (after * weekMs) / 7).toISOString().slice(0, 10)}T${time}:00.000Z`,
  };
}
