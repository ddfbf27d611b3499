import type { Actor } from "../../src/permissions/actor.ts";
import type { PermissionRequest } from "../../src/permissions/conditions.ts";
import { scopeAmong } from "../../src/permissions/config-values.ts";
import { approvalsSchema, createPolicy, type Policy, permissionsSchema } from "../../src/permissions/policy.ts";

/** A full member with the engineer role of the test policy. */
export const anActor = (facts: Partial<Actor> = {}): Actor => ({
  teamId: "T1",
  userId: "U01ALICE",
  name: "Alice",
  timeZone: "Europe/London",
  membership: "member",
  groupIds: ["S0ENGINEERS"],
  ...facts,
});

/** A request to exclude staging, within every limit of the engineers. */
export const aRequest = (facts: Partial<PermissionRequest> = {}): PermissionRequest => ({
  actor: anActor(),
  operation: "CreateActionExclusion",
  channelId: "C0OPS",
  projectId: "p-dev",
  resourceType: "amazon-ec2-instance",
  exclusionLengthMs: 4 * hourMs,
  isOwn: true,
  ...facts,
});

export const hourMs = 3_600_000;

/** A policy from roles as curfew.yaml writes them. */
export const aPolicy = (roles: unknown, approvals: unknown = []): Policy =>
  createPolicy(
    permissionsSchema(roleNames, scope).parse({ roles }),
    approvalsSchema(roleNames, scope).parse(approvals),
  );

/** Two teams in one project, and a machine of the same name in another. */
export const groups: Parameters<typeof scopeAmong>[0] = {
  payments: { type: "amazon-ec2-instance", project: "p-dev", ids: ["i-0a1", "i-0a2"] },
  ledger: { type: "amazon-ec2-instance", project: "p-dev", ids: ["i-0b1", "i-0a2"] },
  orders: { type: "amazon-rds-instance", project: "p-prod", ids: ["orders"] },
};
const scope = scopeAmong(groups);

const roleNames = ["engineer", "helpdesk", "admin"];

export const engineer = {
  members: ["S0ENGINEERS"],
  allow: ["reads", "CreateActionExclusion", "ModifyActionExclusion", "DeleteActionExclusion"],
  where: {
    channels: ["C0OPS"],
    projects: ["p-dev"],
    resourceTypes: ["amazon-ec2-instance"],
    maxExclusion: "24h",
    own: true,
  },
};
export const helpdesk = { members: ["U02BOB"], allow: ["ModifyUser", "RemoveUserMfa"] };
export const admin = { members: ["U03CAROL"], allow: ["*"] };
