import { describe, expect, test } from "vitest";
import type { Actor } from "../../src/permissions/actor.ts";
import type { PermissionRequest } from "../../src/permissions/conditions.ts";
import { decide, mayOffer } from "../../src/permissions/decide.ts";
import { rolesHeld } from "../../src/permissions/policy.ts";
import { cpuMsOf, growth } from "../support/cpu-time.ts";
import { admin, anActor, aPolicy, aRequest, engineer, helpdesk, hourMs } from "./build.ts";

const policy = aPolicy({ engineer, helpdesk, admin });
const bob = anActor({ userId: "U02BOB", name: "Bob", groupIds: [] });
const carol = anActor({ userId: "U03CAROL", name: "Carol", groupIds: [] });

describe("a refusal", () => {
  test("is the default without any role, and names whom to ask", () => {
    expect(decide(policy, { actor: bob, operation: "DeleteCredential", channelId: "C0OPS" })).toEqual({
      kind: "denied",
      reason: 'Bob has no role that allows "Delete a credential".',
      toActor: "You can't delete a credential.",
      rule: "default deny",
      couldDo: [{ role: "admin", members: ["U03CAROL"] }],
      beyond: { how: "outside", what: "roles" },
    });
  });

  test("names nobody to ask when no role allows the operation", () => {
    const none = aPolicy({ helpdesk });
    expect(decide(none, { actor: bob, operation: "ModifyProject", channelId: null })).toMatchObject({ couldDo: [] });
  });

  test("names the failed condition, its rule and the actual value", () => {
    expect(decide(policy, aRequest({ projectId: "p-prod" }))).toEqual({
      kind: "denied",
      reason:
        'The role "engineer" allows "Keep machines running or off" only in the project p-dev, and the project here is p-prod.',
      toActor: "You can keep machines running or off only in p-dev. This is in p-prod.",
      rule: "permissions.roles.engineer.where.projects",
      couldDo: [{ role: "admin", members: ["U03CAROL"] }],
      projects: ["p-dev", "p-prod"],
      beyond: { how: "outside", what: "projects" },
    });
  });

  test("names all failed conditions together", () => {
    const decision = decide(policy, aRequest({ channelId: null, exclusionLengthMs: 48 * hourMs }));
    expect(decision).toMatchObject({
      reason: expect.stringMatching(/only in the channel C0OPS\. .* only for up to 1 d\.$/),
      rule: "permissions.roles.engineer.where.channels",
    });
  });

  test("leaves out conditions that do not matter once a final one fails", () => {
    const asked = aRequest({ projectId: "p-prod", channelId: "C0SEC", exclusionLengthMs: 48 * hourMs });
    const decision = decide(policy, asked);
    expect(decision).toMatchObject({ rule: "permissions.roles.engineer.where.projects" });
    expect(decision.kind === "denied" && decision.reason).not.toMatch(/channel|up to/);
  });

  test("leaves out unknown facts when a known one fails", () => {
    const decision = decide(policy, { actor: anActor(), operation: "CreateActionExclusion", channelId: "C0SEC" });
    expect(decision).toMatchObject({ reason: expect.stringMatching(/^The role .* only in the channel C0OPS\.$/) });
  });

  test("names roles that could act here before those that could elsewhere", () => {
    const allow = ["CreateActionExclusion"];
    const roles = {
      elsewhere: { members: ["U1"], allow, where: { channels: ["C0SEC"] } },
      otherProject: { members: ["U2"], allow, where: { projects: ["p-prod"] } },
      tooShort: { members: ["U3"], allow, where: { maxExclusion: "1h" } },
      empty: { members: [], allow },
      here: { members: ["U4", "S5"], allow, where: { channels: ["C0OPS"], projects: ["p-dev"] } },
      anywhere: { members: ["U6"], allow },
    };
    expect(decide(aPolicy(roles), aRequest())).toMatchObject({
      reason: expect.stringContaining("has no role"),
      couldDo: [
        { role: "here", members: ["U4", "S5"] },
        { role: "anywhere", members: ["U6"] },
        { role: "elsewhere", members: ["U1"] },
      ],
    });
  });

  test("explains the role that came closest", () => {
    const near = { members: ["U01ALICE"], allow: ["CreateActionExclusion"], where: { maxExclusion: "1h" } };
    const far = {
      members: ["U01ALICE"],
      allow: ["CreateActionExclusion"],
      where: { channels: ["C1"], projects: ["p"] },
    };
    const decision = decide(aPolicy({ far, near }), aRequest());
    expect(decision).toMatchObject({ rule: "permissions.roles.near.where.maxExclusion" });
  });

  test.each(["guest", "bot", "deleted", "external"] satisfies Actor["membership"][])(
    "refuses a %s in any role, without naming anyone",
    (membership) => {
      const decision = decide(policy, {
        actor: { ...carol, membership },
        operation: "ListActions",
        channelId: "C0OPS",
      });
      expect(decision).toMatchObject({ kind: "denied", rule: "default deny", couldDo: [] });
    },
  );
});

