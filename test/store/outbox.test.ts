import { describe, expect, test } from "vitest";
import type { NewOutboxMessage } from "../../src/changes/outbox-message.ts";
import { slackPace } from "../../src/outbox.ts";
import { aChange, noon } from "../changes/build.ts";
import { execute } from "../support/execute.ts";
import { newDatabase } from "../support/new-database.ts";
import { claimOne, claimSome, nextDue, nextDueAt, unhurried } from "./next-due.ts";
import { openTestStore } from "./open-test-store.ts";

const card = (to: string, facts: Partial<NewOutboxMessage> = {}): NewOutboxMessage => ({
  changeId: "chg-1",
  kind: "card",
  to,
  underChangeId: null,
  ...facts,
});

const leaseMs = 60_000;

async function storeWith(...outbox: readonly NewOutboxMessage[]) {
  const store = await openTestStore();
  await store.begin(aChange());
  await store.queue(outbox, noon);
  const claim = (now: number, pace = unhurried) => claimOne(store, now, leaseMs, pace);
  const post = (id: number | undefined, at = noon) =>
    store.markSent(id ?? 0, { channelId: "C1", ts: `${at}.1`, threadTs: null }, at);
  /** Claims and sends everything due, in order. */
  const drain = async (now: number): Promise<string[]> => {
    const order: string[] = [];
    for (let due = await claim(now); due; due = await claim(now)) {
      order.push(`${due.to} ${due.kind}`);
      await store.markSent(due.id, undefined, now);
    }
    return order;
  };
  return { store, claim, post, drain };
}

test("claims messages in queue order, and not before they are due", async () => {
  const { store, claim, drain } = await storeWith(card("C1"), card("C2"), card("C1", { kind: "thread" }));
  expect(await claim(noon - 1)).toBeUndefined();
  expect(await drain(noon)).toEqual(["C1 card", "C2 card", "C1 thread"]);
  expect(await nextDueAt(store, 0)).toBeUndefined();
});

test("a claim counts an attempt, and holds the message and its followers for the lease", async () => {
  const { claim } = await storeWith(card("C1"), card("C1", { kind: "thread" }), card("C2"));
  const first = await claim(noon);
  expect(first).toMatchObject({ to: "C1", kind: "card", attempts: 0, queuedAt: noon });
  expect(await claim(noon)).toMatchObject({ to: "C2" });
  expect(await claim(noon + leaseMs - 1)).toBeUndefined();
  expect(await claim(noon + leaseMs)).toMatchObject({ id: first?.id, attempts: 1 });
});

test("concurrent claims get different messages", async () => {
  const { claim } = await storeWith(...Array.from({ length: 8 }, (_none, index) => card(`C${index}`)));
  const claimed = await Promise.all(Array.from({ length: 12 }, () => claim(noon)));
  expect(new Set(claimed.flatMap((each) => (each ? [each.to] : []))).size).toBe(8);
});

test("a postponed message holds back only its own recipient's later messages", async () => {
  const { store, claim, drain } = await storeWith(card("C1"), card("C1", { kind: "thread" }), card("C2"));
  const first = await claim(noon);
  await store.postpone(first?.id ?? 0, noon + 5000, "ratelimited");
  expect(await drain(noon)).toEqual(["C2 card"]);
  expect(await claim(noon + 4999)).toBeUndefined();
  expect(await drain(noon + 5000)).toEqual(["C1 card", "C1 thread"]);
});

test("keeps a second between posts to a channel, but not before updates", async () => {
  const { store, claim, post } = await storeWith(card("C1"), card("C1", { kind: "update" }), card("C1"), card("C2"));
  await post((await claim(noon, slackPace))?.id, noon + 300);
  expect(await claim(noon + 300, slackPace)).toMatchObject({ kind: "update" });
  await store.markSent(2, undefined, noon + 400);
  expect(await claim(noon + 400, slackPace)).toMatchObject({ to: "C2" });
  expect(await nextDueAt(store, 1000)).toBe(noon + 1300);
  expect(await claim(noon + 1299, slackPace)).toBeUndefined();
  expect(await claim(noon + 1300, slackPace)).toMatchObject({ to: "C1", kind: "card" });
});

test("is next due with the earliest first message of any recipient", async () => {
  const { store, claim, post } = await storeWith(card("C1"), card("C1", { kind: "thread" }), card("C2"));
  await store.postpone((await claim(noon))?.id ?? 0, noon + 900, "later");
  expect(await nextDueAt(store, 0)).toBe(noon);
  await post((await claim(noon))?.id);
  expect(await nextDueAt(store, 0)).toBe(noon + 900);
  expect(await nextDueAt(store, 1000)).toBe(noon + 900);
});

test("finds a posted card by change and channel", async () => {
  const { store, claim } = await storeWith(card("C1"), card("C2"), card("C1", { kind: "thread" }));
  const posted = { channelId: "C1", ts: "1.000001", threadTs: null };
  expect(await store.cardOf("chg-1", "C1")).toBeUndefined();
  await store.markSent((await claim(noon))?.id ?? 0, posted, noon);
  expect(await store.cardOf("chg-1", "C1")).toEqual(posted);
  expect(await store.cardOf("chg-1", "C2")).toBeUndefined();
  expect(await store.cardOf("chg-2", "C1")).toBeUndefined();
});

