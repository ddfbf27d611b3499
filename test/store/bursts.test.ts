import { describe, expect, test } from "vitest";
import type { NewOutboxMessage, OutboxMessage } from "../../src/changes/outbox-message.ts";
import { slackPace } from "../../src/outbox.ts";
import type { Store } from "../../src/store/open-store.ts";
import { aChange, noon } from "../changes/build.ts";
import { execute } from "../support/execute.ts";
import { newDatabase } from "../support/new-database.ts";
import { claimOne, nextDueAt } from "./next-due.ts";
import { openTestStore } from "./open-test-store.ts";

const leaseMs = 60_000;

/** A channel with cards of one change each, queued at these seconds after noon. */
async function channelWith(seconds: readonly number[]) {
  const database = await newDatabase();
  const store = await openTestStore(database);
  let made = 0;
  const queue = async (second: number, kind: NewOutboxMessage["kind"] = "card"): Promise<void> => {
    made += 1;
    const changeId = `chg-${made}`;
    await store.begin(aChange({ id: changeId, state: "succeeded" }));
    await store.queue([{ changeId, kind, to: "C1", underChangeId: null }], noon + 1000 * second);
  };
  for (const second of seconds) await queue(second);
  const claim = (second: number) => claimOne(store, noon + 1000 * second, leaseMs, slackPace);
  return { database, store, queue, claim };
}

async function post(store: Store, due: OutboxMessage | undefined, second: number): Promise<void> {
  if (due === undefined) throw new Error("nothing is due");
  const summary = due.summaryId === undefined ? undefined : await store.summaryCard(due.summaryId);
  const message = { channelId: "C1", ts: `${due.id}.1`, threadTs: summary?.ts ?? null };
  const isNew = due.kind !== "summary" || (await store.summaryCard(due.id)) === undefined;
  await store.markSent(due.id, isNew ? message : undefined, noon + 1000 * second);
}

/** Posts everything, one message a second. A card is listed by its change, with its thread after "in". */
async function postAll({ store, claim }: Awaited<ReturnType<typeof channelWith>>, from = 0): Promise<string[]> {
  const posted: string[] = [];
  for (let second = from; (await nextDueAt(store, 1000)) !== undefined; second++) {
    for (let due = await claim(second); due; due = await claim(second)) {
      const thread = due.summaryId === undefined ? "" : ` in ${due.summaryId}`;
      posted.push(due.kind === "card" ? `${due.changeId}${thread}` : `${due.kind} ${due.id}`);
      await post(store, due, second);
    }
  }
  return posted;
}

const many = (count: number, second = 0) => Array.from({ length: count }, () => second);

test("posts five concurrent cards as five cards", async () => {
  const channel = await channelWith(many(5));
  expect(await postAll(channel)).toEqual(["chg-1", "chg-2", "chg-3", "chg-4", "chg-5"]);
});

test("posts six concurrent cards as one summary, with the cards in its thread in order", async () => {
  const channel = await channelWith(many(6));
  const cards = [1, 2, 3, 4, 5, 6].map((number) => `chg-${number} in 7`);
  expect(await postAll(channel)).toEqual(["summary 7", ...cards]);
  expect(await channel.store.summedUp(7)).toHaveLength(6);
  expect(await channel.store.cardOf("chg-3", "C1")).toEqual({ channelId: "C1", ts: "3.1", threadTs: "7.1" });
});

test("counts cards already posted, and leaves them in place", async () => {
  const channel = await channelWith([0]);
  await post(channel.store, await channel.claim(0), 0);
  for (const second of [0.2, 0.4, 0.6, 0.8, 1]) await channel.queue(second);
  const cards = [2, 3, 4, 5, 6].map((number) => `chg-${number} in 7`);
  expect(await postAll(channel, 1)).toEqual(["summary 7", ...cards]);
});

test("does not summarize six cards in more than ten seconds", async () => {
  const channel = await channelWith([0, 2, 4, 6, 8, 10.001]);
  expect(await postAll(channel, 11)).toEqual(["chg-1", "chg-2", "chg-3", "chg-4", "chg-5", "chg-6"]);
});

test("summarizes only the cards of a burst after an outage", async () => {
  const channel = await channelWith([0, 60, ...many(6, 120), 180]);
  const cards = [3, 4, 5, 6, 7, 8].map((number) => `chg-${number} in 10`);
  expect(await postAll(channel, 200)).toEqual(["chg-1", "chg-2", "summary 10", ...cards, "chg-9"]);
});

test("gives separate bursts a summary each", async () => {
  const channel = await channelWith([...many(6), ...many(6, 60)]);
  const posted = await postAll(channel, 100);
  expect(posted.filter((each) => each.startsWith("summary"))).toEqual(["summary 13", "summary 14"]);
  expect(posted.filter((each) => each.endsWith("in 14"))).toHaveLength(6);
});

test("posts a card without a summary that would hold only this card", async () => {
  const channel = await channelWith([0]);
  for (let second = 0; second < 7; second++) {
    await post(channel.store, await channel.claim(second), second);
    await channel.queue(second + 1);
  }
  expect(await channel.claim(7)).toMatchObject({ kind: "card", summaryId: undefined });
});

