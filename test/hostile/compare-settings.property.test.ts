import fc from "fast-check";
import { expect, test } from "vitest";
import { compareSettings } from "../../src/config/compare-settings.ts";
import { parseSettings } from "../../src/config/read-settings.ts";
import type { Settings } from "../../src/config/settings.ts";
import { approvalChannel, approvalFor } from "../../src/permissions/approval-rules.ts";
import type { PermissionRequest } from "../../src/permissions/conditions.ts";
import { askingFor, decide } from "../../src/permissions/decide.ts";
import type { ApprovalRule } from "../../src/permissions/policy.ts";
import { operationNames, operations } from "../../src/service/operations.ts";

/** Few names, so that two configs and a request often overlap. */
const operation = fc.constantFrom("CreateActionExclusion", "ModifyActionExclusion", "ModifyUser", "ListActions");
const member = fc.constantFrom("U1", "U2", "S1");
const project = fc.constantFrom("p-dev", "p-prod");
const resourceType = fc.constantFrom("amazon-ec2-instance", "azure-virtual-machine");
const channel = fc.constantFrom("C1", "C2");
const length = fc.constantFrom("1h", "4h", "9h");
const some = <T>(item: fc.Arbitrary<T>) => fc.uniqueArray(item, { minLength: 1, maxLength: 2 });
const optional = { requiredKeys: [] };

const where = fc.record(
  {
    channels: some(channel),
    projects: some(project),
    resourceTypes: some(resourceType),
    maxExclusion: length,
    own: fc.boolean(),
  },
  optional,
);
const mayAsk = fc.record({
  operations: some(fc.oneof(operation, fc.constant("*"))),
  approvers: some(fc.constantFrom("a", "b")),
});
const role = fc.record(
  {
    members: some(member),
    allow: some(fc.oneof(operation, fc.constantFrom("*", "reads"))),
    where: fc.oneof(fc.constant({}), where),
    mayAsk,
  },
  { requiredKeys: ["members", "allow", "where"] },
);
const when = fc.record({ longerThan: length, projects: some(project), resourceTypes: some(resourceType) }, optional);
const approval = fc.record(
  {
    operations: some(fc.oneof(operation, fc.constant("*"))),
    approvers: some(fc.constantFrom("a", "b")),
    count: fc.integer({ min: 1, max: 2 }),
    expires: length,
    channel,
    when,
  },
  { requiredKeys: ["operations", "approvers"] },
);
const announcement = fc.record({ operations: some(fc.oneof(operation, fc.constant("*"))), channel });
const requirement = fc.record(
  {
    operations: some(fc.oneof(operation, fc.constant("*"))),
    reason: fc.boolean(),
    ticket: fc.constantFrom("A-[0-9]+", "B-[0-9]+"),
  },
  { requiredKeys: ["operations", "ticket"] },
);
const limits = fc.record({ perPersonPerMinute: fc.constantFrom(0, 5, 30) });
const parts = {
  a: role,
  b: role,
  c: fc.option(role, { nil: undefined }),
  approvals: fc.array(approval, { maxLength: 3 }),
  announce: fc.array(announcement, { maxLength: 2 }),
  require: fc.array(requirement, { maxLength: 2 }),
  limits,
};
const config = fc.record(parts);
type Raw = typeof config extends fc.Arbitrary<infer T> ? T : never;

/** Most configs differ from the previous one in one place only. */
const pair: fc.Arbitrary<readonly [old: Raw, next: Raw]> = fc
  .tuple(config, config, fc.shuffledSubarray(Object.keys(parts), { maxLength: 2 }), fc.boolean(), fc.nat())
  .map(([old, other, keys, isDropped, at]) => {
    const changed = Object.fromEntries(Object.entries(other).filter(([key]) => keys.includes(key)));
    const dropped = { approvals: old.approvals.filter((_rule, index) => index !== at % (old.approvals.length + 1)) };
    const swapped = { approvals: [...old.approvals].reverse() };
    return [old, { ...old, ...(isDropped ? dropped : at % 5 === 0 ? swapped : {}), ...changed }];
  });

