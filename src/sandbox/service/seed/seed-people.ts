import { subHours } from "date-fns";
import type { ManagedPolicy, Project, User } from "../account.ts";
import { audited } from "./seed-values.ts";

export const managedPolicies = {
  administrators: { managedPolicyId: "mp-00000001", name: "Administrators" },
  operators: { managedPolicyId: "mp-00000002", name: "Schedule operators" },
  viewers: { managedPolicyId: "mp-00000003", name: "Read only" },
  billing: { managedPolicyId: "mp-00000004", name: "Billing" },
} as const satisfies Record<string, ManagedPolicy>;

const { administrators, operators, viewers, billing } = managedPolicies;

export function seedUsers(nowMs: number): User[] {
  const user = (
    number: number,
    username: string,
    mfaType: string,
    hoursAway: number,
    policies: ManagedPolicy[],
  ): User => ({
    userId: `u-0000000${number}`,
    username,
    emailAddress: `${username}@example.com`,
    status: "enabled",
    mfaType,
    lastAccessDate: subHours(nowMs, hoursAway).toISOString(),
    managedPolicies: policies,
  });
  return [
    user(1, "bob", "google-auth", 30, [operators, viewers]),
    user(2, "alice", "google-auth", 1, [administrators]),
    user(3, "carol", "mobile-otp", 5, [administrators, billing]),
    user(4, "dave", "none", 52, [operators]),
    user(5, "erin", "mobile-otp", 20, [viewers, billing]),
    { ...user(6, "frank", "none", 2400, [viewers]), status: "disabled" },
  ];
}

export function seedProjects(): Project[] {
  return [
    {
      projectId: "p-dev",
      name: "Development",
      status: "active",
      isDefault: false,
      ...audited("u-00000002", "2025-02-03", "2025-06-17"),
    },
    {
      projectId: "p-prod",
      name: "Production",
      status: "active",
      isDefault: true,
      ...audited("u-00000003", "2025-02-03"),
    },
  ];
}
