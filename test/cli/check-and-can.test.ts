import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { exampleConfig } from "../support/start-curfew.ts";
import { runWithArgs } from "./run-with-args.ts";

const example = "manifest/curfew.example.yaml";
const withApprovals = `${exampleConfig}\napprovals:\n  - { operations: [RemoveUserMfa], approvers: [admin, engineer], count: 2 }\n`;

describe("check", () => {
  test("accepts a valid file without any variables", async () => {
    expect(await runWithArgs(["check", example])).toEqual({ code: 0, output: `${example} is fine.\n`, errors: "" });
  });

  test("reports every problem with its line and column", async () => {
    const text = exampleConfig
      .replace("CreateActionExclusion, ModifyActionExclusion", "CreateActionExclusions, ModifyActionExclusion")
      .replace("channel: C0ADMINS", "channel: admins")
      .replace("maxExclusion:", "maxExclussion:");
    const { code, output, errors } = await runWithArgs(["check", "my.yaml"], { files: { "my.yaml": text } });
    expect([code, output]).toEqual([1, ""]);
    expect(errors.split("\n")).toEqual([
      expect.stringMatching(/^my\.yaml:15:\d+ permissions\.roles\.engineer\.allow.*CreateActionExclusions/),
      expect.stringMatching(/^my\.yaml:\d+:\d+ .*where\.maxExclussion: unknown key .*; did you mean "maxExclusion"\?$/),
      expect.stringMatching(/^my\.yaml:\d+:\d+ admins\.channel/),
      "",
    ]);
  });

  test("reports errors with exit code 1, and warnings next to them", async () => {
    const warned = exampleConfig.replace("warn: 30m", "warn: 6h");
    const dead = `${warned}\napprovals:\n  - { operations: [reads], approvers: [admin] }\n`;
    const files = { "warned.yaml": warned, "dead.yaml": dead };
    const line = /^warned\.yaml is fine, but see:\nwarned\.yaml:\d+:9 exclusions\.warn: .*\n$/;
    const result = await runWithArgs(["check", "warned.yaml"], { files });
    expect(result).toEqual({ code: 0, output: expect.stringMatching(line), errors: "" });
    const { code, output, errors } = await runWithArgs(["check", "dead.yaml"], { files });
    expect([code, output]).toEqual([1, expect.stringMatching(/^See also:\ndead\.yaml:\d+:9 exclusions\.warn: /)]);
    expect(errors).toMatch(/^dead\.yaml:\d+:\d+ approvals\.0\.operations: only reads.*\n$/);
  });

  test("names each calendar that cannot be read, and why", async () => {
    const calendars = [
      "calendars:",
      "  - { name: holidays, file: ./no-such.ics }",
      "  - { name: letters, file: ./letters.ics }",
      '  - { name: freeze, url: "https://127.0.0.1:1/freeze.ics" }\n',
    ].join("\n");
    const folder = mkdtempSync(join(tmpdir(), "curfew-calendar-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "letters.ics"), "a letter");
    const config = join(folder, "my.yaml");
    const files = { [config]: `${exampleConfig}\n${calendars}` };
    const { code, output, errors } = await runWithArgs(["check", config], { files });
    const said = `${output}${errors}`;
    expect(said).toContain("The calendar “holidays” can't be read: its file does not exist.");
    expect(said).toContain("The calendar “letters” can't be read: it is no valid calendar in iCal form");
    expect(said).toContain("The calendar “freeze” can't be read: it leads to this machine");
    expect(code).toBe(0);
  });

  test("reads the file in CURFEW_CONFIG, also from .env, and curfew.yaml by default", async () => {
    const files = { ".env": "CURFEW_CONFIG=named.yaml", "named.yaml": exampleConfig };
    expect(await runWithArgs(["check"], { files })).toMatchObject({ code: 0, output: "named.yaml is fine.\n" });
    const env = { CURFEW_CONFIG: "set.yaml" };
    const set = { ...files, "set.yaml": exampleConfig };
    expect(await runWithArgs(["check"], { env, files: set })).toMatchObject({ output: "set.yaml is fine.\n" });
    expect(await runWithArgs(["check"])).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^curfew\.yaml does not exist/),
    });
  });
});

