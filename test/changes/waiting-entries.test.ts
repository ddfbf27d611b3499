import { expect, test } from "vitest";
import { waitingEntries } from "../../src/changes/queries/visible-changes.ts";
import { admin, anActor, aPolicy, engineer } from "../permissions/build.ts";
import { aDecision, anApproval, aWaiting, hourMs, noon } from "./build.ts";

const policy = aPolicy({ engineer, admin });
const carol = anActor({ userId: "U03CAROL", groupIds: [] });
const seenBy = (actor = carol, facts: Parameters<typeof aWaiting>[0] = {}, now = noon) =>
  waitingEntries([aWaiting(facts)], policy, { actor, now, concerns: async () => [] });

test("an approver sees waiting changes and how many approvals they lack", async () => {
  expect(await seenBy()).toMatchObject([
    { id: "chg-1", mayDecide: true, isOwn: false, lacking: 1, approvers: ["admin"] },
  ]);
  const approval = anApproval({ count: 3 });
  expect(await seenBy(carol, { approval, decisions: [aDecision({ approverId: "U9" })] })).toMatchObject([
    { lacking: 2 },
  ]);
});

test("an approver does not see decided, approved, expired or other roles' changes", async () => {
  expect(await seenBy(carol, { decisions: [aDecision()] })).toEqual([]);
  expect(await seenBy(carol, { state: "approved" })).toEqual([]);
  expect(await seenBy(carol, {}, noon + 4 * hourMs)).toEqual([]);
  expect(await seenBy(carol, { approval: anApproval({ approvers: [{ role: "engineer", members: [] }] }) })).toEqual([]);
  expect(await seenBy({ ...carol, membership: "guest" })).toEqual([]);
});

test("a requester sees their own changes, to withdraw and not to decide", async () => {
  expect(await seenBy(anActor())).toMatchObject([{ isOwn: true, mayDecide: false }]);
  const actor = { ...aWaiting().actor, userId: "U03CAROL" };
  expect(await seenBy(carol, { actor })).toMatchObject([{ isOwn: true, mayDecide: false }]);
  expect(await seenBy(carol, { actor, state: "approved" })).toMatchObject([{ isOwn: true, isApproved: true }]);
});
