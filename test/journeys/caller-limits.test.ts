import { afterEach, describe, expect, it } from "vitest";
import { openRaw } from "../store/history-file.ts";
import { callLine, rootToken, withRootBot } from "../support/as-caller.ts";
import { ask } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { createSignal } from "../support/signal.ts";
import { reload, unlimitedConfig } from "../support/start-curfew.ts";

const root = { token: rootToken };

describe("the limits of a pipeline", () => {
  const config = withRootBot(unlimitedConfig);
  const { curfew } = oneBot({ config });
  afterEach(() => reload(curfew(), config));
  const recorded = async (): Promise<number> =>
    (await openRaw(curfew().database).selectFrom("caller_request").selectAll().execute()).length;

  it("let 8 requests of one pipeline be in progress, and leave no row of more; others are served", async () => {
    const gate = createSignal();
    curfew().service.faults.next({
      ...{ kind: "held", until: gate.given, acts: "before" },
      ...{ operation: "CreateActionExclusion", times: 8 },
    });
    const before = await recorded();
    const running = Array.from({ length: 8 }, () => callLine(curfew(), "keep i-0c82 up for 1h --another"));
    await expect.poll(async () => (await recorded()) - before).toBe(8);
    const refused = await callLine(curfew(), "keep i-0c82 up for 1h --another");
    expect([refused.status, refused.body.type, refused.headers.get("retry-after")]).toEqual([
      ...[429, "urn:curfew:too-many", "2"],
    ]);
    expect((await callLine(curfew(), "next", root)).status).toBe(200);
    expect((await ask(curfew(), "carol", "next")).text).toContain("Next");
    gate.give();
    for (const { status } of await Promise.all(running)) expect(status).toBe(200);
    expect(await recorded()).toBe(before + 9);
  });

  it("refuse what is beyond the limit of a minute before anything is recorded, and still answer an earlier key", async () => {
    await reload(curfew(), config.replace("perPersonPerMinute: 0", "perPersonPerMinute: 3"));
    const before = await recorded();
    const answers = [];
    for (const key of ["m1", "m2", "m3", "m4", "m5", "m6", "m1"])
      answers.push(await callLine(curfew(), "next", { key }));
    const statuses = answers.map(({ status }) => status);
    const served = (await recorded()) - before;
    expect(served).toBeLessThanOrEqual(3);
    expect(statuses).toEqual([...Array(served).fill(200), ...Array(6 - served).fill(429), served > 0 ? 200 : 429]);
    const late = answers.find(({ status }) => status === 429);
    expect(late?.body.detail).toContain("Nothing was done. Try again in");
    expect(Number(late?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await callLine(curfew(), "next", root)).status).toBe(200);
  });
});
