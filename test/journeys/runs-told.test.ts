import { expect, it } from "vitest";
import { ask } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";
import { aWeekEach } from "../support/week-each.ts";

/** A Monday, 09:00 in London: staging stops at 19:00. */
const startAt = Date.parse("2027-04-05T08:00:00Z");
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const weekMs = 7 * 24 * hourMs;
const stopStaging = "a-00000002";

/** Two groups share a machine. Dave may list all actions, and read those of one project. */
const config = unlimitedConfig
  .replace(
    "resourceGroups:\n",
    `resourceGroups:
  web: { type: amazon-ec2-instance, project: p-dev, ids: [i-0a2], actions: [${stopStaging}] }
`,
  )
  .replace(
    "  roles:\n",
    `  roles:
    lister: { members: [U04DAVE], allow: [ListActions] }
    reader: { members: [U04DAVE], allow: [GetAction], where: { projects: [p-dev] } }
`,
  );

const { curfew, clock } = oneBot({ config, startAt });
aWeekEach(clock, startAt);
/** This week's Monday, 09:00 in London. */
const startAtOf = () => Math.round((clock.now() - startAt) / weekMs) * weekMs + startAt;
const told = async (who: string, line: string) => (await ask(curfew(), who, line)).text;
const poll = async () => {
  clock.advance(minuteMs);
  await curfew().app.watch();
};
const lineOf = (text: string, name: string) => text.split("\n").find((line) => line.includes(`*${name}* ·`)) ?? "";

const inAllThree = (thing: string) => linesIn(["status", "why", "next"], thing);
const linesIn = async (words: readonly string[], thing: string) => {
  const lines: string[] = [];
  for (const word of words) lines.push(lineOf(await told("alice", `${word} ${thing}`), "Stop staging at 19:00"));
  return lines;
};

it.each([
  ["staging", "exclude staging for 12h", "held back by alice: staging", "does not stop staging: kept up by you"],
  ["i-0a1", "exclude i-0a1 --project p-dev for 12h", "held back by alice: i-0a1", "does not stop i-0a1: kept"],
  ["i-0a2", "exclude i-0a1 --project p-dev for 12h", "", "· web ·"],
  ["staging", "exclude i-0a1 --project p-dev for 12h", "held back in part by alice: i-0a1", "but not i-0a1: kept"],
  [stopStaging, "exclude i-0a1 --project p-dev for 12h", "held back in part by alice: i-0a1", "but not i-0a1: kept"],
  [stopStaging, "exclude staging for 12h", "held back by alice: staging", "does not stop web, staging: kept"],
  ["staging", "exclude staging today 19:00-23:00", "held back by the plan for staging", "(planned)"],
])("holds the same run of %s back in `status`, `why` and `next` after “%s”", async (thing, line, held, inNext) => {
  await poll();
  await told("alice", line);
  const due = (startAtOf() + 10 * hourMs) / 1000;
  for (const said of await inAllThree(thing)) {
    expect(said).toContain(`<!date^${due}^`);
    expect(said.startsWith(":mute:")).toBe(held.startsWith("held back by"));
  }
  for (const said of await linesIn(["status", "why"], thing))
    expect(/held back [^·]*/.exec(said)?.[0].trim() ?? "").toBe(held);
  expect((await linesIn(["next"], thing))[0]).toContain(inNext);
});

it("tells the same last run in `status`, `why` and `next`, and that it was held back", async () => {
  const before = startAtOf();
  const lastOf = (said: string) => /last: <!date\^(\d+)\^[^>]*>([^·]*)/.exec(said)?.slice(1, 3).join("").trim() ?? "";
  const lasts = async (thing: string) => new Set((await inAllThree(thing)).map(lastOf));
  await told("alice", "exclude staging for 12h");
  expect(await lasts("staging"), "on Friday").toEqual(new Set([`${(before - 62 * hourMs) / 1000}`]));
  clock.advance(10 * hourMs - 30 * minuteMs);
  await poll();
  clock.advance(30 * minuteMs);
  await poll();
  const held = `${(before + 10 * hourMs) / 1000}, held back by alice: staging`;
  expect(await lasts("staging")).toEqual(new Set([held]));
  clock.advance(3 * hourMs);
  await poll();
  expect(await lasts(stopStaging), "also after the exclusion").toEqual(new Set([held]));
  expect(await lasts("i-0a1")).toEqual(new Set([held]));
});

it("tells the next run by the schedule where the service's answer has passed", async () => {
  const before = startAtOf();
  clock.advance(10 * hourMs - 5000);
  await told("alice", "next");
  clock.advance(6000);
  for (const said of await inAllThree("staging")) expect(said).toContain(`<!date^${(before + 34 * hourMs) / 1000}^`);
});

it("tells the last run of an action without a project only to those who may read actions of all projects", async () => {
  const { actions } = curfew().service.account;
  const action = actions.get(stopStaging);
  if (!action?.lastExecution) throw new Error("the action has not run");
  for (const [actionId, projectId] of [
    ["a-dev", "p-dev"],
    ["a-loose", null],
  ] as const)
    actions.set(actionId, Object.assign({ ...action, actionId, name: actionId }, { projectId }));
  await poll();
  const lastTold = async (who: string, id: string) => lineOf(await told(who, `status ${id}`), id).includes("last: ");
  expect(await lastTold("dave", "a-dev")).toBe(true);
  expect(await lastTold("dave", "a-loose")).toBe(false);
  expect(await lastTold("carol", "a-loose")).toBe(true);
});
