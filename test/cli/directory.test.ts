import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { newDatabaseFile, openTestStore } from "../store/open-test-store.ts";
import { newDatabase, urlOf } from "../support/new-database.ts";
import { exampleConfig } from "../support/start-curfew.ts";
import { type Ended, runWithArgs } from "./run-with-args.ts";

const imported = (database: string, file: string, content: string, ...args: readonly string[]): Promise<Ended> =>
  runWithArgs(["directory", "import", file, ...args], {
    env: { DATABASE_URL: urlOf(database) },
    files: { [file]: content },
  });
const exported = (database: string, line = "") =>
  runWithArgs(["directory", "export", ...line.split(" ").filter(Boolean)], { env: { DATABASE_URL: urlOf(database) } });

const users = "id,name,email,mfaType\nu-1,dana,dana@example.com,google-auth\nu-2,erik,,\n";

/** A database that a Curfew has run on, and what it knows of a user. */
async function newDirectory() {
  const database = await newDatabase();
  const store = await openTestStore(database);
  return { database, store, user: (id: string) => store.get("user", id) };
}

test("directory import adds users from CSV, and importing them again changes nothing", async () => {
  const { database, user } = await newDirectory();
  expect(await imported(database, "users.csv", users)).toEqual({
    code: 0,
    errors: "",
    output: "2 added, 0 changed, 0 unchanged.\nadded:\n  user u-1 dana\n  user u-2 erik\n",
  });
  expect(await user("u-1")).toMatchObject({
    name: "dana",
    email: "dana@example.com",
    body: { mfaType: "google-auth" },
  });
  expect((await imported(database, "users.csv", users)).output).toBe("0 added, 0 changed, 2 unchanged.\n");
  const { output } = await imported(database, "users.csv", users.replace("erik,,", "erika,erika@example.com,none"));
  expect(output).toBe("0 added, 1 changed, 1 unchanged.\nchanged:\n  user u-2 erika\n");
});

test.each([
  [
    "a byte order mark, semicolons and CRLF",
    `\ufeffUser ID;Username;E-mail\r\nu-1;"Doe; Dana";dana@example.com\r\n;;\r\n`,
  ],
  ["a JSON list", '[{"id":"u-1","name":"Doe; Dana","email":"dana@example.com"}]'],
  ["tabs", "id\tname\temail\nu-1\tDoe; Dana\tdana@example.com"],
  [
    "the separator named by Excel",
    "sep=;\r\nid;name;email\r\nu-1;Doe; dana@example.com \r\n".replace("Doe;", '"Doe; Dana";'),
  ],
])("directory import reads a file with %s", async (_what, content) => {
  const { database, user } = await newDirectory();
  expect(await imported(database, "users-2026.csv", content)).toMatchObject({ code: 0, errors: "" });
  expect(await user("u-1")).toMatchObject({ name: "Doe; Dana", email: "dana@example.com" });
});

test("directory import lists every problem of a CSV file with line and cell, and imports nothing", async () => {
  const { database, user } = await newDirectory();
  const lines = [
    "id,name,email,mfaType,status",
    'u-1,"two\nlines",dana@example.com,google-auth,enabled',
    ",nobody,,,",
    "u-1,dana,at-home,google-auht,",
    `${"u".repeat(151)},ed,DANA@example.com,none,`,
    "u 4,ed,,,,more",
    'u-5,"open"x,,,',
  ];
  const { code, output, errors } = await imported(database, "users.csv", lines.join("\n"));
  expect([code, output]).toEqual([1, ""]);
  expect(errors.split("\n")).toEqual([
    "users.csv:2:2 name: must not hold control or invisible characters",
    "users.csv:4:1 id: is missing",
    "users.csv:5:1 id: “u-1” is there already, at users.csv:2:1",
    "users.csv:5:3 email: must be an e-mail address",
    'users.csv:5:4 mfaType: unknown MFA type "google-auht"; did you mean "google-auth"?',
    "users.csv:6:1 id: must be one word of at most 150 letters, digits and signs, without slashes",
    "users.csv:6:3 email: “DANA@example.com” is there already, at users.csv:2:3",
    "users.csv:7:1 id: must be one word of at most 150 letters, digits and signs, without slashes",
    "users.csv:7:6: this line has more cells than the first",
    "users.csv:8:1: a quotation mark is not closed, or stands inside a cell: double it there",
    "Nothing was imported.",
    "",
  ]);
  expect(await user("u-1")).toBeUndefined();
});

