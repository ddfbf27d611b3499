import { expect, test } from "vitest";
import { compareSettings } from "../../src/config/compare-settings.ts";
import { parseSettings } from "../../src/config/read-settings.ts";

const roles = `permissions:
  roles:
    release: { members: [], allow: [reads, CreateActionExclusion, ModifyUser], where: { channels: [C1] } }
    admin: { members: [U4], allow: ["*"] }
admins: { channel: C0ADMINS }
`;
const workflows = (section: string): string => `${roles}workflows: { ${section} }\n`;

function read(text: string) {
  const found = parseSettings(text, "c.yaml");
  if ("problems" in found) throw new Error(found.problems.join("\n"));
  return found;
}

test.each([
  [
    "an unknown role",
    workflows("steps: [keep_running], actAs: releas"),
    /workflows\.actAs: unknown role "releas".*"release"/,
  ],
  ["no steps", workflows("steps: [], actAs: release"), /workflows\.steps: must list at least one/],
  [
    "an unknown zone",
    workflows("steps: [keep_running], actAs: release, zone: Berlin"),
    /workflows\.zone: unknown time zone/,
  ],
  [
    "a channel's name",
    workflows("steps: [keep_running], actAs: release, channel: ops"),
    /workflows\.channel: "ops" is not a channel id/,
  ],
  ["an unknown key", workflows("steps: [keep_running], actAs: release, approver: [admin]"), /did you mean "approvers"/],
  ["a workspace's name", `${roles}teams: [acme]\n`, /teams\.0: "acme" is not a workspace id/],
])("refuses %s at its line", (_, text, problem) => {
  const found = parseSettings(text, "c.yaml");
  expect("problems" in found && found.problems.join("\n")).toMatch(problem);
});

const approvals = "approvals:\n  - { operations: [CreateActionExclusion], approvers: [admin] }\n";

test.each([
  [
    "an unknown step",
    workflows("steps: [keep_runing], actAs: release, channel: C1"),
    ['unknown step "keep_runing"; did you mean "keep_running"?'],
    [],
  ],
  [
    "a step that its role does not allow",
    workflows("steps: [end_exclusion], actAs: release, channel: C1"),
    ["does not allow DeleteActionExclusion"],
    [],
  ],
  [
    "a channel where its role allows nothing",
    workflows("steps: [keep_running], actAs: release"),
    ["nothing elsewhere than in C1"],
    [],
  ],
  [
    "an approval that nobody could give",
    `${workflows("steps: [keep_running, disable_user], actAs: release, channel: C1")}${approvals}`,
    ["approvals.0 may ask for an approval"],
    [],
  ],
  [
    "a role that allows everything",
    workflows("steps: [keep_running], actAs: admin"),
    [],
    ["its role allows everything"],
  ],
  [
    "accounts that may need an approval",
    `${workflows("steps: [disable_user], actAs: release, channel: C1")}identity: { approvers: [admin] }\n`,
    [],
    ["identity may ask for an approval"],
  ],
  [
    "nothing where approvers are named",
    `${workflows("steps: [keep_running], actAs: release, channel: C1, approvers: [admin]")}${approvals}`,
    [],
    [],
  ],
])("check reports %s", (_, text, errors, warnings) => {
  const { lint } = read(text);
  const about = (lines: readonly string[]) => lines.filter((line) => line.includes(" workflows"));
  expect(about(lint.error)).toEqual(errors.map((part) => expect.stringContaining(part)));
  expect(about(lint.warning)).toEqual(warnings.map((part) => expect.stringContaining(part)));
});

test("a reload that lets workflows do more, or more people in, waits for an admin; one that does less does not", () => {
  const less = workflows("steps: [keep_running], actAs: release, channel: C1");
  const more = workflows("steps: [keep_running, disable_user], actAs: release, channel: C1, approvers: [admin]");
  const loosens = (next: string, old: string) => compareSettings(read(next).settings, read(old).settings).loosens;
  const fewer = more.replace(", disable_user", "");
  expect(loosens(less, roles)).toEqual([
    "workflows is { steps: keep_running, actAs: release, channel: C1 }, instead of none.",
  ]);
  expect(loosens(more, less)).toEqual([
    "workflows.steps also has disable_user.",
    "workflows.approvers is admin, instead of none.",
  ]);
  expect(loosens(less.replace("channel: C1", "zone: UTC"), less)).toEqual([
    "workflows.channel is none, instead of C1.",
    "workflows.zone is UTC, instead of none.",
  ]);
  expect(loosens(fewer, more)).toEqual([]);
  expect(loosens(roles, less)).toEqual([]);
  expect(loosens(`${roles}teams: [T1, T2]\n`, `${roles}teams: [T1]\n`)).toEqual(["teams also has T2."]);
  expect(loosens(roles, `${roles}teams: [T1]\n`)).toHaveLength(1);
  expect(loosens(`${roles}teams: [T1]\n`, roles)).toHaveLength(1);
});
