import { expect, test } from "vitest";
import type { PlannedExclusion } from "../../src/commands/exclusion/exclusion-impact.ts";
import { previewExclusion } from "../../src/commands/exclusion/exclusion-preview.ts";
import { noon } from "../changes/build.ts";
import { anActor } from "../permissions/build.ts";
import { aFillContext, aGroup } from "./fill-context.ts";

const groups = {
  staging: aGroup(["i-1", "i-2"], ["a-00000002", "a-00000001"]),
  // By tag, and two by name. The last is for databases, so it says nothing of these machines.
  builders: aGroup(["i-3"], ["BUILD"]),
  lab: aGroup(["i-4"], ["Stop QA", "start qa", "Stop staging databases"]),
  weekend: aGroup(["i-5"], ["staging"]),
  none: aGroup(["i-6"], []),
  stale: aGroup(["i-7"], ["a-00000099"]),
  untold: aGroup(["i-8"]),
};
const berlin = (time: string, day = "Fri 20") => `${day} Nov, ${time}`;
const hours = (count: number) => noon + count * 3_600_000;
const actor = anActor({ timeZone: "Europe/Berlin" });
type Edits = Parameters<typeof aFillContext>[1];

/** The preview of an exclusion of machines from being stopped, until 19:30 UTC, half past eight in Berlin. */
async function linesFor(resourceIds: readonly string[], facts: PlannedExclusion = {}, edits: Edits = {}) {
  const context = await aFillContext(groups, edits);
  const usual = { type: "amazon-ec2-instance", project: "p-dev", process: "stop", until: hours(7.5) } as const;
  const { lines } = await previewExclusion({ resourceIds, ...usual, ...facts }, { ...context, actor });
  return lines.filter((line) => !line.startsWith("These are the resources"));
}

const due = (what: string, end = berlin("20:30")) => `Due in Development, EC2: ${what} before ${end}`;
const stopStaging = `Prevents “Stop staging at 19:00”: ${berlin("20:00")}.`;
const stopBuild = `Prevents “Stop build machines”: ${berlin("23:00")}.`;
const aloneDue = [
  `${due("1 action for stopping")}:`,
  `• Stop staging at 19:00: ${berlin("20:00")}`,
  "It may be for other resources.",
];

test("a group's actions are prevented, and the runs of other machines are not said", async () => {
  expect(await linesFor(["i-2", "i-1"], { until: hours(10.5) })).toEqual([stopStaging]);
});

test("a group's actions are found by tag and by name, and only those of its kind", async () => {
  expect(await linesFor(["i-3"], { until: hours(10.5) })).toContain(stopBuild);
  const lines = await linesFor(["i-4"], { until: hours(12), process: "both" });
  expect(lines).toEqual([
    `Prevents “Start QA”: ${berlin("14:00")}.`,
    `Prevents “Stop QA”: ${berlin("00:30", "Sat 21")}.`,
  ]);
});

test("a run that comes again before the end is mentioned", async () => {
  const lines = await linesFor(["i-3"], { until: hours(72) });
  expect(lines).toContain(`${stopBuild.slice(0, -1)}, and its later runs before the end.`);
});

test("no more than three are listed, and the others counted", async () => {
  const edits = {
    "Stop build machines": { tags: ["staging"] },
    "Stop QA": { tags: ["staging"] },
    "Start QA": { tags: ["staging"] },
  };
  const lines = await linesFor(["i-5"], { until: hours(12), process: "both" }, edits);
  expect(lines.slice(2)).toEqual([stopBuild, "Prevents 1 more action of “weekend”."]);
});

test.each([
  ["whose actions run later", ["i-1", "i-2"], "staging"],
  ["that says it has none", ["i-6"], "none"],
  ["whose actions the service does not list", ["i-7"], "stale"],
])("a group %s prevents nothing", async (_, ids, name) => {
  expect(await linesFor(ids, { until: hours(5) })).toEqual([
    `No action of “${name}” for stopping runs before ${berlin("18:00")}.`,
  ]);
});

test("other resources besides a group change nothing, and several groups are each prevented", async () => {
  expect(await linesFor(["i-1", "i-9", "i-2"])).toEqual([stopStaging]);
  expect(await linesFor(["i-1", "i-2", "i-3"], { until: hours(10.5) })).toEqual([stopStaging, stopBuild]);
  expect(await linesFor(["i-1", "i-2", "i-6"], { until: hours(5) })).toEqual([
    `No action of “staging” and “none” for stopping runs before ${berlin("18:00")}.`,
  ]);
});

test.each([
  ["a part of a group", ["i-1"]],
  ["a group that does not name its actions", ["i-8"]],
  ["resources of no group", ["i-9"]],
])("nothing is said to be prevented for %s", async (_, ids) => {
  expect(await linesFor(ids)).toEqual(aloneDue);
});

test("a group of another type or project says nothing of these resources", async () => {
  const none = "no known action for stopping";
  expect(await linesFor(["i-1", "i-2"], { project: "p-prod" })).toEqual([
    `Due in p-prod, EC2: ${none} before ${berlin("20:30")}.`,
  ]);
  expect(await linesFor(["i-1", "i-2"], { type: "amazon-ebs-volume" })).toEqual([
    `Due in Development, EBS: ${none} before ${berlin("20:30")}.`,
  ]);
});

test.each([
  ["amazon-stop-everything", true],
  ["stop-machines", true],
  ["Amazon-Stop-EC2-Instances", false],
  ["azure-stop-everything", false],
  ["amazon-stop-rds-clusters", false],
  ["amazon-tidy-everything", false],
])("the kind of %s cannot be told: %s", async (actionType, isUnsure) => {
  const lines = await linesFor(["i-9"], {}, { "Stop staging databases": { actionType, schedule: atHalfPastSix } });
  const cannotTell = "“Stop staging databases” may be due too: Curfew cannot tell what kind of resources it is for.";
  expect(lines.includes(cannotTell)).toBe(isUnsure);
});
const atHalfPastSix = {
  ...{ scheduleType: "daily", startDate: "2025-03-01", timeOfDay: "18:30:00", timeZoneId: "UTC" },
  parameters: { days: ["friday"] },
};

test("several of an unknown kind are counted, and a group may name one", async () => {
  const unknown = { actionType: "amazon-stop-everything" };
  const edits = { "Stop staging databases": { ...unknown, schedule: atHalfPastSix }, "Stop staging at 19:00": unknown };
  expect(await linesFor(["i-9"], {}, edits)).toEqual([
    `${due("no known action for stopping")}.`,
    "“Stop staging databases” and 1 more may be due too: Curfew cannot tell what kind of resources they are for.",
  ]);
  expect((await linesFor(["i-1", "i-2"], {}, edits))[0]).toBe(stopStaging);
});

test("a plan is told the runs of its own time, and none of those before", async () => {
  const tomorrow = { from: hours(24), until: hours(29) };
  const time = `between ${berlin("13:00", "Sat 21")} and ${berlin("18:00", "Sat 21")}`;
  expect(await linesFor(["i-1", "i-2"], { from: hours(70), until: hours(80) })).toContain(
    `Prevents “Stop staging at 19:00”: ${berlin("20:00", "Mon 23")}.`,
  );
  const lines = await linesFor(["i-1", "i-2"], tomorrow, { "Stop staging at 19:00": { isEnabled: false } });
  expect(lines[0]).toBe(`No action of “staging” for stopping runs ${time}.`);
});

test("nothing is said before type, project, process and end are known", async () => {
  for (const key of ["type", "project", "process", "until"])
    expect(await linesFor(["i-1", "i-2"], { [key]: undefined })).toEqual([]);
});