test.each([
  ["users.csv", "", "users.csv:1:1: the file is empty"],
  [
    "users.csv",
    "u-1,dana\n",
    "users.csv:1:1: there is no column id: the first line must name id, name, email, mfaType",
  ],
  ["users.csv", "id,name,ID\n", "users.csv:1:3: the column id is there twice"],
  ["users.csv", "id,name\nu-1,J\ufffdrg\n", "users.csv:1:1: the file is not UTF-8: save it as “CSV UTF-8”"],
  ["people.csv", "id,name\n", "people.csv:1:1: say what it lists with --kind: users, projects,"],
  ["people.json", "[]", "people.json:1:1: say what it lists with --kind: users, projects,"],
  ["all.json", '{ "users": [{]', "all.json:1:14: this is not JSON: "],
  ["all.json", '{\n "user": [] }', 'all.json:2:2: unknown list "user"; known here: users, projects,'],
  ["all.json", '{ "users": {} }', "all.json:1:3 users: must be a list"],
  [
    "users.csv",
    "id,name\n../Users/u-1,dana\n",
    "users.csv:2:1 id: must be one word of at most 150 letters, digits and",
  ],
  ["users.csv", "id,name\n..,dana\n", "users.csv:2:1 id: must be one word of at most 150 letters, digits and"],
  ["users.csv", "id,name\nu-1,dana\nU-1,erik\n", "users.csv:3:1 id: “U-1” is there already, at users.csv:2:1"],
  [
    "plans.json",
    '[{ "id": "plan-1", "name": "a", "project": "p\\\\1" }]',
    "plans.json:1:33 project: must be one word of at most 150 letters, digits and signs, without slashes",
  ],
])("directory import refuses %s with “%s”", async (file, content, problem) => {
  const { code, errors } = await imported(await newDatabase(), file, content);
  expect([code, errors]).toEqual([1, expect.stringContaining(problem)]);
  expect(errors).toContain("Nothing was imported.");
});

test.each([
  ["users.csv", `id,name\n${"u,n\n".repeat(100_001)}`, "more than 100,000 entries: split it"],
  ["users.json", `[${'{"id":"u"},'.repeat(100_000)}{}]`, "more than 100,000 entries: split it"],
  ["users.csv", `id,name\n${"u-0000001,name\n".repeat(1_500_000)}`, "longer than 20 million characters: split it"],
])("directory import names its limit for a %s that is too large", async (file, content, problem) => {
  const { code, errors } = await imported(await newDatabase(), file, content);
  expect(code).toBe(1);
  expect(errors).toContain(`${file}:1:1: the file`);
  expect(errors).toContain(`${problem}`);
  expect(errors.split("\n").length).toBeLessThan(5);
});

test("directory import lists every problem of a JSON file with line and column", async () => {
  const content = `{
  "users": [
    { "id": "u-1", "name": "d\\"ana", "mfaType": "sms" },
    { "name": "erik", "e-mail": "x" },
    7
  ],
  "selectors": [{ "id": "sel-1", "name": "Staging" }, { "id": "sel-1", "name": "S", "plan": "a b" }]
}`;
  const { errors } = await imported(await newDatabase(), "all.json", content);
  expect(errors.split("\n")).toEqual([
    'all.json:3:38 mfaType: unknown MFA type "sms"; did you mean "none"?',
    "all.json:4:5 id: is missing",
    'all.json:4:23 e-mail: unknown key "e-mail"; did you mean "email"?',
    "all.json:5:5: must be a group of settings",
    "all.json:7:17 plan: is missing",
    "all.json:7:57 id: “sel-1” is there already, at all.json:7:19",
    "all.json:7:85 plan: must be one word of at most 150 letters, digits and signs, without slashes",
    "Nothing was imported.",
    "",
  ]);
});

