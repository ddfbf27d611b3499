import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { parseSettings } from "../../src/config/read-settings.ts";
import { editorAccepts } from "../support/editor-accepts.ts";
import { everySetting } from "../support/every-setting.ts";

const roles = "permissions: { roles: { admin: { members: [U03CAROL], allow: ['*'] } } }\n";
const withRole = (role: string) => `permissions: { roles: { admin: { members: [U03CAROL], allow: ['*'], ${role} } } }`;
const whole = (example: string): string => (/^(permissions:|\{\})/m.test(example) ? example : `${roles}${example}`);

const snippets = ["README.md", ...readdirSync("manifest").map((name) => `manifest/${name}`)]
  .filter((path) => path.endsWith(".md"))
  .flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(
      ([, text = ""], index) => [path, index + 1, whole(text)] as const,
    ),
  );

test.each(snippets)("%s: editors take example %i", (_path, _index, text) => {
  expect(editorAccepts(parse(text))).toBe(true);
});

test("editors take the example file, which names its schema in the first line, and a file with every key", () => {
  const example = readFileSync("manifest/curfew.example.yaml", "utf8");
  expect(example.split("\n")[0]).toBe("# yaml-language-server: $schema=./curfew.schema.json");
  expect(editorAccepts(parse(example))).toBe(true);
  expect(editorAccepts(parse(everySetting))).toBe(true);
});

test.each([
  "lists: { prod: [p-1] }\nwarnings: [{ projects: $prod, channel: C0OPS }]",
  "lists: { prod: [p-1] }\nwarnings: [{ projects: [$prod, p-2], channel: C0OPS }]",
  "exclusions: { default: 1 hour and 30 minutes }",
  "digest: [{ channel: C0OPS }, { channel: C0SEC, day: fri }]",
  "identity: { coolOff: 0, approvers: [admin] }\nadmins: { channel: C0ADMINS }",
  "channels: { C0OPS: {} }",
])("editors take what Curfew takes: %s", (text) => {
  expect(parseSettings(`${roles}${text}`, "c.yaml")).toHaveProperty("settings");
  expect(editorAccepts(parse(`${roles}${text}`))).toBe(true);
});

test.each([
  "permissions: {}",
  "{}",
  "permissions: { roles: { admin: { members: [U03CAROL] } } }",
  "permissions: { roles: { admin: { members: ['@carol'], allow: ['*'] } } }",
  "permissions: { roles: { admin: { members: [U03CAROL], allow: [] } } }",
  "permissions: { roles: { admin: { members: [U03CAROL], allow: [CreateActionExlusion] } } }",
  withRole("wher: {}"),
  withRole("where: { channels: ['#ops'] }"),
  withRole("where: { projects: p-dev }"),
  withRole("where: { resourceTypes: [amazon-ec2] }"),
  withRole("where: { maxExclusion: forever }"),
  withRole("where: { maxExclusion: 24 }"),
  withRole("where: { weeklyHours: 169 }"),
  withRole("where: { own: 'yes' }"),
  withRole("mayAsk: { operations: [ModifyUser] }"),
  "aprovals: []",
  "approvals: { operations: [ModifyUser], approvers: [admin] }",
  "approvals: [{ operations: [ModifyUser], approvers: [admin], count: 0 }]",
  "approvals: [{ operations: [ModifyUser], approvers: [admin], when: { longer: 1h } }]",
  "budgets: [{ weeklyHours: 40 }]",
  "budgets: [{ weeklyHours: 40, then: deny }]",
  "budgets: [{ weeklyHours: 40, then: warn, approvers: [admin] }]",
  "budgets: [{ weeklyHours: 40, then: approval }]",
  "identity: { coolOff: never, approvers: [admin] }",
  "announce: [{ operations: [everywhere], channel: C0OPS }]",
  "consoleUrl: { machine: 'https://console.example.com/{id}' }",
  "exclusions: { dayStarts: '8:00' }",
  "exclusions: { dayEnds: '24:00' }",
  "channels: { ops: { project: p-dev } }",
  "warnings: [{ channel: C0OPS, processes: [backup] }]",
  "warnings: [{ channel: C0OPS, quiet: '22-7' }]",
  "digest: { channel: C0OPS, day: monday }",
  "limits: { perPersonPerMinute: -1 }",
  "limits: { perPersonPerMinute: 1.5 }",
  "admins: C0ADMINS",
  "service: { stopTime: later }",
  "resourceGroups: { 'two words': { type: amazon-ec2-instance, project: p-dev, ids: [i-1] } }",
  "resourceGroups: { staging: { type: amazon-ec2-instance, project: p-dev, ids: [] } }",
  "calendars: [{ name: Holidays, file: ./holidays.ics }]",
  "calendars: [{ name: holidays, file: ./holidays.ical }]",
  "calendars: [{ name: holidays }]",
  "calendars: [{ name: holidays, file: ./holidays.ics, url: 'https://calendar.example.com/' }]",
  "callers: [{ name: deploy-bot, tokenSha256: secret, role: admin, channel: C0OPS }]",
  "callers: [{ name: Deploy Bot, tokenSha256: 6e189d445ccc28b557e4bcc9f45119ca7dc4ef47e39ce9b8e648b11c000277d3, role: admin, channel: C0OPS }]",
  "workflows: { actAs: admin }",
  "teams: [dev]",
  "directory: { users: [{ id: u-1 }] }",
  "directory: { users: [{ id: u-1, name: bob, email: bob }] }",
  "directory: { machines: [] }",
  "lists: { prod: p-1 }",
  "lists: { prod: [$other] }",
])("editors mark what Curfew refuses: %s", (line) => {
  const text = whole(line);
  expect(parseSettings(text, "c.yaml")).toHaveProperty("problems");
  expect(editorAccepts(parse(text))).toBe(false);
});
