import { expect, test } from "vitest";
import type { OutboxMessage } from "../../src/changes/outbox-message.ts";
import { slackPace } from "../../src/outbox.ts";
import type { Store } from "../../src/store/open-store.ts";
import { aChange, noon } from "../changes/build.ts";
import { newDatabase } from "../support/new-database.ts";
import { claimOne, claimSome, nextDueAt } from "./next-due.ts";
import { openTestStore } from "./open-test-store.ts";

const leaseMs = 60_000;
const channels = ["C0", "C1", "C2"];

async function post(store: Store, due: OutboxMessage, at: number): Promise<void> {
  const summary = due.summaryId === undefined ? undefined : await store.summaryCard(due.summaryId);
  await store.markSent(due.id, { channelId: due.to, ts: `${due.id}.1`, threadTs: summary?.ts ?? null }, at);
}

test("four instances, one of which dies, send everything once, in order, one summary per channel", async () => {
  const database = await newDatabase();
  const first = await openTestStore(database);
  const instances = [first, ...(await Promise.all([1, 2, 3].map(() => openTestStore(database))))];
  for (let number = 0; number < 60; number++) {
    const changeId = `chg-${number}`;
    await first.begin(aChange({ id: changeId }));
    const card = { changeId, kind: "card", to: channels[number % 3] ?? "", underChangeId: null } as const;
    await first.queue([card], noon);
  }
  const sent: OutboxMessage[] = [];
  let lost: OutboxMessage | undefined;
  for (let now = noon; (await nextDueAt(first, 1000)) !== undefined; now += 1000) {
    const claims = instances.flatMap((instance) => [
      claimSome(instance, now, leaseMs, slackPace, 2),
      claimSome(instance, now, leaseMs, slackPace, 2),
    ]);
    const claimed = (await Promise.all(claims)).flat();
    expect(new Set(claimed.map(({ to }) => to)).size).toBe(claimed.length);
    if (now === noon + 5000) lost = claimed[0];
    const posted = claimed.filter((due) => now !== noon + 5000 || due !== lost);
    await Promise.all(posted.map((due) => post(first, due, now)));
    sent.push(...posted);
  }
  expect(lost).toBeDefined();
  expect(sent.map(({ id }) => id)).toContain(lost?.id);
  expect(sent).toHaveLength(63);
  expect(new Set(sent.map(({ id }) => id)).size).toBe(63);
  for (const channel of channels) {
    const own = sent.filter(({ to }) => to === channel);
    const [summary, ...cards] = own;
    expect(summary?.kind).toBe("summary");
    expect(cards.every(({ summaryId }) => summaryId === summary?.id)).toBe(true);
    expect(cards.map(({ id }) => id)).toEqual(cards.map(({ id }) => id).toSorted((one, other) => one - other));
  }
});

test("a claim skips a row that another instance is claiming", async () => {
  const database = await newDatabase();
  const [one, other] = [await openTestStore(database), await openTestStore(database)];
  await one.begin(aChange());
  await one.queue(
    Array.from({ length: 200 }, (_none, index) => ({
      changeId: "chg-1",
      kind: "thread" as const,
      to: `C${index}`,
      underChangeId: null,
    })),
    noon,
  );
  const claims = Array.from({ length: 100 }, () =>
    [one, other].map((each) => claimOne(each, noon, leaseMs, slackPace)),
  );
  const claimed = await Promise.all(claims.flat());
  const ids = claimed.flatMap((due) => (due ? [due.id] : []));
  expect(new Set(ids).size).toBe(ids.length);
  // A later claim finds a skipped row.
  expect(ids.length).toBeGreaterThan(100);
});
