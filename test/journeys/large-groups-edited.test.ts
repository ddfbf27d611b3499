import { afterEach, expect, it } from "vitest";
import { callLine, rootToken, withRootBot } from "../support/as-caller.ts";
import {
  ask,
  buttonsOn,
  cardOf,
  changesSentTo,
  end,
  messagesAfter,
  nowOf,
  openForm,
  send,
  textOf,
} from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { passTo } from "../support/pass-to.ts";
import { reload, unlimitedConfig } from "../support/start-curfew.ts";

const fleet = Array.from({ length: 450 }, (_, at) => `i-0b${String(at).padStart(4, "0")}`);
const depot = Array.from({ length: 250 }, (_, at) => `i-0d${String(at).padStart(4, "0")}`);
const yard = Array.from({ length: 250 }, (_, at) => `i-0e${String(at).padStart(4, "0")}`);
const config = withRootBot(unlimitedConfig).replace(
  "resourceGroups:\n",
  `resourceGroups:
  fleet: { type: amazon-ec2-instance, project: p-dev, ids: [${fleet.join(", ")}] }
  depot: { type: amazon-ec2-instance, project: p-dev, ids: [${depot.join(", ")}] }
  yard: { type: amazon-ec2-instance, project: p-dev, ids: [${yard.join(", ")}] }
`,
);
const withBudget = config.replace("maxExclusion: 24h", "maxExclusion: 24h\n        weeklyHours: 3");
const { curfew, clock } = oneBot({ config, startAt: Date.parse("2026-11-25T12:00:00Z") });
const told = async (who: string, line: string) => (await ask(curfew(), who, line)).text;
const { workspace } = { workspace: () => curfew().workspace };
const inService = () =>
  [...curfew().service.account.exclusions.values()].filter(
    ({ resourceIds, expiryDate }) => resourceIds[0]?.startsWith("i-0b0") && Date.parse(expiryDate) > clock.now(),
  );
const sizes = () => inService().map(({ resourceIds }) => resourceIds.length);
const ends = () => new Set(inService().map(({ expiryDate }) => expiryDate));
const passHours = (hours: number) => passTo(curfew(), clock, new Date(clock.now() + hours * 3_600_000).toISOString());
const timeIn = (hours: number) =>
  new Intl.DateTimeFormat("en-GB", { timeZone: "Europe/Berlin", timeStyle: "short" }).format(
    clock.now() + hours * 3_600_000,
  );
const fails = () => curfew().service.faults.next({ kind: "status", status: 403, operation: "ModifyActionExclusion" });
/** The first parts are altered, then the answers of one are lost. */
const losesAfter = (parts: number) => {
  const { faults } = curfew().service;
  const operation = "ModifyActionExclusion";
  for (let at = 0; at < parts; at++) faults.next({ kind: "latency", ms: 0, operation });
  for (let tries = 0; tries < 5; tries++) faults.next({ kind: "reset-before", operation });
};

afterEach(async () => {
  curfew().service.faults.clear();
  await reload(curfew(), config);
  if (inService().length > 0) await end(curfew(), "alice", "fleet");
});

it("a large group is edited as a whole: its name, its end and why; nothing else of it can be", async () => {
  const kept = await ask(curfew(), "alice", "keep fleet up for 2h");
  const card = await cardOf(curfew(), kept.changeId);
  const edit = await openForm(curfew(), "alice", "edit fleet");
  for (const label of ["Effect", "Enabled", "Resource"]) expect(edit.text).not.toContain(label);
  const sent = changesSentTo(curfew());
  const edited = await send(curfew(), "alice", {
    Name: "Load test",
    Until: Math.floor(clock.now() / 60_000) * 60 + 10_800,
  });
  expect(edited.text).toContain("You changed “alice: fleet”");
  expect(sent()).toEqual(Array(3).fill("ModifyActionExclusion"));
  expect(inService().map(({ name }) => name)).toEqual([1, 2, 3].map((part) => `Load test (${part} of 3)`));
  expect([ends().size, sizes()]).toEqual([1, [200, 200, 50]]);
  await workspace().waitFor(() => textOf(nowOf(curfew(), card)).includes("edited by"));
  const [until] = [...ends()];
  await ask(curfew(), "alice", "edit fleet because the demo moved");
  expect([...ends()]).toEqual([until]);
  await workspace().waitFor(() => textOf(nowOf(curfew(), card)).includes("the demo moved"));
  const before = sent();
  // A line that says more of it does nothing, not even what it could.
  for (const flag of ["enabled no", "process start", "type amazon-rds-instance", "method all", "resource-ids i-0b0001"])
    for (const rest of [" --name Zed", " because x", ""])
      expect(await told("alice", `edit fleet --${flag}${rest}`)).toContain("only its name and its end can be edited");
  const byProgram = await callLine(curfew(), "edit fleet --enabled no because x", { token: rootToken });
  expect([byProgram.status, JSON.stringify(byProgram.body)]).toEqual([422, expect.stringContaining("only its name")]);
  expect(await told("alice", 'edit fleet --name "Load test"')).toContain("It is like that already");
  expect(sent()).toEqual(before);
  const late = await ask(curfew(), "alice", "edit fleet until 18:00");
  expect((await ask(curfew(), "alice", `undo ${late.changeId}`)).text).toContain("Undone.");
  expect([...ends()]).toEqual([until]);
});

