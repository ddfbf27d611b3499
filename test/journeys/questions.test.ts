import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildWorld, type World } from "../language/strangers/world.ts";
import { ask } from "../support/journey.ts";

/** It is Wednesday, 25 November 2026, 14:10 in Berlin (test/language/strangers/README.md). */
let world: World;
beforeAll(async () => {
  world = await buildWorld();
}, 60_000);
afterAll(() => world.curfew.stop());

const answer = async (line: string, who = "alice") =>
  (await ask(world.curfew, who, line)).text
    .replaceAll(/<!date\^\d+\^[^|]*\|([^>]*?)(?: \([^)]*\))?>/g, "$1")
    .replaceAll(/<@U\d\d([A-Z]+)>/g, (_, name: string) => name.toLowerCase())
    .split("\n");
const lineOf = (lines: readonly string[], name: string) => lines.find((line) => line.includes(`*${name}*`));

describe("what is up", () => {
  it.each([
    ["running", "staging, qa, build, web and reports-db are up now"],
    ["running at 3am", "qa and web are up tomorrow 03:00, the other 3 are down"],
    ["running after 20:00", "qa, web and reports-db are up today 20:00, the other 2 are down"],
    ["running build and web tomorrow 21:00", "build is up tomorrow 21:00, web is down"],
    ["running on sunday", "web is up at some time Sun 29 Nov, the other 4 are down"],
    ["running qa tonight", "qa is up all the time, today 18:00 to tomorrow 06:00"],
    ["running p-prod in 2 hours", "web and reports-db are up today 16:10"],
    ["is staging running on saturday", "staging is down Sat 28 Nov"],
    ["running staging yesterday 20:00", "staging was up yesterday 20:00"],
    ["why staging yesterday 20:00", "staging was up yesterday 20:00"],
    ["running vol-0e1", "Curfew doesn't know whether vol-0e1 is up now"],
  ])("“%s” is answered with %s", async (line, title) => {
    expect((await answer(line))[0]).toBe(`*${title}*`);
  });

  it("says who keeps it up, until when and why, and when it would stop", async () => {
    const lines = await answer("running at 3am", "erin");
    expect(lineOf(lines, "qa")).toContain("kept up by you until tomorrow 12:00 (regression tests) · next stop: ");
    expect(lineOf(lines, "web")).toContain(
      "kept up by alice until today 19:00 (load test) · no stop was due then, the",
    );
    expect(lineOf(lines, "staging")).toMatch(/down · since .* 19:00 \(Nightly stop of staging\) · next start: /);
  });

  it("says of all groups what it says of each", async () => {
    const all = await answer("running at 3am");
    const groups = ["staging", "qa", "build", "web", "reports-db"];
    for (const group of groups) expect(lineOf(await answer(`running ${group} at 3am`), group)).toBe(lineOf(all, group));
  });

  it("says where the schedule of today is not the one of then", async () => {
    const lines = await answer("running reports-db yesterday 21:30");
    expect(lines[0]).toBe("*reports-db was up yesterday 21:30*");
    expect(lines[1]).toContain("Changed since, so its runs before are known only in part: “Stop reports”.");
  });

  it("shows beside a past moment what was changed, and how an action went", async () => {
    const lines = await answer("why staging yesterday 20:00");
    expect(lineOf(lines, "alice kept staging running")).toContain("demo for a customer");
    expect((await answer("why Stop the build machines yesterday"))[0]).toContain("1 run yesterday (Tue 24 Nov)");
  });
});

describe("what is excluded", () => {
  it.each([
    ["exclusions since monday", "3 kept running or off since monday", ["qa", "web", "staging"]],
    ["exclusions staging yesterday", "1 kept running or off of staging yesterday", ["staging"]],
    ["exclusions alice on thursday", "1 kept running or off by alice on thursday", ["build"]],
    ["exclusions this weekend", "Nothing is kept running or off this weekend", []],
  ])("“%s” is answered with %s", async (line, title, names) => {
    const lines = await answer(line, "erin");
    expect(lines[0]).toBe(`*${title}*`);
    expect(lines.flatMap((each) => /^:\w+: \*([\w-]+)\* ·/.exec(each)?.[1] ?? [])).toEqual(names);
  });

  it("says of what is over when it began and ended, by whom it was and why", async () => {
    expect(lineOf(await answer("exclusions yesterday 20:00", "dave"), "staging")).toMatch(
      /over since .* 21:30 · began .* 18:30 · alice · demo for a customer/,
    );
  });
});

