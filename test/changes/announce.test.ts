import { expect, test } from "vitest";
import { announcements } from "../../src/changes/announce.ts";
import type { ServiceChange } from "../../src/changes/change.ts";
import { nextDue } from "../store/next-due.ts";
import { openTestStore } from "../store/open-test-store.ts";
import { aChange, anApproval, anEnd, anExtension, aSettlement, noon, someSettings } from "./build.ts";

const settings = someSettings();

/** A store in which the exclusion `ae-1` was made, its card posted in the channels. */
async function storeWithCards(...channels: readonly string[]) {
  const store = await openTestStore();
  await store.begin(aChange({ id: "chg-made" }));
  const cards = channels.map((to) => ({ changeId: "chg-made", kind: "card", to, underChangeId: null }) as const);
  await store.settle("chg-made", aSettlement(), { outbox: cards });
  for (const channelId of channels) {
    await store.markSent(
      (await nextDue(store, noon + 1000))?.id ?? 0,
      { channelId, ts: "1.000001", threadTs: null },
      noon,
    );
  }
  return store;
}

const aUserChange = (facts: Partial<ServiceChange> = {}): ServiceChange =>
  aChange({
    words: "user disable",
    operation: "ModifyUser",
    subjectKind: "user",
    subjectId: "u-1",
    request: { id: "u-1", status: "disabled" },
    ...facts,
  });

test("a success is told once in every channel that wants to hear of the operation", async () => {
  const store = await openTestStore();
  const all = new Set(["ModifyUser"] as const);
  const twice = { announce: [...settings.announce, { operations: all, channel: "C0OPS" }] };
  expect(await announcements(aUserChange(), aSettlement({ subjectId: "u-1" }), twice, store)).toEqual([
    { changeId: "chg-1", kind: "card", to: "C0OPS", underChangeId: null },
    { changeId: "chg-1", kind: "card", to: "C0SEC", underChangeId: null },
  ]);
});

test("a channel that asked for other operations hears nothing", async () => {
  const store = await openTestStore();
  const told = await announcements(aChange(), aSettlement(), settings, store);
  expect(told.map(({ to }) => to)).toEqual(["C0OPS"]);
});

test("what certainly changed nothing is told to no channel, and what may have is", async () => {
  const store = await openTestStore();
  expect(await announcements(aChange(), aSettlement({ state: "failed" }), settings, store)).toEqual([]);
  const unknown = aSettlement({ state: "unknown", answer: null, subjectId: null });
  expect(await announcements(aChange(), unknown, settings, store)).toMatchObject([{ kind: "card", to: "C0OPS" }]);
});

test.each([
  ["extended", anExtension({ id: "chg-2" })],
  ["ended", anEnd({ id: "chg-2" })],
])("when an exclusion is %s, its cards are drawn again and their threads hear of it", async (_what, change) => {
  const store = await storeWithCards("C0OPS", "C0SEC");
  const told = await announcements(change, aSettlement(), { announce: [] }, store);
  expect(told).toEqual([
    { changeId: "chg-made", kind: "update", to: "C0OPS", underChangeId: null },
    { changeId: "chg-made", kind: "update", to: "C0SEC", underChangeId: null },
    { changeId: "chg-2", kind: "thread", to: "C0OPS", underChangeId: "chg-made" },
    { changeId: "chg-2", kind: "thread", to: "C0SEC", underChangeId: "chg-made" },
  ]);
});

test("when something is taken back, the card of the change that did it is drawn again and its thread hears of it", async () => {
  const store = await openTestStore();
  const first = aUserChange({ id: "chg-first" });
  await store.begin(first);
  const card = { changeId: "chg-first", kind: "card", to: "C0SEC", underChangeId: null } as const;
  await store.settle("chg-first", aSettlement({ subjectId: "u-1" }), { outbox: [card] });
  const undoing = aUserChange({ id: "chg-2", words: "user enable", undoes: "chg-first" });
  expect(await announcements(undoing, aSettlement({ subjectId: "u-1" }), { announce: [] }, store)).toEqual([
    { changeId: "chg-first", kind: "update", to: "C0SEC", underChangeId: null },
    { changeId: "chg-2", kind: "thread", to: "C0SEC", underChangeId: "chg-first" },
  ]);
});

test("an extension of unknown outcome leaves the card as it is", async () => {
  const store = await storeWithCards("C0OPS");
  const told = await announcements(anExtension({ id: "chg-2" }), aSettlement({ state: "unknown" }), settings, store);
  expect(told.map(({ kind }) => kind)).toEqual(["card"]);
});

test("two changes of one user are two cards, not one thread", async () => {
  const store = await openTestStore();
  await store.begin(aUserChange({ id: "chg-first" }));
  const card = { changeId: "chg-first", kind: "card", to: "C0OPS", underChangeId: null } as const;
  await store.settle("chg-first", aSettlement({ subjectId: "u-1" }), { outbox: [card] });
  const second = aUserChange({ id: "chg-2" });
  const told = await announcements(second, aSettlement({ subjectId: "u-1" }), settings, store);
  expect(told.map(({ kind, to }) => `${kind} ${to}`)).toEqual(["card C0OPS", "card C0SEC"]);
});

test.each(["succeeded", "failed", "unknown"] as const)(
  "one that was approved tells on its own card that it is %s, and has no second card there",
  async (state) => {
    const store = await storeWithCards("C0OPS", "C0APPROVERS");
    const change = aUserChange({ id: "chg-made", approval: anApproval() });
    const told = await announcements(change, aSettlement({ state, subjectId: "u-1" }), settings, store);
    const own = [
      { changeId: "chg-made", kind: "update", to: "C0OPS", underChangeId: null },
      { changeId: "chg-made", kind: "update", to: "C0APPROVERS", underChangeId: null },
      { changeId: "chg-made", kind: "thread", to: "C0OPS", underChangeId: "chg-made" },
      { changeId: "chg-made", kind: "thread", to: "C0APPROVERS", underChangeId: "chg-made" },
    ];
    const elsewhere = [{ changeId: "chg-made", kind: "card", to: "C0SEC", underChangeId: null }];
    expect(told).toEqual([...own, ...(state === "failed" ? [] : elsewhere)]);
  },
);

test("one that was taken for interrupted, and then turns out to have succeeded, has no second card", async () => {
  const store = await openTestStore();
  await store.begin(aChange());
  const unknown = aSettlement({ state: "unknown", answer: null, subjectId: null });
  const outbox = await announcements(aChange(), unknown, settings, store);
  await store.settle("chg-1", unknown, { outbox });
  const told = await announcements(aChange(), aSettlement(), settings, store);
  expect(told.map(({ kind, to }) => `${kind} ${to}`)).toEqual(["update C0OPS", "thread C0OPS"]);
});
