import { expect, test } from "vitest";
import { announcements } from "../../src/changes/announce.ts";
import type { ServiceChange } from "../../src/changes/change.ts";
import { nextDue } from "../store/next-due.ts";
import { openTestStore } from "../store/open-test-store.ts";
import { aChange, anApproval, anEnd, anExtension, aSettlement, noon, someSettings } from "./build.ts";

const settings = someSettings();

/** A store with the new exclusion `ae-1` and its card in each channel. */
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

test("posts one card in each channel that a rule names for the operation", async () => {
  const store = await openTestStore();
  const all = new Set(["ModifyUser"] as const);
  const twice = { announce: [...settings.announce, { operations: all, channel: "C0OPS" }] };
  expect(await announcements(aUserChange(), aSettlement({ subjectId: "u-1" }), twice, store)).toEqual([
    { changeId: "chg-1", kind: "card", to: "C0OPS", underChangeId: null },
    { changeId: "chg-1", kind: "card", to: "C0SEC", underChangeId: null },
  ]);
});

test("posts nothing in a channel whose rules name other operations", async () => {
  const store = await openTestStore();
  const messages = await announcements(aChange(), aSettlement(), settings, store);
  expect(messages.map(({ to }) => to)).toEqual(["C0OPS"]);
});

test("announces an unknown outcome but not a failed one", async () => {
  const store = await openTestStore();
  expect(await announcements(aChange(), aSettlement({ state: "failed" }), settings, store)).toEqual([]);
  const unknown = aSettlement({ state: "unknown", answer: null, subjectId: null });
  expect(await announcements(aChange(), unknown, settings, store)).toMatchObject([{ kind: "card", to: "C0OPS" }]);
});

test.each([
  ["extended", anExtension({ id: "chg-2" })],
  ["ended", anEnd({ id: "chg-2" })],
])("redraws the cards of an exclusion that is %s and adds a line in their threads", async (_what, change) => {
  const store = await storeWithCards("C0OPS", "C0SEC");
  const messages = await announcements(change, aSettlement(), { announce: [] }, store);
  expect(messages).toEqual([
    { changeId: "chg-made", kind: "update", to: "C0OPS", underChangeId: null },
    { changeId: "chg-made", kind: "update", to: "C0SEC", underChangeId: null },
    { changeId: "chg-2", kind: "thread", to: "C0OPS", underChangeId: "chg-made" },
    { changeId: "chg-2", kind: "thread", to: "C0SEC", underChangeId: "chg-made" },
  ]);
});

test("redraws the card of an undone change, with a line in its thread when somebody else undid it", async () => {
  const store = await openTestStore();
  const first = aUserChange({ id: "chg-first" });
  await store.begin(first);
  const card = { changeId: "chg-first", kind: "card", to: "C0SEC", underChangeId: null } as const;
  await store.settle("chg-first", aSettlement({ subjectId: "u-1" }), { outbox: [card] });
  const undoing = aUserChange({ id: "chg-2", words: "user enable", undoes: "chg-first" });
  const update = { changeId: "chg-first", kind: "update", to: "C0SEC", underChangeId: null };
  const line = { changeId: "chg-2", kind: "thread", to: "C0SEC", underChangeId: "chg-first" };
  const byOther = { ...undoing, actor: { ...undoing.actor, userId: "U0OTHER" } };
  const settled = aSettlement({ subjectId: "u-1" });
  expect(await announcements(undoing, settled, { announce: [] }, store)).toEqual([update]);
  expect(await announcements(byOther, settled, { announce: [] }, store)).toEqual([update, line]);
});

test("adds a line to the card's thread after an extension with an unknown outcome", async () => {
  const store = await storeWithCards("C0OPS");
  const messages = await announcements(
    anExtension({ id: "chg-2" }),
    aSettlement({ state: "unknown" }),
    settings,
    store,
  );
  expect(messages.map(({ kind }) => kind)).toEqual(["thread"]);
});

test("posts a card for each of two changes of one user", async () => {
  const store = await openTestStore();
  await store.begin(aUserChange({ id: "chg-first" }));
  const card = { changeId: "chg-first", kind: "card", to: "C0OPS", underChangeId: null } as const;
  await store.settle("chg-first", aSettlement({ subjectId: "u-1" }), { outbox: [card] });
  const second = aUserChange({ id: "chg-2" });
  const messages = await announcements(second, aSettlement({ subjectId: "u-1" }), settings, store);
  expect(messages.map(({ kind, to }) => `${kind} ${to}`)).toEqual(["card C0OPS", "card C0SEC"]);
});

test.each(["succeeded", "failed", "unknown"] as const)(
  "shows on the approval card that the change is %s, without a second card",
  async (state) => {
    const store = await storeWithCards("C0OPS", "C0APPROVERS");
    const change = aUserChange({ id: "chg-made", approval: anApproval() });
    const messages = await announcements(change, aSettlement({ state, subjectId: "u-1" }), settings, store);
    const own = [
      { changeId: "chg-made", kind: "update", to: "C0OPS", underChangeId: null },
      { changeId: "chg-made", kind: "update", to: "C0APPROVERS", underChangeId: null },
    ];
    const lines = [
      { changeId: "chg-made", kind: "thread", to: "C0OPS", underChangeId: "chg-made" },
      { changeId: "chg-made", kind: "thread", to: "C0APPROVERS", underChangeId: "chg-made" },
    ];
    const elsewhere = [{ changeId: "chg-made", kind: "card", to: "C0SEC", underChangeId: null }];
    expect(messages).toEqual([
      ...own,
      // Its requester and its approver read what is certain elsewhere.
      ...(state === "unknown" ? lines : []),
      ...(state === "failed" ? [] : elsewhere),
    ]);
  },
);

test("posts no second card when an interrupted change turns out to have succeeded", async () => {
  const store = await openTestStore();
  await store.begin(aChange());
  const unknown = aSettlement({ state: "unknown", answer: null, subjectId: null });
  const outbox = await announcements(aChange(), unknown, settings, store);
  await store.settle("chg-1", unknown, { outbox });
  const messages = await announcements(aChange(), aSettlement(), settings, store);
  expect(messages.map(({ kind, to }) => `${kind} ${to}`)).toEqual(["update C0OPS", "thread C0OPS"]);
});
