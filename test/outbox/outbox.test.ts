import { describe, expect, test } from "vitest";
import type { OutboxMessage } from "../../src/changes/outbox-message.ts";
import type { OutboxStore } from "../../src/changes/ports.ts";
import type { SendResult } from "../../src/outbox.ts";
import { aChange, noon } from "../changes/build.ts";
import { outboxMessage, startWorker } from "../jobs/start-worker.ts";
import { claimOne, claimSome, nextDue, nextDueAt, unhurried } from "../store/next-due.ts";
import { openTestStore } from "../store/open-test-store.ts";
import { createSignal } from "../support/signal.ts";
import { createScriptedSender, postedAs } from "./scripted-sender.ts";

const limited = (afterMs: number): SendResult => ({ kind: "later", error: "ratelimited", afterMs, isLimit: true });

describe("the pace", () => {
  /** When each was sent, in ms since noon. */
  const timesOf = async (queued: readonly ReturnType<typeof outboxMessage>[]) => {
    const times: number[] = [];
    let clock = () => noon;
    const sender = createScriptedSender((each) => {
      times.push(clock() - noon);
      return postedAs(each);
    });
    const worker = await startWorker(sender, queued);
    clock = worker.clock.now;
    await worker.run();
    return times;
  };

  test("is one message a second per recipient", async () => {
    const queued = ["C1", "C1", "C2", "C1", "C2"].map((to) => outboxMessage("thread", to));
    expect(await timesOf(queued)).toEqual([0, 0, 1000, 1000, 2000]);
  });

  test("does not hold up the update of a card, which replaces those that wait", async () => {
    const kinds = ["thread", "update", "update", "thread", "update"] as const;
    expect(await timesOf(kinds.map((kind) => outboxMessage(kind, "C1")))).toEqual([0, 0, 1000]);
  });

  test("is kept by two instances together, which send everything once and in order", async () => {
    const sent: string[] = [];
    const times = new Map<string, number[]>();
    const senders = new Set<string>();
    const senderNamed = (name: string) =>
      createScriptedSender((each) => {
        senders.add(name);
        sent.push(`${each.to} ${each.id}`);
        times.set(each.to, [...(times.get(each.to) ?? []), first.clock.now()]);
        return postedAs(each);
      });
    const queued = Array.from({ length: 60 }, (_none, index) => outboxMessage("thread", `C${index % 3}`));
    const pollMs = 3000;
    const first = await startWorker(senderNamed("first"), queued, { pollMs });
    const { now } = first.clock;
    const { schedule } = first.timers;
    const second = await startWorker(senderNamed("second"), [], { store: first.store, now, schedule, pollMs });
    const instances = [first.outbox, second.outbox];
    for (let round = 0; sent.length < 60; round++, first.clock.advance(1000)) {
      // Each is the quicker one in turn.
      for (const { wake } of round % 2 === 0 ? instances : instances.toReversed()) wake();
      for (const { idle } of instances) await idle();
    }
    expect(senders).toEqual(new Set(["first", "second"]));
    expect(new Set(sent).size).toBe(60);
    expect(sent).toHaveLength(60);
    for (const [to, at] of times) {
      const ids = sent.filter((each) => each.startsWith(to)).map((each) => Number(each.split(" ")[1]));
      expect(ids).toEqual(ids.toSorted((one, other) => one - other));
      expect(at.slice(1).every((time, index) => time - (at[index] ?? 0) >= 1000)).toBe(true);
    }
  });
});

test("a slow recipient blocks no other", async () => {
  const gate = createSignal();
  const sender = createScriptedSender(async (each) => {
    if (each.to === "C1") await gate.given;
    return postedAs(each);
  });
  const { store, outbox } = await startWorker(sender, [outboxMessage("card", "C1"), outboxMessage("card", "C2")]);
  outbox.wake();
  await sender.until(2);
  for (const to of ["C3", "C4", "C5", "C6"]) {
    await store.queue([outboxMessage("card", to)], noon);
    outbox.wake();
    await sender.until(Number(to.slice(1)));
  }
  expect(sender.sent).toEqual(["C1", "C2", "C3", "C4", "C5", "C6"].map((to) => `card ${to}`));
  gate.give();
});

test("retries what Slack refuses for now at its time, before later messages", async () => {
  const sender = createScriptedSender((each, count) => (count === 1 ? limited(30_000) : postedAs(each)));
  const queued = [outboxMessage("card", "C1"), outboxMessage("thread", "C1"), outboxMessage("card", "C2")];
  const { store, clock, outbox, run } = await startWorker(sender, queued);
  outbox.wake();
  await outbox.idle();
  expect(sender.sent).toEqual(["card C1", "card C2"]);
  expect(await nextDueAt(store, 0)).toBe(noon + 30_000);
  await run(() => sender.sent.length === 3);
  expect(clock.now()).toBe(noon + 30_000);
  await run();
  expect(sender.sent.slice(2)).toEqual(["card C1", "thread C1"]);
});