const everything = `{
  "users": [
    {"id":"u-1","name":"=cmd()","email":"dana@example.com","mfaType":"none"},
    {"id":"u-2","name":"Doe, \\"Dana\\""}
  ],
  "projects": [
    {"id":"p-1","name":"Development"}
  ],
  "credentials": [
    {"id":"cred-1","name":"AWS","project":"p-1","cloudProviderSubTypeId":"amazon-standard"}
  ],
  "policies": [
    {"id":"mp-1","name":"Admins"}
  ],
  "plans": [
    {"id":"plan-1","name":"Office hours","project":"p-1"}
  ],
  "selectors": [
    {"id":"sel-1","name":"Staging","plan":"plan-1"}
  ],
  "machines": [
    {"id":"i-0e1","name":"stg-web-1","type":"amazon-ec2-instance","project":"p-1","group":"web","tags":"env=stg; team=\\"x\\""},
    {"id":"i-0e2","type":"amazon-ec2-instance","project":"p-1"}
  ]
}
`;

test("directory export writes what import read, in both formats", async () => {
  const { database, store } = await newDirectory();
  expect((await imported(database, "all.json", everything)).output).toMatch(/^9 added, 0 changed, 0 unchanged\./);
  await store.remember([{ kind: "project", id: "p-2", body: { projectId: "p-2" } }]);
  await store.remember([{ kind: "plan", id: "plan-2", body: { planId: "plan-2", name: "Old" } }]);
  await store.remember([{ kind: "plan", id: "plan-2", at: 1 }]);
  const whole = await exported(database);
  expect(whole).toEqual({ code: 0, output: everything, errors: "Left out 1 of which only the id is known.\n" });
  const csv = await exported(database, "--kind users --format csv");
  const lines = ["id,name,email,mfaType", "u-1,'=cmd(),dana@example.com,none", 'u-2,"Doe, ""Dana""",,', ""];
  expect(csv).toEqual({ code: 0, output: lines.join("\r\n"), errors: "" });
  expect((await imported(database, "users.csv", csv.output)).output).toBe("0 added, 0 changed, 2 unchanged.\n");
  expect((await exported(database, "--kind plans")).output).toBe(
    '{\n  "plans": [\n    {"id":"plan-1","name":"Office hours","project":"p-1"}\n  ]\n}\n',
  );
  expect((await exported((await newDirectory()).database, "--kind plans")).output).toBe('{\n  "plans": []\n}\n');
});

const ec2 = "amazon-ec2-instance";
const machines = (...lines: readonly string[]) => ["id,name,type,project,group,tags", ...lines].join("\n");
const importedMachines = (database: string, lines: readonly string[], ...args: readonly string[]) =>
  imported(database, "machines.csv", machines(...lines), ...args);

test("directory import says which machines a file no longer has, and forgets them only if it is complete", async () => {
  const { database, store } = await newDirectory();
  const first = [`i-0e1,stg-1,${ec2},p-1,web,`, `i-0e2,,${ec2},p-1,web,a=b`, `i-0e3,stg-3,${ec2},p-2,,`];
  expect((await importedMachines(database, first)).output).toBe(
    "3 added, 0 changed, 0 unchanged.\nadded:\n  machine i-0e1 stg-1\n  machine i-0e2\n  machine i-0e3 stg-3\nCurfew has not heard of these projects yet: p-1, p-2. Are they ids, and no names?\n",
  );
  const second = [`i-0e1,stg-one,${ec2},p-1,web,`];
  const kept = await importedMachines(database, second);
  expect(kept.output).toContain("changed:\n  machine i-0e1 stg-one\n");
  expect(kept.output).toContain("not in this file, and kept (--complete forgets them):\n  machine i-0e2\n");
  expect(await store.get("machine", "i-0e2")).toMatchObject({ projectId: "p-1" });
  const complete = await importedMachines(database, second, "--complete");
  expect(complete.output).toContain("forgotten, since the file lists all machines of its projects:\n  machine i-0e2\n");
  expect([await store.get("machine", "i-0e2"), await store.get("machine", "i-0e3")]).toMatchObject([
    undefined,
    { name: "stg-3", projectId: "p-2" },
  ]);
});

test("directory import reads machines as a console and a spreadsheet save them", async () => {
  const { database, store } = await newDirectory();
  const content = `\ufeffInstance ID;Name;Resource Type;Project ID;Account;Tags\r\ni-0e1;'=cmd|x;${ec2};p-1;12;"a=1;b=2"\r\n;;;;;\r\n`;
  const { code, output } = await imported(database, "machines-2026.csv", content);
  expect([code, output]).toEqual([0, expect.stringContaining("The column “Account” is not used.")]);
  expect(await store.get("machine", "i-0e1")).toMatchObject({
    name: "=cmd|x",
    projectId: "p-1",
    body: { tags: "a=1;b=2" },
  });
  const { output: csv } = await exported(database, "--kind machines --format csv");
  expect(csv).toBe(`id,name,type,project,group,tags\r\ni-0e1,'=cmd|x,${ec2},p-1,,a=1;b=2\r\n`);
});

