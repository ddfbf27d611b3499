import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildWorld, type World } from "../language/strangers/world.ts";
import { ask } from "../support/journey.ts";

let world: World;
beforeAll(async () => {
  world = await buildWorld();
}, 60_000);
afterAll(() => world?.curfew.stop());

const told = async (who: string, line: string) => {
  const { text } = await ask(world.curfew, who, line);
  // Moments as their readers see them.
  return text.replaceAll(/<!date\^[^|]*\|([^>]*?) \([^>]*>/g, "$1");
};

describe("history", () => {
  const inService = "*Stop reports* · changed in the service itself by erin, today 11:15: 22:00 → 21:00";
  const all = {
    approval: "bob wanted to remove the MFA of erin",
    reports: inService,
    web: "alice kept web running",
    qa: "erin kept qa running",
    staging: "alice kept staging running",
    renamed: "carol renamed project",
    frank: "carol disabled frank",
    build: "alice wanted to keep build running",
  };
  const shownIn = (text: string) =>
    Object.entries(all)
      .map(([name, words]) => ({ name, at: text.indexOf(words) }))
      .filter(({ at }) => at >= 0)
      .toSorted((one, other) => one.at - other.at)
      .map(({ name }) => name);

  it.each([
    ["carol", "", Object.keys(all)],
    ["carol", "today", ["approval", "reports", "web", "qa"]],
    ["carol", "yesterday", ["staging", "renamed", "frank"]],
    ["carol", "on monday", ["build"]],
    ["carol", "last night", ["staging"]],
    ["carol", "since yesterday 12:00", ["approval", "reports", "web", "qa", "staging", "renamed"]],
    ["carol", "between 9:00 and 11:00", ["web", "qa"]],
    ["carol", "accounts this week", ["approval", "frank"]],
    ["carol", "projects by carol", ["renamed"]],
    ["carol", "actions", ["reports"]],
    ["carol", "about reports-db", ["reports"]],
    ["carol", "about frank", ["frank"]],
    ["alice", "by erin", ["reports", "qa"]],
    ["erin", "mine", ["reports", "qa"]],
    ["carol", "by carol today", []],
  ])("shows %s, narrowed by “%s”, what was done here and in the service itself: %j", async (who, words, names) => {
    expect(shownIn(await told(who, `history ${words}`))).toEqual(names);
  });
});

describe("status", () => {
  it.each([
    [
      "qa",
      "*qa: kept running*",
      "A group of 1 (EC2) in Development.",
      "*qa* · until Thu 26 Nov 2026, 12:00 (21 h 50 min left) · since Wed 25 Nov 2026, 09:05 · <@U05ERIN> · regression tests",
      "*Nightly stop of qa* · Wed 25 Nov 2026, 20:00 · held back by erin: qa",
      "*Morning start of qa* · Thu 26 Nov 2026, 07:00",
      "*erin kept qa running*",
    ],
    ["i-0b2", "A resource (EC2) of web in Production.", "*web* · until", "· you · load test", "*Evening stop of web*"],
    ["build", "every Thu 18:00–22:00 until Thu 17 Dec 2026 · next: Thu 26 Nov 2026, 18:00"],
    ["reports-db", "*Stop reports* · changed in the service itself by erin, today 11:15: 22:00 → 21:00"],
    ["Stop reports", "An action in Production, for reports-db.", "today 11:15: 22:00 → 21:00"],
    ["p-dev", "A project with the groups staging, qa, build.", "*qa* · until", "every Thu", "carol renamed project"],
    ["plan-00000001", "A plan.", "in Development", "*Staging machines* · of Development office hours"],
    ["mp-00000003", "A policy.", "*Read only*"],
    ["staging and qa", "*staging: on schedule", "*qa: kept running", "demo for a customer", "regression tests"],
    ["", "*web* · until", "*qa* · until", "*build* · every Thu", "held back by alice: web"],
  ])("of “%s” says what it is, who holds it, what comes next and who changed it", async (thing, ...words) => {
    const text = await told("alice", `status ${thing}`);
    for (const each of words) expect(text).toContain(each);
  });

  it("says nothing of what its reader may not see", async () => {
    expect(await told("alice", "status cred-00000001")).toContain("Curfew knows no “cred-00000001” that you may see");
    expect(await told("alice", "status staging and frank")).not.toContain("left the company");
    expect(await told("carol", "status cred-00000001")).toContain("*AWS main account* · cred-00000001");
  });
});

describe("users", () => {
  it.each([
    ["user frank", "disabled", "*Disabled since*\nTue 24 Nov 2026, 11:20", "*Disabled by*\ncarol: left the company"],
    ["user erin", "mobile-otp", "bob wanted to remove the MFA of erin*", "waiting for approval"],
    ["users disabled", "*1 known user disabled*", "*frank*", "Curfew doesn't know the status of 5 others."],
    ["users without mfa", "*1 known user without MFA*", "*frank*"],
    ["users with mfa", "*5 known users with MFA*"],
    ["users with Billing", "No known users with the policy “Billing”", "Curfew doesn't know the policies of 6 others."],
  ])("“%s” says what Curfew knows and since when, and what it doesn't know", async (line, ...words) => {
    const text = await told("bob", line);
    for (const each of words) expect(text).toContain(each);
  });
});

describe("questions about oneself and about rights", () => {
  it.each([
    ["alice", "mine", "1 held, 1 planned, 1 warning", "*web* · until", "*build* · every Thu", "*staging* · warning"],
    ["bob", "mine", "*Yours: 1 waiting*", "*You want to remove the MFA of erin* · needs <@U03CAROL>"],
    ["dave", "mine", "You hold and plan nothing, and nothing of yours waits."],
    ["alice", "budget p-dev", "*qa* · <@U05ERIN> · 27 of 40 h · 13 h left", "*staging* · you · 3 of 40 h · 37 h left"],
    ["alice", "budget mine", "*web* · you · 8.5 h, no budget", "hold up to 7 d at a time", "more than 14 d"],
    ["alice", "holidays", "Next day off: Thu 3 Dec 2026, Founders' Day"],
    ["alice", "is tomorrow a holiday?", "No day off: tomorrow. Next day off: Thu 3 Dec 2026, Founders' Day"],
    ["carol", "who may exclude web for 10 days", "*You* · may", "*engineer* · ", "only for up to 7 d"],
    [
      "dave",
      "when is the next holiday? and does staging stop on friday?",
      "Next day off: ",
      "*1 run on friday (Fri 27 Nov), Nightly stop of staging*",
    ],
    ["alice", "who may exclude staging", "*You* · may, within limits", "only for up to 7 d", "*admin* · <@U03CAROL>"],
    ["alice", "who may user remove-mfa", "*helpdesk* · <@U02BOB>", "*Approval by admin*", "You can't "],
    ["dave", "who may history", "every full member"],
    ["bob", "who may rename projects", "You may not rename a project"],
  ])("%s asks “%s”", async (who, line, ...words) => {
    const text = await told(who, line);
    for (const each of words) expect(text).toContain(each);
  });

  it("hides the hours of projects that its reader may not see", async () => {
    expect(await told("dave", "budget by erin")).toContain("*qa* · <@U05ERIN>");
    expect(await told("dave", "budget mine")).toContain("You have no role that may keep machines running");
    expect(await told("bob", "who may fly")).toContain("There is no command “fly”.");
  });
});
