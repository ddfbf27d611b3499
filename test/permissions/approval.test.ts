import { expect, test } from "vitest";
import {
  approvalChannel,
  approvalFor,
  approverRoles,
  canBeApproved,
  holdersNamed,
  mayApprove,
} from "../../src/permissions/approval.ts";
import { admin, anActor, aPolicy, aRequest, engineer, helpdesk, hourMs } from "./build.ts";

const policy = aPolicy({ engineer, admin }, [
  { operations: ["RemoveUserMfa", "DeleteCredential"], approvers: ["admin"], count: 2, expires: "1h" },
  { operations: ["*"], approvers: ["admin"], when: { longerThan: "8h" } },
  { operations: ["CreateActionExclusion", "ModifyProject"], approvers: ["admin"], when: { projects: ["p-prod"] } },
]);
const ruleFor = (facts: Parameters<typeof aRequest>[0]) => approvalFor(policy, aRequest(facts))?.rule;

test("an operation that is named needs the approval, with its approvers, count and expiry", () => {
  expect(approvalFor(policy, aRequest({ operation: "RemoveUserMfa" }))).toMatchObject({
    rule: "approvals.0",
    approvers: ["admin"],
    count: 2,
    expiresMs: hourMs,
  });
});

test("what no rule names needs none, and neither does any read", () => {
  expect(ruleFor({ operation: "ModifyUser" })).toBeUndefined();
  expect(ruleFor({ operation: "ListActions", projectId: undefined })).toBeUndefined();
});

test("one approver and four hours are the defaults", () => {
  expect(approvalFor(policy, aRequest({ exclusionLengthMs: 9 * hourMs }))).toMatchObject({
    rule: "approvals.1",
    count: 1,
    expiresMs: 4 * hourMs,
  });
});

test("`longerThan` is about exclusions only, and an unknown length counts as longer", () => {
  expect(ruleFor({ exclusionLengthMs: 8 * hourMs })).toBeUndefined();
  expect(ruleFor({ exclusionLengthMs: 8 * hourMs + 1 })).toBe("approvals.1");
  expect(ruleFor({ exclusionLengthMs: undefined })).toBe("approvals.1");
  expect(ruleFor({ operation: "DeleteActionExclusion", exclusionLengthMs: undefined })).toBeUndefined();
});

test("a project that is not known counts as one that needs the approval", () => {
  expect(ruleFor({ operation: "ModifyProject", projectId: "p-dev" })).toBeUndefined();
  expect(ruleFor({ operation: "ModifyProject", projectId: "p-prod" })).toBe("approvals.2");
  expect(ruleFor({ operation: "ModifyProject", projectId: undefined })).toBe("approvals.2");
});

test("the first rule that applies is the one", () => {
  expect(ruleFor({ projectId: "p-prod", exclusionLengthMs: 9 * hourMs })).toBe("approvals.1");
});

test("the approvers are asked in the rule's channel, else where the operation is announced first, else where the admins are", () => {
  const announce = [
    { operations: new Set(["ModifyUser"] as const), channel: "C1" },
    { operations: new Set(["ModifyUser", "ModifyProject"] as const), channel: "C2" },
  ];
  const admins = { channel: "C3" };
  expect(approvalChannel({ channel: "C0" }, "ModifyUser", { announce, admins })).toBe("C0");
  expect(approvalChannel({}, "ModifyUser", { announce, admins })).toBe("C1");
  expect(approvalChannel({}, "ModifyProject", { announce, admins })).toBe("C2");
  expect(approvalChannel({}, "DeleteCredential", { announce, admins })).toBe("C3");
  expect(approvalChannel({}, "DeleteCredential", { announce })).toBeUndefined();
});

test("who may approve holds one of the roles, and is a full member", () => {
  expect(approverRoles(policy)).toEqual(["admin"]);
  const carol = anActor({ userId: "U03CAROL", groupIds: [] });
  expect(mayApprove(policy, carol, ["admin"])).toBe(true);
  expect(mayApprove(policy, carol, ["engineer", "gone"])).toBe(false);
  expect(mayApprove(policy, { ...carol, membership: "guest" }, ["admin"])).toBe(false);
  expect(mayApprove(policy, anActor(), ["engineer"])).toBe(true);
  expect(mayApprove(policy, anActor({ groupIds: [] }), ["engineer"])).toBe(false);
});

test("those who could are told in the order of the rule, without roles that are no more", () => {
  expect(holdersNamed(policy, ["engineer", "gone", "admin"])).toEqual([
    { role: "engineer", members: ["S0ENGINEERS"] },
    { role: "admin", members: ["U03CAROL"] },
  ]);
});

test("a person counts once, and not the requester, for whether there are enough approvers; a user group may have enough", () => {
  const both = { approvers: ["admin", "helpdesk"] };
  const rules = aPolicy({ engineer, helpdesk, admin: { ...admin, members: ["U03CAROL", "U02BOB"] } }, [
    { operations: ["*"], ...both, count: 2 },
    { operations: ["*"], approvers: ["admin", "engineer"], count: 9 },
  ]);
  const [two, nine] = rules.approvals;
  if (!two || !nine) throw new Error("there are two rules");
  expect(canBeApproved(rules, two, "U01ALICE")).toBe(true);
  expect(canBeApproved(rules, two, "U02BOB")).toBe(false);
  expect(canBeApproved(rules, nine, "U02BOB")).toBe(true);
});