describe("plans, selectors and credentials", () => {
  it("finds a plan by what it selects", async () => {
    const lines = await answer("plans staging", "dave");
    expect(lines[0]).toBe("*1 known plan matching “staging”*");
    expect(lineOf(lines, "Development office hours")).toContain("selects Staging machines");
  });

  it("shows what a plan covers, and says what is not known of it", async () => {
    const lines = await answer("status Development office hours", "dave");
    expect(lineOf(lines, "Staging machines")).toContain("Regions: eu-west-1 · Tags: Environment equals staging");
    expect(lines[1]).toContain("Whether it is active and when it runs is not known");
  });

  it("shows the selectors that use a credential", async () => {
    const lines = await answer("status AWS main account", "carol");
    expect(lines[1]).toContain("2 selectors that Curfew knows use it. The service doesn't tell what else does.");
    expect(lineOf(lines, "Production volumes")).toContain("of Nightly backups");
    expect((await answer("status AWS build account (old)", "carol"))[1]).toContain(
      "No selector that Curfew knows uses it.",
    );
  });
});

describe("rights and limits", () => {
  it.each([
    ["alice", "who may exclude staging for 10d", "You may not keep machines running or off, for staging for 10 d"],
    ["alice", "who may exclude for 3 days", "You may keep machines running or off for 3 d, within limits"],
    ["carol", "who may exclude web for 3 weeks", "Nobody may hold anything for more than 14 d"],
    ["dave", "who may exclude", "You may not keep machines running or off"],
    ["bob", "who may user detach-policy", "You may detach a managed policy from a user"],
    ["alice", "who may approve", "1 kind of change takes an approval"],
    ["dave", "rights", "You may look things up here, and change nothing"],
    ["alice", "rights bob", "bob may look things up here, and make 3 of 11 kinds of changes"],
    ["alice", "budget mine", "37 h left of 40 h this week, for staging, mine"],
    ["erin", "budget this week", "13 h left of 40 h this week, for qa"],
    ["carol", "budget mine", "Nothing is held this week, mine"],
  ])("%s asks “%s” and reads: %s", async (who, line, title) => {
    expect((await answer(line, who))[0]).toBe(`*${title}*`);
  });

  it("says whom to ask for longer, and what takes whose approval", async () => {
    expect(lineOf(await answer("who may exclude for 8 days"), "You")).toContain("may ask admin for more");
    const lines = await answer("who may user remove-mfa", "bob");
    expect(lines[0]).toContain("with the approval of admin or helpdesk");
    expect(lines[1]).toContain("Nobody approves what they asked for themselves.");
  });
});

describe("days off", () => {
  it.each([
    ["holidays", "Next day off: Thu 3 Dec 2026, Founders' Day"],
    ["holidays founders day", "Day off: Thu 3 Dec 2026, Founders' Day"],
    ["holidays december", "3 days off: december"],
    ['next starts staging "founders\' day"', "1 start founders' day (Thu 3 Dec), staging"],
    ['running staging "Founders’ Day"', "staging is up at some time Thu 3 Dec"],
    ["exclusions build on founders day", "1 kept running or off of build founders day"],
  ])("“%s” is answered with %s", async (line, title) => {
    expect((await answer(line))[0]).toBe(`*${title}*`);
  });

  it("are named among the times that are left of a series", async () => {
    expect(lineOf(await answer("status build", "erin"), "build")).toContain(
      "4 left: Thu 26 Nov, Thu 3 Dec (Founders' Day), Thu 10 Dec, Thu 17 Dec",
    );
  });
});

describe("groups and requests", () => {
  it("finds the machines of a project by their groups", async () => {
    const lines = await answer("machines prod", "erin");
    expect(lines[0]).toBe("*2 resource groups matching “prod”*");
    expect(lineOf(lines, "web")).toContain("3 × EC2 in Production · i-0b1, i-0b2, i-0b3");
    expect((await answer("groups i-0c1"))[0]).toBe("*1 resource group matching “i-0c1”*");
  });

  it("says since when a request waits, and who decides", async () => {
    expect(lineOf(await answer("approvals", "bob"), "You want to remove the MFA of erin")).toMatch(
      /needs .*carol.* · until .* 21:40 .*· since .* 13:40/,
    );
    expect((await answer("approvals", "carol")).join("\n")).toMatch(/Until: .* 21:40/);
  });
});

describe("a part of a group", () => {
  afterAll(() => world.reset());

  it("is up by itself", async () => {
    await ask(world.curfew, "alice", "exclude i-0d1 until tomorrow 12:00");
    const lines = await answer("running build at 21:00");
    expect(lines[0]).toBe("*i-0d1 is up today 21:00, i-0d2 is down*");
  });
});
