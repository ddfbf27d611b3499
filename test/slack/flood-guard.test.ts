import { expect, test } from "vitest";
import { createFloodGuard } from "../../src/slack/people/flood-guard.ts";

function startGuard(perMinute: number) {
  const clock = { now: 0 };
  const limit = { perMinute };
  const guard = createFloodGuard(
    () => limit.perMinute,
    () => clock.now,
  );
  return { guard, clock, limit };
}

test("a refused request does not extend the wait", () => {
  const { guard, clock } = startGuard(1);
  guard.allow("U1");
  for (clock.now = 1000; clock.now < 60_000; clock.now += 1000) expect(guard.allow("U1")).toBe(false);
  expect(guard.allow("U1")).toBe(true);
});

test("says how long to wait for the next request", () => {
  const { guard, clock } = startGuard(2);
  guard.allow("U1");
  expect(guard.waitMs("U1")).toBe(0);
  clock.now = 30_000;
  guard.allow("U1");
  clock.now = 45_000;
  expect([guard.allow("U1"), guard.waitMs("U1"), guard.waitMs("U2")]).toEqual([false, 15_000, 0]);
});

test("0 means no limit, and a new limit applies immediately", () => {
  const { guard, limit } = startGuard(0);
  for (let count = 0; count < 100; count++) expect(guard.allow("U1")).toBe(true);
  limit.perMinute = 1;
  expect([guard.allow("U1"), guard.allow("U1")]).toEqual([true, false]);
});
