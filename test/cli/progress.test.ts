import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openStore } from "../../src/store/open-store.ts";
import { aChange, aSettlement, noon } from "../changes/build.ts";
import { type Given, runWithArgs } from "./run-with-args.ts";

/** 602 transitions: two batches. */
const changes = 301;
const folder = mkdtempSync(join(tmpdir(), "curfew-progress-"));
const file = join(folder, "curfew.db");
beforeAll(async () => {
  const store = await openStore(file);
  for (let index = 0; index < changes; index++) {
    await store.begin(aChange({ id: `chg-${index}`, requestedAt: noon + index }));
    await store.settle(`chg-${index}`, aSettlement({ settledAt: noon + index }));
  }
  await store.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A clock that moves on by so much with each look. */
const steps = (ms: number) => {
  let now = 0;
  return () => {
    now += ms;
    return now;
  };
};
const audit = (line: string, given: Given) =>
  runWithArgs(["audit", ...line.split(" ")], { ...given, env: { DATABASE_URL: `sqlite:${file}` } });

describe("on a terminal", () => {
  test("audit verify shows how far it is, the rate and the time left, and leaves a clean line", async () => {
    const { output, errors } = await audit("verify", { terminals: ["output", "errors"], elapsedMs: steps(2000) });
    expect(output).toMatch(/^602 transitions, chain intact\n/);
    expect(errors).toBe(
      [
        "\rTransitions checked: 500 of 602 · 250 a second · 1 s left\u001b[K",
        "\rTransitions checked: 602 of 602 · 151 a second · 0 s left\u001b[K",
        "\r\u001b[K",
      ].join(""),
    );
  });

  test("audit export into a file shows it too, for the entries that it exports", async () => {
    const since = new Date(noon + 50).toISOString();
    const { output, errors } = await audit(`export --since ${since}`, {
      terminals: ["errors"],
      elapsedMs: steps(2000),
    });
    expect(output.match(/\n/g)).toHaveLength(502);
    expect(errors).toBe(
      "\rTransitions exported: 500 of 502 · 250 a second · 1 s left\u001b[K\rTransitions exported: 502 of 502 · 126 a second · 0 s left\u001b[K\r\u001b[K",
    );
  });

  test("audit export shows only its lines when they go to the terminal themselves", async () => {
    const { errors } = await audit("export", { terminals: ["output", "errors"], elapsedMs: steps(2000) });
    expect(errors).toBe("");
  });

  test("what takes less than a second shows nothing, and a line stays for a quarter of a second", async () => {
    expect((await audit("verify", { terminals: ["errors"], elapsedMs: steps(400) })).errors).toBe("");
    const looks = [0, 90_000, 90_240];
    const { errors } = await audit("verify", { terminals: ["errors"], elapsedMs: () => looks.shift() ?? 0 });
    expect(errors).toBe("\rTransitions checked: 500 of 602 · 6 a second · 19 s left\u001b[K\r\u001b[K");
  });
});

test("nothing is shown when errors go to a pipe or file", async () => {
  for (const line of ["verify", "export"])
    expect((await audit(line, { terminals: ["output"], elapsedMs: steps(2000) })).errors).toBe("");
});
