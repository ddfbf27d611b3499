import { copyFileSync, rmSync } from "node:fs";
import type { Account, Action } from "../../../src/sandbox/service/account.ts";
import { createSeedAccount, daily, everyDay, workdays } from "../../../src/sandbox/service/seed-account.ts";
import type { WorkspaceSeed } from "../../../src/sandbox/workspace/default-seed.ts";
import type { StoredMessage } from "../../../src/sandbox/workspace/state.ts";
import { sqliteOfThisNode } from "../../../src/store/db/sqlite/open-sqlite.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { execute } from "../../support/execute.ts";
import { ask, cardOf, openForm, send } from "../../support/journey.ts";
import { type Curfew, startCurfew } from "../../support/start-curfew.ts";

/** Wednesday, 14:10 in Berlin. */
export const now = Date.parse("2026-11-25T13:10:00Z");

export interface World {
  readonly curfew: Curfew;
  /** In whose threads people reply. */
  readonly cards: Readonly<Record<"web" | "approval", StoredMessage>>;
  /** What Curfew has stored of people's changes, warnings and groups, a line each. Changes that are not made have their input. */
  stored(): Promise<readonly string[]>;
  /** Makes everything but Slack's messages as it was at the beginning. */
  reset(): Promise<void>;
}

/** The world of README.md, with its history. */
export async function buildWorld(): Promise<World> {
  let clock = 0;
  let ids = 0;
  const newId = () => {
    ids += 1;
    return `chg-${String(ids).padStart(8, "0")}`;
  };
  const at = (moment: string) => {
    clock = Date.parse(`2026-11-${moment}:00+01:00`);
  };
  at("23T10:00");
  const curfew = await startCurfew({ config, seed, account: accountAt(clock), now: () => clock, overrides: { newId } });
  const say = async (who: string, line: string) => {
    const reply = await ask(curfew, who, line);
    await curfew.app.idle();
    return reply;
  };
  await curfew.app.watch();
  await say("alice", "warn me about staging");
  await say("alice", 'exclude build every thursday 18:00-22:00 until 2026-12-17 --reason "weekly release build"');
  at("24T11:20");
  await say("carol", 'user disable frank --reason "left the company"');
  at("24T16:45");
  await say("carol", "project rename p-dev Development");
  at("24T18:30");
  await say("alice", 'exclude staging for 3h --reason "demo for a customer"');
  at("25T09:05");
  await say("erin", 'exclude qa until 2026-11-26 12:00 --reason "regression tests"');
  at("25T10:30");
  const web = await say("alice", 'exclude web until 19:00 --reason "load test"');
  at("25T11:15");
  moveStopOfReports(curfew.service.account, clock);
  await curfew.app.watch();
  at("25T13:40");
  await openForm(curfew, "bob", 'user remove-mfa erin --reason "lost her phone"');
  const approval = await send(curfew, "bob");
  await curfew.app.idle();
  clock = now;
  await curfew.app.watch();
  await curfew.app.idle();
  const cards = {
    web: await cardOf(curfew, web.changeId),
    approval: await cardOf(curfew, approval.changeId, "security"),
  };

  const kept = `${curfew.database}-kept`;
  await execute(curfew.database, `vacuum into '${kept}'`);
  const { account } = curfew.service;
  const accountKept = structuredClone(account);
  const idsKept = ids;
  let [file, copies] = [curfew.database, 0];
  const reset = async () => {
    await curfew.app.stop();
    for (const rest of ["", "-wal", "-shm", "-running"]) rmSync(file + rest, { force: true });
    // SQLite may still hold the file before.
    copies += 1;
    file = `${curfew.database}-${copies}`;
    copyFileSync(kept, file);
    restore(account, accountKept);
    ids = idsKept;
    await curfew.restart({ newId, openStore: (_, options) => openStore(file, options) });
    // The calendar was read when Curfew started.
    await say("carol", "holidays");
  };
  await reset();
  return { curfew, cards, reset, stored: () => rowsIn(file) };
}

/** As somebody does in the service itself. */
function moveStopOfReports({ actions: stored }: Account, nowMs: number): void {
  const action = stored.get("a-10");
  if (!action) throw new Error("There is no stop of reports.");
  const lastModifiedDate = new Date(nowMs).toISOString();
  const schedule = { ...action.schedule, timeOfDay: "21:00:00" };
  stored.set("a-10", { ...action, schedule, lastModifiedBy: "u-5", lastModifiedDate });
}

const rows = `
  select words || ' → ' || state || coalesce(' because ' || reason, '') ||
    case when state = 'succeeded' then '' else ' ' || json_remove(input_json, '$.projectFrom', '$.name') end as said from change union all
  select 'warning ' || user_id || ' before ' || group_name || ' ' || before_ms from own_warning union all
  select 'group ' || name || ' ' || ids_json from resource_group`;

