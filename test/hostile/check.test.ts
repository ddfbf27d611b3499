import { expect, it } from "vitest";
import { parseSettings } from "../../src/config/read-settings.ts";
import { wholeExample } from "../support/start-curfew.ts";

const warningsIn = (text: string): readonly string[] => {
  const read = parseSettings(text, "c.yaml");
  if ("problems" in read) throw new Error(read.problems.join("\n"));
  return read.lint.warning;
};
const exclusionRule = (operations: string, when = "{ longerThan: 8h }") =>
  wholeExample.replace(
    "approvals:\n",
    `approvals:\n  - { operations: [${operations}], approvers: [admin, helpdesk], when: ${when} }\n`,
  );

it("check has no warnings about the example", () => {
  expect(warningsIn(wholeExample)).toEqual([]);
});

it("check warns about a role that covers creating exclusions but not modifying them", () => {
  const text = wholeExample.replace("CreateActionExclusion, ModifyActionExclusion,", "CreateActionExclusion,");
  expect(warningsIn(text)).toEqual([
    expect.stringMatching(/permissions\.roles\.engineer\.allow: it covers making exclusions .* but not modifying them/),
  ]);
});

it("check warns about an approval rule that covers creating exclusions but not modifying them", () => {
  const warning = expect.stringMatching(/approvals\.0\.operations: it covers making exclusions .* but not modifying/);
  expect(warningsIn(exclusionRule("CreateActionExclusion"))).toEqual([warning]);
  expect(warningsIn(exclusionRule("CreateActionExclusion, ModifyActionExclusion"))).toEqual([]);
  const beside =
    "  - { operations: [ModifyActionExclusion], approvers: [admin, helpdesk], when: { longerThan: 4h } }\n";
  const both = exclusionRule("CreateActionExclusion").replace("approvals:\n  - ", `approvals:\n${beside}  - `);
  expect(warningsIn(both)).toEqual([]);
});

it("check warns about a resource that two groups place differently", () => {
  const other = "  other: { type: amazon-ec2-instance, project: p-prod, ids: [i-0a9, I-0A2] }\n";
  expect(warningsIn(wholeExample.replace("resourceGroups:\n", `resourceGroups:\n${other}`))).toEqual([
    expect.stringContaining(
      "i-0a2 is amazon-ec2-instance of p-prod in the group other, and amazon-ec2-instance of p-dev here",
    ),
  ]);
});
