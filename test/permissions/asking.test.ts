import { expect, test } from "vitest";
import { askingFor, rolesForAsking } from "../../src/permissions/decide.ts";
import { admin, anActor, aPolicy, aRequest, engineer, helpdesk, hourMs } from "./build.ts";

const mayAsk = { operations: ["CreateActionExclusion", "reads"], approvers: ["admin", "helpdesk"] };
const policy = aPolicy({ engineer: { ...engineer, mayAsk }, helpdesk, admin });
const tooLong = aRequest({ exclusionLengthMs: 30 * hourMs });

test("the approvers are the named roles whose members could do it themselves", () => {
  expect(askingFor(policy, [tooLong])).toMatchObject({
    ...{ rule: "permissions.roles.engineer.mayAsk", approvers: ["admin"], count: 1 },
  });
  expect(
    askingFor(aPolicy({ engineer: { ...engineer, mayAsk }, helpdesk, admin: { ...admin, members: [] } }), [tooLong]),
  ).toBeUndefined();
});

test("each target of a change must be allowed to somebody", () => {
  const lead = { members: ["U09HEIDI"], allow: ["CreateActionExclusion"], where: { projects: ["p-dev"] } };
  const asking = { ...mayAsk, approvers: ["helpdesk"] };
  const roles = {
    engineer: { ...engineer, mayAsk: asking },
    helpdesk: { ...lead, where: { projects: ["p-dev"], channels: ["C0X"] } },
  };
  expect(askingFor(aPolicy(roles), [tooLong])?.approvers).toEqual(["helpdesk"]);
  expect(askingFor(aPolicy(roles), [tooLong, { ...tooLong, projectId: "p-prod" }])).toBeUndefined();
});

test("the only person in the approvers' role is never asked by themselves", () => {
  const alone = { ...admin, members: ["U01ALICE"] };
  expect(askingFor(aPolicy({ engineer: { ...engineer, mayAsk }, helpdesk, admin: alone }), [tooLong])).toBeUndefined();
});

test.each(["guest", "bot", "deleted", "external"] as const)("a %s in the role can ask for nothing", (membership) => {
  const actor = anActor({ membership });
  expect(rolesForAsking(policy, actor, "CreateActionExclusion")).toEqual([]);
  expect(askingFor(policy, [{ ...tooLong, actor }])).toBeUndefined();
});

test("nobody asks without a role for it, for another operation, or for a read", () => {
  const stranger = anActor({ userId: "U04DAVE", groupIds: [] });
  expect(rolesForAsking(policy, stranger, "CreateActionExclusion")).toEqual([]);
  expect(rolesForAsking(policy, anActor(), "DeleteActionExclusion")).toEqual([]);
  expect(rolesForAsking(policy, anActor(), "ListActions")).toEqual([]);
});
