import type { Account } from "../../src/sandbox/service/account.ts";
import { createSeedAccount, daily, everyDay } from "../../src/sandbox/service/seed-account.ts";
import type { WorkspaceSeed } from "../../src/sandbox/workspace/default-seed.ts";

/** The world that the lines of lines.yaml are about. */
export const startAt = Date.parse("2026-11-25T09:40:00Z");

const person = (id: string, handle: string) =>
  ({ id, handle, realName: handle, email: `${handle}@example.com`, tz: "Europe/Berlin" }) as const;

export const seed: WorkspaceSeed = {
  team: { id: "T0CURFEW", name: "Lines", domain: "lines" },
  people: [
    person("U01ALICE", "alice"),
    person("U02BOB", "bob"),
    person("U03CAROL", "carol"),
    person("U04DAVE", "dave"),
    { ...person("U05GUEST", "guest"), isRestricted: true },
  ],
  channels: [{ id: "C0OPS", name: "ops", members: ["alice", "bob", "carol", "dave", "guest"], hasBot: true }],
  userGroups: [],
};

export const config = `
permissions:
  roles:
    engineer:
      members: [U01ALICE]
      allow: [reads, CreateActionExclusion, ModifyActionExclusion, DeleteActionExclusion]
      where: { projects: [p-dev, p-prod] }
    helpdesk: { members: [U02BOB], allow: [ModifyUser, RemoveUserMfa] }
    viewer: { members: [U04DAVE], allow: [reads] }
    admin: { members: [U03CAROL], allow: ["*"] }
announce:
  - { operations: ["*"], channel: C0OPS }
limits: { perPersonPerMinute: 0 }
resourceGroups:
  staging: { type: amazon-ec2-instance, project: p-dev, ids: [i-0a1, i-0a2], actions: [a-7] }
  web: { type: amazon-ec2-instance, project: p-dev, ids: [i-0b1, i-0b2] }
  data-warehouse: { type: amazon-redshift-cluster, project: p-data, ids: [dw-main] }
directory:
  users:
    - { id: u-1, name: alice, email: alice@example.com, mfaType: google-auth }
    - { id: u-2, name: bob, email: bob@example.com, mfaType: google-auth }
    - { id: u-3, name: Frank Meyer, email: frank@example.com, mfaType: google-auth }
    - { id: u-4, name: Francesca Rossi, email: francesca@example.com, mfaType: mobile-otp }
    - { id: u-5, name: dave, email: dave@example.com, mfaType: google-auth }
  projects:
    - { id: p-dev, name: Development }
    - { id: p-prod, name: Production }
    - { id: p-data, name: Data Platform }
`;

export function linesAccount(): Account {
  const account = createSeedAccount(startAt);
  const [user] = account.users.values();
  const [project] = account.projects.values();
  const [action] = account.actions.values();
  if (!user || !project || !action) throw new Error("The seed account is empty.");
  const users = [
    ["u-1", "alice", "alice"],
    ["u-2", "bob", "bob"],
    ["u-3", "Frank Meyer", "frank"],
    ["u-4", "Francesca Rossi", "francesca"],
    ["u-5", "dave", "dave"],
  ] as const;
  const projects = [
    ["p-dev", "Development"],
    ["p-prod", "Production"],
    ["p-data", "Data Platform"],
  ] as const;
  const actions = [
    ["a-7", "Stop staging", "amazon-stop-ec2-instances", "p-dev", "19:00"],
    ["a-8", "Stop build machines", "amazon-stop-ec2-instances", "p-dev", "23:00"],
    ["a-9", "Start production", "amazon-start-ec2-instances", "p-prod", "06:00"],
    ["a-10", "Backup volumes", "amazon-backup-ebs-volumes", "p-dev", "02:00"],
  ] as const;
  return {
    ...account,
    users: new Map(
      users.map(([userId, username, mail]) => [
        userId,
        { ...user, userId, username, emailAddress: `${mail}@example.com` },
      ]),
    ),
    projects: new Map(projects.map(([projectId, name]) => [projectId, { ...project, projectId, name }])),
    actions: new Map(
      actions.map(([actionId, name, actionType, projectId, time]) => [
        actionId,
        {
          ...action,
          ...{ actionId, actionVersionId: `v-${actionId}`, name, actionType, projectId, tags: [] },
          schedule: { startDate: "2026-01-01", ...daily(time, "Europe/Berlin", everyDay) },
        },
      ]),
    ),
    exclusions: new Map(),
    earlierActionVersions: new Map(),
  };
}
