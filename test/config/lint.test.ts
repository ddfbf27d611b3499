import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseSettings } from "../../src/config/read-settings.ts";
import { titled } from "../support/brief.ts";

const roles = `permissions:
  roles:
    engineer: { members: [U1, U2], allow: [reads, CreateActionExclusion, ModifyActionExclusion] }
    helpdesk: { members: [U3], allow: [ModifyUser, RemoveUserMfa] }
    group: { members: [S0GROUP], allow: [RemoveUserMfa] }
    admin: { members: [U4], allow: ["*"] }
`;
const admins = "admins: { channel: C0ADMINS }\n";

function lintOf(text: string) {
  const read = parseSettings(text, "c.yaml");
  if ("problems" in read) throw new Error(read.problems.join("\n"));
  return read.lint;
}
/** With one approval entry after another, each written as a flow mapping, from line 9 on. */
const withApprovals = (...entries: string[]) =>
  lintOf(`${roles}${admins}approvals:\n${entries.map((entry) => `  - { ${entry} }\n`).join("")}`);

test.each([
  ["reads only", "operations: [reads], approvers: [admin]", /^c\.yaml:9:19 approvals\.0\.operations: only reads/],
  [
    "fewer members than it counts",
    "operations: [ModifyUser], approvers: [admin, helpdesk], count: 3",
    /^c\.yaml:9:44 approvals\.0\.approvers: 3 must approve, and there are 2/,
  ],
  [
    "a requester who is needed to approve",
    "operations: [DeleteCredential, ModifyProject], approvers: [admin]",
    /approvers: everyone who may ask is needed as an approver/,
  ],
  [
    "a length for operations that have none",
    "operations: [ModifyUser], approvers: [admin], when: { longerThan: 8h }",
    /^c\.yaml:9:\d+ approvals\.0\.when\.longerThan: none of these/,
  ],
])("reports an approval with %s at its line", (_, entry, expected) => {
  const { error, warning } = withApprovals(entry);
  expect(error).toEqual(expected ? [expect.stringMatching(expected)] : []);
  expect(warning).toEqual([]);
});

test("warns of each person whose requests too few could approve", () => {
  const { error, warning } = withApprovals("operations: [ModifyActionExclusion], approvers: [engineer], count: 2");
  expect(error).toEqual([]);
  expect(warning).toEqual([
    "c.yaml:9:55 approvals.0.approvers: too few could approve what U1, U2 may ask for, since nobody approves their own change: name more approvers",
  ]);
});

test("says once what is so in many places, and in which", () => {
  const entry = (project: number) =>
    `operations: [ModifyActionExclusion], approvers: [engineer], count: 2, when: { projects: [p-${project}] }`;
  const [first, ...others] = withApprovals(...[1, 2, 3].map(entry)).warning;
  expect([first, others.length]).toEqual([expect.stringMatching(/ name more approvers$/), 2]);
  expect(withApprovals(...[1, 2, 3, 4, 5, 6, 7].map(entry)).warning).toEqual([
    `${first} (the same at 6 more: approvals.1.approvers, approvals.2.approvers, approvals.3.approvers, approvals.4.approvers, approvals.5.approvers and 1 more)`,
  ]);
});

test.each([
  ["coolOff: 24h, approvers: [engineer, helpdesk]", [], []],
  ["approvers: [group]", [], []],
  [
    "coolOff: 24h, approvers: [admin]",
    [],
    [
      /^c\.yaml:8:22 identity\.coolOff: .* and ModifyUser, RemoveUserMfa can have one/,
      /^c\.yaml:8:38 identity\.approvers: too few could approve what U4 may ask for/,
    ],
  ],
  ["coolOff: 0, approvers: [helpdesk]", [], [/^c\.yaml:8:36 identity\.approvers: too few could approve what U3 may/]],
])("looks whether an account can be protected with identity: { %s }", (identity, errors, warnings) => {
  const found = lintOf(`${roles}${admins}identity: { ${identity} }\n`);
  expect(found).toEqual({ error: errors, warning: warnings.map((each) => expect.stringMatching(each)) });
});

test("reports an identity whose approvers are nobody", () => {
  const empty = roles.replace("members: [U4]", "members: []");
  const { error } = lintOf(`${empty}${admins}identity: { approvers: [admin] }\n`);
  expect(error).toEqual(["c.yaml:8:24 identity.approvers: 1 must approve, and there are none"]);
});

