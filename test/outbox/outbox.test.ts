import { describe, expect, test } from "vitest";
import type { OutboxMessage } from "../../src/changes/ports.ts";
import type { SendResult } from "../../src/outbox/sender.ts";
import { aChange, noon } from "../changes/build.ts";
import { outboxMessage, startWorker } from "../jobs/start-worker.ts";
import { nextDue } from "../store/next-due.ts";
import { openTestStore } from "../store/open-test-store.ts";
import { createScriptedAnnouncer, postedAs } from "./scripted-sender.ts";

const limited = (afterMs: number): SendResult => ({ kind: "later", error: "ratelimited", afterMs, isLimit: true });

/** Something that a test lets happen. */
function createGate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

test("what is queued is told in its order, and where it was posted is kept", async () => {
  const sender = createScriptedAnnouncer();
  const queued = [outboxMessage("card", "C1"), outboxMessage("card", "C2"), outboxMessage("thread", "C1")];
  const { store, run } = await startWorker(sender, queued);
  await run();
  expect(sender.told).toEqual(["card C1", "card C2", "thread C1"]);
  expect(await store.cardOf("chg-1", "C1")).toEqual({ channelId: "C1", ts: "1.000001", threadTs: null });
  expect(await store.nextDueAt(0)).toBeUndefined();
});

describe("the pace", () => {
  /** When each was told, in ms since noon. */
  const timesOf = async (queued: readonly ReturnType<typeof outboxMessage>[]) => {
    const times: number[] = [];
    let clock = () => noon;
    const sender = createScriptedAnnouncer((each) => {
      times.push(clock() - noon);
      return postedAs(each);
    });
    const worker = await startWorker(sender, queued);
    clock = worker.clock.now;
    await worker.run();
    return times;
  };

  test("is one message a second to each recipient, and what goes to others does not wait", async () => {
    const queued = ["C1", "C1", "C2", "C1", "C2"].map((to) => outboxMessage("thread", to));
    expect(await timesOf(queued)).toEqual([0, 0, 1000, 1000, 2000]);
  });

  test("does not hold up what is only drawn again, nor is held up by it", async () => {
    const kinds = ["thread", "update", "update", "thread", "update"] as const;
    expect(await timesOf(kinds.map((kind) => outboxMessage(kind, "C1")))).toEqual([0, 0, 0, 1000, 1000]);
  });

  test("is kept by two instances together, which tell everything once and each channel in its order", async () => {
    const told: string[] = [];
    const times = new Map<string, number[]>();
    const tellers = new Set<string>();
    const teller = (name: string) =>
      createScriptedAnnouncer((each) => {
        tellers.add(name);
        told.push(`${each.to} ${each.id}`);
        times.set(each.to, [...(times.get(each.to) ?? []), first.clock.now()]);
        return postedAs(each);
      });
    const queued = Array.from({ length: 60 }, (_none, index) => outboxMessage("thread", `C${index % 3}`));
    const first = await startWorker(teller("first"), queued);
    const { now } = first.clock;
    const { schedule } = first.timers;
    const second = await startWorker(teller("second"), [], { store: first.store, now, schedule });
    second.outbox.wake();
    await first.run(() => {
      second.outbox.wake();
      return false;
    });
    await second.outbox.idle();
    expect(tellers).toEqual(new Set(["first", "second"]));
    expect(new Set(told).size).toBe(60);
    expect(told).toHaveLength(60);
    for (const [to, at] of times) {
      const ids = told.filter((each) => each.startsWith(to)).map((each) => Number(each.split(" ")[1]));
      expect(ids).toEqual(ids.toSorted((one, other) => one - other));
      expect(at.slice(1).every((time, index) => time - (at[index] ?? 0) >= 1000)).toBe(true);
    }
  });
});

