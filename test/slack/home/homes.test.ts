import { expect, onTestFinished, test } from "vitest";
import { createLogger } from "../../../src/observability/log.ts";
import { createHomes } from "../../../src/slack/home/homes.ts";
import { createClock } from "../../support/clock.ts";

/** Homes that record whose tab they publish. */
function start(isBroken = (_who: string) => false) {
  const clock = createClock(0);
  const published: string[] = [];
  const logged: string[] = [];
  const homes = createHomes({
    publish: async (userId) => {
      if (isBroken(userId)) throw new Error("Slack says no");
      published.push(userId);
    },
    elapsedMs: clock.elapsedMs,
    log: createLogger({ level: "warn", destination: { write: (line: string) => void logged.push(line) } }),
    gapMs: 0,
  });
  onTestFinished(() => homes.stop());
  return { homes, clock, published, logged };
}

test("a refresh publishes recent tabs: the requester's first, then the latest opened", async () => {
  const { homes, published } = start();
  for (const who of ["alice", "bob", "carol"]) await homes.show(who);
  published.length = 0;
  homes.refresh("bob");
  await homes.idle();
  expect(published).toEqual(["bob", "carol", "alice"]);
});

test("a refresh skips tabs that were not opened within an hour", async () => {
  const { homes, clock, published } = start();
  await homes.show("alice");
  clock.advance(3_600_000);
  homes.seen("bob");
  homes.refresh("alice");
  await homes.idle();
  expect(published).toEqual(["alice", "bob"]);
});

test("remembers the 200 people who opened their tab last", async () => {
  const { homes, published } = start();
  for (let number = 0; number <= 200; number++) homes.seen(`U${number}`);
  homes.refresh("nobody");
  await homes.idle();
  expect(published).toHaveLength(200);
  expect(published).not.toContain("U0");
});

test("many refreshes publish each tab few times", async () => {
  const { homes, published } = start();
  for (const who of ["bob", "carol"]) homes.seen(who);
  for (let change = 0; change < 20; change++) homes.refresh("alice");
  await homes.idle();
  // Carol's tab was being published at the first change, so it is out of date after the others.
  expect(published).toEqual(["carol", "bob", "carol"]);
});

test("logs a tab that Slack refuses, and publishes the others", async () => {
  const { homes, published, logged } = start((who) => who === "bob");
  for (const who of ["alice", "bob", "carol"]) homes.seen(who);
  homes.refresh("bob");
  await homes.idle();
  expect(published).toEqual(["carol", "alice"]);
  expect(logged).toHaveLength(1);
  await homes.show("bob");
});

test("publishes nothing after a stop", async () => {
  const { homes, published } = start();
  await homes.show("alice");
  await homes.stop();
  homes.refresh("alice");
  await homes.idle();
  expect(published).toEqual(["alice"]);
});
