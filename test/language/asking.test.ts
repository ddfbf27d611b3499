import { describe, expect, it } from "vitest";
import { findPeriod } from "../../src/language/periods/find-period.ts";
import { findSpan } from "../../src/language/periods/read-span.ts";
import { timeAt } from "../../src/language/read-time.ts";
import { type Name, namesFrom } from "../../src/language/sense/names.ts";
import type { Known } from "../../src/language/sense/tag.ts";
import { understand } from "../../src/language/sense/understand.ts";
import { readPast } from "../../src/time/read-since.ts";

const now = Date.parse("2026-11-25T13:10:00Z");
const zone = "Europe/Berlin";
const times = { now, zone, dayZone: zone, dayStarts: "08:00", dayEnds: "18:00" };
const named = (kind: Name["kind"], ...names: readonly string[]) => names.map((name) => ({ kind, name }));
const known: Known = {
  readTimeAt: (words) => timeAt(words, times),
  findPeriod: (words, isAfterThing) => findPeriod(words, times, isAfterThing),
  isSpan: (words) => {
    const found = findSpan(words, times);
    return found?.start === 0 && found.end === words.length;
  },
  isPast: (words) => readPast(words, { now, zone }) !== undefined,
  names: namesFrom([
    ...named("thing", "staging", "qa", "web", "build"),
    ...named("person", "bob", "erin", "frank"),
    ...named("project", "Production"),
    ...named("policy", "Administrators"),
    ...named("selector", "Staging machines"),
    ...named("action", "Reports backup", "Stop reports"),
  ]),
};

const lineOf = (said: string, card?: Known["card"]): string | undefined => {
  const understood = understand(said, { ...known, card });
  return understood?.kind === "line" ? understood.line : undefined;
};

describe("questions", () => {
  it.each([
    ["anything on my desk?", "approvals"],
    ["did my erin req go thru yet", "approvals"],
    ["anything under my name at the moment?", "mine"],
    ["who else besides me has something pinned", "exclusions others"],
    ["what are you for", "help"],
    ["my perms here", "whoami"],
    ["who can prolong production, up to what length", "who may exclusion extend Production"],
    ["do I need approval to keep build for nine days", "who may exclude build for nine days"],
    ["who has Administrators", "users with Administrators"],
    ["who's w/o mfa", "users without mfa"],
    ["frank acc still off? dont change anything just checking", "user frank"],
    ["is anybody close to the forty hours?", "budget"],
    ["am i over 40h", "budget mine"],
    ["whats mine", "mine"],
    ["did the backup run", "next backups today"],
    ["I would like to know which accounts do not have MFA at the moment.", "users without mfa"],
    ["is friday a day off?", "holidays friday"],
    ["when is the next free day", "holidays"],
    ["how many hrs of qa do I have left this week", "budget qa"],
    ["would two more hours on qa go over the limit?", "budget qa"],
    ["is anybody besides the boss allowed to hold web for more than 3 days", "who may exclude web for 4 days"],
    ["what exactly does offboarding an account do", "help offboard"],
    ["how do I get rid of a second factor", "help mfa"],
    ["what is held right now, apart from web?", "exclusions"],
    ["was build on last sunday?", "running build on last sunday"],
    ["what was done to frank's account", "history about frank"],
    ["everything that changed since monday, newest first", "history since monday"],
    ["who granted bob the Administrators policy", "history about bob"],
    ["which warnings have I got", "warnings"],
    ["tell me about frank", "user frank"],
  ])("answers “%s” with “%s”", (said, line) => {
    expect(lineOf(said)).toBe(line);
  });

  it.each([
    ["audit trail since Monday morning please", "history since Monday"],
    ["what is going to happen with the machines on this weekend?", "next this weekend"],
    ["anything special going on with build tomorrow evening?", "status build"],
    ["why were the staging servers on at 9 last night?", "why staging last night"],
    ["i was out since yesterday noon, what got changed and who did it?", "history since yesterday noon"],
    ["how many second factors have we taken off this month?", "history user remove-mfa this month"],
    ["will web be up on friday", "running web on friday"],
    ["why did staging stop on friday", "why staging last friday"],
  ])("says of “%s” only a time that the command takes: “%s”", (said, line) => {
    expect(lineOf(said)).toBe(line);
  });

  it.each([
    ["My shift is over at three and I must tell my boss: which requests of mine wait?", "approvals"],
    ["i stayed until late for the customer yesterday. until when did we keep staging up?", "status staging"],
    [
      "Could you tell me what stops before eight o'clock this evening, so that I can warn my people?",
      "next stops until eight o'clock this evening",
    ],
    ["when is the next day off? and does staging stop on friday?", "holidays; next stops staging on friday"],
    ["May I kindly know when web will be going down, please?", "next stops web"],
  ])("leaves what is only told beside a question, and answers each question of a line: “%s”", (said, line) => {
    expect(lineOf(said)).toBe(line);
  });

  it("takes a question in a thread for one about its card, unless it names something else or is general", () => {
    expect(lineOf("and without this, when would they have gone off?", "exclusion")).toBe("status");
    expect(lineOf("does this one touch my qa box?", "exclusion")).toBe("status qa");
    expect(lineOf("how many second factors have we taken off this month?", "request")).toBe(
      "history user remove-mfa this month",
    );
  });

  it("says what nobody knows here", () => {
    expect(understand("what does the qa exception cost us in euros?", known)).toMatchObject({
      line: "status qa",
      note: expect.stringContaining("I don't know what anything costs."),
    });
  });

  it.each([
    ["stop warning me about staging its waking me up", "stop warning me about staging"],
    ["wake me half hr before web drops", "warn me half hr before web"],
    ["poke me 10 before web stops, just today", 'warn me about web --before "10 min" today'],
    ["kindly intimate me fifteen minutes prior to qa going down", "warn me fifteen minutes before qa"],
    ["send me a little note a quarter of an hour before staging stops", "warn me a quarter of an hour before staging"],
    ["the reminder for qa that I asked for on Monday is no longer needed", "stop warning me about qa"],
    ["please extend the hold on qa till 18:00 tomorrow", "extend qa till 18:00 tomorrow"],
    ["it was moved by one day, so please keep qa up until 22", "keep qa up until 22 because it was moved by one day"],
    ["I'd like to get a warning each time before web is stopped, like 15 min", "warn me 15 min before web"],
    ["thursday build thing til 23 not 22", "edit build every til 23"],
    [
      "please prolong the build thursdays of erin until end of january",
      "edit build every thursday until end of january",
    ],
    ["move my release build of tomorrow to friday same hours", "move build on tomorrow to friday"],
    ["i disabled the wrong person yesterday, please revert that", 'undo "user disable mine"'],
    [
      "don't let build stop on friday, the release got moved from thursday",
      "keep build up on friday because the release got moved from thursday",
    ],
  ])("does “%s” as “%s”", (said, line) => {
    expect(lineOf(said)).toBe(line);
  });

  it("offers what it understood with what stands behind it as the reason, and each of several accounts by itself", () => {
    expect(understand("qa friday 7pm to 10pm flaky tests hunting", known)).toMatchObject({
      problem: "I read “flaky tests hunting” as the reason. Nothing was changed.",
      offers: ["keep qa up friday 7pm to 10pm because flaky tests hunting"],
    });
    expect(
      understand("lock the accounts of bob and erin, both have clicked on the phishing mail", known),
    ).toMatchObject({
      offers: ["bob", "erin"].map((each) => `disable ${each} because both have clicked on the phishing mail`),
    });
  });
});