it("a name that is edited leaves each part its own end, and an end that is moved is not undone to another", async () => {
  await ask(curfew(), "alice", "keep fleet up for 2h");
  fails();
  await ask(curfew(), "alice", "extend fleet 1h");
  const both = [...ends()];
  expect(both).toHaveLength(2);
  const named = await ask(curfew(), "alice", "edit fleet --name Fleet");
  expect([...ends()]).toEqual(both);
  expect(inService().map(({ name }) => name)).toEqual([1, 2, 3].map((part) => `Fleet (${part} of 3)`));
  expect((await ask(curfew(), "alice", `undo ${named.changeId}`)).text).toContain("Undone.");
  expect([...ends()]).toEqual(both);
  const later = timeIn(6);
  for (const line of [`edit fleet until ${later}`, `extend fleet until ${later}`]) {
    const moved = await ask(curfew(), "alice", line);
    expect([buttonsOn(moved.message), ends().size]).toEqual([[], 1]);
    expect(await told("alice", `undo ${moved.changeId}`)).toContain("it has no way back. Nothing was changed.");
    expect(ends().size).toBe(1);
    fails();
    await ask(curfew(), "alice", "extend fleet 1h");
  }
  const ended = await end(curfew(), "alice", "fleet");
  expect(await told("alice", `undo ${ended.changeId}`)).toContain("it has no way back. Nothing was changed.");
});

it("a name that a part did not take is not that of the whole yet", async () => {
  await ask(curfew(), "alice", "keep fleet up for 2h");
  fails();
  const partly = await ask(curfew(), "alice", "edit fleet --name Other");
  expect(partly.text).toContain("It is partly done: 250 of 450 machines.");
  expect(await told("alice", "list mine")).not.toContain("Other");
  const again = await messagesAfter(curfew(), "alice", () =>
    workspace().as("alice").press("Try again", partly.message),
  );
  expect(again.text).toContain("You changed “alice: fleet”");
  expect(inService().map(({ name }) => name)).toEqual([1, 2, 3].map((part) => `Other (${part} of 3)`));
  expect(await told("alice", "list mine")).toContain("Other");
  fails();
  await ask(curfew(), "alice", "edit fleet --name Third");
  expect((await ask(curfew(), "alice", "edit fleet --name Third")).text).toContain("You changed “Other”");
  expect(inService().map(({ name }) => name)).toEqual([1, 2, 3].map((part) => `Third (${part} of 3)`));
});

it("an edit after a part is over says nothing of the machines of that part", async () => {
  const kept = await ask(curfew(), "alice", "keep fleet up for 1h");
  fails();
  const partly = await ask(curfew(), "alice", "extend fleet 3h");
  const card = await cardOf(curfew(), kept.changeId);
  const isSaid = () => /i-0b0000, i-0b0001 and 198 more until <!date/.test(textOf(nowOf(curfew(), card)));
  await workspace().waitFor(isSaid);
  const id = `${inService()[0]?.actionExclusionId}+`;
  await passHours(2);
  expect(sizes()).toEqual([200, 50]);
  expect(partly.text).toContain("It is partly done: 250 of 450 machines.");
  const said = await ask(curfew(), "alice", `edit ${id} because the demo moved`);
  expect(said.text).toContain("You changed “alice: fleet”.");
  await workspace().waitFor(() => textOf(nowOf(curfew(), card)).includes("the demo moved") && isSaid());
  const named = await ask(curfew(), "alice", `edit ${id} --name Fleet`);
  expect(named.text).toContain("You changed “alice: fleet”.");
  const history = await told("alice", `history ${named.changeId}`);
  expect(history).toContain("Fleet");
  expect(history).not.toMatch(/took|Resources/);
  expect((await ask(curfew(), "alice", `undo ${named.changeId}`)).text).toContain("Undone.");
});

