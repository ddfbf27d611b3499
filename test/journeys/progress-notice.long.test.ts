import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { followsText } from "../../src/slack/listeners/acknowledgement.ts";
import { createGatedService, type GatedService } from "../support/gated-service.ts";
import { ask, fillIn, openForm, textOf } from "../support/journey.ts";
import { modes } from "../support/one-bot.ts";
import { type Curfew, startCurfew } from "../support/start-curfew.ts";
import { createStoppedClock, createTimers } from "../support/stopped-time.ts";

describe.each(modes)("over %s", (mode) => {
  const clock = createStoppedClock(Date.now());
  let timers = createTimers(clock);
  let curfew: Curfew;
  let gated: GatedService;
  beforeEach(async () => {
    timers = createTimers(clock);
    curfew = await startCurfew({ mode, now: clock.now });
    gated = createGatedService(curfew.service);
    await curfew.restart({ service: gated.client, progressSchedule: timers.schedule });
  });
  afterEach(async () => {
    gated.open();
    await curfew.stop();
  });

  /** The messages to one person only, with their text for notifications: above a card, only that says what was done. */
  const messagesTo = (who: string) => {
    const person = curfew.workspace.as(who);
    return person
      .messages("ops")
      .filter(({ isFromApp, ephemeralTo }) => isFromApp && ephemeralTo === person.id)
      .map((message) => `${textOf(message)}\n${message.text}`);
  };
  const notified = (who: string, part: string) =>
    curfew.workspace.waitFor(() => messagesTo(who).find((text) => text.includes(part)), {
      what: `“${part}” for ${who}`,
    });
  const type = async (who: string, line: string) =>
    expect(await curfew.workspace.as(who).type(line, "ops")).toEqual({ ok: true });

  it("a line that takes longer than 1.2 s is acknowledged with the promise of an answer, which follows", async () => {
    const startedAt = performance.now();
    await type("alice", "/curfew exclude i-0a1 for 1h");
    const waitedMs = performance.now() - startedAt;
    expect(waitedMs).toBeGreaterThan(1100);
    expect(waitedMs).toBeLessThan(2500);
    expect(messagesTo("alice")).toEqual([expect.stringContaining(followsText)]);
    await type("carol", "/curfew whoami");
    await notified("carol", "admin");
    gated.open();
    expect(await notified("alice", "Done.")).toContain("Keeping i-0a1 running until ");
    expect(messagesTo("alice")).toHaveLength(2);
    expect(messagesTo("carol")).toHaveLength(1);
  });

  it("a requester who waits five seconds after a form gets one private progress notice and then the reply", async () => {
    await openForm(curfew, "alice", "exclude");
    const until = Math.floor(clock.now() / 60_000) * 60 + 7200;
    const place = { "Resource type": "amazon-ec2-instance", Project: "p-dev" };
    await fillIn(curfew, "alice", { What: "i-0a1", ...place, Until: until });
    const startedAt = clock.now();
    expect(await curfew.workspace.as("alice").submit()).toEqual({ kind: "closed" });
    await gated.reached;
    expect(timers.skip()).toBe(true);
    expect(clock.now() - startedAt).toBe(5000);
    await notified("alice", "waits for its turn");
    expect(timers.skip()).toBe(false);
    gated.open();
    expect(await notified("alice", "Done.")).toContain("Keeping i-0a1 running until ");
  });

  it("a requester with a fast reply gets no progress notice later", async () => {
    gated.open();
    expect((await ask(curfew, "alice", "exclude i-0a1 for 1h")).text).toContain("Keeping i-0a1");
    await type("dave", "/curfew user disable bob");
    await notified("dave", "You can't ");
    await curfew.app.idle();
    expect(timers.skip()).toBe(false);
    expect([messagesTo("alice"), messagesTo("dave")].map(({ length }) => length)).toEqual([1, 1]);
  });
});
