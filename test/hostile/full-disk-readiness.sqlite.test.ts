import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type RealProcess, startProcess } from "./real-process.ts";

/** What was found may be as old as the probe's age. */
const inTime = { timeout: 20_000, interval: 200 };

describe("a disk without space", { timeout: 60_000 }, () => {
  let curfew: RealProcess;
  beforeAll(async () => {
    curfew = await startProcess();
  }, 60_000);
  afterAll(() => curfew.stop());

  const ready = async () => {
    const answer = await fetch(`${curfew.url}/readyz`);
    return [answer.status, await answer.text()];
  };
  /** How large a file may become that the process writes to: to it, a disk of which no more is free looks the same. */
  const limitFiles = (bytes: number | "unlimited") =>
    execFileSync("prlimit", ["--pid", String(curfew.process.pid), `--fsize=${bytes}:`]);

  it("makes Curfew unready as long as it is full, and alive all the while", async () => {
    expect(await ready()).toEqual([200, "ready\n"]);
    limitFiles(0);
    await vi.waitFor(
      async () => expect(await ready()).toEqual([503, "not ready: the database cannot be written to\n"]),
      inTime,
    );
    expect((await fetch(`${curfew.url}/healthz`)).status).toBe(200);
    limitFiles("unlimited");
    await vi.waitFor(async () => expect(await ready()).toEqual([200, "ready\n"]), inTime);
  });
});
