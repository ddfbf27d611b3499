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
    ...named("person", "bob", "carol", "dave", "erin", "frank"),
    ...named("project", "Production"),
    ...named("policy", "Administrators", "Billing"),
    ...named("credential", "AWS main account"),
    ...named("plan", "Nightly backups"),
    ...named("selector", "Staging machines"),
    ...named("action", "Reports backup", "Stop reports", "a-10"),
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
    ["who disabled accounts last week", "history user disable last week"],
    ["who is disabled", "users disabled"],
    ["frank - who disabled and why", "user frank"],
    ["what is running extra?", "exclusions"],
    ["tomorrow at 20:30, what is still up?", "running tomorrow at 20:30"],
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

  it("says how it read what it answers in part", () => {
    for (const said of ["we met on thursday. what is up?", "who oks a 10 day hold"]) {
      const understood = understand(said, known);
      expect(understood, said).toMatchObject({ note: expect.stringContaining("I read that as") });
      expect(understood, said).not.toMatchObject({ line: expect.stringContaining("a-10") });
    }
  });

  it("says that a time is past, and takes none of today for it", () => {
    for (const said of ["hold staging yesterday 20-22", "staging up last friday 6pm to 8pm please"])
      expect(understand(said, known), said).toMatchObject({
        line: "status staging",
        note: expect.stringContaining("is past. Which time do you mean?"),
      });
  });

  it("reads what the reason of a hold shall be behind an arrow too", () => {
    expect(lineOf("reason -> load test + failover drill", "exclusion")).toBe(
      'edit --reason "load test + failover drill"',
    );
    expect(lineOf("reason = soak test", "exclusion")).toBe('edit --reason "soak test"');
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
    ["i disabled the wrong person yesterday, please revert that", 'undo "user disable mine yesterday"'],
    ["oops I disabled frank by mistake, he is still with us", 'undo "about frank"'],
    ["reverse whatever I did on frank's account yesterday", 'undo "about frank mine yesterday"'],
    ["take back the last three things I did", "undo mine"],
    ["what can be undone of yesterday?", "undo yesterday"],
    ["give Production its old name back", "undo Production"],
    ["Production -> Live EU", "rename Production to Live EU"],
    ["rename Production: Live EU please", "rename Production to Live EU"],
    ["AWS main account = AWS prod, thanks", 'credential edit "AWS main account" --name "AWS prod"'],
    [
      "rename Staging machines to Dev machines instead",
      'selector edit --selector "Staging machines" --name "Dev machines"',
    ],
    ["mk grp smoke w qa + web", "group save smoke qa web"],
    ["group perf = qa web", "group save perf qa web"],
    ["make a group release out of qa and web", "group save release qa web"],
    ["rm erins mfa she cant get in", "remove mfa erin because she cant get in"],
    ["erin lost her phone, pls clear her 2fa - HD-4455", "remove mfa erin because erin lost her phone, HD-4455"],
    ["disable frank HD-4455", "disable frank because HD-4455"],
    ["finish frank off: policies, mfa, the lot", "offboard frank"],
    [
      "From today Erin wants her mail at e@example.com, says HD-4462",
      "user email erin to e@example.com because HD-4462",
    ],
    ["change erin's mail to a@example.com, sorry, b@example.com", "user email erin to b@example.com"],
    ["set frank's mail to f@example.com and enable him", "user email frank to f@example.com; enable frank"],
    ["disable dave, and take Billing off him", 'disable dave; user detach-policy dave "Billing"'],
    ["give bob his ok for erin's second factor", 'approve "bob erin"'],
    ["say yes to bob's thing", "approve bob"],
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
      "hold web until 20:00, qa until 22:00 and staging until 23:00: fair",
      "keep web up until 20:00 because fair; keep qa up until 22:00 because fair; keep staging up until 23:00 because fair",
    ],
    ["end qa and keep staging up till 10", "end qa; keep staging up till 10"],
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
    ["cancel the thursday series of build", "withdraw build every thursday"],
    ["the weekly build not on 3 december, it is a day off for us", "leave out build on 3 december"],
    ["my weekly build not on december 3", "leave out build on december 3"],
    ["drop the weekly build on 3 december", "skip build on 3 december"],
    ["the build series ends on 10 december", "edit build every until 10 december"],
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

  it.each([
    ["point Nightly backups at the selector Staging machines, not the other one", "I can't change plans."],
    ["dave needs the Billing policy, can you attach it", "I can't attach policies or give rights."],
    ["make dave an engineer for today", "I can't attach policies or give rights."],
    ["could you log in as dave for a second and look", "I can't log in"],
    ["open a shell on web", "I can't log in"],
    ["kill the java process on web", "I can't run anything on machines."],
    ["it is ready, so please roll it out on web when nobody is looking", "I can't deploy"],
    ["move web to spot prices", "I can't show or change prices."],
    ["delete web, we don't need it", "I can't create or remove machines."],
    ["cut web off at once", "I can't stop machines now."],
    ["erin says she is locked out but I think she only forgot her password", "I can't reset or show passwords."],
  ])("says of “%s” that nobody can do it here", (said, note) => {
    expect(understand(said, known)).toMatchObject({ note: expect.stringContaining(note) });
  });

  it("says what speaks against an order, and offers several orders for one account each by itself", () => {
    const status = { kind: "line", line: "user bob", note: expect.stringContaining("I act only on what is certain.") };
    expect(understand("disable bob when he is done", known)).toMatchObject(status);
    expect(understand("the mfa of bob please NOT remove, he found his phone", known)).toMatchObject({
      note: expect.stringContaining("I read that as something not to do."),
    });
    expect(understand("disable dave and remove his mfa", known)).toMatchObject({
      offers: ["disable dave", "remove mfa dave"],
    });
    expect(understand("take the mfa off bob and erin both", known)).toMatchObject({
      offers: ["remove mfa bob", "remove mfa erin"],
    });
  });

  it("opens the form of what is shown in one before it is done, and asks before any other change of an account", () => {
    expect(lineOf("offboard dave, his last day was yesterday")).toBe(
      "offboard dave because his last day was yesterday",
    );
    expect(understand("disable dave, his last day was yesterday", known)).toMatchObject({
      offers: ["disable dave because his last day was yesterday"],
    });
  });

  it("reads in the thread of a request what decides on it, and what puts it off", () => {
    expect(lineOf("Approved from my side as well", "request")).toBe("approve");
    expect(lineOf("I met erin, she told me all of it, you have my approval", "request")).toMatch(/^approve/);
    expect(lineOf("I retire my demand, she found the phone", "request")).toBe("withdraw");
    for (const said of [
      "fine with me in principle, but I'll ring her before I say yes",
      "Kindly wait, I will revert back by evening",
    ])
      expect(lineOf(said, "request"), said).toBe("status");
  });
});
