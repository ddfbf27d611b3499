import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type RealProcess, startProcess } from "./real-process.ts";

const inTime = { timeout: 20_000, interval: 20 };
/** Older than any result of the probe may be. */
const probeAgedMs = 6000;

describe("a full disk", { timeout: 60_000 }, () => {
  let curfew: RealProcess;
  beforeAll(async () => {
    curfew = await startProcess({}, { preload: "test/support/child-clock.mjs" });
  }, 60_000);
  afterAll(() => curfew.stop());

  const ready = async () => {
    const answer = await fetch(`${curfew.url}/readyz`);
    return [answer.status, await answer.text()];
  };
  let aheadMs = 0;
  /** The largest file that the process may write: to the process, it looks like a full disk. Then some time passes. */
  const limitFiles = (bytes: number | "unlimited") => {
    execFileSync("prlimit", ["--pid", String(curfew.process.pid), `--fsize=${bytes}:`]);
    aheadMs += probeAgedMs;
    curfew.process.say({ aheadMs });
  };

  it("makes Curfew unready while it is full, but still alive", async () => {
    expect(await ready()).toEqual([200, expect.stringMatching(/^ready\nconfig [0-9a-f]{64} in force since /)]);
    limitFiles(0);
    await vi.waitFor(
      async () => expect(await ready()).toEqual([503, "not ready: the database cannot be written to\n"]),
      inTime,
    );
    expect((await fetch(`${curfew.url}/healthz`)).status).toBe(200);
    limitFiles("unlimited");
    await vi.waitFor(
      async () =>
        expect(await ready()).toEqual([200, expect.stringMatching(/^ready\nconfig [0-9a-f]{64} in force since /)]),
      inTime,
    );
  });
});