test("drops an abandoned card, and queues its fallback with the note", async () => {
  const { store, claim } = await storeWith(card("C1"), card("C2"));
  expect(await store.cardChannels("chg-1")).toEqual(["C1", "C2"]);
  const lost = await claim(noon);
  const instead = card("U01ALICE", { kind: "notify-requester", note: "It could not be announced." });
  await store.abandon(lost?.id ?? 0, "not_in_channel", [instead], noon + 10);
  expect(await store.cardChannels("chg-1")).toEqual(["C2"]);
  expect(await claim(noon)).toMatchObject({ to: "C2" });
  expect(await claim(noon + 9)).toBeUndefined();
  expect(await claim(noon + 10)).toMatchObject({ to: "U01ALICE", kind: "notify-requester", note: instead.note });
});

test("rolls back an abandonment whose fallback cannot be queued", async () => {
  const { store } = await storeWith(card("C1"));
  const lost = await nextDue(store, noon);
  const toNobody = card(JSON.parse("null"));
  await expect(store.abandon(lost?.id ?? 0, "not_in_channel", [toNobody], noon)).rejects.toThrow();
  expect(await nextDue(store, noon)).toMatchObject({ id: lost?.id });
});

test("a worker with an expired lease cannot postpone or abandon a sent message", async () => {
  const { store, claim, post } = await storeWith(card("C1"));
  const lost = await claim(noon);
  await post((await claim(noon + leaseMs))?.id);
  await store.postpone(lost?.id ?? 0, noon, "internal_error");
  await store.abandon(lost?.id ?? 0, "is_archived", [card("U01ALICE", { kind: "notify-requester" })], noon);
  expect(await nextDueAt(store, 0)).toBeUndefined();
  expect(await store.cardOf("chg-1", "C1")).toBeDefined();
});

test("abandons and reports a message of unknown kind, and blocks nothing", async () => {
  const file = await newDatabase();
  const unreadable: string[] = [];
  const store = await openTestStore(file, { onUnreadable: ({ table, id }) => void unreadable.push(`${table} ${id}`) });
  await store.begin(aChange());
  await store.queue([card("C1"), card("C1", { kind: "thread" })], noon);
  await execute(file, "update outbox set kind = 'carrier pigeon' where kind = 'card'");
  expect(await store.claim(noon, 0, unhurried, 1)).toEqual({ taken: [], nextAt: noon });
  expect(await nextDue(store, noon)).toMatchObject({ kind: "thread" });
  expect(unreadable).toEqual(["outbox 1"]);
});

test("cleans finished messages in batches, but no posted card, history or pending message", async () => {
  const kinds = ["thread", "update", "notify-requester", "card"] as const;
  const { store, claim, post } = await storeWith(...kinds.map((kind) => card("C1", { kind })), card("C1"), card("C2"));
  for (const _kind of kinds) await post((await claim(noon))?.id);
  await store.abandon((await claim(noon))?.id ?? 0, "is_archived", [], noon);
  const later = noon + 2 * leaseMs;
  const history = await store.transitions("chg-1");
  expect(history).toHaveLength(1);
  expect(await store.clean(noon, 10)).toBe(0);
  expect(await store.clean(later, 3)).toBe(3);
  expect(await store.clean(later, 3)).toBe(1);
  expect(await store.clean(later, 3)).toBe(0);
  expect(await store.transitions("chg-1")).toEqual(history);
  expect(await store.find("chg-1")).toBeDefined();
  expect(await store.cardOf("chg-1", "C1")).toBeDefined();
  expect(await claim(later)).toMatchObject({ to: "C2" });
});

test("claims the first message of many recipients at a time, each once", async () => {
  const channels = Array.from({ length: 12 }, (_none, index) => `C${index}`);
  const { store } = await storeWith(...channels.flatMap((to) => [card(to), card(to, { kind: "thread" })]));
  const first = await claimSome(store, noon, leaseMs, unhurried, 8);
  const rest = await claimSome(store, noon, leaseMs, unhurried, 8);
  expect([...first, ...rest].map(({ to, kind }) => `${to} ${kind}`)).toEqual(channels.map((to) => `${to} card`));
  expect(await claimSome(store, noon, leaseMs, unhurried, 8)).toEqual([]);
});

describe("updates of one card", () => {
  const update = (to: string) => card(to, { kind: "update" });

  test("are one while they wait, and a second apart", async () => {
    const { store, claim, drain } = await storeWith(update("C1"), update("C1"), update("C2"));
    expect(await drain(noon)).toEqual(["C1 update", "C2 update"]);
    for (const ms of [300, 600, 900]) await store.queue([update("C1")], noon + ms);
    expect(await claim(noon + 999, slackPace)).toBeUndefined();
    expect(await nextDueAt(store, 1000)).toBe(noon + 1000);
    const next = await claim(noon + 1000, slackPace);
    await store.markSent(next?.id ?? 0, undefined, noon + 1000);
    expect(await nextDueAt(store, 1000)).toBeUndefined();
  });

  test("that was not sent is sent later, for all of them", async () => {
    const { store, claim } = await storeWith(update("C1"), update("C1"));
    const lost = await claim(noon);
    expect(await claim(noon + leaseMs - 1)).toBeUndefined();
    const again = await claim(noon + leaseMs);
    expect(again).toMatchObject({ id: lost?.id, attempts: 1 });
    await store.markSent(again?.id ?? 0, undefined, noon + leaseMs);
    expect(await nextDueAt(store, 0)).toBeUndefined();
  });
});