describe("can", () => {
  const enough = "--channel C0OPS --project p-dev --type amazon-ec2-instance --length 8h --groups S0ENGINEERS";
  const can = (line: string, files = {}) =>
    runWithArgs(["can", ...line.split(" ")], { env: { CURFEW_CONFIG: example }, files });

  test("prints an allowed operation and its rule, with exit code 0", async () => {
    const { code, output, errors } = await can(`U01ALICE CreateActionExclusion ${enough}`);
    expect([code, errors]).toEqual([0, ""]);
    expect(output.split("\n")).toEqual([
      "allowed: U01ALICE CreateActionExclusion",
      "  rule        permissions.roles.engineer.allow  manifest/curfew.example.yaml:15:14",
      "  limits      engineer: only in the channel C0OPS",
      "  limits      engineer: only in the project p-dev",
      "  limits      engineer: only for the resource type amazon-ec2-instance",
      "  limits      engineer: only for up to 1 d",
      "  roles       engineer",
      "  taken for   a full member, of the user groups S0ENGINEERS; Slack was not asked",
      "",
    ]);
  });

  test("takes the machines for roles, approvals and budgets of groups, and names them", async () => {
    const groups = `    team: { members: [U05FINN], allow: [CreateActionExclusion, ModifyActionExclusion], where: { groups: [staging] } }\n`;
    const rules = `budgets: [{ groups: [staging], weeklyHours: 40, then: refuse }]
approvals: [{ operations: [CreateActionExclusion], approvers: [admin], when: { groups: [staging] } }]
`;
    const files = { "my.yaml": `${exampleConfig.replace("  roles:\n", `$&${groups}`)}\n${rules}` };
    const asked =
      "U05FINN CreateActionExclusion --config my.yaml --project p-dev --type amazon-ec2-instance --hours 1h";
    const allowed = await can(`${asked} --machines i-0a1,i-0a2`, files);
    expect([allowed.code, allowed.output]).toEqual([0, expect.stringMatching(/^allowed, with an approval/)]);
    expect(allowed.output).toMatch(/limits {6}team: only for the group staging\n/);
    expect(allowed.output).toContain("of a resource in a week of the group staging is refused (budgets.0)");
    const denied = await can(`${asked} --machines i-0a1,i-0b1`, files);
    expect(denied.code).toBe(3);
    expect(denied.output).toMatch(/rule {8}permissions\.roles\.team\.where\.groups {2}my\.yaml:\d+/);
    expect(denied.output).toContain("only for the group staging, and this is about i-0a1, i-0b1.");
    expect((await can(asked, files)).output).toContain("and the machines here are not known.");
  });

  test("refuses what is longer than everybody may", async () => {
    const { code, output } = await can("U03CAROL CreateActionExclusion --length 30d --config my.yaml", {
      "my.yaml": exampleConfig,
    });
    expect([code, output]).toEqual([3, expect.stringMatching(/rule {8}exclusions\.longest {2}my\.yaml:\d+/)]);
    expect(output).toContain("An exclusion may last 14 d at most");
  });

  test("names the budgets of the question's project only", async () => {
    const budgets =
      "budgets:\n  - { projects: [p-prod], weeklyHours: 10, then: refuse }\n  - { projects: [p-dev], weeklyHours: 20, then: refuse }\n";
    const files = { "my.yaml": `${exampleConfig}\n${budgets}` };
    const { output } = await can(`U01ALICE CreateActionExclusion ${enough} --hours 1h --config my.yaml`, files);
    expect(output).toContain("(budgets.1)");
    expect(output).not.toContain("p-prod");
  });

  test("counts the hours that the question names against a budget, and names the budget", async () => {
    const files = {
      "my.yaml": `${exampleConfig}\nbudgets:\n  - { weeklyHours: 40, then: refuse }\n  - { weeklyHours: 30, then: approval, approvers: [admin] }\n`,
    };
    const asked = `U01ALICE CreateActionExclusion ${enough} --config my.yaml`;
    const allowed = await can(`${asked} --hours 20h`, files);
    expect(allowed.output).toMatch(/^allowed: /);
    expect(allowed.output).toContain("more than 40 h of a resource in a week is refused (budgets.0)");
    const approved = await can(`${asked} --hours 30h`, files);
    expect(approved.output).toMatch(/^allowed, with an approval/);
    expect(approved.output).toMatch(/approval {4}of admin \(budgets\.1 {2}my\.yaml:\d+:\d+\)/);
    const refused = await can(`${asked} --hours 38h`, files);
    expect([refused.code, refused.output]).toEqual([3, expect.stringMatching(/rule {8}budgets\.0 {2}my\.yaml/)]);
    expect(refused.output).toContain("This would be 46 of 40 h this week");
    expect((await can(asked, files)).code).toBe(3);
  });

  test("prints a denied operation, the reason, and who could do it, with exit code 3", async () => {
    const { code, output } = await can("U01ALICE ModifyUser --groups S0ENGINEERS");
    expect(code).toBe(3);
    expect(output).toMatch(/^denied: U01ALICE ModifyUser\n {2}rule {8}default deny\n {2}why {9}U01ALICE has no role/);
    expect(output).toContain("  could do it helpdesk (U02BOB)\n  could do it admin (U03CAROL)\n");
  });

  test("prints whom a person may ask to allow more", async () => {
    const { output } = await can(`U01ALICE CreateActionExclusion ${enough}`.replace("p-dev", "p-prod"));
    expect(output).toMatch(
      /^denied: .*\n {2}rule .*\n {2}why .*\n(?: {2}limits .*\n)+ {2}may ask {5}admin \(permissions\.roles\.engineer\.mayAsk {2}manifest\/curfew\.example\.yaml:\d+:\d+\)\n/,
    );
  });

  test("says that user groups are unknown unless they are given", async () => {
    const { code, output } = await can(`U01ALICE CreateActionExclusion ${enough}`.replace(" --groups S0ENGINEERS", ""));
    expect(code).toBe(3);
    expect(output).toMatch(/rule +default deny/);
    expect(output).toContain("of no user group (--groups gives them); Slack was not asked");
  });

  test.each([
    ["CreateActionExclusion", enough.replace("C0OPS", "C0SEC"), "channels"],
    ["CreateActionExclusion", enough.replace("--channel C0OPS ", ""), "channels"],
    ["CreateActionExclusion", enough.replace("p-dev", "p-prod"), "projects"],
    ["CreateActionExclusion", enough.replace("amazon-ec2-instance", "google-vm-instance"), "resourceTypes"],
    ["CreateActionExclusion", enough.replace("8h", "2d"), "maxExclusion"],
    ["ModifyActionExclusion", enough, "own"],
  ])("names the condition that fails for %s %s", async (operation, line, condition) => {
    const { code, output } = await can(`U01ALICE ${operation} ${line}`);
    expect(code).toBe(3);
    expect(output).toMatch(
      new RegExp(`rule +permissions\\.roles\\.engineer\\.where\\.${condition} .*yaml:\\d+:\\d+\\n`),
    );
  });

  test("accepts --own, and matches any of several groups", async () => {
    const line = `U01ALICE ModifyActionExclusion ${enough},S0OTHER --own`;
    expect(await can(line)).toMatchObject({ code: 0 });
  });

  test("knows a pipeline by its name, and gives it the role that the config names", async () => {
    const { code, output } = await can(`caller:deploy-bot CreateActionExclusion ${enough}`);
    expect(code).toBe(0);
    expect(output).toContain("a pipeline: it has the one role that callers gives it");
    expect((await can("caller:other-bot ListActions")).code).toBe(3);
  });

  test("names the required approvers and their config entry", async () => {
    const files = { "my.yaml": withApprovals };
    const { code, output } = await can("U02BOB RemoveUserMfa --config my.yaml", files);
    expect(code).toBe(0);
    expect(output.split("\n").slice(0, 3)).toEqual([
      "allowed, with an approval: U02BOB RemoveUserMfa",
      "  rule        permissions.roles.helpdesk.allow  my.yaml:28:14",
      expect.stringMatching(/^ {2}approval {4}of 2 of admin or engineer \(approvals\.0 {2}my\.yaml:\d+:5\)$/),
    ]);
    expect((await can("U02BOB ModifyUser --config my.yaml", files)).output).toMatch(/^allowed: U02BOB ModifyUser\n/);
    const denied = await can("U04DAVE RemoveUserMfa --config my.yaml", files);
    expect(denied).toMatchObject({ code: 3 });
    expect(denied.output).not.toContain("approval");
  });

  test("says that a reason and a ticket are needed", async () => {
    const required = 'require: [{ operations: [RemoveUserMfa], reason: true, ticket: "^HD-[0-9]+$" }]\n';
    const files = { "my.yaml": `${exampleConfig}${required}` };
    const { output } = await can("U02BOB RemoveUserMfa --config my.yaml", files);
    expect(output).toContain("  takes       a reason\n  takes       a ticket of the form ^HD-[0-9]+$\n");
    expect((await can("U02BOB ModifyUser --config my.yaml", files)).output).not.toContain("takes");
  });

  test("reports everything wrong with the question together, with the nearest names", async () => {
    const line = "alice CreateActionExclusions --channel ops --type ec2 --length long --groups U01ALICE";
    const { code, output, errors } = await can(line);
    expect([code, output]).toEqual([1, ""]);
    expect(errors.split("\n")).toEqual([
      "Curfew cannot answer this:",
      expect.stringMatching(/^the user: must be a user id/),
      expect.stringMatching(/^the operation: unknown operation.*did you mean "CreateActionExclusion"/),
      expect.stringMatching(/^--channel: "ops" is not a channel id/),
      expect.stringMatching(/^--type: unknown resource type "ec2"/),
      expect.stringMatching(/^--length: "long": That is not a length/),
      expect.stringMatching(/^--groups: must be user group ids/),
      "",
    ]);
  });

  test("reports a broken config instead of deciding by part of it", async () => {
    const files = { "my.yaml": exampleConfig.replace("allow: [reads,", "allow: [read,") };
    const { code, output, errors } = await can("U03CAROL ModifyUser --config my.yaml", files);
    expect([code, output]).toEqual([1, ""]);
    expect(errors).toMatch(/^my\.yaml:15:\d+ permissions\.roles\.engineer\.allow/);
  });
});