describe("the conditions", () => {
  const outcome = (facts: Partial<PermissionRequest>): string => {
    const decision = decide(policy, aRequest(facts));
    return decision.kind === "allowed" ? "allowed" : decision.rule.replace("permissions.roles.engineer.where.", "");
  };

  test.each<[string, Partial<PermissionRequest>, string]>([
    ["a channel that is listed", {}, "allowed"],
    ["a channel that is not", { channelId: "C0SEC" }, "channels"],
    ["no channel", { channelId: null }, "channels"],
    ["no channel, for a read", { operation: "ListActions", channelId: null }, "channels"],
    ["another project", { projectId: "p-prod" }, "projects"],
    ["an unknown project, for a change", { projectId: undefined }, "projects"],
    ["an unknown project, for a read", { operation: "GetAction", projectId: undefined }, "allowed"],
    ["another project, for a read", { operation: "GetAction", projectId: "p-prod" }, "projects"],
    ["another resource type", { resourceType: "azure-virtual-machine" }, "resourceTypes"],
    ["an unknown resource type, for a change", { resourceType: undefined }, "resourceTypes"],
    ["an unknown resource type, for a read", { operation: "ListActions", resourceType: undefined }, "allowed"],
    ["exactly the longest exclusion", { exclusionLengthMs: 24 * hourMs }, "allowed"],
    ["a longer exclusion", { exclusionLengthMs: 24 * hourMs + 1 }, "maxExclusion"],
    ["an unknown length", { exclusionLengthMs: undefined }, "maxExclusion"],
    ["a length that is no number", { exclusionLengthMs: Number.NaN }, "maxExclusion"],
    ["an unknown new length", { operation: "ModifyActionExclusion", exclusionLengthMs: undefined }, "maxExclusion"],
    ["an end, which has no length", { operation: "DeleteActionExclusion", exclusionLengthMs: undefined }, "allowed"],
    ["a new exclusion, which nobody owns yet", { isOwn: undefined }, "allowed"],
    ["someone else's, to change", { operation: "ModifyActionExclusion", isOwn: false }, "own"],
    ["someone else's, to end", { operation: "DeleteActionExclusion", isOwn: false }, "own"],
    ["an unknown owner", { operation: "DeleteActionExclusion", isOwn: undefined }, "own"],
    ["someone else's, to read", { operation: "GetAction", isOwn: false }, "allowed"],
  ])("with %s", (_, facts, expected) => {
    expect(outcome(facts)).toBe(expected);
  });

  test("are not combined across roles: one role must meet all of its conditions", () => {
    const here = { members: ["U01ALICE"], allow: ["ModifyProject"], where: { channels: ["C0OPS"], projects: ["p-a"] } };
    const there = {
      members: ["U01ALICE"],
      allow: ["ModifyProject"],
      where: { channels: ["C0SEC"], projects: ["p-b"] },
    };
    const request = aRequest({ operation: "ModifyProject", projectId: "p-b" });
    expect(decide(aPolicy({ here, there }), request).kind).toBe("denied");
  });
});

describe("mayOffer", () => {
  test("offers an operation in the role's channel and hides it elsewhere", () => {
    const offer = { actor: anActor(), operation: "ModifyActionExclusion" } as const;
    expect(mayOffer(policy, { ...offer, channelId: "C0OPS" })).toBe(true);
    expect(mayOffer(policy, { ...offer, channelId: "C0SEC" })).toBe(false);
    expect(mayOffer(policy, { ...offer, channelId: null })).toBe(false);
  });

  test("hides an operation that a known fact rules out, and ignores unknown facts", () => {
    const offer = { actor: anActor(), operation: "ModifyActionExclusion", channelId: "C0OPS" } as const;
    expect(mayOffer(policy, { ...offer, projectId: "p-dev", isOwn: true })).toBe(true);
    expect(mayOffer(policy, { ...offer, projectId: "p-prod" })).toBe(false);
    expect(mayOffer(policy, { ...offer, projectId: "p-dev", isOwn: false })).toBe(false);
    expect(mayOffer(policy, { ...offer, projectId: "p-dev", exclusionLengthMs: 25 * hourMs })).toBe(false);
  });

  test("hides operations outside the actor's roles, and everything from a guest", () => {
    expect(mayOffer(policy, { actor: bob, operation: "ListActions", channelId: null })).toBe(false);
    const guest = { ...carol, membership: "guest" } as const;
    expect(mayOffer(policy, { actor: guest, operation: "ListActions", channelId: null })).toBe(false);
  });
});

test("a person holds the roles that list them or their groups; a guest holds none", () => {
  const both = aPolicy({ engineer, admin, named: { ...helpdesk, members: ["U01ALICE"] } });
  expect(rolesHeld(both, anActor())).toEqual(["engineer", "named"]);
  expect(rolesHeld(both, anActor({ membership: "guest" }))).toEqual([]);
});

test("the time of a decision grows no faster than the number of roles", async () => {
  const others = Array.from({ length: 20 }, (_, index) => [
    `team${index}`,
    { ...engineer, members: [`S0TEAM${index}`] },
  ]);
  const large = aPolicy({ ...Object.fromEntries(others), engineer });
  const decideOften = (given: ReturnType<typeof aPolicy>) => () => {
    for (let round = 0; round < 10_000; round += 1) decide(given, aRequest());
  };
  const few = await cpuMsOf(decideOften(aPolicy({ engineer })));
  expect(growth(few, await cpuMsOf(decideOften(large)))).toBeLessThan(21);
});