test("backs off up to two minutes without a time from Slack", async () => {
  const sender = createScriptedSender(() => ({ kind: "later", error: "internal_error" }));
  const pauses: number[] = [];
  const worker = await startWorker(sender, [outboxMessage("card", "C1")], {
    overrides: {
      postpone: (id, dueAt, error) => {
        pauses.push(dueAt - worker.clock.now());
        return worker.store.postpone(id, dueAt, error);
      },
    },
  });
  await worker.run(() => pauses.length === 9);
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 120_000, 120_000]);
});

describe("a limit on all of Slack's posting", () => {
  const channels = Array.from({ length: 20 }, (_none, index) => `C${index}`);

  test("is found by few calls, and the other messages wait", async () => {
    const until = noon + 30_000;
    let now = () => noon;
    const sender = createScriptedSender((each) => (now() < until ? limited(until - now()) : postedAs(each)));
    const worker = await startWorker(
      sender,
      channels.map((to) => outboxMessage("thread", to)),
    );
    now = worker.clock.now;
    await worker.run();
    const refused = sender.sent.length - channels.length;
    expect(refused).toBeGreaterThanOrEqual(2);
    expect(refused).toBeLessThanOrEqual(4);
    expect(new Set(sender.sent.slice(refused))).toEqual(new Set(channels.map((to) => `thread ${to}`)));
  });

  test("is not inferred from one channel's own limit", async () => {
    const sender = createScriptedSender((each) => (each.to === "C0" ? limited(60_000) : postedAs(each)));
    const { outbox } = await startWorker(
      sender,
      channels.map((to) => outboxMessage("thread", to)),
    );
    outbox.wake();
    await outbox.idle();
    expect(sender.sent).toHaveLength(channels.length);
  });

  test("on updates does not hold up posts", async () => {
    const sender = createScriptedSender((each) => (each.kind === "update" ? limited(60_000) : postedAs(each)));
    const updates = ["C1", "C2", "C3"].map((to) => outboxMessage("update", to));
    const posts = ["C4", "C5", "C6"].map((to) => outboxMessage("thread", to));
    const { outbox } = await startWorker(sender, [...updates, ...posts]);
    outbox.wake();
    await outbox.idle();
    expect(sender.sent.filter((each) => each.startsWith("thread"))).toHaveLength(3);
  });
});

describe("a message that cannot be delivered", () => {
  const refusing = (error: string, kind: OutboxMessage["kind"] = "card") => {
    const notes: (string | undefined)[] = [];
    const sender = createScriptedSender((each) => {
      notes.push(each.note);
      return each.kind === kind ? { kind: "never", error } : postedAs(each);
    });
    return Object.assign(sender, { notes });
  };

  test("is reported to its requester and to the admins, with the reason", async () => {
    const sender = refusing("not_in_channel");
    const { notes } = sender;
    const { run } = await startWorker(sender, [outboxMessage("card", "C1")]);
    await run();
    expect(sender.sent).toEqual(["card C1", "notify-requester U01ALICE", "report C0ADMINS"]);
    expect(notes[1]).toBe(
      "It could not be announced in the channel C1 (not_in_channel). Curfew must be a member there.",
    );
    expect(notes[2]).toBe(notes[1]);
  });

  test("is not reported to the admins' channel when that channel failed", async () => {
    const sender = refusing("is_archived");
    const { store, run } = await startWorker(sender, [outboxMessage("card", "C0ADMINS")]);
    await run();
    expect(sender.sent).toEqual(["card C0ADMINS", "notify-requester U01ALICE"]);
    expect(await nextDueAt(store, 0)).toBeUndefined();
  });

  test("is reported to the admins even without its requester", async () => {
    const sender = refusing("is_archived");
    const requesterOf = () => Promise.reject(new Error("unreadable"));
    const { run } = await startWorker(sender, [outboxMessage("card", "C1")], { requesterOf });
    await run();
    expect(sender.sent).toEqual(["card C1", "report C0ADMINS"]);
  });

  test("is reported only to the admins when it was for an account owner", async () => {
    const sender = refusing("messages_tab_disabled", "account-owner");
    const { notes } = sender;
    const { run } = await startWorker(sender, [outboxMessage("account-owner", "u-1")]);
    await run();
    expect(sender.sent).toEqual(["account-owner u-1", "report C0ADMINS"]);
    expect(notes[1]).toBe("The account owner could not be notified (messages_tab_disabled). Please contact them.");
  });

  test("has no fallback for other kinds, so that failures don't multiply", async () => {
    const sender = createScriptedSender(() => ({ kind: "never", error: "user_not_found" }));
    const kinds = ["thread", "update", "reminder", "notify-requester", "report", "summary"] as const;
    const { store, run } = await startWorker(
      sender,
      kinds.map((kind) => outboxMessage(kind, "C1")),
    );
    await run();
    expect(sender.sent).toHaveLength(kinds.length);
    expect(await nextDueAt(store, 0)).toBeUndefined();
  });
});