test("reports an approval by a role that has no members", () => {
  const empty = roles.replace("members: [U4]", "members: []");
  const text = `${empty}${admins}approvals: [{ operations: [RemoveUserMfa], approvers: [admin] }]\n`;
  expect(lintOf(text)).toEqual({
    error: ["c.yaml:8:55 approvals.0.approvers: 1 must approve, and there are none"],
    warning: ["c.yaml:6:23 permissions.roles.admin.members: nobody has this role"],
  });
});

test.each([
  ["{ operations: [ModifyUser], approvers: [helpdesk] }", undefined],
  ["{ operations: [reads], approvers: [admin] }", /mayAsk\.operations: only reads, which nobody can ask for$/],
  [
    "{ operations: [ModifyProject], approvers: [engineer] }",
    /approvers\.0: nobody allows what they asked for themselves$/,
  ],
  [
    "{ operations: [ModifyUser, ModifyProject], approvers: [admin, helpdesk] }",
    /^c\.yaml:3:\d+ permissions\.roles\.engineer\.mayAsk\.approvers\.1: nobody with the role helpdesk may do ModifyProject, and /,
  ],
  ["{ operations: [ModifyUser], approvers: [nobody] }", /approvers\.0: nobody has the role nobody$/],
])("warns about mayAsk: %s without effect", (mayAsk, expected) => {
  const one = roles.replace("{ members: [U1, U2], allow", `{ members: [U1], mayAsk: ${mayAsk}, allow`);
  const { warning, error } = lintOf(`${one}    nobody: { members: [], allow: [reads] }\n${admins}`);
  expect(error).toEqual([]);
  expect(warning.filter((text) => text.includes("mayAsk"))).toEqual(expected ? [expect.stringMatching(expected)] : []);
});

test("assumes that a user group has enough approvers and requesters", () => {
  expect(withApprovals("operations: [RemoveUserMfa], approvers: [group], count: 9").error).toEqual([]);
  const groupAsks = roles.replace("helpdesk: { members: [U3]", "helpdesk: { members: [U4]");
  const text = `${groupAsks}${admins}approvals: [{ operations: [RemoveUserMfa], approvers: [admin] }]\n`;
  expect(lintOf(text).error).toEqual([]);
});

test("accepts one group that asks and approves, but not one person", () => {
  const same = (member: string) =>
    lintOf(`permissions: { roles: { eng: { members: [${member}], allow: [CreateActionExclusion] } } }
${admins}approvals: [{ operations: [CreateActionExclusion], approvers: [eng] }]
`).error;
  expect(same("S1")).toEqual([]);
  expect(same("U1, U2")).toEqual([]);
  expect(same("U1")).toEqual([expect.stringMatching(/everyone who may ask is needed as an approver/)]);
});

const shadowed = /^c\.yaml:\d+:\d+ approvals\.\d: it never applies: (.*) always applies first$/;
const all = "operations: ['*'], approvers: [admin, helpdesk]";
test.each([
  ["behind one for everything", [all, `${all}, when: { projects: [p-dev] }`], "approvals.0"],
  [
    "behind one of shorter exclusions",
    [
      `${all}, when: { longerThan: 4h }`,
      `operations: [CreateActionExclusion], approvers: [admin], when: { longerThan: 8h }`,
    ],
    "approvals.0",
  ],
  [
    "behind two that share its projects",
    [`${all}, when: { projects: [a] }`, `${all}, when: { projects: [b] }`, `${all}, when: { projects: [a, b] }`],
    "approvals.0 and approvals.1",
  ],
])("reports an approval that never applies: %s", (_, entries, before) => {
  const { error } = withApprovals(...entries);
  expect(error).toHaveLength(1);
  expect(shadowed.exec(error[0] ?? "")?.[1]).toBe(before);
});

test.each([
  ["narrower ones first", [`${all}, when: { projects: [a] }`, `${all}, when: { longerThan: 8h }`, all]],
  ["longer exclusions first", [`${all}, when: { longerThan: 8h }`, `${all}, when: { longerThan: 4h }`]],
  ["another type", [`${all}, when: { resourceTypes: [amazon-ec2-instance] }`, `${all}, when: { projects: [a] }`]],
])("accepts an approval that applies to something: %s", (_, entries) => {
  expect(withApprovals(...entries).error).toEqual([]);
});

