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
    // Somebody corrects himself.
    ["stagin up til 10pm, wait, make that 11pm", "keep staging up til 11pm"],
    ["web till 8pm, no 9", "keep web up till 9pm"],
    ["not staging but qa should stay up until 22:00", "keep qa up until 22:00"],
    ["keep build running on thursday, no, friday from 19 to 22", "keep build up on friday from 19 to 22"],
    ["qa, no sorry, web until 6, sorry, 7 tomorrow morning", "keep web up until 7 tomorrow morning"],
    // Each of several orders.
    ["staging til 8 n build til 9 tonite", "keep staging up til 8; keep build up til 9 tonight"],
    [
      "hold web until 20:00, qa until 22:00 and staging until 23:00 for the fair",
      "keep web up until 20:00 because the fair; keep qa up until 22:00 because the fair; keep staging up until 23:00 because the fair",
    ],
    ["end qa and keep staging up till 10", "end qa; keep staging up till 10"],
    ["qa may go, but staging should stay until 22", "end qa; keep staging up until 22"],
    ["let the stop of reports be skipped today and tomorrow", "skip Stop reports today; skip Stop reports tomorrow"],
    // What is told beside it.
    [
      "our auditors come late and have asked me to come along, so please hold web until 21:00",
      "keep web up until 21:00 because our auditors come late and have asked me to come along",
    ],
    [
      "keep web up until 8pm, load runs take longer than i thougt",
      "keep web up until 8pm because load runs take longer than i thougt",
    ],
    // The day is said in the story.
    ["The demo is on friday, keep qa up that evening", "keep qa up on friday evening because The demo is on friday"],
    [
      "we have guests on 3 december, keep staging up until 22:00 that day",
      "keep staging up on 3 december until 22:00 because we have guests on 3 december",
    ],
    // What becomes of a series.
    ["my thursday build hold should go on until end of january", "edit build every until end of january"],
    ["the release build is going to be on fridays now, same hours, can you move it", "edit build every fridays"],
    ["drop the release build on 10 Dec, keep the other thursdays", "skip build on 10 Dec"],
    ["tomorrow's build until 23:00 instead of 22", "edit build every until 23:00 on tomorrow"],
    // What does not come up.
    ["there's no need for qa to come up tomorrow", "keep qa off tomorrow"],
    ["tomorrow staging please not before 10 up", "keep staging off tomorrow until 10:00"],
    ["let qa sleep until monday 6:00", "keep qa off until monday 6:00"],
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