describe("waking", () => {
  test("sends what is queued during a send without waiting", async () => {
    let queueMore = async (): Promise<void> => undefined;
    const sender = createScriptedSender(async (each, count) => {
      if (count === 1) await queueMore();
      return postedAs(each);
    });
    const { store, outbox } = await startWorker(sender, [outboxMessage("card", "C1")]);
    queueMore = async () => {
      await store.queue([outboxMessage("card", "C2")], noon);
      outbox.wake();
      outbox.wake();
    };
    outbox.wake();
    await sender.until(2);
    expect(sender.sent).toEqual(["card C1", "card C2"]);
  });

  test("sends nothing twice when woken many times", async () => {
    const sender = createScriptedSender();
    const { store, outbox } = await startWorker(sender, [outboxMessage("card", "C1"), outboxMessage("card", "C2")]);
    for (let count = 0; count < 20; count++) outbox.wake();
    await outbox.idle();
    await store.queue([outboxMessage("card", "C3")], noon);
    outbox.wake();
    await outbox.idle();
    expect(sender.sent).toEqual(["card C1", "card C2", "card C3"]);
  });

  test("happens by itself when the next message is due", async () => {
    const sender = createScriptedSender();
    const { store, clock, run } = await startWorker(sender, []);
    await store.queue([outboxMessage("card", "C1")], noon + 10_000);
    await run(() => sender.sent.length > 0);
    expect(sender.sent).toEqual(["card C1"]);
    expect(clock.now()).toBe(noon + 10_000);
  });

  test("happens by itself in real time", async () => {
    const sender = createScriptedSender();
    const { store, outbox } = await startWorker(sender, [], { now: Date.now, schedule: undefined });
    await store.queue([outboxMessage("card", "C1")], Date.now() + 10);
    outbox.wake();
    await sender.until(1);
  });

  test("happens by itself when a message is committed, and not when that fails", async () => {
    const sender = createScriptedSender();
    const { store } = await startWorker(sender, [], { now: Date.now, schedule: undefined });
    const toNobody = outboxMessage("card", JSON.parse("null"));
    await expect(store.queue([outboxMessage("card", "C1"), toNobody], Date.now())).rejects.toThrow();
    await store.queue([outboxMessage("card", "C2")], Date.now());
    await sender.until(1);
    expect(sender.sent).toEqual(["card C2"]);
  });

  test("polls for other instances' messages, and takes over a dead one's", async () => {
    const sender = createScriptedSender();
    const { store, clock, run } = await startWorker(sender, [], { pollMs: 3000 });
    await run(() => clock.now() > noon);
    await store.queue([outboxMessage("card", "C1")], clock.now());
    await claimOne(store, clock.now(), 60_000, { gapMs: 0, burst: { moreThan: 5, withinMs: 0 } });
    const diedAt = clock.now();
    await store.queue([outboxMessage("card", "C2")], clock.now());
    await run(() => sender.sent.length === 1);
    expect(sender.sent).toEqual(["card C2"]);
    await run(() => sender.sent.length === 2);
    expect(clock.now()).toBe(diedAt + 60_000);
    expect(sender.sent).toEqual(["card C2", "card C1"]);
  });
});

test("stop finishes sends under way and leaves the rest queued", async () => {
  const gate = createSignal();
  const sender = createScriptedSender(async (each) => {
    await gate.given;
    return postedAs(each);
  });
  const { store, outbox } = await startWorker(sender, [outboxMessage("card", "C1"), outboxMessage("thread", "C1")]);
  outbox.wake();
  await sender.until(1);
  const stopped = outbox.stop();
  outbox.wake();
  gate.give();
  await stopped;
  expect(sender.sent).toEqual(["card C1"]);
  expect(await nextDue(store, noon)).toMatchObject({ kind: "thread", attempts: 0 });
});

test("stop releases what it claimed and has not begun to send", async () => {
  const gate = createSignal();
  const sender = createScriptedSender(async (each) => {
    await gate.given;
    return postedAs(each);
  });
  const channels = ["C1", "C2", "C3", "C4", "C5", "C6"];
  const { store, outbox } = await startWorker(
    sender,
    channels.map((to) => outboxMessage("card", to)),
  );
  outbox.wake();
  await sender.until(4);
  const stopped = outbox.stop();
  gate.give();
  await stopped;
  expect(sender.sent).toHaveLength(4);
  const left = await claimSome(store, noon, 0, unhurried, 20);
  expect(left.map(({ to }) => to)).toEqual(["C5", "C6"]);
});