async function rowsIn(file: string): Promise<readonly string[]> {
  const Sqlite = await sqliteOfThisNode();
  const database = new Sqlite(file, { readOnly: true });
  const found = database.prepare(rows).all();
  database.close();
  return found.map(({ said }) => String(said));
}

/** The service's handlers replace values and never edit one, so the values need no copies. */
function restore(account: Account, kept: Account): void {
  for (const [name, entities] of Object.entries(account)) {
    const before: unknown = Reflect.get(kept, name);
    if (!(entities instanceof Map) || !(before instanceof Map)) continue;
    entities.clear();
    for (const [id, entity] of before) entities.set(id, entity);
  }
}

const person = (id: string, handle: string, realName: string) =>
  ({ id, handle, realName, displayName: handle, email: `${handle}@example.com`, tz: "Europe/Berlin" }) as const;

export const seed: WorkspaceSeed = {
  team: { id: "T0CURFEW", name: "Strangers", domain: "strangers" },
  people: [
    person("U01ALICE", "alice", "Alice Weber"),
    person("U02BOB", "bob", "Bob Jansen"),
    { ...person("U03CAROL", "carol", "Carol Novak"), isAdmin: true },
    person("U04DAVE", "dave", "Dave Okoro"),
    person("U05ERIN", "erin", "Erin Walsh"),
    { ...person("U06GINA", "gina", "Gina Rossi"), isRestricted: true },
  ],
  channels: [
    { id: "C0OPS", name: "ops", members: ["alice", "bob", "carol", "dave", "erin", "gina"], hasBot: true },
    { id: "C0SEC", name: "security", members: ["bob", "carol"], isPrivate: true, hasBot: true },
    { id: "C0ADMINS", name: "admins", members: ["carol"], isPrivate: true, hasBot: true },
  ],
  userGroups: [{ id: "S0ENGINEERS", handle: "engineers", name: "Engineers", members: ["alice", "erin"] }],
};

export const config = `
permissions:
  roles:
    engineer:
      members: [S0ENGINEERS]
      allow: [reads, CreateActionExclusion, ModifyActionExclusion, DeleteActionExclusion]
      where: { channels: [C0OPS], projects: [p-dev, p-prod], maxExclusion: 7d }
      mayAsk: { operations: [CreateActionExclusion, ModifyActionExclusion], approvers: [admin] }
    helpdesk: { members: [U02BOB], allow: [reads, ModifyUser, RemoveUserMfa, DetachManagedPolicy] }
    viewer: { members: [U04DAVE], allow: [reads] }
    admin: { members: [U03CAROL], allow: ["*"] }
approvals:
  - { operations: [RemoveUserMfa], approvers: [admin, helpdesk], expires: 8h, channel: C0SEC }
budgets:
  - { projects: [p-dev], weeklyHours: 40, then: warn }
announce:
  - { operations: ["*", elsewhere], channel: C0OPS }
  - { operations: [ModifyUser, RemoveUserMfa], channel: C0SEC }
warnings:
  - { processes: [stop], before: 30m, channel: C0OPS }
exclusions: { default: 4h, longest: 14d, dayStarts: "08:00", dayEnds: "18:00" }
calendars: [{ name: holidays, file: test/language/strangers/holidays.ics }]
channels:
  C0OPS: { zone: Europe/Berlin }
limits: { perPersonPerMinute: 0 }
admins: { channel: C0ADMINS }
service: { stopTime: afterStart }
resourceGroups:
  staging: { type: amazon-ec2-instance, project: p-dev, ids: [i-0a1, i-0a2], actions: [a-1, a-2] }
  qa: { type: amazon-ec2-instance, project: p-dev, ids: [i-0c1], actions: [a-3, a-4] }
  build: { type: amazon-ec2-instance, project: p-dev, ids: [i-0d1, i-0d2], actions: [a-5, a-6] }
  web: { type: amazon-ec2-instance, project: p-prod, ids: [i-0b1, i-0b2, i-0b3], actions: [a-7, a-8] }
  reports-db: { type: amazon-rds-instance, project: p-prod, ids: [reports-main, reports-copy], actions: [a-9, a-10, a-11] }
directory:
  users:
    - { id: u-1, name: alice, email: alice@example.com, mfaType: google-auth }
    - { id: u-2, name: bob, email: bob@example.com, mfaType: google-auth }
    - { id: u-3, name: carol, email: carol@example.com, mfaType: mobile-otp }
    - { id: u-4, name: dave, email: dave@example.com, mfaType: google-auth }
    - { id: u-5, name: erin, email: erin@example.com, mfaType: mobile-otp }
    - { id: u-6, name: frank, email: frank@example.com, mfaType: none }
  projects:
    - { id: p-dev, name: Dev sandbox }
    - { id: p-prod, name: Production }
  credentials:
    - { id: cred-00000001, name: AWS main account, cloudProviderSubTypeId: amazon-standard }
    - { id: cred-00000002, name: AWS build account (old), cloudProviderSubTypeId: amazon-standard }
    - { id: cred-00000003, name: Google analytics project, cloudProviderSubTypeId: google-standard }
  policies:
    - { id: mp-00000001, name: Administrators }
    - { id: mp-00000002, name: Schedule operators }
    - { id: mp-00000003, name: Read only }
    - { id: mp-00000004, name: Billing }
  plans:
    - { id: plan-00000001, name: Development office hours, project: p-dev }
    - { id: plan-00000002, name: Nightly backups, project: p-prod }
  selectors:
    - { id: sel-00000001, name: Staging machines, plan: plan-00000001 }
    - { id: sel-00000004, name: Production volumes, plan: plan-00000002 }
`;

