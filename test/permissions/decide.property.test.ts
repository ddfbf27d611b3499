import fc from "fast-check";
import { expect, test } from "vitest";
import type { PermissionRequest } from "../../src/permissions/conditions.ts";
import { decide, allows as isAllowed, mayOffer } from "../../src/permissions/decide.ts";
import { type OperationName, operationNames, operations } from "../../src/service/operations.ts";
import { aPolicy, groups } from "./build.ts";

/** A generated role. There are few names, so that roles, actors and facts often match. */
interface RawRole {
  members: string[];
  allow: string[];
  where?: {
    channels?: string[];
    projects?: string[];
    groups?: string[];
    resourceTypes?: string[];
    maxExclusion?: string;
    own?: boolean;
  };
}

const channel = fc.constantFrom("C1", "C2");
const project = fc.constantFrom("p-dev", "p-prod");
const resourceType = fc.constantFrom("amazon-ec2-instance", "amazon-rds-instance");
const operation = fc.constantFrom(...operationNames);
const some = <T>(item: fc.Arbitrary<T>) => fc.uniqueArray(item, { minLength: 1, maxLength: 3 });
const hours = { "1h": 3_600_000, "4h": 14_400_000 } as const;

const role: fc.Arbitrary<RawRole> = fc.record(
  {
    members: fc.uniqueArray(fc.constantFrom("U1", "U2", "S1", "S2"), { maxLength: 3 }),
    allow: some(fc.oneof(operation, fc.constantFrom("reads", "*"))),
    where: fc.record(
      {
        channels: some(channel),
        projects: some(project),
        groups: some(fc.constantFrom("payments", "ledger", "orders")),
        resourceTypes: some(resourceType),
        maxExclusion: fc.constantFrom("1h", "4h"),
        own: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ["members", "allow"] },
);
const roles = fc.dictionary(fc.constantFrom("a", "b", "c", "constructor"), role, { maxKeys: 4 });

const request: fc.Arbitrary<PermissionRequest> = fc.record(
  {
    actor: fc.record({
      teamId: fc.constant("T1"),
      userId: fc.constantFrom("U1", "U2", "U3"),
      name: fc.string(),
      timeZone: fc.string(),
      membership: fc.oneof(
        { weight: 5, arbitrary: fc.constant("member" as const) },
        fc.constantFrom("guest" as const, "bot" as const, "deleted" as const, "external" as const),
      ),
      groupIds: fc.uniqueArray(fc.constantFrom("S1", "S2", "S3")),
    }),
    operation,
    channelId: fc.option(fc.oneof(channel, fc.string())),
    projectId: fc.option(fc.oneof(project, fc.string()), { nil: undefined }),
    resourceType: fc.option(fc.oneof(resourceType, fc.string()), { nil: undefined }),
    resourceIds: fc.option(some(fc.constantFrom("i-0a1", "I-0A2", "i-0b1", "orders", "i-0c1")), { nil: undefined }),
    exclusionLengthMs: fc.option(fc.oneof(fc.constantFrom(...Object.values(hours)), fc.double()), { nil: undefined }),
    isOwn: fc.option(fc.boolean(), { nil: undefined }),
  },
  { requiredKeys: ["actor", "operation", "channelId"] },
);

/** An independent statement of the rules: does this one role allow it? */
function oracle({ members, allow, where = {} }: RawRole, asked: PermissionRequest): boolean {
  const { effect } = operations[asked.operation];
  const isExclusionLength = ["CreateActionExclusion", "ModifyActionExclusion"].includes(asked.operation);
  const listed = (list: string[] | undefined, fact: string | undefined): boolean => {
    if (!list) return true;
    if (fact === undefined) return effect === "read";
    return list.includes(fact);
  };
  const isOf = (name: string, id: string) => {
    const group = groups[name];
    const isThere = group?.project === asked.projectId && group?.type === asked.resourceType;
    return isThere && group?.ids.includes(id.toLowerCase()) === true;
  };
  const isOfGroups = (names: readonly string[]): boolean =>
    effect === "read"
      ? asked.projectId === undefined || names.some((name) => groups[name]?.project === asked.projectId)
      : (asked.resourceIds ?? []).length > 0 &&
        (asked.resourceIds ?? []).every((id) => names.some((name) => isOf(name, id)));
  const checks = [
    asked.actor.membership === "member",
    [asked.actor.userId, ...asked.actor.groupIds].some((id) => members.includes(id)),
    allow.includes("*") || allow.includes(asked.operation) || (effect === "read" && allow.includes("reads")),
    !where.channels || where.channels.includes(asked.channelId ?? "none"),
    listed(where.projects, asked.projectId),
    listed(where.resourceTypes, asked.resourceType),
    !where.groups || isOfGroups(where.groups),
    !where.own || effect === "read" || effect === "create" || asked.isOwn === true,
    !where.maxExclusion ||
      !isExclusionLength ||
      (asked.exclusionLengthMs ?? Number.NaN) <= (where.maxExclusion === "1h" ? hours["1h"] : hours["4h"]),
  ];
  return checks.every(Boolean);
}

const nobodys = aPolicy({});

test("decide allows exactly what some role names, and never throws", () => {
  fc.assert(
    fc.property(roles, request, (raw, asked) => {
      const expected = Object.values(raw).some((one) => oracle(one, asked));
      const policy = aPolicy(raw);
      expect(decide(policy, asked).kind).toBe(expected ? "allowed" : "denied");
      expect(isAllowed(policy, asked)).toBe(expected);
      // Asked once more of the same actor, whose roles are known by then, and under another policy.
      expect(isAllowed(policy, asked)).toBe(expected);
      expect(isAllowed(nobodys, asked)).toBe(false);
    }),
    { numRuns: 2000 },
  );
});

test("denies everybody who is not a full member", () => {
  fc.assert(
    fc.property(roles, request, fc.constantFrom("guest", "bot", "deleted", "external"), (raw, asked, membership) => {
      const outsider = { ...asked, actor: { ...asked.actor, membership } };
      expect(decide(aPolicy(raw), outsider)).toMatchObject({ kind: "denied", couldDo: [] });
      expect(mayOffer(aPolicy(raw), outsider)).toBe(false);
    }),
  );
});

test("adding a role never removes a right", () => {
  fc.assert(
    fc.property(roles, role, request, (raw, added, asked) => {
      fc.pre(decide(aPolicy(raw), asked).kind === "allowed");
      expect(decide(aPolicy({ added, ...raw }), asked).kind).toBe("allowed");
      expect(decide(aPolicy({ ...raw, added }), asked).kind).toBe("allowed");
    }),
  );
});

test("offers everything that it allows", () => {
  fc.assert(
    fc.property(roles, request, (raw, asked) => {
      fc.pre(decide(aPolicy(raw), asked).kind === "allowed");
      expect(mayOffer(aPolicy(raw), asked)).toBe(true);
    }),
  );
});

test("a denial gives its reason in sentences and names only roles that allow the operation", () => {
  fc.assert(
    fc.property(roles, request, (raw, asked) => {
      const decision = decide(aPolicy(raw), asked);
      fc.pre(decision.kind === "denied");
      expect(decision.reason).toMatch(/\.$/);
      for (const { role: name } of decision.couldDo) expect(allows(raw[name], asked.operation)).toBe(true);
    }),
  );
});

const allows = (raw: RawRole | undefined, name: OperationName): boolean =>
  raw?.allow.some(
    (entry) => ["*", name].includes(entry) || (entry === "reads" && operations[name].effect === "read"),
  ) ?? false;