test("warns of approvals that nobody can trigger", () => {
  const text = `${roles.replace('["*"]', "[reads]")}${admins}approvals:
  - { operations: [DeleteCredential], approvers: [admin] }
  - { operations: [ModifyActionExclusion], approvers: [admin], when: { longerThan: 14d } }
`;
  expect(lintOf(text)).toEqual({
    error: [],
    warning: [
      "c.yaml:9:19 approvals.0.operations: nobody has a role that allows any of them",
      "c.yaml:10:84 approvals.1.when.longerThan: nothing is longer than exclusions.longest, 14 d",
    ],
  });
});

test("announcing reads is an error; announcing twice in a channel is a warning", () => {
  const text = `${roles}announce:
  - { operations: [ModifyUser, DeleteCredential], channel: C1 }
  - { operations: [ModifyUser], channel: C2 }
  - { operations: [ModifyUser, reads], channel: C1 }
  - { operations: [reads], channel: C3 }
`;
  expect(lintOf(text)).toEqual({
    error: ["c.yaml:11:19 announce.3.operations: only reads, which are never announced"],
    warning: ["c.yaml:10:5 announce.2: announce.0 announces all of it in this channel already"],
  });
});

test.each([
  ["warn: 4h", undefined],
  ["warn: 5h", /^c\.yaml:7:21 exclusions\.warn: 5 h before.*exclusions\.default is 4 h/],
  ["default: 10m, longest: 20m", /^c\.yaml:7:13 exclusions\.warn: 30 min before.*exclusions\.longest is 20 min/],
])("warns of reminders that come before most exclusions begin: %s", (lengths, expected) => {
  const { error, warning } = lintOf(`${roles}exclusions: { ${lengths} }\n`);
  expect([error, warning]).toEqual([[], expected ? [expect.stringMatching(expected)] : []]);
});

test.each([
  ["[{ operations: [reads], reason: true }]", "error", /^c\.yaml:7:25 require\.0\.operations: only reads/],
  [
    '[{ operations: ["*"], ticket: "^A-[0-9]+$" }, { operations: [ModifyUser], ticket: "^B-[0-9]+$" }]',
    "error",
    /require\.1\.ticket: it never applies/,
  ],
  [
    "[{ operations: [CreateActionExclusion], reason: true }]",
    "warning",
    /require\.0\.operations: it covers making exclusions .* but not modifying them/,
  ],
  [
    "[{ operations: [ModifyUser], reason: true }]\nticketUrl: https://t.example.com/{ticket}",
    "warning",
    /^c\.yaml:8:12 ticketUrl: no entry/,
  ],
] as const)("reports a requirement without effect: %s", (entries, verdict, expected) => {
  expect(lintOf(`${roles}require: ${entries}\n`)[verdict]).toEqual([expect.stringMatching(expected)]);
});

test.each(
  titled([
    [
      "channels: { C1: { project: p-retial-prod }, C2: { project: p-retail-prod }, C3: { zone: UTC } }",
      "channels.C1.project",
    ],
    [
      "approvals: [{ operations: [CreateActionExclusion, ModifyActionExclusion], approvers: [admin, engineer], channel: C1, when: { projects: [p-retail-prod, p-retial-prod] } }]",
      "approvals.0.when.projects",
    ],
    ["budgets: [{ projects: [p-retial-prod], weeklyHours: 40, then: refuse }]", "budgets.0.projects"],
    ["warnings: [{ projects: [p-retial-prod], channel: C1 }]", "warnings.0.projects"],
    ["digest: { projects: [p-retial-prod], channel: C1 }", "digest"],
    [
      "resourceGroups: { shop: { type: amazon-ec2-instance, project: p-retial-prod, ids: [i-1] } }",
      "resourceGroups.shop.project",
    ],
    [
      "permissions: { roles: { all: { members: [U1], allow: [reads], where: { projects: [p-retial-prod] } } } }",
      "permissions.roles.all.where.projects",
    ],
  ]),
)("warns of a project that the directory lacks, where it lists projects: %s", (_title, section, path) => {
  const text = section.startsWith("permissions") ? section : `${roles}${section}`;
  const projects = "[{ id: p-dev, name: Development }, { id: p-retail-prod, name: Shop }]";
  expect(lintOf(`${text}\n`)).toEqual({ error: [], warning: [] });
  expect(lintOf(`${text}\ndirectory: { projects: ${projects} }\n`)).toEqual({
    error: [],
    warning: [
      expect.stringContaining(
        `${path}: directory.projects does not list a project with the id p-retial-prod; did you mean "p-retail-prod"?`,
      ),
    ],
  });
});