test("directory import lists what is wrong with machines by line, and imports none of them", async () => {
  const { database, store } = await newDirectory();
  await importedMachines(database, [`i-0d1,old-1,${ec2},p-2,api,`]);
  const lines = [
    `i-0e1,stg-1,${ec2},p-1,web,`,
    `I-0E1,stg-1,${ec2},p-2,,`,
    "i-0e2,stg-2,ec2,p-1,,",
    "vol-0e3,stg-3,amazon-ec2-instance,p-1,,",
    `i-0e4,stg-4,${ec2},p-2,Web,`,
    `"i-0e5,i-0e6",stg-5,${ec2},p 1,two words,`,
    `,stg-6,${ec2},p-1,,`,
    `i-0e7,stg-7,,,,`,
    `stg-8,i-0e8,${ec2},p-1,,`,
  ];
  const { code, output, errors } = await importedMachines(database, lines);
  expect([code, output]).toEqual([1, ""]);
  expect(errors.split("\n")).toEqual([
    "machines.csv:3:1 id: “I-0E1” is there already, at machines.csv:2:1",
    'machines.csv:4:3 type: unknown resource type "ec2"; did you mean "amazon-ec2-instance"?',
    "machines.csv:5:3 type: “vol-0e3” is amazon-ebs-volume, and this says amazon-ec2-instance",
    `machines.csv:6:5 group: “Web” holds ${ec2} of p-1, at machines.csv:2:5, and this is ${ec2} of p-2: name one group for each`,
    "machines.csv:7:1 id: must be one word without commas, quotation marks, <, > and &",
    "machines.csv:7:4 project: must be one word of at most 150 letters, digits and signs, without slashes",
    "machines.csv:7:5 group: must be one word of letters, digits, “.”, “-” and “_”",
    "machines.csv:8:1 id: is missing",
    "machines.csv:9:3 type: is missing",
    "machines.csv:9:4 project: is missing",
    "machines.csv:10:1 id: “stg-8” does not look like i-0f12ab34",
    "Nothing was imported.",
    "",
  ]);
  expect((await importedMachines(database, [`i-0d2,new-1,${ec2},p-1,API,`])).errors).toBe(
    `machines.csv:2:5 group: the group “api” holds ${ec2} of p-2 already, and here ${ec2} of p-1: name one group for each. If those are no more in it, import the list of p-2 first, with --complete\nNothing was imported.\n`,
  );
  expect((await imported(database, "users.csv", users, "--complete")).errors).toContain("--complete is for machines");
  expect(await store.get("machine", "i-0e1")).toBeUndefined();
});

test("directory import says that a file has no entries", async () => {
  const { database } = await newDirectory();
  const { output } = await imported(database, "users.csv", "id,name,email\n");
  expect(output).toBe(
    "0 added, 0 changed, 0 unchanged.\nThe file has no entries: nothing below its first line, or an empty list.\n",
  );
});

test("directory import says which columns it does not use, and takes the kind as an option", async () => {
  const { database, store } = await newDirectory();
  const { output } = await imported(
    database,
    "export.csv",
    "id,name,state\np-1,Development,on\n",
    "--kind",
    "projects",
  );
  expect(output).toContain("The column “state” is not used.\n");
  expect(await store.get("project", "p-1")).toMatchObject({ name: "Development" });
});

test("the config's entries count before imported ones, which count again without it", async () => {
  const { database, store, user } = await newDirectory();
  const configured = { kind: "user", id: "u-1", body: { userId: "u-1", username: "Dana (config)" } } as const;
  await imported(database, "users.csv", users);
  await store.configure([configured]);
  expect(await user("u-1")).toMatchObject({ name: "Dana (config)", email: null });
  const { output } = await imported(database, "users.csv", users.replace("dana,", "dora,"));
  expect(output).toContain("0 added, 0 changed, 1 unchanged.\nnamed by the config file");
  expect(await user("u-1")).toMatchObject({ name: "Dana (config)" });
  await store.configure([]);
  expect([await user("u-1"), await user("u-2")]).toMatchObject([{ name: "dora" }, { name: "erik" }]);
});

