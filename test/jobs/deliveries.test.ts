import { expect, test } from "vitest";
import { aChange, noon } from "../changes/build.ts";
import { openTestStore } from "../store/open-test-store.ts";
import { createScriptedAnnouncer } from "./scripted-announcer.ts";
import { delivery, startWorker } from "./start-worker.ts";

test("what is queued is told in its order, and where it was posted is kept", async () => {
  const posted = { channelId: "C1", ts: "1.000001", threadTs: null };
  const announcer = createScriptedAnnouncer(() => ({ kind: "delivered", posted }));
  const queued = [delivery("card", "C1"), delivery("card", "C2"), delivery("thread", "C1")];
  const { store, deliveries } = await startWorker(announcer, queued);
  deliveries.kick();
  await announcer.until(3);
  await deliveries.stop();
  expect(announcer.told).toEqual(["card C1", "card C2", "thread C1"]);
  expect(await store.cardOf("chg-1", "C1")).toEqual(posted);
  expect(await store.nextDueAt()).toBeUndefined();
});

test("what Slack does not take now is told when its time has come, and before what came later", async () => {
  const announcer = createScriptedAnnouncer((_delivery, count) =>
    count === 1 ? { kind: "later", error: "ratelimited", afterMs: 30_000 } : { kind: "delivered" },
  );
  const queued = [delivery("card", "C1"), delivery("thread", "C1"), delivery("card", "C2")];
  const { store, clock, deliveries } = await startWorker(announcer, queued);
  deliveries.kick();
  await announcer.until(2);
  await deliveries.idle();
  expect(announcer.told).toEqual(["card C1", "card C2"]);
  expect(await store.nextDueAt()).toBe(noon + 30_000);
  clock.now = noon + 30_000;
  deliveries.kick();
  await announcer.until(4);
  expect(announcer.told.slice(2)).toEqual(["card C1", "thread C1"]);
});

test("without a time from Slack the pauses grow, up to a minute", async () => {
  const announcer = createScriptedAnnouncer(() => ({ kind: "later", error: "internal_error" }));
  const pauses: number[] = [];
  const { store, clock, deliveries } = await startWorker(announcer, [delivery("card", "C1")], {
    postpone: async (id, dueAt, error) => {
      pauses.push(dueAt - clock.now);
      clock.now = pauses.length < 8 ? dueAt : clock.now;
      await store.postpone(id, dueAt, error);
    },
  });
  deliveries.kick();
  await announcer.until(8);
  await deliveries.stop();
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
});

test("a card that no channel takes is told to its asker and to the admins, with the reason", async () => {
  const announcer = createScriptedAnnouncer(({ kind }) =>
    kind === "card" ? { kind: "never", error: "not_in_channel" } : { kind: "delivered" },
  );
  const notes: (string | undefined)[] = [];
  const told = createScriptedAnnouncer((each) => {
    notes.push(each.note);
    return announcer.deliver(each);
  });
  const { deliveries } = await startWorker(told, [delivery("card", "C1")]);
  deliveries.kick();
  await told.until(3);
  expect(told.told).toEqual(["card C1", "tell U01ALICE", "report C0ADMINS"]);
  expect(notes[1]).toMatch(/C1.*not_in_channel/);
  expect(notes[2]).toBe(notes[1]);
});

test("the admins' own channel is not told that it cannot be reached", async () => {
  const announcer = createScriptedAnnouncer(({ kind }) =>
    kind === "card" ? { kind: "never", error: "is_archived" } : { kind: "delivered" },
  );
  const { store, deliveries } = await startWorker(announcer, [delivery("card", "C0ADMINS")]);
  deliveries.kick();
  await announcer.until(2);
  await deliveries.stop();
  expect(announcer.told).toEqual(["card C0ADMINS", "tell U01ALICE"]);
  expect(await store.nextDueAt()).toBeUndefined();
});

test("nothing is told about lesser things that fail, so that failing news makes no news", async () => {
  const announcer = createScriptedAnnouncer(() => ({ kind: "never", error: "user_not_found" }));
  const kinds = ["thread", "update", "tell", "report"] as const;
  const queued = kinds.map((kind) => delivery(kind, "C1"));
  const { store, deliveries } = await startWorker(announcer, queued);
  deliveries.kick();
  await announcer.until(4);
  await deliveries.stop();
  expect(announcer.told).toHaveLength(4);
  expect(await store.nextDueAt()).toBeUndefined();
});

