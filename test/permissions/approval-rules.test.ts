import { expect, test } from "vitest";
import {
  approvalChannel,
  approvalFor,
  approverRoles,
  canBeApproved,
  holdersNamed,
  mayApprove,
} from "../../src/permissions/approval-rules.ts";
import { admin, anActor, aPolicy, aRequest, engineer, helpdesk, hourMs } from "./build.ts";

const policy = aPolicy({ engineer, admin }, [
  { operations: ["RemoveUserMfa", "DeleteCredential"], approvers: ["admin"], count: 2, expires: "1h" },
  { operations: ["*"], approvers: ["admin"], when: { longerThan: "8h" } },
  { operations: ["CreateActionExclusion", "ModifyProject"], approvers: ["admin"], when: { projects: ["p-prod"] } },
]);
const ruleFor = (facts: Parameters<typeof aRequest>[0]) => approvalFor(policy, aRequest(facts))?.rule;

test("an operation in a rule needs that rule's approvers, count and expiry", () => {
  expect(approvalFor(policy, aRequest({ operation: "RemoveUserMfa" }))).toMatchObject({
    rule: "approvals.0",
    approvers: ["admin"],
    count: 2,
    expiresMs: hourMs,
  });
});

test("needs no approval for reads and for operations in no rule", () => {
  expect(ruleFor({ operation: "ModifyUser" })).toBeUndefined();
  expect(ruleFor({ operation: "ListActions", projectId: undefined })).toBeUndefined();
});

test("defaults to one approver and four hours", () => {
  expect(approvalFor(policy, aRequest({ exclusionLengthMs: 9 * hourMs }))).toMatchObject({
    rule: "approvals.1",
    count: 1,
    expiresMs: 4 * hourMs,
  });
});

test("applies `longerThan` to exclusions only, and treats an unknown length as longer", () => {
  expect(ruleFor({ exclusionLengthMs: 8 * hourMs })).toBeUndefined();
  expect(ruleFor({ exclusionLengthMs: 8 * hourMs + 1 })).toBe("approvals.1");
  expect(ruleFor({ exclusionLengthMs: undefined })).toBe("approvals.1");
  expect(ruleFor({ operation: "DeleteActionExclusion", exclusionLengthMs: undefined })).toBeUndefined();
});

test("an unknown project needs the approval", () => {
  expect(ruleFor({ operation: "ModifyProject", projectId: "p-dev" })).toBeUndefined();
  expect(ruleFor({ operation: "ModifyProject", projectId: "p-prod" })).toBe("approvals.2");
  expect(ruleFor({ operation: "ModifyProject", projectId: undefined })).toBe("approvals.2");
});

test("uses the first rule that applies", () => {
  expect(ruleFor({ projectId: "p-prod", exclusionLengthMs: 9 * hourMs })).toBe("approvals.1");
});

test("asks in the rule's channel, else where it is announced, else in the admins' channel", () => {
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

test("an approver is a full member and holds one of the roles", () => {
  expect(approverRoles(policy)).toEqual(["admin"]);
  const carol = anActor({ userId: "U03CAROL", groupIds: [] });
  expect(mayApprove(policy, carol, ["admin"])).toBe(true);
  expect(mayApprove(policy, carol, ["engineer", "gone"])).toBe(false);
  expect(mayApprove(policy, { ...carol, membership: "guest" }, ["admin"])).toBe(false);
  expect(mayApprove(policy, anActor(), ["engineer"])).toBe(true);
  expect(mayApprove(policy, anActor({ groupIds: [] }), ["engineer"])).toBe(false);
});

test("lists approvers in the order of the rule, without deleted roles", () => {
  expect(holdersNamed(policy, ["engineer", "gone", "admin"])).toEqual([
    { role: "engineer", members: ["S0ENGINEERS"] },
    { role: "admin", members: ["U03CAROL"] },
  ]);
});

test("counts each approver once and never the requester, and assumes that a group is enough", () => {
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