test("an import goes before earlier answers and adds to them, and a later answer goes before it", async () => {
  const { database, store, user } = await newDirectory();
  const answer = (emailAddress: string, status: string) =>
    store.remember([{ kind: "user", id: "u-1", body: { userId: "u-1", username: "dana", emailAddress, status } }]);
  await answer("old@example.com", "disabled");
  expect((await imported(database, "users.csv", users)).output).toContain("1 added, 1 changed");
  expect(await user("u-1")).toMatchObject({
    email: "dana@example.com",
    body: { status: "disabled", mfaType: "google-auth" },
  });
  await answer("new@example.com", "enabled");
  expect((await imported(database, "users.csv", users)).output).toBe("0 added, 0 changed, 2 unchanged.\n");
  expect(await user("u-1")).toMatchObject({ email: "new@example.com" });
});

test("an imported project of a credential stays through answers and config changes, unless the config says another", async () => {
  const { database, store } = await newDirectory();
  const project = async () => (await store.get("credential", "cred-1"))?.projectId;
  const answer = { kind: "credential", id: "cred-1", body: { credentialId: "cred-1", name: "AWS" } } as const;
  await imported(database, "credentials.csv", "id,name,project\ncred-1,AWS,p-1\n");
  await store.remember([answer]);
  await store.configure([]);
  expect(await project()).toBe("p-1");
  await store.configure([{ ...answer, body: { ...answer.body, projectId: "p-config" } }]);
  await imported(database, "credentials.csv", "id,name,project\ncred-1,AWS,p-2\n");
  expect(await project()).toBe("p-config");
  await store.configure([]);
  expect(await project()).toBe("p-2");
});

test("directory import leaves out what was deleted", async () => {
  const { database, store } = await newDirectory();
  await store.remember([{ kind: "plan", id: "plan-1", body: { planId: "plan-1", name: "Old" } }]);
  await store.remember([{ kind: "plan", id: "plan-1", at: 1 }]);
  const { output } = await imported(database, "plans.csv", "id,name\nplan-1,New\n");
  expect(output).toContain("left out, since Curfew knows that the service deleted it:\n  plan plan-1 New\n");
  expect(await store.get("plan", "plan-1")).toMatchObject({ name: "Old", endedAt: 1 });
});

test.each([
  ["directory", "directory takes import or export"],
  ["directory import", "directory import takes one file"],
  ["directory import a.csv --kind user", "--kind must be one of users, projects"],
  ["directory export --format csv", "--format csv needs --kind: one list a file"],
  ["directory export --format xml --kind users", "--format must be json or csv"],
  ["directory import gone.csv", "gone.csv cannot be read: ENOENT"],
])("“%s” is refused with the reason", async (line, reason) => {
  const { code, errors } = await runWithArgs(line.split(" "));
  expect([code, errors]).toEqual([1, expect.stringContaining(reason)]);
});

test.each(["import plans.csv", "export"])("directory %s reports a missing database and creates none", async (line) => {
  const file = newDatabaseFile();
  const env = { DATABASE_URL: `sqlite:${file}` };
  const { code, errors } = await runWithArgs(["directory", ...line.split(" ")], {
    ...{ env, files: { "plans.csv": "id,name\nplan-1,Nightly\n" } },
  });
  expect([code, errors]).toEqual([1, expect.stringContaining(`${file} does not exist.`)]);
  expect(existsSync(file)).toBe(false);
});

test("directory import refuses an account that the config does not name, with the line", async () => {
  const { database, store } = await newDirectory();
  const config = `${exampleConfig}\naccounts:\n  eu: { url: "https://eu.scheduler.example" }\n`;
  const lines = [`eu/i-0e1,web-1,${ec2},eu/p-1,,`, `us/i-0e2,web-2,${ec2},us/p-1,,`];
  const run = (...all: readonly string[]) =>
    runWithArgs(["directory", "import", "machines.csv"], {
      env: { DATABASE_URL: urlOf(database), CURFEW_CONFIG: "c.yaml" },
      files: { "machines.csv": machines(...all), "c.yaml": config },
    });
  const { code, errors } = await run(...lines);
  expect(code).toBe(1);
  expect(errors.split("\n")).toEqual([
    "machines.csv:3:1 id: us/i-0e2 is in the account us, which “accounts” does not have",
    "machines.csv:3:4 project: us/p-1 is in the account us, which “accounts” does not have",
    "Nothing was imported.",
    "",
  ]);
  expect(await store.get("machine", "eu/i-0e1")).toBeUndefined();
  expect((await run(...lines.slice(0, 1))).code).toBe(0);
});

