import { expect, it } from "vitest";
import { createClock } from "../support/clock.ts";
import { ask, cardOf } from "../support/journey.ts";
import { samplesIn } from "../support/prometheus-samples.ts";
import { startCurfew, unlimitedConfig } from "../support/start-curfew.ts";

/** The statements so far, without the beginning and the end of transactions. */
async function statements(url: string): Promise<number> {
  const samples = samplesIn(await (await fetch(`${url}/metrics`)).text());
  return samples
    .filter(
      ({ name, labels }) => name === "curfew_database_query_duration_seconds_count" && labels.statement !== "other",
    )
    .reduce((sum, { value }) => sum + value, 0);
}

it("one line, from its arrival to its card, takes at most 26 statements", async () => {
  const clock = createClock();
  const curfew = await startCurfew({ config: unlimitedConfig, now: clock.now });
  try {
    const exclude = async (resource: string) => {
      const { changeId } = await ask(curfew, "alice", `exclude ${resource} for 2h --project p-dev`);
      await cardOf(curfew, changeId);
      await curfew.app.idle();
      // Cards that follow soon may be summarized.
      clock.advance(11_000);
    };
    for (const resource of ["i-0abc1", "i-0abc2", "i-0abc3"]) await exclude(resource);
    const before = await statements(curfew.url);
    await exclude("i-0abc4");
    const asked = await statements(curfew.url);
    // What the metrics themselves look up.
    const own = (await statements(curfew.url)) - asked;
    const ofLine = asked - before - own;
    expect(ofLine).toBeGreaterThan(10);
    expect(ofLine).toBeLessThanOrEqual(26);
  } finally {
    await curfew.stop();
  }
});
