import { expect, test } from "vitest";
import { askingEffects } from "../../src/changes/authorize/new-change.ts";
import { aDecision, aWaiting, minuteMs, noon } from "../changes/build.ts";
import { execute } from "../support/execute.ts";
import { newDatabase } from "../support/new-database.ts";
import { verify } from "./history-file.ts";
import { nextDue } from "./next-due.ts";
import { openTestStore } from "./open-test-store.ts";

/** A request about Alice's account, of which she was notified. */
async function openNotified() {
  const file = await newDatabase();
  const store = await openTestStore(file);
  const before = { userId: "u-1", username: "alice", emailAddress: "alice@example.com" };
  const about = { words: "user disable", operation: "ModifyUser", subjectKind: "user", subjectId: "u-1" } as const;
  const change = aWaiting({ ...about, request: { id: "u-1", status: "disabled" }, before });
  await store.begin(change, await askingEffects(change, store));
  const notice = { userId: "U01ALICE", name: "alice", about: "asked", isOwner: true } as const;
  const notify = async () => {
    for (let due = await nextDue(store, noon); due; due = await nextDue(store, noon))
      await store.markSent(due.id, undefined, noon, due.kind === "owner-card" ? notice : undefined);
  };
  return { file, store, change, notice, notify };
}

test("a change reads back with whom it notified, and a notice is no step of it", async () => {
  const { file, store, change, notice, notify } = await openNotified();
  await notify();
  expect(await store.find("chg-1")).toEqual({ ...change, notices: [{ ...notice, at: noon }] });
  expect((await store.waiting())[0]?.notices).toHaveLength(1);
  expect(await store.transitions("chg-1")).toEqual([{ state: "awaiting-approval", at: noon }]);
  expect(await verify(file)).toMatchObject({ kind: "intact", length: 2 });
});

test.each([
  ["a name", "update notice set name = 'Mallory'", "the change itself was altered: notice name", 2],
  ["a deleted notice", "delete from notice", "the change itself was altered: notice", 2],
  [
    "an added notice",
    "insert into notice values ('chg-1', 'U09', 'Mallory', 'asked', 1, 1)",
    "the history has 1 notices to account owners, but there are 2",
    null,
  ],
])("the history shows the alteration of %s", async (_what, statement, reason, sequence) => {
  const { file, store, notify } = await openNotified();
  await notify();
  await store.decide("chg-1", aDecision({ at: noon + minuteMs }), () => ({}));
  await execute(file, statement);
  expect(await verify(file)).toMatchObject({ kind: "broken", reason, sequence });
});
