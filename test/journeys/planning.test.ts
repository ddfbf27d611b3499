import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { effectsOf, play } from "../language/strangers/play.ts";
import { buildWorld, type World } from "../language/strangers/world.ts";
import { buttonsOn, textOf } from "../support/journey.ts";

/** Wednesday 2026-11-25, 14:10 in Berlin. */
let world: World;
beforeAll(async () => {
  world = await buildWorld();
}, 60_000);
afterAll(() => world?.curfew.stop());

const said = async (by: "alice" | "carol", line: string) => play(world, { by, how: "slash", line, want: "" });
const effects = async (by: "alice" | "carol", line: string) => effectsOf(await said(by, line)).join("\n");

it.each([
  ["keep staging up over christmas", '"until":27 Dec 2026, 00:00', '"from":24 Dec 2026, 00:00'],
  ["keep staging up sat 10-4", '"until":28 Nov 2026, 16:00', '"from":28 Nov 2026, 10:00'],
  ["keep staging up next week except friday", '"until":4 Dec 2026, 00:00', '"from":30 Nov 2026, 00:00'],
  ["keep staging off on friday", '"process":"start","until":28 Nov 2026, 00:00', '"from":27 Nov 2026, 00:00'],
  ["keep staging off over the weekend", '"until":30 Nov 2026, 00:00', '"from":28 Nov 2026, 00:00'],
  [
    "keep staging up from 1.12. to 3.12. each evening till 23:00",
    '"ends":"23:00"',
    '"lastDay":"2026-12-03","firstDay":"2026-12-01","starts":"18:55"',
  ],
  ["skip staging on friday", '"from":27 Nov 2026, 18:55,"until":27 Nov 2026, 19:05'],
  ["edit build until 14 jan", '"lastDay":"2027-01-14"', '"replaces":"chg-00000001"'],
  ["edit release build until 22:30", '"ends":"22:30"', '"lastDay":"2026-12-17"'],
  ["edit build 18:30-22:30 from 10 dec", '"later":{"starts":"18:30","ends":"22:30","firstDay":"2026-12-10"}'],
  ["skip build on 3 dec", "exclusion create → withdrawn", '"from":3 Dec 2026, 18:00'],
  ["skip i-0d1 stop on friday", '"from":27 Nov 2026, 19:25,"until":27 Nov 2026, 19:35', '["i-0d1"]'],
  ["skip build stop on friday", '"from":27 Nov 2026, 19:25,"until":27 Nov 2026, 19:35', '["i-0d1","i-0d2"]'],
  ["keep staging up 10 days from monday", "exclusion create (refused)", "carol"],
  ["keep build up two days from monday", '"until":2 Dec 2026, 08:00', '"from":30 Nov 2026, 08:00'],
  ["keep staging and qa up thu and fri until 23:00", '"lastDay":"2026-11-27"', '"starts":"18:55"'],
  [
    "keep build up daily from 9 to 22 until friday",
    '"starts":"14:11"',
    '"later":{"starts":"09:00","ends":"22:00","firstDay":"2026-11-26"}',
  ],
  ["edit build every until 23:00 from next week", '"later":{"starts":"18:00","ends":"23:00","firstDay":"2026-11-30"}'],
  ["edit build every before 3 dec", '"lastDay":"2026-12-02"', '"replaces":"chg-00000001"'],
  ["extend build by one week", '"lastDay":"2026-12-24"', '"replaces":"chg-00000001"'],
  ["keep staging off mon and tue until 10:00", '"process":"start"', '"starts":"07:25"'],
  ["withdraw the whole build series", "exclusion repeat → withdrawn"],
])("plans exactly what “%s” says", async (line, ...parts) => {
  const done = await effects("alice", line);
  for (const part of parts) expect(done).toContain(part);
});

