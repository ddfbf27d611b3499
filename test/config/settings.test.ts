import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { compareSettings } from "../../src/config/compare-settings.ts";
import { parseSettings } from "../../src/config/read-settings.ts";
import type { Settings } from "../../src/config/settings.ts";
import { decide } from "../../src/permissions/decide.ts";
import { operationNames } from "../../src/service/operations.ts";
import { anActor, hourMs } from "../permissions/build.ts";

const settingsOf = (text: string): Settings => {
  const result = parseSettings(text, "curfew.yaml");
  if ("problems" in result) throw new Error(result.problems.join("\n"));
  return result.settings;
};
const problemsOf = (text: string): string[] => {
  const result = parseSettings(text, "curfew.yaml");
  return "problems" in result ? result.problems : [];
};

test("a channel may have a project, a zone, both or neither, and a zone any id of it", () => {
  const zones = "C0C: { zone: W. Europe Standard Time }, C0D: {}";
  const text = `permissions: { roles: {} }\nchannels: { C0A: { project: p-a }, C0B: { project: p-b, zone: utc }, ${zones} }`;
  expect(settingsOf(text).channels).toEqual({
    ...{ C0A: { project: "p-a" }, C0B: { project: "p-b", zone: "UTC" } },
    ...{ C0C: { zone: "Europe/Berlin" }, C0D: {} },
  });
});

describe("what several parts name", () => {
  const lists = "lists: { prod: [p-1, p-2], leads: [U1, S2] }";
  const role = (members: string, projects: string) =>
    `permissions: { roles: { a: { members: ${members}, allow: [reads], where: { projects: ${projects} } } } }`;
  const roleOf = (text: string) => settingsOf(text).policy.roles[0];

  test.each([
    ["a list in the place of a list", `${lists}\n${role("$leads", "$prod")}`],
    ["lists beside others", `${lists}\n${role("[U1, S2]", "[$prod]")}`],
    ["an anchor", `lists: { prod: &prod [p-1, p-2] }\n${role("[U1, S2]", "*prod")}`],
  ])("may be %s", (_, text) => {
    expect(roleOf(text)?.where.projects).toEqual(new Set(["p-1", "p-2"]));
    expect(roleOf(text)?.members).toEqual(new Set(["U1", "S2"]));
  });

  test("may be a whole part by its anchor, which gives no more and no less than the part", () => {
    const { policy } = settingsOf(
      "permissions: { roles: { a: { members: [U1], allow: [reads], where: &w { channels: [C1] } }, b: { members: [U2], allow: [reads], where: *w } } }",
    );
    const [one, other] = policy.roles;
    expect(other).toEqual({ ...one, name: "b", members: new Set(["U2"]) });
  });

  test("is no right that a list does not give", () => {
    const before = settingsOf(`${lists}\n${role("$leads", "$prod")}`);
    const after = settingsOf(`${lists.replace("p-2", "p-2, p-3")}\n${role("$leads", "$prod")}`);
    expect(compareSettings(after, before).loosens).toEqual(["The role “a” loosens its condition “projects”."]);
    expect(compareSettings(before, after).loosens).toEqual([]);
  });

  test.each([
    [
      `${lists}\n${role("[U1]", "$prd")}`,
      'permissions.roles.a.where.projects: unknown list "$prd"; did you mean "$prod"?',
    ],
    [
      role("[U1]", "[$prod]"),
      'permissions.roles.a.where.projects: unknown list "$prod"; “lists” has none of this name',
    ],
    [`lists: { a: [$b], b: [p-1] }\n${role("[U1]", "[p]")}`, "lists.a.0: a list cannot name another list"],
    [`lists: { a: [] }\n${role("[U1]", "[p]")}`, "lists.a: must list at least one, or be left out"],
    [`lists: { a: p-1 }\n${role("[U1]", "$a")}`, "lists.a: must be a list"],
    [`${lists}\n${role("$prod", "[p]")}`, 'permissions.roles.a.members.0: "p-1" is not a user id'],
    [
      `lists: { keep: [reads, CreateActionExclusio] }\npermissions: { roles: { a: { members: [U1], allow: [$keep, ModifyUser] } } }`,
      'curfew.yaml:1:24 permissions.roles.a.allow.1: unknown operation "CreateActionExclusio"; did you mean',
    ],
    [role("[[U1]]", "[p]"), "permissions.roles.a.members.0: must be text"],
    [`lists: { a: [$a, $a] }\n${role("$a", "[p]")}`, "lists.a.0: a list cannot name another list"],
    ["permissions: &p { roles: *p }", "permissions.roles.roles.members: is missing"],
    ["a: &a [*a]", 'unknown key "a"'],
    [
      "permissions: { roles: { a: &a { members: [U1], allow: [reads] }, b: { <<: *a } } }",
      'permissions.roles.b.<<: unknown key "<<"',
    ],
    [`lists: { toString: [p] }\n${role("[U1]", "$constructor")}`, 'unknown list "$constructor"'],
  ])("is reported where it is wrong: %s", (text, problem) => {
    expect(problemsOf(text).join("\n")).toContain(problem);
  });

  test("may be named often, but not without end", () => {
    const named = (times: number, length: number) =>
      `lists: { all: [${Array.from({ length }, (_, index) => `p-${index}`).join(", ")}] }\n${role("[U1]", `[${Array(times).fill("$all").join(", ")}]`)}`;
    expect(roleOf(named(300, 500))?.where.projects?.size).toBe(500);
    expect(problemsOf(named(3000, 5000)).join()).toContain(
      "with this, the file names more than 200000 entries of lists",
    );
  });
});