const request: fc.Arbitrary<PermissionRequest> = fc.record({
  actor: fc.record({
    teamId: fc.constant("T1"),
    userId: fc.constantFrom("U1", "U2", "U3"),
    name: fc.constant("somebody"),
    timeZone: fc.constant("UTC"),
    membership: fc.constant("member" as const),
    groupIds: fc.uniqueArray(fc.constantFrom("S1", "S2")),
  }),
  operation: fc.oneof(operation, fc.constantFrom(...operationNames)),
  channelId: fc.option(channel),
  projectId: fc.option(fc.oneof(project, fc.constant("p-other")), { nil: undefined }),
  resourceType: fc.option(fc.oneof(resourceType, fc.constant("other")), { nil: undefined }),
  exclusionLengthMs: fc.option(fc.integer({ min: 0, max: 12 * 3_600_000 }), { nil: undefined }),
  isOwn: fc.option(fc.boolean(), { nil: undefined }),
});
/** One change with one or two targets, for the same person, operation and channel. */
const change = fc
  .tuple(request, request, fc.boolean())
  .map(([one, other, isTwo]) =>
    isTwo ? [one, { ...other, actor: one.actor, operation: one.operation, channelId: one.channelId }] : [one],
  );

function settingsOf({
  a,
  b,
  c,
  approvals,
  announce,
  require,
  limits: asked,
}: Readonly<Record<keyof Raw, unknown>>): Settings {
  const content = {
    permissions: { roles: { a, b, ...(c ? { c } : {}) } },
    ...{ approvals, announce, require, limits: asked, admins: { channel: "C0ADMINS" } },
  };
  const parsed = parseSettings(JSON.stringify(content), "curfew.yaml");
  if ("problems" in parsed) throw new Error(parsed.problems.join("\n"));
  return parsed.settings;
}

const isAllowed = ({ policy }: Settings, targets: readonly PermissionRequest[]): boolean =>
  targets.every((target) => decide(policy, target).kind === "allowed");

const ruleFor = ({ policy }: Settings, targets: readonly PermissionRequest[]): ApprovalRule | undefined => {
  const rules = targets.map((target) => approvalFor(policy, target));
  return policy.approvals.find((rule) => rules.includes(rule));
};

/** Whether more people can be asked for it than before, by somebody who may not do it. */
function asksMore(next: Settings, old: Settings, targets: readonly PermissionRequest[]): boolean {
  const asked = ({ policy }: Settings) => {
    const names = askingFor(policy, targets)?.approvers ?? [];
    return policy.roles.filter(({ name }) => names.includes(name)).flatMap(({ members }) => [...members]);
  };
  return !isAllowed(old, targets) && asked(next).some((id) => !asked(old).includes(id));
}

/** An independent copy of the rules: does this change get further under the next settings than under the old ones? */
function getsFurther(next: Settings, old: Settings, targets: readonly PermissionRequest[]): boolean {
  const [first] = targets;
  if (!first) return false;
  if (!isAllowed(next, targets)) return asksMore(next, old, targets);
  if (!isAllowed(old, targets)) return true;
  const channels = ({ announce }: Settings) =>
    announce.filter((entry) => entry.operations.has(first.operation)).map((entry) => entry.channel);
  const isChange = operations[first.operation].effect !== "read";
  if (isChange && channels(old).some((each) => !channels(next).includes(each))) return true;
  const entryFor = ({ require }: Settings) => require.filter((entry) => entry.operations.has(first.operation));
  const [asksNow, askedBefore] = [entryFor(next), entryFor(old)];
  if (isChange && askedBefore.some(({ reason }) => reason) && !asksNow.some(({ reason }) => reason)) return true;
  if (isChange && askedBefore[0] && askedBefore[0].ticket !== asksNow[0]?.ticket) return true;
  const [now, before] = [ruleFor(next, targets), ruleFor(old, targets)];
  if (!before) return false;
  if (!now) return true;
  const approvers = ({ policy }: Settings, { approvers: names }: ApprovalRule) =>
    policy.roles.filter(({ name }) => names.includes(name)).flatMap(({ members }) => [...members]);
  const isElsewhere = approvalChannel(now, first.operation, next) !== approvalChannel(before, first.operation, old);
  const isOthers = approvers(next, now).some((id) => !approvers(old, before).includes(id));
  return now.count < before.count || now.expiresMs > before.expiresMs || isOthers || isElsewhere;
}