test("a slow recipient holds up no other, however much is queued meanwhile", async () => {
  const gate = createGate();
  const sender = createScriptedAnnouncer(async (each) => {
    if (each.to === "C1") await gate.opened;
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
  expect(sender.told).toEqual(["C1", "C2", "C3", "C4", "C5", "C6"].map((to) => `card ${to}`));
  gate.open();
});

test("what Slack does not take now is told when its time has come, and before what came later", async () => {
  const sender = createScriptedAnnouncer((each, count) => (count === 1 ? limited(30_000) : postedAs(each)));
  const queued = [outboxMessage("card", "C1"), outboxMessage("thread", "C1"), outboxMessage("card", "C2")];
  const { store, clock, outbox, run } = await startWorker(sender, queued);
  outbox.wake();
  await outbox.idle();
  expect(sender.told).toEqual(["card C1", "card C2"]);
  expect(await store.nextDueAt(0)).toBe(noon + 30_000);
  await run(() => sender.told.length === 3);
  expect(clock.now()).toBe(noon + 30_000);
  await run();
  expect(sender.told.slice(2)).toEqual(["card C1", "thread C1"]);
});

test("without a time from Slack the pauses grow, up to two minutes", async () => {
  const sender = createScriptedAnnouncer(() => ({ kind: "later", error: "internal_error" }));
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

  test("is found out by few, and all the others wait without asking", async () => {
    const until = noon + 30_000;
    let now = () => noon;
    const sender = createScriptedAnnouncer((each) => (now() < until ? limited(until - now()) : postedAs(each)));
    const worker = await startWorker(
      sender,
      channels.map((to) => outboxMessage("thread", to)),
    );
    now = worker.clock.now;
    await worker.run();
    const refused = sender.told.length - channels.length;
    expect(refused).toBeGreaterThanOrEqual(2);
    expect(refused).toBeLessThanOrEqual(4);
    expect(new Set(sender.told.slice(refused))).toEqual(new Set(channels.map((to) => `thread ${to}`)));
  });

  test("one channel's own limit is none", async () => {
    const sender = createScriptedAnnouncer((each) => (each.to === "C0" ? limited(60_000) : postedAs(each)));
    const { outbox } = await startWorker(
      sender,
      channels.map((to) => outboxMessage("thread", to)),
    );
    outbox.wake();
    await outbox.idle();
    expect(sender.told).toHaveLength(channels.length);
  });

  test("a limit on drawing again does not hold up what is new", async () => {
    const sender = createScriptedAnnouncer((each) => (each.kind === "update" ? limited(60_000) : postedAs(each)));
    const updates = ["C1", "C2", "C3"].map((to) => outboxMessage("update", to));
    const posts = ["C4", "C5", "C6"].map((to) => outboxMessage("thread", to));
    const { outbox } = await startWorker(sender, [...updates, ...posts]);
    outbox.wake();
    await outbox.idle();
    expect(sender.told.filter((each) => each.startsWith("thread"))).toHaveLength(3);
  });
});

describe("what no channel takes", () => {
  const refusing = (error: string, kind: OutboxMessage["kind"] = "card") => {
    const notes: (string | undefined)[] = [];
    const sender = createScriptedAnnouncer((each) => {
      notes.push(each.note);
      return each.kind === kind ? { kind: "never", error } : postedAs(each);
    });
    return Object.assign(sender, { notes });
  };

  test("is told to its requester and to the admins, with the reason", async () => {
    const sender = refusing("not_in_channel");
    const { notes } = sender;
    const { run } = await startWorker(sender, [outboxMessage("card", "C1")]);
    await run();
    expect(sender.told).toEqual(["card C1", "tell U01ALICE", "report C0ADMINS"]);
    expect(notes[1]).toBe(
      "It could not be announced in the channel C1 (not_in_channel). Curfew must be a member there.",
    );
    expect(notes[2]).toBe(notes[1]);
  });

  test("is not told to the admins' own channel when that is the one", async () => {
    const sender = refusing("is_archived");
    const { store, run } = await startWorker(sender, [outboxMessage("card", "C0ADMINS")]);
    await run();
    expect(sender.told).toEqual(["card C0ADMINS", "tell U01ALICE"]);
    expect(await store.nextDueAt(0)).toBeUndefined();
  });

  test("is reported to the admins even when its requester cannot be found", async () => {
    const sender = refusing("is_archived");
    const requesterOf = () => Promise.reject(new Error("unreadable"));
    const { run } = await startWorker(sender, [outboxMessage("card", "C1")], { requesterOf });
    await run();
    expect(sender.told).toEqual(["card C1", "report C0ADMINS"]);
  });

  test("what the owner of an account cannot be told is reported to the admins, and to nobody else", async () => {
    const sender = refusing("messages_tab_disabled", "account-owner");
    const { notes } = sender;
    const { run } = await startWorker(sender, [outboxMessage("account-owner", "u-1")]);
    await run();
    expect(sender.told).toEqual(["concerned u-1", "report C0ADMINS"]);
    expect(notes[1]).toBe(
      "The person whose account it altered could not be told (messages_tab_disabled): see to it that they hear of it.",
    );
  });

  test("nothing is told about lesser things that fail, so that failing news makes no news", async () => {
    const sender = createScriptedAnnouncer(() => ({ kind: "never", error: "user_not_found" }));
    const kinds = ["thread", "update", "reminder", "notify-requester", "report", "summary"] as const;
    const { store, run } = await startWorker(
      sender,
      kinds.map((kind) => outboxMessage(kind, "C1")),
    );
    await run();
    expect(sender.told).toHaveLength(kinds.length);
    expect(await store.nextDueAt(0)).toBeUndefined();
  });
});

describe("waking", () => {
  test("what is queued while something is being told is told without waiting", async () => {
    let queueMore = async (): Promise<void> => undefined;
    const sender = createScriptedAnnouncer(async (each, count) => {
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
    expect(sender.told).toEqual(["card C1", "card C2"]);
  });

  test("many kicks at once tell nothing twice", async () => {
    const sender = createScriptedAnnouncer();
    const { store, outbox } = await startWorker(sender, [outboxMessage("card", "C1"), outboxMessage("card", "C2")]);
    for (let count = 0; count < 20; count++) outbox.wake();
    await outbox.idle();
    await store.queue([outboxMessage("card", "C3")], noon);
    outbox.wake();
    await outbox.idle();
    expect(sender.told).toEqual(["card C1", "card C2", "card C3"]);
  });

  test("it wakes by itself when the next delivery is due", async () => {
    const sender = createScriptedAnnouncer();
    const { store, clock, run } = await startWorker(sender, []);
    await store.queue([outboxMessage("card", "C1")], noon + 10_000);
    await run(() => sender.told.length > 0);
    expect(sender.told).toEqual(["card C1"]);
    expect(clock.now()).toBe(noon + 10_000);
  });

  test("and in real time, without anyone's doing", async () => {
    const sender = createScriptedAnnouncer();
    const { store, outbox } = await startWorker(sender, [], { now: Date.now, schedule: undefined });
    await store.queue([outboxMessage("card", "C1")], Date.now() + 10);
    outbox.wake();
    await sender.until(1);
  });

  test("it looks every few seconds for what other instances queued, and takes over what a dead one had begun", async () => {
    const sender = createScriptedAnnouncer();
    const { store, clock, run } = await startWorker(sender, [], { pollMs: 3000 });
    await run(() => clock.now() > noon);
    await store.queue([outboxMessage("card", "C1")], clock.now());
    await store.claim(clock.now(), 60_000, { gapMs: 0, burst: { moreThan: 5, withinMs: 0 } });
    const diedAt = clock.now();
    await store.queue([outboxMessage("card", "C2")], clock.now());
    await run(() => sender.told.length === 1);
    expect(sender.told).toEqual(["card C2"]);
    await run(() => sender.told.length === 2);
    expect(clock.now()).toBe(diedAt + 60_000);
    expect(sender.told).toEqual(["card C2", "card C1"]);
  });
});

test("a stop lets what is being told be finished and leaves the rest in the queue", async () => {
  const gate = createGate();
  const sender = createScriptedAnnouncer(async (each) => {
    await gate.opened;
    return postedAs(each);
  });
  const { store, outbox } = await startWorker(sender, [outboxMessage("card", "C1"), outboxMessage("thread", "C1")]);
  outbox.wake();
  await sender.until(1);
  const stopped = outbox.stop();
  outbox.wake();
  gate.open();
  await stopped;
  expect(sender.told).toEqual(["card C1"]);
  expect(await nextDue(store, noon)).toMatchObject({ kind: "thread", attempts: 0 });
});

describe("with a database in trouble", () => {
  test("nothing stops for good", async () => {
    const sender = createScriptedAnnouncer();
    const store = await openTestStore();
    await store.begin(aChange());
    let fails = 1;
    const claim: typeof store.claim = (...claiming) =>
      fails-- > 0 ? Promise.reject(new Error("database is locked")) : store.claim(...claiming);
    const { clock, run } = await startWorker(sender, [outboxMessage("card", "C1")], { store, overrides: { claim } });
    await run(() => sender.told.length > 0);
    expect(sender.told).toEqual(["card C1"]);
    expect(clock.now()).toBe(noon + 10_000);
  });

  test("nothing is told while it takes no note of it", async () => {
    const sender = createScriptedAnnouncer();
    const store = await openTestStore();
    await store.begin(aChange());
    const claim = () => Promise.reject(new Error("disk is full"));
    const { clock, run } = await startWorker(sender, [outboxMessage("card", "C1")], { store, overrides: { claim } });
    await run(() => clock.now() > noon + 60_000);
    expect(sender.told).toEqual([]);
  });

  test("what was told but could not be noted is noted later, and not told again", async () => {
    const sender = createScriptedAnnouncer();
    const store = await openTestStore();
    await store.begin(aChange());
    let fails = 3;
    const markSent: typeof store.markSent = (...facts) =>
      fails-- > 0 ? Promise.reject(new Error("disk is full")) : store.markSent(...facts);
    const queued = [outboxMessage("card", "C1"), outboxMessage("thread", "C1")];
    const { run } = await startWorker(sender, queued, { store, overrides: { markSent } });
    await run();
    expect(sender.told).toEqual(["card C1", "thread C1"]);
    expect(await store.cardOf("chg-1", "C1")).toMatchObject({ ts: "1.000001" });
  });
});

test("what was given up stays so, and is told as given up once, though two had it at the same time", async () => {
  const sender = createScriptedAnnouncer((each) =>
    each.kind === "card" ? { kind: "never", error: "is_archived" } : postedAs(each),
  );
  const { store, run } = await startWorker(sender, [outboxMessage("card", "C1")]);
  const slow = await store.claim(noon, 0, { gapMs: 0, burst: { moreThan: 5, withinMs: 0 } });
  await run();
  await store.abandon(slow?.id ?? 0, "is_archived", [outboxMessage("notify-requester", "U01ALICE")], noon);
  await store.postpone(slow?.id ?? 0, noon, "internal_error");
  await run();
  expect(sender.told).toEqual(["card C1", "tell U01ALICE", "report C0ADMINS"]);
});