test("a group without actions differs from one that says that there are none", () => {
  const group = (more: string) => `resourceGroups: { a: { type: amazon-ec2-instance, project: p, ids: [i-1]${more} } }`;
  const actionsOf = (more: string) =>
    settingsOf(`permissions: { roles: {} }\n${group(more)}`).resourceGroups.a?.actions;
  expect(["", ", actions: []", ", actions: [a-7, Stop web]"].map(actionsOf)).toEqual([
    undefined,
    [],
    ["a-7", "Stop web"],
  ]);
});

test("a warning comes 30 minutes before what stops, if it says no more", () => {
  expect(settingsOf("permissions: { roles: {} }\nwarnings: [{ channel: C0OPS }]").warnings).toEqual([
    { channel: "C0OPS", processes: new Set(["stop"]), beforeMs: hourMs / 2 },
  ]);
});

describe("the shortest file", () => {
  const settings = settingsOf("permissions: { roles: {} }");

  test("has the defaults", () => {
    expect(settings).toMatchObject({
      announce: [],
      exclusions: {
        ...{ defaultMs: 4 * hourMs, maxLengthMs: 14 * 24 * hourMs, warnMs: hourMs / 2 },
        ...{ dayStarts: "08:00", dayEnds: "18:00" },
      },
      channels: {},
      limits: { perPersonPerMinute: 30 },
      service: {},
      resourceGroups: {},
      directory: { users: [], projects: [], credentials: [], policies: [], plans: [], selectors: [] },
    });
    expect(settings.admins).toBeUndefined();
  });

  test("knows how the service counts stop times only where that is said", () => {
    const withService = (value: string) => settingsOf(`permissions: { roles: {} }\nservice: { stopTime: ${value} }`);
    expect(["afterStart", "ofDay"].map((value) => withService(value).service.stopTime)).toEqual([
      "afterStart",
      "ofDay",
    ]);
    expect(() => withService("afterstart")).toThrow(/Did you mean|unknown way to count/);
  });

  test("allows nobody anything", () => {
    const requests = operationNames.map((operation) => ({ actor: anActor(), operation, channelId: "C0OPS" }));
    expect(requests.map((request) => decide(settings.policy, request).kind)).not.toContain("allowed");
  });

  test("finds no resource group by the name of an Object.prototype member", () => {
    expect(settings.resourceGroups.constructor).toBeUndefined();
  });
});

