import { monitorEventLoopDelay } from "node:perf_hooks";
import { expect, onTestFinished, test } from "vitest";
import { followFile } from "../support/follow-file.ts";
import { startCurfew, unlimitedConfig } from "../support/start-curfew.ts";

const entries = 60_000;
const largeConfig = (): string => {
  const users = Array.from(
    { length: entries },
    (_, index) => `    - { id: u-9${index}, name: "user ${index}", email: user${index}@example.org }\n`,
  );
  return `${unlimitedConfig.replace(/^directory:[\s\S]*$/m, "")}directory:\n  users:\n${users.join("")}`;
};
const usedMib = () => process.memoryUsage().heapUsed / 1024 / 1024;

/** A tree of the whole text takes more than this, and blocks for seconds. */
const maxGrowthMib = 250;
/** Far more than Curfew needs, for a machine that has much else to do. */
const maxPauseMs = 500;

test("a config that grew to 60,000 entries is read while people are answered", { timeout: 120_000 }, async () => {
  const curfew = await startCurfew({ config: unlimitedConfig });
  onTestFinished(() => curfew.stop());
  const followed = await followFile(curfew.app, unlimitedConfig, { pollMs: 3_600_000, isSandbox: true });
  onTestFinished(() => followed.stop());
  followed.write(largeConfig());
  const before = usedMib();
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  let hasEnded = false;
  const reading = followed.reload().finally(() => {
    hasEnded = true;
  });
  let most = 0;
  for (let answers = 0; answers < 3; answers++) {
    expect(await curfew.workspace.as("alice").type("/curfew status i-0a1", "ops")).toEqual({ ok: true });
    expect(hasEnded).toBe(false);
    most = Math.max(most, usedMib());
  }
  await reading;
  most = Math.max(most, usedMib());
  delay.disable();
  expect(delay.max / 1e6).toBeLessThan(maxPauseMs);
  expect(most - before).toBeLessThan(maxGrowthMib);
  await curfew.workspace.as("carol").type("/curfew user show user59999@example.org", "ops");
  expect(curfew.workspace.as("carol").messages("ops").at(-1)?.text).toContain("user 59999");
});