it("a large group is kept several times, each time as a whole, and less often than a small one", async () => {
  expect(await told("alice", "keep fleet up every day 18:00-22:00 for 8 weeks")).toMatch(
    /That is 5\d times, and a series of so many machines has at most 26\./,
  );
  const planned = await ask(curfew(), "alice", "keep fleet up every day 18:00-20:00 for 2 days");
  expect(planned.text).toContain("fleet");
  expect(sizes()).toEqual([]);
  const sent = changesSentTo(curfew());
  for (const [day, count] of [
    ["2026-11-25", 3],
    ["2026-11-26", 6],
  ] as const) {
    await passTo(curfew(), clock, `${day}T17:00:05Z`);
    await workspace().waitFor(() => sizes().length === 3);
    expect(sent()).toEqual(Array(count).fill("CreateActionExclusion"));
    expect(inService().flatMap(({ resourceIds }) => resourceIds)).toEqual(fleet);
    expect((await told("alice", "list mine")).match(/\*fleet\* · until/g)).toHaveLength(1);
    await passTo(curfew(), clock, `${day}T19:00:10Z`);
  }
  const card = await cardOf(curfew(), planned.changeId);
  await workspace().waitFor(() => nowOf(curfew(), card).text.startsWith("alice kept fleet running every day"));
});

it("counts the hours of parts that are known while others are not, and of all when they are", async () => {
  await ask(curfew(), "alice", "keep depot up for 1h");
  losesAfter(1);
  const unknown = await ask(curfew(), "alice", "extend depot 1h");
  expect(unknown.text).toContain(":grey_question: 50 machines");
  curfew().service.faults.clear();
  await reload(curfew(), withBudget);
  const isRefused = async (machine: string) => {
    const planned = await told("alice", `keep ${machine} up tomorrow from 10:00 to 11:30`);
    return planned.includes("at most 3 h of each in a week");
  };
  expect([await isRefused("i-0d0001"), await isRefused("i-0d0241")]).toEqual([true, false]);
  // Found out after the end that it had before: the time since then counts as well.
  await passHours(1.5);
  await reload(curfew(), config);
  const known = await messagesAfter(curfew(), "alice", () =>
    workspace().as("alice").press("It was done", unknown.message),
  );
  expect(known.text).toContain("now until");
  await reload(curfew(), withBudget);
  expect([await isRefused("i-0d0002"), await isRefused("i-0d0242")]).toEqual([true, true]);
});

it("counts the hours of an extension found out after changes that came before it, and after the end of a part", async () => {
  await ask(curfew(), "alice", "keep yard up for 1h");
  fails();
  const partly = await ask(curfew(), "alice", "extend yard 2h");
  expect(partly.text).toContain("It is partly done: 50 of 250 machines.");
  await passHours(2);
  const held = [...curfew().service.account.exclusions.values()].filter(
    ({ resourceIds }) => resourceIds[0] === "i-0e0000",
  );
  const id = `${held.at(-1)?.actionExclusionId}+`;
  expect((await ask(curfew(), "alice", `extend ${id} 1h`)).text).toContain("now until");
  losesAfter(0);
  const unknown = await ask(curfew(), "alice", `extend ${id} 2h`);
  curfew().service.faults.clear();
  await messagesAfter(curfew(), "alice", () => workspace().as("alice").press("It was done", unknown.message));
  // Six hours: one, two more, one more and two more.
  await reload(curfew(), config.replace("maxExclusion: 24h", "maxExclusion: 24h\n        weeklyHours: 6"));
  expect(await told("alice", "keep i-0e0241 up tomorrow from 10:00 to 11:30")).toContain(
    "at most 6 h of each in a week",
  );
  expect(await told("alice", "keep i-0e0041 up tomorrow from 10:00 to 11:30")).toContain("Withdraw");
});