describe("with a failing database", () => {
  test("resumes after a failed claim", async () => {
    const sender = createScriptedSender();
    const store = await openTestStore();
    await store.begin(aChange());
    let fails = 1;
    const claim: typeof store.claim = (...claiming) =>
      fails-- > 0 ? Promise.reject(new Error("database is locked")) : store.claim(...claiming);
    const { clock, run } = await startWorker(sender, [outboxMessage("card", "C1")], { store, overrides: { claim } });
    await run(() => sender.sent.length > 0);
    expect(sender.sent).toEqual(["card C1"]);
    expect(clock.now()).toBe(noon + 5000);
  });

  test("sends nothing while claims fail", async () => {
    const sender = createScriptedSender();
    const store = await openTestStore();
    await store.begin(aChange());
    const claim = () => Promise.reject(new Error("disk is full"));
    const { clock, run } = await startWorker(sender, [outboxMessage("card", "C1")], { store, overrides: { claim } });
    await run(() => clock.now() > noon + 60_000);
    expect(sender.sent).toEqual([]);
  });

  test("marks a posted message later when marking fails, and does not post it again", async () => {
    const sender = createScriptedSender();
    const store = await openTestStore();
    await store.begin(aChange());
    let fails = 3;
    const markSent: typeof store.markSent = (...facts) =>
      fails-- > 0 ? Promise.reject(new Error("disk is full")) : store.markSent(...facts);
    const queued = [outboxMessage("card", "C1"), outboxMessage("thread", "C1")];
    const { run } = await startWorker(sender, queued, { store, overrides: { markSent } });
    await run();
    expect(sender.sent).toEqual(["card C1", "thread C1"]);
    expect(await store.cardOf("chg-1", "C1")).toMatchObject({ ts: "1.000001" });
  });
});

test("sends what an instance was lost over alone and once more, and then not again", async () => {
  let lost = 0;
  const sender = createScriptedSender((each) => {
    if (each.to === "C2") lost++;
    return postedAs(each);
  });
  const queued = ["C1", "C2", "C3"].map((to) => outboxMessage("card", to));
  const { store, clock, run } = await startWorker(sender, queued);
  const leaseMs = 60_000;
  /** A claim of an instance that ends before it has sent anything. */
  const lose = async () => {
    const claimed = await claimSome(store, clock.now(), leaseMs, unhurried, 20);
    clock.advance(leaseMs);
    return claimed.map(({ to }) => to);
  };
  expect(await lose()).toEqual(["C1", "C2", "C3"]);
  const [first] = await claimSome(store, clock.now(), leaseMs, unhurried, 20);
  expect(first).toMatchObject({ to: "C1", tries: 2 });
  await store.markSent(first?.id ?? 0, undefined, clock.now());
  expect(await lose()).toEqual(["C2"]);
  await run();
  expect(lost).toBe(0);
  expect(sender.sent).toContain("card C3");
  // Its requester and the admins read that it could not be announced.
  expect(sender.sent).toEqual(expect.arrayContaining(["notify-requester U01ALICE", "report C0ADMINS"]));
});

test("claims what an instance was lost over when nothing is being sent, and before all that is queued later", async () => {
  const gate = createSignal();
  const sender = createScriptedSender(async (each) => {
    if (each.to === "C2") await gate.given;
    return postedAs(each);
  });
  let claims = 0;
  const store = await openTestStore();
  await store.begin(aChange());
  const claim: OutboxStore["claim"] = async (...claiming) => {
    const claimed = await store.claim(...claiming);
    claims++;
    return claimed;
  };
  const { clock, outbox } = await startWorker(sender, [outboxMessage("card", "C1")], { store, overrides: { claim } });
  await claimOne(store, noon, 60_000, unhurried);
  await store.queue([outboxMessage("card", "C2")], noon);
  outbox.wake();
  await sender.until(1);
  clock.advance(60_000);
  // The lease of C2 is over too: it is not sent again here.
  await store.queue([outboxMessage("card", "C3")], clock.now());
  const before = claims;
  outbox.wake();
  await expect.poll(() => claims).toBeGreaterThan(before);
  expect(sender.sent).toEqual(["card C2"]);
  // The lease of C1 has not begun again, so another instance may send it.
  const [other] = await claimSome(store, clock.now(), 60_000, unhurried, 1);
  expect(other).toMatchObject({ to: "C1", tries: 2 });
  await store.markSent(other?.id ?? 0, undefined, clock.now());
  gate.give();
  await outbox.idle();
  expect(sender.sent).toEqual(["card C2", "card C3"]);
});