test("the comparison reports a looser config whenever any change gets further under it", () => {
  let [quiet, further] = [0, 0];
  fc.assert(
    fc.property(pair, fc.array(change, { minLength: 40, maxLength: 40 }), ([rawOld, rawNext], changes) => {
      const [old, next] = [settingsOf(rawOld), settingsOf(rawNext)];
      const { loosens } = compareSettings(next, old);
      const isFurther = changes.some((targets) => getsFurther(next, old, targets));
      if (loosens.length === 0) quiet += 1;
      if (isFurther) further += 1;
      expect(isFurther && loosens.length === 0).toBe(false);
    }),
    { numRuns: 300 },
  );
  // Otherwise the test would prove nothing.
  expect(quiet).toBeGreaterThan(15);
  expect(further).toBeGreaterThan(15);
});

test("the comparison reports no difference for the same config in any role order", () => {
  fc.assert(
    fc.property(config, (raw) => {
      const settings = settingsOf(raw);
      expect(compareSettings(settingsOf(raw), settings)).toEqual({ loosens: [], tightens: [] });
      const { policy } = settings;
      const turned = { ...settings, policy: { ...policy, roles: [...policy.roles].reverse() } };
      expect(compareSettings(turned, settings)).toEqual({ loosens: [], tightens: [] });
    }),
    { numRuns: 100 },
  );
});

test("the comparison reports a config without a member, operation or role as tighter only", () => {
  fc.assert(
    fc.property(config, ({ approvals: _approvals, ...raw }) => {
      const old = settingsOf({ ...raw, approvals: [] });
      const next = settingsOf({ ...raw, approvals: [], c: undefined, a: { ...raw.a, members: [] } });
      expect(compareSettings(next, old).loosens).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

test("the comparison reports whom a role may ask for more", () => {
  const raw = {
    a: { members: ["U1"], allow: ["*"], where: {} },
    ...{ c: undefined, approvals: [], announce: [], require: [], limits: { perPersonPerMinute: 5 } },
  };
  const asking = (operations: readonly string[], approvers = ["a"]) => {
    const mayAsk = { operations, approvers };
    return settingsOf({ ...raw, b: { members: ["U2"], allow: ["reads"], where: {}, mayAsk } });
  };
  const none = settingsOf({ ...raw, b: { members: ["U2"], allow: ["reads"], where: {} } });
  expect(compareSettings(asking(["ModifyUser"]), none)).toEqual({
    ...{ loosens: ["The role “b” may ask for more: { operations: ModifyUser, approvers: a }."], tightens: [] },
  });
  expect(compareSettings(none, asking(["ModifyUser"]))).toEqual({
    ...{ loosens: [], tightens: ["permissions.roles.b.mayAsk"] },
  });
  expect(compareSettings(asking(["ModifyUser", "ModifyProject"]), asking(["ModifyProject"])).loosens).toEqual([
    "The role “b” may ask for more: ModifyUser.",
  ]);
});

test("the comparison reports that tickets link elsewhere", () => {
  const withUrl = (ticketUrl?: string) => {
    const roles = { roles: { a: { members: ["U1"], allow: ["*"] } } };
    const parsed = parseSettings(JSON.stringify({ permissions: roles, ticketUrl }), "curfew.yaml");
    if ("problems" in parsed) throw new Error(parsed.problems.join("\n"));
    return parsed.settings;
  };
  const [here, there] = ["https://a.example.com/{ticket}", "https://b.example.com/{ticket}"];
  expect(compareSettings(withUrl(there), withUrl(here)).loosens).toEqual([
    `ticketUrl is ${there}, instead of ${here}.`,
  ]);
  expect(compareSettings(withUrl(here), withUrl(here)).loosens).toEqual([]);
});