test("adds later cards of a burst to its thread, and updates the summary", async () => {
  const channel = await channelWith(many(6));
  await post(channel.store, await channel.claim(0), 0);
  for (const second of [0.5, 3]) await channel.queue(second);
  const posted = await postAll(channel, 1);
  expect(posted.slice(6)).toEqual(["summary 7", "chg-7 in 7", "chg-8 in 7"]);
  expect(await channel.store.summaryCard(7)).toEqual({ channelId: "C1", ts: "7.1", threadTs: null });
  expect(await channel.store.summedUp(7)).toHaveLength(8);
  await channel.queue(60);
  expect(await postAll(channel, 60)).toEqual(["chg-9"]);
});

test("posts a thread line after its card", async () => {
  const channel = await channelWith(many(3));
  await channel.queue(0, "thread");
  for (const second of many(3)) await channel.queue(second);
  expect(await postAll(channel)).toEqual([
    "summary 8",
    "chg-1 in 8",
    "chg-2 in 8",
    "chg-3 in 8",
    "thread 4",
    "chg-5 in 8",
    "chg-6 in 8",
    "chg-7 in 8",
  ]);
});

test("keeps a card that awaits approval out of summaries and bursts", async () => {
  const channel = await channelWith(many(7));
  await execute(channel.database, "update change set state = 'awaiting-approval' where id = 'chg-4'");
  const posted = await postAll(channel);
  expect(posted[0]).toBe("summary 8");
  expect(posted).toContain("chg-4");
  const other = await channelWith(many(6));
  await execute(other.database, "update change set state = 'awaiting-approval' where id = 'chg-4'");
  expect((await postAll(other))[0]).toBe("chg-1");
});

test("gives each channel its own summary", async () => {
  const channel = await channelWith([]);
  for (let number = 1; number <= 6; number++) {
    const changeId = `chg-${number}`;
    await channel.store.begin(aChange({ id: changeId }));
    const cards = ["C1", "C2"].map((to) => ({ changeId, kind: "card", to, underChangeId: null }) as const);
    await channel.store.queue(cards, noon);
  }
  const [first, second] = [await channel.claim(0), await channel.claim(0)];
  expect([first?.kind, second?.kind]).toEqual(["summary", "summary"]);
  expect(new Set([first?.to, second?.to])).toEqual(new Set(["C1", "C2"]));
});

describe("between instances and after a crash", () => {
  test("concurrent claims create one summary, and get each card once", async () => {
    const { store } = await channelWith(many(40));
    for (let second = 0; second < 41; second++) {
      const now = noon + 1000 * second;
      const claims = Array.from({ length: 4 }, () => claimOne(store, now, leaseMs, slackPace));
      const claimed = (await Promise.all(claims)).filter((each) => each !== undefined);
      expect(claimed).toHaveLength(1);
      await post(store, claimed[0], second);
    }
    expect(await nextDueAt(store, 1000)).toBeUndefined();
    expect(await store.summedUp(41)).toHaveLength(40);
    expect(await store.summaryCard(41)).toBeDefined();
    expect(await store.summaryCard(42)).toBeUndefined();
  });

  test("another instance finishes a summary after its lease, followed by its cards", async () => {
    const channel = await channelWith(many(6));
    expect(await channel.claim(0)).toMatchObject({ kind: "summary", attempts: 0 });
    expect(await channel.claim(1)).toBeUndefined();
    const posted = await postAll(channel, 60);
    expect(posted).toEqual(["summary 7", ...[1, 2, 3, 4, 5, 6].map((number) => `chg-${number} in 7`)]);
  });

  test("a summary that was updated often is still sent, and not taken for one that ends the process", async () => {
    const channel = await channelWith(many(6));
    await postAll(channel);
    for (const second of [7, 8, 9]) {
      await channel.queue(second);
      expect(await channel.claim(second)).toMatchObject({ kind: "summary", tries: 1 });
      await channel.store.markSent(7, undefined, noon + 1000 * second);
      await post(channel.store, await channel.claim(second), second);
    }
  });

  test("posts each card in the channel when the summary is abandoned", async () => {
    const channel = await channelWith(many(6));
    const summary = await channel.claim(0);
    await channel.store.abandon(summary?.id ?? 0, "invalid_blocks", [], noon);
    await post(channel.store, await channel.claim(1), 1);
    expect(await channel.store.cardOf("chg-1", "C1")).toMatchObject({ threadTs: null });
    await channel.queue(2);
    const posted = await postAll(channel, 2);
    expect(posted).toHaveLength(6);
    expect(posted.at(-1)).toBe("chg-7");
  });
});

test("cleaning keeps a summary while its cards are kept", async () => {
  const channel = await channelWith(many(6));
  await postAll(channel);
  expect(await channel.store.clean(noon + 100 * leaseMs, 100)).toBe(0);
  expect(await channel.store.summaryCard(7)).toBeDefined();
});