describe("the example file", () => {
  const text = readFileSync(new URL("../../manifest/curfew.example.yaml", import.meta.url), "utf8");
  const settings = settingsOf(text);

  test("lets engineers exclude staging from the operations channel only", () => {
    const request = {
      actor: anActor(),
      operation: "CreateActionExclusion",
      projectId: settings.resourceGroups.staging?.project,
      resourceType: settings.resourceGroups.staging?.type,
      exclusionLengthMs: settings.exclusions.defaultMs,
    } as const;
    expect(decide(settings.policy, { ...request, channelId: "C0OPS" })).toMatchObject({ role: "engineer" });
    expect(decide(settings.policy, { ...request, channelId: "C0SEC" }).kind).toBe("denied");
  });

  test("announces everything in one channel, and security changes in another too", () => {
    const channelsFor = (operation: (typeof operationNames)[number]): string[] =>
      settings.announce.filter(({ operations }) => operations.has(operation)).map(({ channel }) => channel);
    expect(channelsFor("RemoveUserMfa")).toEqual(["C0OPS", "C0SEC"]);
    expect(channelsFor("ModifyProject")).toEqual(["C0OPS"]);
    expect(settings.admins).toEqual({ channel: "C0ADMINS" });
  });

  test("asks admins and the help desk to approve MFA removal, and its commented entry is valid", () => {
    const [approval, ...others] = settings.policy.approvals;
    expect(approval).toMatchObject({ approvers: ["admin", "helpdesk"], count: 1, channel: "C0SEC" });
    expect([...(approval?.operations ?? [])]).toEqual(["RemoveUserMfa"]);
    expect(others).toEqual([]);
    const withBoth = text.replace(/^ {2}# (- operations.*\n) {2}# (.*\n) {2}# (.*\n)/m, "  $1  $2  $3");
    expect(settingsOf(withBoth).policy.approvals).toHaveLength(2);
  });
});

describe("problems", () => {
  test("are reported together in file order, with line and column", () => {
    const text = `permissions:
  roles:
    engineer:
      members: [S0ENGINEERS, "@alice"]
      allow: [reads, CreateActionExlusion]
      where: { maxExclusion: 24x, chanels: [C0OPS] }
    helpdesk:
      allow: RemoveUserMfa
approvals:
  - { operations: [DeleteCredential], approvers: [engineers], count: 0 }
announce:
  - { operations: [ModifyUser], channel: "#security" }
anounce: []
`;
    expect(problemsOf(text)).toEqual([
      'curfew.yaml:4:30 permissions.roles.engineer.members.1: "@alice" is not a user id (U… or W…) or user group id (S…): use the id, not the name',
      'curfew.yaml:5:22 permissions.roles.engineer.allow.1: unknown operation "CreateActionExlusion"; did you mean "CreateActionExclusion"?',
      expect.stringMatching(/^curfew\.yaml:6:30 permissions\.roles\.engineer\.where\.maxExclusion: "24x": .*4h/),
      'curfew.yaml:6:35 permissions.roles.engineer.where.chanels: unknown key "chanels"; did you mean "channels"?',
      "curfew.yaml:8:7 permissions.roles.helpdesk.members: is missing",
      "curfew.yaml:8:14 permissions.roles.helpdesk.allow: must be a list",
      'curfew.yaml:10:51 approvals.0.approvers.0: unknown role "engineers"; did you mean "engineer"?',
      "curfew.yaml:10:70 approvals.0.count: must be at least 1",
      'curfew.yaml:12:42 announce.0.channel: "#security" is not a channel id (C… or G…): use the id, not the name',
      'curfew.yaml:13:1 anounce: unknown key "anounce"; did you mean "announce"?',
    ]);
  });

  test("include a directory of more than 5,000 entries and a file of more than a million characters, which are imported", () => {
    const entries = (count: number) =>
      `directory: { users: [${Array.from({ length: count }, (_, at) => `{ id: u-${at}, name: u }`).join(", ")}] }`;
    const read = (text: string) => parseSettings(`permissions: { roles: {} }\n${text}`, "c.yaml");
    const importThem = "put them into a file and use “directory import” (OPERATING.md, “Fill the directory”)";
    expect(read(entries(5000))).toHaveProperty("settings");
    expect(read(entries(5001))).toEqual({
      problems: [`c.yaml:2:12 directory: 5001 entries, and at most 5000 are read: ${importThem}`],
    });
    expect(read(`# ${"x".repeat(1_000_000)}`)).toEqual({
      problems: [`c.yaml:1:1 longer than 1,000,000 characters; with many entries in directory, ${importThem}`],
    });
  });

  test("include the key __proto__ anywhere in the file", () => {
    const text = `permissions:
  roles:
    admin: { members: [U1], allow: ["*"] }
    "__proto__": { members: [U2], allow: ["*"] }
resourceGroups: { __proto__: { type: amazon-ec2-instance, project: p-dev, ids: [i-1] } }
`;
    expect(problemsOf(text)).toEqual([
      'curfew.yaml:4:5 permissions.roles.__proto__: "__proto__" cannot be a name: choose another',
      'curfew.yaml:5:19 resourceGroups.__proto__: "__proto__" cannot be a name: choose another',
    ]);
  });

  test("include approvals that have no channel to ask in", () => {
    const text = `permissions: { roles: { admin: { members: [U1], allow: ["*"] } } }
approvals:
  - { operations: [ModifyUser, reads], approvers: [admin] }
  - { operations: [DeleteCredential], approvers: [admin], channel: C0SEC }
  - { operations: ["*"], approvers: [admin] }
announce: [{ operations: [ModifyUser], channel: C0OPS }]
`;
    expect(problemsOf(text)).toEqual([
      expect.stringMatching(
        /^curfew\.yaml:5:5 approvals\.2: nobody could be asked about CreateManagedServicesPlan, (?:\w+, )+\w+: add a channel here, or announce it for all projects in one, or set admins\.channel$/,
      ),
    ]);
    expect(problemsOf(text)[0]).not.toContain("ModifyUser");
    const ofProject = text.replace("channel: C0OPS }]", "channel: C0OPS, projects: [p-a] }]");
    expect(problemsOf(ofProject)[0]).toMatch(/approvals\.0: nobody could be asked about ModifyUser: /);
    expect(settingsOf(`${text}admins: { channel: C0ADMINS }\n`).policy.approvals).toHaveLength(3);
  });

  test("include people who may be asked, but whose role or channel is missing", () => {
    const text = `permissions:
  roles:
    admin: { members: [U1], allow: ["*"] }
    engineer: { members: [U2], allow: [reads], mayAsk: { operations: [ModifyUser], approvers: [admim] } }
`;
    expect(problemsOf(text)).toEqual([
      'curfew.yaml:4:96 permissions.roles.engineer.mayAsk.approvers.0: unknown role "admim"; did you mean "admin"?',
    ]);
    expect(problemsOf(text.replace("admim", "admin"))).toEqual([
      expect.stringMatching(
        /engineer\.mayAsk: nobody could be asked about ModifyUser: announce it for all projects in a channel, or set admins\.channel$/,
      ),
    ]);
  });

  test("say once that nobody could be asked, for many roles", () => {
    const role = (index: number) =>
      `    team-${index}: { members: [U2], allow: [reads], mayAsk: { operations: [ModifyUser], approvers: [admin] } }\n`;
    const teams = Array.from({ length: 5 }, (_, index) => role(index)).join("");
    expect(problemsOf(`permissions:\n  roles:\n    admin: { members: [U1], allow: ["*"] }\n${teams}`)).toEqual([
      expect.stringMatching(
        /:4:\d+ permissions\.roles\.team-0\.mayAsk: nobody could be asked .* \(the same at 4 more: permissions\.roles\.team-1\.mayAsk, /,
      ),
    ]);
  });

  const withRest = (rest: string): string[] => problemsOf(`permissions: { roles: {} }\n${rest}`);

  test.each([
    ["{ coolOff: 24, approvers: [admin] }", /^c\.yaml:2:22 identity\.coolOff: must be a length such as 24h, or 0/],
    ["{ approvers: [admin] }", /^c\.yaml:2:11 identity: nobody could be asked about ModifyUser, .*: announce them/],
    ["{ coolOff: 0, approvers: [admin], channel: C0OPS }", /identity\.channel: unknown key "channel"/],
  ])("include identity: %s", (identity, expected) => {
    const read = parseSettings(
      `permissions: { roles: { admin: { members: [U1], allow: ["*"] } } }\nidentity: ${identity}\n`,
      "c.yaml",
    );
    expect("problems" in read ? read.problems : []).toEqual(expect.arrayContaining([expect.stringMatching(expected)]));
  });

  test.each([
    [
      "resourceGroups: { staging: { type: amazon-ec2-instance, project: p-dev, ids: [i-1, i-2, i-1] } }",
      /staging\.ids\.2: "i-1" is listed twice/,
    ],
    [
      "resourceGroups: { staging: { type: amazon-ec2, project: p-dev, ids: [i-1] } }",
      /did you mean "amazon-ec2-instance"\?/,
    ],
    [
      "resourceGroups: { my group: { type: amazon-ec2-instance, project: p-dev, ids: [i-1] } }",
      /^curfew.yaml:2:19 .*one word/,
    ],
    ["resourceGroups: { staging: { type: amazon-ec2-instance, project: p-dev, ids: [] } }", /at least one resource id/],
    ["directory: { users: [{ id: u-1, name: bob }, { id: u-1, name: rob }] }", /users\.1: "u-1" is listed twice/],
    ["directory: { users: [{ id: u-1 }] }", /users\.0\.name: is missing/],
    ["exclusions: { default: 4d, longest: 3d }", /exclusions\.default: must not be longer than exclusions\.longest/],
    ["exclusions: { default: 4 }", /exclusions\.default: must be a length/],
    ["exclusions: { dayEnds: 18 }", /exclusions\.dayEnds: must be a time of day such as "08:00"/],
    ['exclusions: { dayStarts: "18:00" }', /exclusions\.dayEnds: must be later than exclusions\.dayStarts/],
    ["channels: { ops: { project: p-dev } }", /^curfew\.yaml:2:13 channels\.ops: "ops" is not a channel id/],
    ["channels: { C0OPS: { project: '' } }", /channels\.C0OPS\.project: must not be empty/],
    [
      "channels: { C0OPS: { projects: [p-dev] } }",
      /channels\.C0OPS\.projects: unknown key "projects"; did you mean "project"\?$/,
    ],
    [
      "directory: { users: [{ id: u-1, name: bob, mfa: none }] }",
      /^curfew\.yaml:2:44 directory\.users\.0\.mfa: unknown key "mfa"; did you mean "mfaType"\?$/,
    ],
    ["limits: { perHour: 3 }", /limits\.perHour: unknown key "perHour"; known here: perPersonPerMinute$/],
    [
      "colour: red",
      /unknown key "colour"; known here: permissions, approvals, require, ticketUrl, consoleUrl, budgets, identity, announce, exclusions, channels, /,
    ],
    [
      "channels: { C0OPS: { zone: Europe/Berln } }",
      /unknown time zone "Europe\/Berln"; did you mean "Europe\/Berlin"\?/,
    ],
    ["channels: { C0OPS: { zone: IST } }", /channels\.C0OPS\.zone: unknown time zone "IST"/],
    [
      "resourceGroups: { a: { type: amazon-ec2-instance, project: p, ids: [i-1], actions: [Stop, stop] } }",
      /a\.actions\.1: "stop" is listed twice/,
    ],
    [
      "resourceGroups: { a: { type: amazon-ec2-instance, project: p, ids: [i-1], actions: [''] } }",
      /a\.actions\.0: must not be empty/,
    ],
    ["identity: { coolOff: 24h }", /^curfew\.yaml:2:11 identity\.approvers: is missing$/],
    ["identity: { approvers: [admn] }", /^curfew\.yaml:2:25 identity\.approvers\.0: unknown role "admn"/],
    ["limits: { perPersonPerMinute: -1 }", /must be 0 \(for none\) or more/],
    ["limits: { perPersonPerMinute: 1.5 }", /must be a whole number/],
    ["admins: { channel: U02BOB }", /not a channel id/],
    ["announce: [{ operations: [], channel: C0OPS }]", /at least one operation/],
    ["warnings: [{ before: 25h, channel: C0OPS }]", /^curfew\.yaml:2:22 warnings\.0\.before: must be from 1m to 24h/],
    ["warnings: [{ processes: [halt], channel: C0OPS }]", /warnings\.0\.processes\.0: /],
    ['warnings: [{ quiet: "22-7", channel: C0OPS }]', /warnings\.0\.quiet: must be two times of day such as/],
    ['warnings: [{ quiet: "22:00-22:00", channel: C0OPS }]', /warnings\.0\.quiet: must not end when it begins/],
    ["require: [{ operations: [ModifyUser] }]", /^curfew\.yaml:2:11 require\.0: must ask for a reason or a ticket$/],
    [
      'require: [{ operations: [ModifyUser], ticket: "^(A+)+$" }]',
      /^curfew\.yaml:2:47 require\.0\.ticket: a group in brackets cannot be repeated/,
    ],
    ["ticketUrl: javascript:alert({ticket})", /^curfew\.yaml:2:12 ticketUrl: must be an http\(s\) address with one/],
  ])("include %s", (rest, expected) => {
    expect(withRest(rest)).toEqual([expect.stringMatching(expected)]);
  });

  test.each(["8:00", "24:00", "08:60", "8 am", "08:00:00"])("include the time of day %s", (time) => {
    expect(withRest(`exclusions: { dayStarts: "${time}" }`)).toEqual([
      'curfew.yaml:2:26 exclusions.dayStarts: must be a time of day from "00:00" to "23:59"',
    ]);
  });

  test("include an empty condition", () => {
    const text = "permissions: { roles: { a: { members: [U1], allow: [reads], where: { projects: [] } } } }";
    expect(problemsOf(text)).toEqual([
      expect.stringContaining("where.projects: must list at least one, or be left out"),
    ]);
  });

  test.each([
    ["nothing at all", "", ["curfew.yaml:1:1 must be a group of settings"]],
    ["no permissions", "limits: { perPersonPerMinute: 3 }", ["curfew.yaml:1:1 permissions: is missing"]],
    [
      "a key given twice",
      "limits: {}\npermissions: { roles: {} }\nlimits: {}",
      ["curfew.yaml:3:1 Map keys must be unique"],
    ],
    ["a list that does not end", "a: [1,\n", [expect.stringMatching(/^curfew\.yaml:\d+:\d+ Flow sequence/)]],
    ["an alias without an anchor", "a: *b", [expect.stringMatching(/^curfew\.yaml:1:1 Unresolved alias/)]],
  ])("include %s", (_, text, expected) => {
    expect(problemsOf(text)).toEqual(expected);
  });

  test("include aliases that expand without end", () => {
    const levels = Array.from(
      { length: 9 },
      (_, n) => `a${n + 1}: &a${n + 1} [${Array(10).fill(`*a${n}`).join(", ")}]`,
    );
    expect(problemsOf(["a0: &a0 [x]", ...levels].join("\n"))).toEqual([expect.stringContaining("alias count")]);
  });
});