test.each([
  ["chekc", "Curfew cannot do this:"],
  ["check --own", "Curfew cannot check this:"],
  ["audit check", "Curfew cannot look at the history:"],
  ["doctor --csv", "Curfew cannot examine this:"],
  ["database", "Curfew cannot move the database:"],
  ["--confg my.yaml", "Curfew cannot start:"],
])("problems with “%s” get the heading of its command", async (line, heading) => {
  expect((await runWithArgs(line.split(" "))).errors.split("\n")[0]).toBe(heading);
});

test.each([
  ["chekc", 'there is no command "chekc"'],
  ["check one.yaml two.yaml", "check takes one file"],
  ["can U01ALICE", "can takes a user id and an operation"],
  ["can U01ALICE ModifyUser now", "can takes a user id and an operation"],
  ["can S0ENGINEERS ModifyUser", "must be a user id"],
  ["check --own", "--own"],
  ["doctor --csv", "--csv"],
  ["doctor curfew.yaml", "curfew.yaml"],
  ["doctor --config=", "--config names no file"],
  ["audit", "audit takes verify or export"],
  ["audit check", "audit takes verify or export"],
  ["audit verify --format csv", "--format"],
  ["audit verify --expect 4", "--expect must be <count>:<hash>"],
  ["audit export --format xml", "--format must be jsonl or csv"],
  ["audit export --since yesterday", "--since must be a date such as 2026-11-01"],
  ["audit export --since 2026-02-31", "--since must be a date such as 2026-11-01"],
])("refuses the arguments “%s”", async (line, problem) => {
  const { code, output, errors } = await runWithArgs(line.split(" "));
  expect([code, output]).toEqual([1, ""]);
  expect(errors).toContain(problem);
});

test.each([
  "--help",
  "check --help",
  "can -h",
  "doctor --help",
  "audit --help",
  "audit verify --help",
  "audit export -h",
])("%s lists every command", async (line) => {
  const { code, output } = await runWithArgs(line.split(" "));
  expect(code).toBe(0);
  for (const command of ["check [file]", "can <user id>", "doctor [--config", "audit verify", "audit export"])
    expect(output).toContain(command);
});
