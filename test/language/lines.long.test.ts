import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { ask } from "../support/journey.ts";
import { type Curfew, startCurfew } from "../support/start-curfew.ts";
import { type Line, outcomeOf } from "./line-outcome.ts";
import { config, linesAccount, seed, startAt } from "./lines-world.ts";

/** Lines as people type them, with their meaning. Three people wrote them without seeing the grammar, two of them before there was one. */
const lines = z
  .array(
    z.strictObject({
      text: z.string(),
      who: z.string(),
      means: z.string(),
      about: z.string().optional(),
      with: z.record(z.string(), z.unknown()).optional(),
      given: z.literal("staging-excluded").optional(),
      note: z.string().optional(),
      /** Other meanings that are as good. */
      or: z.array(z.strictObject({ means: z.string(), with: z.record(z.string(), z.unknown()).optional() })).optional(),
    }),
  )
  .parse(parse(readFileSync("test/language/lines.yaml", "utf8")));

const dayMs = 24 * 60 * 60_000;

/** A bot that has seen some resources before. Its service refuses every change, so that no line affects the next. */
async function startBot(isExcluded: boolean): Promise<Curfew> {
  let now = startAt - 2 * dayMs;
  const curfew = await startCurfew({ config, seed, account: linesAccount(), now: () => now });
  const say = (who: string, line: string) => ask(curfew, who, line);
  await say("carol", "exclude i-0f12ab34cd56ef789 for 1h --project p-dev");
  await say("carol", "exclude vol-0a1b2c3d for 1h --project p-dev --type amazon-ebs-volume");
  await say("carol", "exclude vm-build for 1h --project p-prod --type azure-virtual-machine");
  now = startAt;
  if (isExcluded) await say("alice", "exclude staging until 2026-11-27 18:00 --name staging");
  await curfew.app.idle();
  curfew.service.faults.next({ kind: "status", status: 400, isForChanges: true, times: Number.POSITIVE_INFINITY });
  return curfew;
}

describe("lines as people type them", { timeout: 280_000 }, () => {
  const bots = new Map<boolean, Curfew>();
  beforeAll(async () => {
    for (const isExcluded of [false, true]) bots.set(isExcluded, await startBot(isExcluded));
  }, 60_000);
  afterAll(async () => {
    for (const bot of bots.values()) await bot.stop();
  });

  it("do nothing that was not meant, and nearly always what was meant in one step", async () => {
    const judged: (Line & { readonly came: string; readonly verdict: string })[] = [];
    for (const line of lines) {
      const bot = bots.get(line.given !== undefined);
      if (bot) judged.push({ ...line, ...(await outcomeOf(bot, line)) });
    }
    const those = (verdict: string) => judged.filter((each) => each.verdict === verdict);
    const shown = judged.filter(({ verdict }) => verdict !== "meant");
    for (const { verdict, who, text, means, came } of shown)
      process.stdout.write(`${verdict}: ${who}: ${text}\n    means ${means}, came ${came}\n`);
    process.stdout.write(
      `lines: ${judged.length}, as meant ${those("meant").length}, something else ${those("wrong").length}\n`,
    );
    expect(those("wrong").map(({ text, came }) => `${text} → ${came}`)).toEqual([]);
    expect(those("meant").length / judged.length).toBeGreaterThanOrEqual(0.95);
  });
});
