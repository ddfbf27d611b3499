import { expect, test } from "vitest";
import { approvalFor } from "../../src/permissions/approval.ts";
import { admin, aPolicy, aRequest, engineer, hourMs } from "./build.ts";

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