test("check and can look whether an import fills the groups that it is to fill", async () => {
  const { database } = await newDirectory();
  const payments = `  payments: { type: ${ec2}, project: p-dev, imported: true }\n`;
  const config = exampleConfig.replace("resourceGroups:\n", `resourceGroups:\n${payments}`);
  const run = (args: readonly string[], url = urlOf(database)) =>
    runWithArgs(args, { env: { DATABASE_URL: url }, files: { "c.yaml": config } });
  const can = ["can", "U03CAROL", "CreateActionExclusion", "--config", "c.yaml", "--project", "p-dev"];
  const none = `the group payments is of imported ${ec2} of p-dev, and it names none: import them with “directory import”`;
  expect(await run(["check", "c.yaml"])).toMatchObject({ code: 0, output: expect.stringContaining(none) });
  const { output } = await run(can);
  expect(output).toContain("imports     an import decides in which project and group a machine is");
  expect(output).toContain(none);
  await imported(database, "machines.csv", machines(`i-0e1,web-1,${ec2},p-web,payments,`));
  expect((await run(can)).output).toContain(`and it names ${ec2} of p-web`);
  await imported(database, "machines.csv", machines(`i-0e1,web-1,${ec2},p-dev,payments,`));
  expect(await run(["check", "c.yaml"])).toMatchObject({ output: "c.yaml is fine.\n" });
  expect((await run(can)).output).not.toContain("the group payments");
  expect((await run(can, "sqlite:/no/such/curfew.db")).output).toContain("there is no database that can be read");
});

test("can knows the imported machines of groups, as Curfew does, and says what the question leaves out", async () => {
  const { database } = await newDirectory();
  const config = `${exampleConfig
    .replace(
      "  roles:\n",
      `$&    cart: { members: [U05FINN], allow: [CreateActionExclusion], where: { groups: [cart] } }\n`,
    )
    .replace("resourceGroups:\n", `$&  cart: { type: ${ec2}, project: eu/p-1, imported: true }\n`)}
accounts: { eu: { url: "https://eu.scheduler.example.com" } }
budgets:
  - { groups: [cart], weeklyHours: 40, then: approval, approvers: [admin] }
  - { weeklyHours: 50, then: approval, approvers: [admin] }
`;
  const files = { "c.yaml": config, "machines.csv": machines(`eu/i-0e1,web-1,${ec2},eu/p-1,cart,`) };
  const run = (line: string) =>
    runWithArgs(line.split(" "), { env: { DATABASE_URL: urlOf(database), CURFEW_CONFIG: "c.yaml" }, files });
  await run("directory import machines.csv");
  const asked = "can U05FINN CreateActionExclusion --project eu/p-1 --length 2h";
  const denied = await run(`${asked} --machines eu/i-0e1`);
  expect([denied.code, denied.output]).toEqual([
    3,
    expect.stringContaining("about eu/i-0e1, whose type is not known."),
  ]);
  const allowed = await run(`${asked} --type ${ec2} --machines i-0e1`);
  expect([allowed.code, allowed.output]).toEqual([0, expect.stringMatching(/^allowed, perhaps with an approval: /)]);
  expect(allowed.output).toMatch(
    /perhaps {5}an approval of admin \(budgets\.0 {2}c\.yaml:\d+:5, budgets\.1 {2}c\.yaml:\d+:5\)\n/,
  );
  expect(allowed.output).toContain("  depends on  --hours, which the question does not give\n");
  expect((await run(`${asked} --type ${ec2} --machines i-0e1 --hours 1h`)).output).toMatch(/^allowed: /);
  expect((await run(`${asked} --type ${ec2} --machines i-0e1 --hours 49h`)).output).toMatch(
    /^allowed, with an approval: /,
  );
  expect((await run(`${asked} --type ${ec2} --machines i-0e2 --hours 1h`)).code).toBe(3);
});

