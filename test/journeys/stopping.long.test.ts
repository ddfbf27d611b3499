import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createClock } from "../support/clock.ts";
import { createGatedService, type GatedService } from "../support/gated-service.ts";
import { ask, buttonsOn, cardOf, cardsIn, changeIdIn, changesSentTo, textOf } from "../support/journey.ts";
import { modes } from "../support/one-bot.ts";
import { type Curfew, startCurfew } from "../support/start-curfew.ts";

describe.each(modes)("over %s", (mode) => {
  const clock = createClock();
  const gates: GatedService[] = [];
  let curfew: Curfew;
  beforeEach(async () => {
    curfew = await startCurfew({ mode, now: clock.now });
  });
  afterEach(async () => {
    for (const gate of gates.splice(0)) gate.open();
    await curfew.stop();
  });

  /** Restarts the bot with a gate before the service, where a change of alice's waits. */
  const changeAtTheGate = async () => {
    await curfew.app.stop();
    const gated = createGatedService(curfew.service);
    gates.push(gated);
    await curfew.restart({ service: gated.client });
    expect(await curfew.workspace.as("alice").type("/curfew exclude staging for 1h", "ops")).toEqual({ ok: true });
    await gated.reached;
    // What is under way for less than a minute is not in the history.
    clock.advance(60_000);
    return gated;
  };
  const isListening = () =>
    fetch(`${curfew.url}/healthz`, { headers: { connection: "close" } }).then(
      () => true,
      () => false,
    );
  const answerTo = (who: string, where: string, part: string) =>
    curfew.workspace.waitFor(
      () =>
        curfew.workspace
          .as(who)
          .messages(where)
          .find((message) => message.isFromApp && textOf(message).includes(part)),
      { what: `“${part}” for ${who}` },
    );

  it("a stop waits until the current change is done, recorded and reported", async () => {
    const sent = changesSentTo(curfew);
    const gated = await changeAtTheGate();
    let isStopped = false;
    const stopping = curfew.app.stop().then(() => {
      isStopped = true;
    });
    while (await isListening()) expect(isStopped).toBe(false);
    expect(isStopped).toBe(false);
    gated.open();
    await stopping;
    const reply = await answerTo("alice", "ops", "Done.");
    expect(sent()).toEqual(["CreateActionExclusion"]);

    await curfew.restart();
    const changeId = changeIdIn(reply.text);
    expect(textOf(await cardOf(curfew, changeId))).toContain("<@U01ALICE> is keeping *staging* running until");
    expect((await ask(curfew, "alice", `history ${changeId}`)).text).toMatch(/under way: .*\ndone: /);
  });

  it("a change interrupted by a crash becomes unknown, its requester is notified, and it is not resent", async () => {
    const sent = changesSentTo(curfew);
    const gated = await changeAtTheGate();
    const crashed = curfew.app;
    await curfew.restart();
    const reply = await answerTo("alice", "dm", "Curfew does not know whether");
    expect(textOf(reply)).toContain("it may have happened. Curfew was stopped while this was under way. (Interrupted)");
    const changeId = changeIdIn(textOf(reply));
    expect(textOf(await cardOf(curfew, changeId))).toContain("Its outcome is unknown: it may have happened.");
    expect((await ask(curfew, "alice", `history ${changeId}`)).text).toMatch(/under way: .*\nunknown: /);
    expect(sent()).toEqual([]);
    gated.open();
    await crashed.stop();
  });

  it("several changes interrupted by a crash are one message to their requester, with the buttons of each", async () => {
    const gated = await changeAtTheGate();
    const crashed = curfew.app;
    const alice = curfew.workspace.as("alice");
    await alice.type("/curfew exclude i-0a1 for 1h --another", "ops");
    const ids = async () =>
      new Set(JSON.stringify((await ask(curfew, "alice", "history mine")).message.blocks).match(/chg-[0-9a-z]+/g));
    let both = await ids();
    while (both.size < 2) both = await ids();
    await curfew.restart();
    const reply = await answerTo("alice", "dm", "Curfew does not know whether it made these 2 changes");
    for (const id of both) expect(textOf(reply)).toContain(id);
    expect(buttonsOn(reply)).toEqual(["It's there", "It isn't", "It's there", "It isn't"]);
    await curfew.app.idle();
    expect(alice.messages("dm").filter(({ isFromApp }) => isFromApp)).toHaveLength(1);
    gated.open();
    await crashed.stop();
  });

  it("an announcement that was pending at the stop is sent once after the restart", async () => {
    curfew.workspace.faults.failNext("chat.postMessage", { status: 503 });
    const { changeId } = await ask(curfew, "alice", "exclude staging for 1h");
    await curfew.workspace.waitFor(() => curfew.workspace.calls.some(({ status }) => status === 503));
    await curfew.app.stop();
    expect(cardsIn(curfew.workspace, "ops")).toEqual([]);
    clock.advance(61_000);
    await curfew.restart();
    await cardOf(curfew, changeId);
    await curfew.app.stop();
    await curfew.restart();
    await cardOf(curfew, (await ask(curfew, "alice", "exclude staging for 1h --another")).changeId);
    expect(cardsIn(curfew.workspace, "ops")).toHaveLength(2);
  });

  it("a repeated delivery from Slack is recognized after a restart", async () => {
    const sent = changesSentTo(curfew);
    await ask(curfew, "alice", "exclude staging for 1h");
    const [outboxMessage] = curfew.workspace.appRequests;
    await curfew.app.stop();
    await curfew.restart();
    expect(outboxMessage && (await curfew.workspace.redeliver(outboxMessage))).toEqual({ ok: true });
    await answerTo("alice", "ops", "This was sent twice, and done once.");
    expect(sent()).toEqual(["CreateActionExclusion"]);
  });
});
