import { expect, test } from "vitest";
import type { NewDelivery } from "../../src/changes/ports.ts";
import { aChange, noon } from "../changes/build.ts";
import { newDatabase } from "../support/new-database.ts";
import { execute, openTestStore } from "./open-test-store.ts";

const card = (to: string, facts: Partial<NewDelivery> = {}): NewDelivery => ({
  changeId: "chg-1",
  kind: "card",
  to,
  underChangeId: null,
  ...facts,
});

async function storeWith(...deliveries: readonly NewDelivery[]) {
  const store = await openTestStore();
  await store.begin(aChange());
  await store.queue(deliveries, noon);
  /** The recipients in the order in which a worker that delivers everything comes to them. */
  const drain = async (now: number): Promise<string[]> => {
    const order: string[] = [];
    for (let due = await store.nextDue(now); due; due = await store.nextDue(now)) {
      order.push(`${due.to} ${due.kind}`);
      await store.delivered(due.id, undefined);
    }
    return order;
  };
  return { store, drain };
}

test("deliveries come in the order in which they were queued, and not before they are due", async () => {
  const { store, drain } = await storeWith(card("C1"), card("C2"), card("C1", { kind: "thread" }));
  expect(await store.nextDue(noon - 1)).toBeUndefined();
  expect(await drain(noon)).toEqual(["C1 card", "C2 card", "C1 thread"]);
  expect(await store.nextDueAt()).toBeUndefined();
});

test("what waits holds back what comes later for the same recipient, and nobody else", async () => {
  const { store, drain } = await storeWith(card("C1"), card("C1", { kind: "thread" }), card("C2"));
  const first = await store.nextDue(noon);
  expect(first).toMatchObject({ to: "C1", kind: "card", attempts: 0 });
  await store.claim(first?.id ?? 0, noon + 1);
  await store.postpone(first?.id ?? 0, noon + 5000, "ratelimited");
  expect(await drain(noon)).toEqual(["C2 card"]);
  expect(await store.nextDue(noon + 4999)).toBeUndefined();
  expect(await store.nextDue(noon + 5000)).toMatchObject({ id: first?.id, attempts: 1 });
  expect(await drain(noon + 5000)).toEqual(["C1 card", "C1 thread"]);
});

test("the time of the next delivery is that of the soonest that heads its recipient's queue", async () => {
  const { store } = await storeWith(card("C1"), card("C2"));
  const first = await store.nextDue(noon);
  await store.postpone(first?.id ?? 0, noon + 900, "later");
  expect(await store.nextDueAt()).toBe(noon);
  const second = await store.nextDue(noon);
  await store.delivered(second?.id ?? 0, undefined);
  expect(await store.nextDueAt()).toBe(noon + 900);
});

test("what only waits its turn behind another has no time of its own", async () => {
  const { store } = await storeWith(card("C1"), card("C1", { kind: "thread" }));
  await store.postpone((await store.nextDue(noon))?.id ?? 0, noon + 60_000, "ratelimited");
  expect(await store.nextDueAt()).toBe(noon + 60_000);
});

test("a posted card is found by its change and channel", async () => {
  const { store } = await storeWith(card("C1"), card("C2"), card("C1", { kind: "thread" }));
  const posted = { channelId: "C1", ts: "1.000001", threadTs: null };
  expect(await store.cardOf("chg-1", "C1")).toBeUndefined();
  await store.delivered((await store.nextDue(noon))?.id ?? 0, posted);
  expect(await store.cardOf("chg-1", "C1")).toEqual(posted);
  expect(await store.cardOf("chg-1", "C2")).toBeUndefined();
  expect(await store.cardOf("chg-2", "C1")).toBeUndefined();
});

test("a card that was given up is no card, and what is told instead is queued with its note", async () => {
  const { store } = await storeWith(card("C1"), card("C2"));
  expect(await store.cardChannels("chg-1")).toEqual(["C1", "C2"]);
  const lost = await store.nextDue(noon);
  const instead = card("U01ALICE", { kind: "tell", note: "It could not be announced." });
  await store.abandon(lost?.id ?? 0, "not_in_channel", [instead], noon + 10);
  expect(await store.cardChannels("chg-1")).toEqual(["C2"]);
  expect(await store.nextDue(noon)).toMatchObject({ to: "C2" });
  await store.delivered((await store.nextDue(noon))?.id ?? 0, undefined);
  expect(await store.nextDue(noon + 9)).toBeUndefined();
  expect(await store.nextDue(noon + 10)).toMatchObject({ to: "U01ALICE", kind: "tell", note: instead.note });
});

test("giving up is undone when what is told instead cannot be queued", async () => {
  const { store } = await storeWith(card("C1"));
  const lost = await store.nextDue(noon);
  const orphan = card("U01ALICE", { changeId: "chg-none" });
  await expect(store.abandon(lost?.id ?? 0, "not_in_channel", [orphan], noon)).rejects.toThrow();
  expect(await store.nextDue(noon)).toEqual(lost);
});

test("a claimed delivery counts a try and is not due again before its time", async () => {
  const { store } = await storeWith(card("C1"));
  const first = await store.nextDue(noon);
  await store.claim(first?.id ?? 0, noon + 60_000);
  expect(await store.nextDue(noon + 59_999)).toBeUndefined();
  expect(await store.nextDue(noon + 60_000)).toMatchObject({ id: first?.id, attempts: 1 });
});

test("a delivery of an unknown kind is given up and reported, and holds up nothing", async () => {
  const file = await newDatabase();
  const unreadable: string[] = [];
  const store = await openTestStore(file, { onUnreadable: ({ table, id }) => void unreadable.push(`${table} ${id}`) });
  await store.begin(aChange());
  await store.queue([card("C1"), card("C1", { kind: "thread" })], noon);
  await execute(file, "update delivery set kind = 'carrier pigeon' where kind = 'card'");
  expect(await store.nextDue(noon)).toMatchObject({ kind: "thread" });
  expect(await store.nextDue(noon)).toMatchObject({ kind: "thread" });
  expect(unreadable).toEqual(["delivery 1"]);
});
