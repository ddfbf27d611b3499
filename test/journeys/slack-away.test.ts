import { expect, it } from "vitest";
import { callLine } from "../support/as-caller.ts";
import { createClock } from "../support/clock.ts";
import { textOf } from "../support/journey.ts";
import { startCurfew } from "../support/start-curfew.ts";
import { startWithKeyFiles } from "../support/start-with-key-files.ts";

it.each(["http", "socket"] as const)(
  "Curfew starts without Slack, serves pipelines and planned work, and connects when Slack is back: %s",
  async (mode) => {
    const clock = createClock();
    const bot = await startWithKeyFiles(mode, { isSlackAway: true, now: clock.now });
    const { workspace, service, slackGate } = bot;
    try {
      expect(await bot.readiness()).toEqual({
        status: 200,
        text: expect.stringMatching(/^ready\nconfig [^\n]+\nSlack does not answer\. Curfew connects when it does\.\n$/),
      });
      expect(await bot.callOnce()).toEqual([]);
      const { status, body } = await callLine(bot, "keep i-0f1 up from tomorrow 18:00 for 3h because of a plan");
      expect([status, body.message]).toEqual([200, expect.stringContaining("i-0f1")]);
      const isMade = () => JSON.stringify([...service.account.exclusions.values()]).includes("i-0f1");
      expect(isMade()).toBe(false);
      clock.advance(Date.parse(String(body.endsAt)) - 3_600_000 - clock.now());
      await expect.poll(() => bot.app.idle().then(isMade), { timeout: 15_000 }).toBe(true);
      expect(workspace.posted()).toEqual([]);
      expect(workspace.sockets.count()).toBe(0);

      slackGate.isAway = false;
      await expect
        .poll(bot.readiness, { timeout: 15_000 })
        .toEqual({ status: 200, text: expect.stringMatching(/^ready\nconfig [^\n]+\n$/) });
      if (mode === "socket") await workspace.waitFor(() => workspace.sockets.count() === 1);
      await expect.poll(() => bot.logged.join("")).toContain("Slack answers now, and Curfew is connected");
      expect(await bot.askOnce()).toEqual([]);
      const isAnnounced = () => workspace.posted().some((message) => textOf(message).includes("i-0f1"));
      await workspace.waitFor(isAnnounced, { what: "the card of what was done meanwhile", timeoutMs: 30_000 });
    } finally {
      await bot.stop();
    }
  },
);

it("a token that Slack refuses still stops the start", async () => {
  const curfew = await startCurfew();
  try {
    curfew.workspace.faults.failNext("auth.test", { error: "invalid_auth" });
    await expect(curfew.restart()).rejects.toThrow("invalid_auth");
    await curfew.restart();
  } finally {
    await curfew.stop();
  }
});