test.each([
  ["--project main/p-dev", "--project: an id of the account “main” has nothing before it"],
  ["--project us/p-dev", "us/p-dev is in the account us, which “accounts” does not have"],
  ["--account us", "is in the account us, which “accounts” does not have"],
  ["--project p-dev --machines eu/i-0a1", "p-dev, eu/i-0a1: these are in the accounts main and eu"],
  ["--project p-dev --account eu", "these are in the accounts main and eu"],
])("can does not answer for %s", async (facts, problem) => {
  const config = `${exampleConfig}\naccounts: { eu: { url: "https://eu.scheduler.example.com" } }\n`;
  const asked = `can U03CAROL CreateActionExclusion --config c.yaml ${facts}`;
  const { code, output, errors } = await runWithArgs(asked.split(" "), { files: { "c.yaml": config } });
  expect([code, output, errors.split("\n")[0]]).toEqual([1, "", "Curfew cannot answer this:"]);
  expect(errors).toContain(problem);
});

test("can decides by the account, and notices a project that nobody listed", async () => {
  const config = `${exampleConfig.replace("  roles:\n", `$&    desk: { members: [U05FINN], allow: [ModifyUser], where: { accounts: [eu] } }\n`)}
accounts: { eu: { url: "https://eu.scheduler.example.com" } }
`;
  const can = (line: string) =>
    runWithArgs(["can", ...line.split(" "), "--config", "c.yaml"], { files: { "c.yaml": config } });
  expect((await can("U05FINN ModifyUser --account eu")).code).toBe(0);
  expect((await can("U05FINN ModifyUser --account main")).code).toBe(3);
  const unknown = "but see     Curfew has not heard of the project p-dve";
  expect((await can("U03CAROL CreateActionExclusion --project p-dve")).output).toContain(unknown);
  expect((await can("U03CAROL CreateActionExclusion --project p-dev")).output).not.toContain("but see");
});

test("a complete import that would forget most machines of its projects needs --yes", async () => {
  const { database } = await newDirectory();
  await importedMachines(
    database,
    ["i-0d1", "i-0d2", "i-0d3"].map((id) => `${id},,${ec2},p-1,,`),
  );
  await importedMachines(database, [`i-0d9,,${ec2},p-2,,`]);
  const { code, errors } = await importedMachines(database, [`i-0d1,,${ec2},p-1,,`], "--complete");
  const problem =
    "--complete would forget 2 of the 3 machines that Curfew knows in these projects. If that is meant, add --yes.";
  expect([code, errors]).toEqual([1, `${problem}\nNothing was imported.\n`]);
  const sure = await importedMachines(database, [`i-0d1,,${ec2},p-1,,`], "--complete", "--yes");
  expect([sure.code, sure.output]).toEqual([0, expect.stringContaining("machine i-0d3")]);
  expect((await exported(database, "--kind machines --format csv")).output.match(/i-0d\d/g)).toEqual([
    "i-0d1",
    "i-0d9",
  ]);
});

test("a group that only one machine names is remarked on, unless the config or an earlier import has it", async () => {
  const { database } = await newDirectory();
  await importedMachines(database, [`i-0d1,,${ec2},p-1,api,`, `i-0d2,,${ec2},p-1,api,`]);
  const lines = [`i-0d3,,${ec2},p-1,API,`, `i-0d4,,${ec2},p-dev,staging,`, `i-0d5,,${ec2},p-1,aip,`];
  const { code, output } = await runWithArgs(["directory", "import", "machines.csv"], {
    env: { DATABASE_URL: urlOf(database), CURFEW_CONFIG: "c.yaml" },
    files: { "c.yaml": exampleConfig, "machines.csv": machines(...lines) },
  });
  expect(code).toBe(0);
  expect(output).toContain("machines.csv:4:5 group: nothing else names the group “aip”: is it mistyped?\n");
  expect(output.match(/mistyped/g)).toHaveLength(1);
});

test("directory import - reads standard input, until a stop is asked for", async () => {
  const env = { DATABASE_URL: urlOf((await newDirectory()).database) };
  const args = ["directory", "import", "-", "--kind", "users"];
  expect((await runWithArgs(args, { env, input: users })).output).toMatch(/^2 added, /);
  expect((await runWithArgs(args, { env, input: "id,name\n,dana\n" })).errors).toMatch(/^-:2:1 id: /);
  expect((await runWithArgs(args, { env, input: users, stopAsked: Promise.resolve() })).code).toBe(130);
});