test("what is queued while a round is under way is told without waiting", async () => {
  let queueMore = async (): Promise<void> => undefined;
  const announcer = createScriptedAnnouncer(async (_delivery, count) => {
    if (count === 1) await queueMore();
    return { kind: "delivered" };
  });
  const { store, deliveries } = await startWorker(announcer, [delivery("card", "C1")]);
  queueMore = async () => {
    await store.queue([delivery("card", "C2")], noon);
    deliveries.kick();
    deliveries.kick();
  };
  deliveries.kick();
  await announcer.until(2);
  await deliveries.stop();
  expect(announcer.told).toEqual(["card C1", "card C2"]);
});

test("many kicks at once tell nothing twice", async () => {
  const announcer = createScriptedAnnouncer();
  const { store, deliveries } = await startWorker(announcer, [delivery("card", "C1"), delivery("card", "C2")]);
  for (let count = 0; count < 20; count++) deliveries.kick();
  await announcer.until(2);
  await store.queue([delivery("card", "C3")], noon);
  deliveries.kick();
  await announcer.until(3);
  await deliveries.stop();
  expect(announcer.told).toEqual(["card C1", "card C2", "card C3"]);
});

test("a stop lets what is being told be finished and leaves the rest in the queue", async () => {
  let finish = (): void => undefined;
  const isFinished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const announcer = createScriptedAnnouncer(async () => {
    await isFinished;
    return { kind: "delivered" };
  });
  const { store, deliveries } = await startWorker(announcer, [delivery("card", "C1"), delivery("card", "C2")]);
  deliveries.kick();
  await announcer.until(1);
  const stopped = deliveries.stop();
  deliveries.kick();
  finish();
  await stopped;
  expect(announcer.told).toEqual(["card C1"]);
  expect(await store.nextDue(noon)).toMatchObject({ to: "C2", attempts: 0 });
});

test("it wakes by itself when the next delivery is due", async () => {
  const announcer = createScriptedAnnouncer();
  const { store, clock, deliveries } = await startWorker(announcer, []);
  await store.queue([delivery("card", "C1")], noon + 10);
  deliveries.kick();
  clock.now = noon + 10;
  await announcer.until(1);
  expect(announcer.told).toEqual(["card C1"]);
});

test("a database that fails for a moment stops nothing for good", async () => {
  const announcer = createScriptedAnnouncer();
  let fails = 1;
  let failed = (): void => undefined;
  const hasFailed = new Promise<void>((resolve) => {
    failed = resolve;
  });
  const real = await openTestStore();
  const { deliveries } = await startWorker(announcer, [], {
    nextDue: async (now) => {
      if (fails-- <= 0) return real.nextDue(now);
      failed();
      throw new Error("database is locked");
    },
  });
  await real.begin(aChange());
  await real.queue([delivery("card", "C1")], noon);
  deliveries.kick();
  await hasFailed;
  deliveries.kick();
  await announcer.until(1);
  await deliveries.stop();
});

test("nothing is told while the database takes no note of it", async () => {
  const announcer = createScriptedAnnouncer();
  let isRefusing = true;
  const real = await openTestStore();
  const { deliveries } = await startWorker(announcer, [], {
    ...real,
    claim: (id, dueAt) => (isRefusing ? Promise.reject(new Error("disk is full")) : real.claim(id, dueAt)),
  });
  await real.begin(aChange());
  await real.queue([delivery("card", "C1")], noon);
  for (let count = 0; count < 3; count++) {
    deliveries.kick();
    await deliveries.idle();
  }
  expect(announcer.told).toEqual([]);
  isRefusing = false;
  deliveries.kick();
  await deliveries.idle();
  expect(announcer.told).toEqual(["card C1"]);
});

test("what was told but could not be noted is not told again at once", async () => {
  const announcer = createScriptedAnnouncer();
  const delivered = () => Promise.reject(new Error("disk is full"));
  const { deliveries } = await startWorker(announcer, [delivery("card", "C1")], { delivered });
  for (let count = 0; count < 3; count++) {
    deliveries.kick();
    await deliveries.idle();
  }
  expect(announcer.told).toEqual(["card C1"]);
});

test("a card whose asker cannot be found is reported to the admins all the same", async () => {
  const announcer = createScriptedAnnouncer(({ kind }) =>
    kind === "card" ? { kind: "never", error: "is_archived" } : { kind: "delivered" },
  );
  const askerOf = () => Promise.reject(new Error("unreadable"));
  const { deliveries } = await startWorker(announcer, [delivery("card", "C1")], {}, askerOf);
  deliveries.kick();
  await deliveries.idle();
  expect(announcer.told).toEqual(["card C1", "report C0ADMINS"]);
});