it("plans each of several times by itself, and of several lines each or none", async () => {
  const times = await effects("alice", "keep staging up sat 5 dec 9-17 and sun 6 dec 9-13 because dry run");
  expect(times.split("\n")).toEqual([
    expect.stringMatching(/planned because dry run .*"until":5 Dec 2026, 17:00.*"from":5 Dec 2026, 09:00/),
    expect.stringMatching(/planned because dry run .*"until":6 Dec 2026, 13:00.*"from":6 Dec 2026, 09:00/),
  ]);
  const lines = await said("alice", "keep staging up until 21:00; keep build up until 22:00");
  expect(lines.calls).toHaveLength(2);
  const partly = await said("alice", "keep staging up until 21:00; extend until 22:00");
  expect(effectsOf(partly)).toEqual([]);
  expect(partly.messages[0]?.text).toContain("2 things");
  expect(partly.messages[0]?.buttons).toHaveLength(2);
});

it("skips no backup, since the service knows no exclusion from them, and says what is possible", async () => {
  for (const line of ["skip reports backup tonight", "skip weekly volume backup"]) {
    expect(await effects("carol", line)).toBe("");
    const [answer] = (await said("carol", line)).messages;
    expect(answer?.text).toMatch(/is a backup, and only stops and starts can be skipped\. Nothing was changed\./);
    expect(answer?.buttons).toHaveLength(1);
  }
});

it("asks about a day with another weekday, and about the end of a series without one", async () => {
  const [clash] = (await said("alice", "keep staging up tomorrow, tuesday until 22:00")).messages;
  expect(clash?.text).toContain("That does not fit the calendar: that day is Thu 26 Nov 2026. Nothing was changed.");
  expect(clash?.buttons).toHaveLength(2);
  const [endless] = (await said("alice", "keep staging up daily 19:00-20:00")).messages;
  expect(endless?.buttons?.[0]).toMatch(/^Until Sat 23 Jan 2027 \(60 times\) → run exclusion repeat /);
});

it("makes a change of its own for each of several things, and says the outcome of each", async () => {
  const { calls, messages } = await said("carol", "disable alice and bob");
  expect(calls.map((call) => call.split(" ")[1])).toEqual(["/api/Users/u-1", "/api/Users/u-2"]);
  expect(messages.map(({ text }) => text).join("\n")).toMatch(/You disabled alice\.[\s\S]*You disabled bob\./);
  const whole = await said("alice", "exclude everything in Development until 22:00");
  expect(whole.calls).toHaveLength(2);
  expect(whole.messages.map(({ text }) => text).join("\n")).toContain("qa is kept running already until");
  expect((await said("alice", "disable carol and bob")).calls).toEqual([]);
});

it("changes the end of one time of a series with one press, and leaves the others", async () => {
  const { calls, messages } = await said("alice", "edit build every until 23:00 tomorrow");
  expect(calls).toEqual([]);
  expect(messages[0]?.text).toContain("planned once for Thu 26 Nov, 18:00–23:00. Nothing was changed yet.");
  expect(messages[0]?.buttons?.[0]).toMatch(/^Change only Thu 26 Nov, 18:00–23:00 → run move time /);
});

it("moves one time of a series to another day with one press", async () => {
  const { curfew } = world;
  onTestFinished(() => world.reset());
  const { messages } = await said("alice", "move build on 3 dec to 4 dec");
  expect(messages[0]?.text).toContain("Thu 3 Dec, 18:00–22:00 is left out");
  const question = curfew.workspace.as("alice").messages("ops").at(-1);
  if (!question) throw new Error("Nothing was asked.");
  expect(buttonsOn(question)).toEqual(["Move it to Fri 4 Dec"]);
  await curfew.workspace.as("alice").press("Move it to Fri 4 Dec", question);
  await curfew.app.idle();
  const answer = curfew.workspace.as("alice").messages("ops").map(textOf).join("\n");
  expect(answer).toContain("You left out Thu 3 Dec 2026, 18:00–22:00.");
  const stored = (await world.stored()).join("\n");
  expect(stored).toContain(`"from":${Date.parse("2026-12-04T17:00:00Z")}`);
});
