import { expect, test } from "vitest";
import { type AccountFacts, careFor, type EarlierChange, withCare } from "../../src/permissions/account-care.ts";
import { admin, aPolicy, helpdesk, hourMs } from "./build.ts";

const now = Date.parse("2026-11-20T12:00:00Z");
const policy = {
  ...aPolicy({ helpdesk, admin }, [{ operations: ["RemoveUserMfa"], approvers: ["admin"] }]),
  identity: { coolOffMs: 24 * hourMs, approvers: ["admin"] },
};
const named = (name: string) => ({ userId: `U${name}`, name });
const earlier = (act: "address" | "mfa", approvers: readonly string[] = [], hoursAgo = 1): EarlierChange => ({
  acts: [act],
  at: now - hoursAgo * hourMs,
  requester: named("BOB"),
  approvers: approvers.map(named),
});
const care = (facts: Partial<AccountFacts>, identity: typeof policy.identity | undefined = policy.identity) =>
  careFor({ ...policy, identity }, { acts: ["mfa"], isOwn: false, earlier: [], now, ...facts });

test("nothing more is asked of an account that nobody touched, or after the cooling-off, or without one", () => {
  expect(care({})).toBeUndefined();
  expect(care({ earlier: [earlier("mfa")] })).toBeUndefined();
  expect(care({ earlier: [earlier("address", [], 24)] })).toBeUndefined();
  expect(care({ earlier: [earlier("address")] }, { coolOffMs: 0, approvers: ["admin"] })).toBeUndefined();
  expect(
    careFor(aPolicy({ admin }), { acts: ["mfa"], isOwn: false, earlier: [earlier("address")], now }),
  ).toBeUndefined();
  expect(care({ acts: ["disable"], earlier: [earlier("address"), earlier("mfa")] })).toBeUndefined();
  expect(care({ acts: ["enable"], earlier: [earlier("mfa")] })).toBeUndefined();
});

test.each(["address", "mfa"] as const)("both changes together take two approvers; first: %s", (first) => {
  const acts = first === "address" ? (["mfa"] as const) : (["address"] as const);
  expect(care({ acts, earlier: [earlier(first)] })).toMatchObject({ count: 2, except: [] });
  const left = { count: 1, except: [named("BOB"), named("CAROL")] };
  expect(care({ acts, earlier: [earlier(first, ["CAROL"])] })).toMatchObject(left);
  expect(care({ acts, earlier: [earlier(first, ["CAROL", "DAVE"])] })).toMatchObject({ count: 1, except: [] });
  expect(care({ acts, earlier: [earlier(first, ["CAROL"]), earlier(first)] })).toMatchObject({ count: 2 });
});

test("the cooling-off ends after the latest change that asks for it", () => {
  const both = [earlier("address", [], 5), earlier("address", [], 2)];
  expect(care({ acts: ["enable"], earlier: both })).toMatchObject({ count: 1, coolsOffAt: now + 22 * hourMs });
});

test.each(["disable", "detach", "mfa"] as const)("nobody does this to their own account alone: %s", (act) => {
  expect(care({ acts: [act], isOwn: true }, undefined)).toMatchObject({ count: 1, except: [] });
  expect(care({ acts: ["enable", "address"], isOwn: true })).toBeUndefined();
});

test("where the rule asks for two approvers anyway, they are two people, so nobody is left out", () => {
  const [rule] = policy.approvals;
  if (!rule) throw new Error("there is one rule");
  const asked = care({ earlier: [earlier("address", ["CAROL"])] });
  expect(withCare(rule, asked).except).toHaveLength(2);
  expect(withCare({ ...rule, count: 2 }, asked)).toMatchObject({ count: 2, except: [], approvers: ["admin"] });
});