test("reports a group of more resources than are kept together", () => {
  const ids = Array.from({ length: 5001 }, (_, index) => `i-${index}`).join(", ");
  const { error } = lintOf(
    `${roles}resourceGroups:\n  all: { type: amazon-ec2-instance, project: p-dev, ids: [${ids}] }\n`,
  );
  expect(error).toEqual([
    "c.yaml:8:58 resourceGroups.all.ids: 5001 resources, and at most 5000 are kept together: nobody can use this group",
  ]);
});

test.each([
  ["[{ channel: C1 }, { projects: [p-dev], channel: C1 }]", ["warnings.1: warnings.0 warns this channel of all of it"]],
  ["[{ projects: [p-dev], channel: C1 }, { channel: C1 }]", ["warnings.0: warnings.1 warns this channel of all of it"]],
  ["[{ channel: C1 }, { channel: C1 }]", ["warnings.1: warnings.0 warns this channel of all of it"]],
  ['[{ channel: C1, quiet: "22:00-07:00" }, { channel: C1, before: 10m }]', []],
  ["[{ channel: C1 }, { channel: C2 }, { channel: C1, processes: [start] }]", []],
  ["[{ channel: C1, before: 1m }]\nwatch: { every: 5m }", ["warnings.0.before: shorter than watch.every, 5 min"]],
  [
    "[{ channel: C1, projects: [p-x] }]\ndirectory: { projects: [{ id: p-dev, name: Development }] }",
    ["warnings.0.projects: directory.projects does not list a project with the id p-x"],
  ],
])("reports warnings without effect: %s", (warnings, expected) => {
  const found = lintOf(`${roles}warnings: ${warnings}\n`);
  expect(found).toEqual({ error: [], warning: expected.map((text) => expect.stringContaining(text)) });
});

test("reports a file without roles, and a role whose conditions rule out everything", () => {
  expect(lintOf("permissions: { roles: {} }").warning).toEqual([
    "c.yaml:1:23 permissions.roles: there is no role, so nobody can do anything",
  ]);
  const text = `permissions: { roles: { a: { members: [U1], allow: [ModifyUser], where: { projects: [p-1] } } } }`;
  expect(lintOf(text).error).toEqual([
    expect.stringMatching(/^c\.yaml:1:\d+ permissions\.roles\.a\.where\.projects: users have none.*allows nothing$/),
  ]);
});

test("the example file has no findings", () => {
  expect(lintOf(readFileSync("manifest/curfew.example.yaml", "utf8"))).toEqual({ error: [], warning: [] });
});

test("a duplicate key hides no other problem", () => {
  const read = parseSettings(
    `${roles}announce: []\nannounce:\n  - { operations: [ModifyUsr], channel: C1 }\nlimit: {}\n`,
    "c.yaml",
  );
  expect(read).toEqual({
    problems: [
      "c.yaml:8:1 Map keys must be unique",
      expect.stringMatching(/^c\.yaml:9:20 announce\.0\.operations\.0: unknown operation "ModifyUsr"/),
      'c.yaml:10:1 limit: unknown key "limit"; did you mean "limits"?',
    ],
  });
});

test("reports what is named together with accounts and is in none of them", () => {
  const { error } = lintOf(
    `${roles}accounts:
  eu: { url: "https://eu.scheduler.example" }
resourceGroups:
  web: { type: amazon-ec2-instance, project: p-web, ids: [i-0a1] }
announce:
  - { operations: ["*"], accounts: [eu], projects: [eu/p-1, p-web], channel: C1 }
  - { operations: ["*"], accounts: [main], groups: [web], channel: C1 }
  - { operations: ["*"], accounts: [eu], groups: [web], channel: C2 }
`,
  );
  expect(error).toEqual([
    expect.stringMatching(
      /announce\.0\.projects: p-web is in the account main, and “accounts” beside it does not name that: it never counts$/,
    ),
    expect.stringMatching(
      /announce\.2\.groups: web is in the account main, and “accounts” beside it does not name that/,
    ),
  ]);
});