export const actions = [
  ["a-1", "Morning start of staging", "amazon-start-ec2-instances", "p-dev", "07:30", workdays, "i-0a1, i-0a2"],
  ["a-2", "Nightly stop of staging", "amazon-stop-ec2-instances", "p-dev", "19:00", everyDay, "i-0a1, i-0a2"],
  ["a-3", "Morning start of qa", "amazon-start-ec2-instances", "p-dev", "07:00", workdays, "i-0c1"],
  ["a-4", "Nightly stop of qa", "amazon-stop-ec2-instances", "p-dev", "20:00", everyDay, "i-0c1"],
  ["a-5", "Start the build machines", "amazon-start-ec2-instances", "p-dev", "06:00", workdays, "i-0d1, i-0d2"],
  ["a-6", "Stop the build machines", "amazon-stop-ec2-instances", "p-dev", "19:30", everyDay, "i-0d1, i-0d2"],
  ["a-7", "Morning start of web", "amazon-start-ec2-instances", "p-prod", "05:30", everyDay, "i-0b1, i-0b2, i-0b3"],
  ["a-8", "Evening stop of web", "amazon-stop-ec2-instances", "p-prod", "18:30", everyDay, "i-0b1, i-0b2, i-0b3"],
  ["a-9", "Start reports", "amazon-start-rds-instances", "p-prod", "06:30", workdays, "reports-main, reports-copy"],
  ["a-10", "Stop reports", "amazon-stop-rds-instances", "p-prod", "22:00", everyDay, "reports-main, reports-copy"],
  ["a-11", "Reports backup", "amazon-backup-rds-instances", "p-prod", "02:00", everyDay, "reports-main"],
  ["a-12", "Weekly volume backup", "amazon-backup-ebs-volumes", "p-prod", "03:00", ["sunday"], "vol-0e1, vol-0e2"],
] as const;

const users = [
  ["u-1", "alice", "google-auth"],
  ["u-2", "bob", "google-auth"],
  ["u-3", "carol", "mobile-otp"],
  ["u-4", "dave", "google-auth"],
  ["u-5", "erin", "mobile-otp"],
  ["u-6", "frank", "none"],
] as const;

/** The account of the sandbox with our users, projects and actions. Its plans, policies and credentials are named well already. */
function accountAt(nowMs: number): Account {
  const account = createSeedAccount(nowMs);
  const seeded = [...account.users.values()];
  const [action] = account.actions.values();
  const development = account.projects.get("p-dev");
  if (!action || !development) throw new Error("The seed account is empty.");
  const { exclusions, earlierActionVersions } = account;
  exclusions.clear();
  earlierActionVersions.clear();
  account.projects.set("p-dev", { ...development, name: "Dev sandbox" });
  const ours: readonly Action[] = actions.map(([actionId, name, actionType, projectId, time, days, resources]) => ({
    ...{ ...action, actionId, actionVersionId: `v-${actionId}`, name, actionType, projectId, tags: [] },
    schedule: { startDate: "2026-01-01", ...daily(time, "Europe/Berlin", days) },
    displayData: [{ label: "Resources", data: resources }],
    parameters: {
      resourceType: actionType.replace(/-(?:start|stop|backup)-/, "-").replace(/s$/, ""),
      resourceIds: resources.split(", "),
    },
  }));
  return {
    ...account,
    actions: new Map(ours.map((each) => [each.actionId, each])),
    users: new Map(
      users.flatMap(([userId, username, mfaType], index) => {
        const user = seeded[index];
        const emailAddress = `${username}@example.com`;
        return user ? [[userId, { ...user, userId, username, emailAddress, mfaType, status: "enabled" }] as const] : [];
      }),
    ),
  };
}
