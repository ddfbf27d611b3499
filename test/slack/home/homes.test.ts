import { expect, onTestFinished, test } from "vitest";
import { createLogger } from "../../../src/observability/log.ts";
import { createHomes } from "../../../src/slack/home/homes.ts";
import { createClock } from "../../support/clock.ts";

/** Homes that record whose tab they publish; with `isHeld`, each publication waits for `letGo`. */
function start({
  isHeld = false,
  isBroken = () => false,
}: {
  isHeld?: boolean;
  isBroken?: (who: string) => boolean;
} = {}) {
  const clock = createClock(0);
  const published: string[] = [];
  const held: (() => void)[] = [];
  const logged: string[] = [];
  const homes = createHomes({
    publish: async (userId) => {
      if (isHeld) await new Promise<void>((resolve) => held.push(resolve));
      if (isBroken(userId)) throw new Error("Slack says no");
      published.push(userId);
    },
    elapsedMs: clock.elapsedMs,
    log: createLogger({ level: "warn", destination: { write: (line: string) => void logged.push(line) } }),
    gapMs: 0,
  });
  onTestFinished(() => homes.stop());
  return { homes, clock, published, logged, letGo: () => held.shift()?.() };
}

test("remembers the 200 people who opened their tab last", async () => {
  const { homes, published } = start();
  for (let number = 0; number <= 200; number++) homes.seen(`U${number}`);
  homes.refresh("nobody");
  await homes.idle();
  expect(published).toHaveLength(200);
  expect(published).not.toContain("U0");
});

test("logs a tab that Slack refuses, and publishes the others", async () => {
  const { homes, published, logged } = start({ isBroken: (who) => who === "bob" });
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
