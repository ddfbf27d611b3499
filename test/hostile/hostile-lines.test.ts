import { describe, expect, it } from "vitest";
import { catalogue } from "../../src/commands/catalogue.ts";
import { findPeriod } from "../../src/language/periods/find-period.ts";
import { timeAt } from "../../src/language/read-time.ts";
import { type Name, namesFrom } from "../../src/language/sense/names.ts";
import { understand } from "../../src/language/sense/understand.ts";
import { understandLine } from "../../src/slack/listeners/line/understand-line.ts";
import { someSettings } from "../changes/build.ts";
import { config, linesAccount, seed, startAt } from "../language/lines-world.ts";
import { anActor } from "../permissions/build.ts";
import { aReadingContext } from "../slack/build.ts";
import { ask, buttonsOn } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { leastMs } from "./shapes.ts";

const zone = "Europe/Berlin";
const context = aReadingContext({
  settings: someSettings(config),
  now: Date.parse("2026-11-25T13:10:00Z"),
  actor: anActor({ timeZone: zone }),
});
const named = (kind: Name["kind"], ...all: readonly string[]) => all.map((name): Name => ({ kind, name }));
const names = namesFrom([
  ...named("thing", "staging", "qa", "web"),
  ...named("person", "alice", "bob", "carol", "dave", "frank"),
  { kind: "thing", name: "i-0a1", isId: true },
]);

/** The change that a line makes at once, or asks for one confirmation of; undefined where it makes none. */
function changeOf(line: string, card?: "exclusion" | "request"): string | undefined {
  const split = understandLine(line, catalogue, context, names, { card });
  if (split.kind === "unclear" || split.problems.length + split.unexplained.length > 0) return undefined;
  return split.command.kind === "query" ? undefined : split.command.words;
}

describe("a line that asks for no change makes none", () => {
  it.each([
    // Corrections, orders and days of which nobody knows whether they are meant.
    "keep web up till 8 or no, 9, i am not sure",
    "the demo was on friday, qa stayed up that evening",
    "we had planned to skip staging on friday",
    "nobody asked to release qa and hold web until 22",
    "staging may stay until 8 and web may stay until 9 if carol agrees",
    "keep staging up until 22 instead of qa",
    "rahul was telling that somebody should be keeping staging up on saturday",
    "It is possible that I have need of web this night, I say you after the meeting",
    "nobody is here on thursday, no start of staging please",
    "keep staging up on that thursday",
    "web until 22, this is just for your information",
    // A condition.
    "keep staging up until 22, pending approval from carol",
    "keep staging up until 22 subject to approval",
    "keep staging up until 22 as long as the test runs",
    "were the demo to overrun, keep staging up until 22",
    // What is said beside it takes it back, or says that it was somebody else's wish, or an example.
    "keep web up until 22. that is what erin wanted, i told her no",
    "keep staging up until 21, that was the idea at least. we decided against it",
    "keep web up until 23. we wait for the ok, so don't do it yet",
    "keep qa up until 18. this is an example of what you can type",
    "keep staging up until 22. the manager rejected it",
    "keep staging up until 22. make it qa instead",
    "keep web up till 22, i-0a1 stays until 20:00",
    "end qa. we decided against it",
    "enable frank. that is not what i want",
    "disable dave. looks like phishing to me",
    // A number or another time beside it.
    "staging dont let it die at 7 tonight, demo prep, 9 is fine",
    "warn me 20 min before qa stops, tomorrow and friday",
    // Words that only name somebody, or mean nothing here.
    "bob@example.com bob",
    "nothing hi curfew, could you exclude staging",
    "I would like to understand why web is going to be switched off at nine tonight",
    // What somebody did or does.
    "alice disabled frank",
    "carol disabled frank because he left",
    "i have disabled frank",
    "oops i disabled dave",
    "frank was disabled yesterday",
    "extended web until 22",
    "sorry i extended web until 22",
    "i already kept staging up until 22",
    "they keep staging up until 22",
    "we always keep staging up until 22",
    "we used to keep staging up until 22",
    "so web is kept up until 22",
    // Another order beside it, or the opposite of it.
    "Please don't disable frank's account, he only lost the phone, and nothing else",
    "disable alice. enable alice",
    "enable frank and disable dave",
    "disable dave and remove his mfa",
    "disable bob when he is done",
    "detach Billing from alice until she is back from leave",
    "HR wants to talk to him first. disable bob",
    "alice says she is locked out but i think she only forgot her password",
    "delete i-0a1, we don't need it",
    // Thanks and feelings.
    "thanks for keeping web up until 22",
    "great that web is up until 22",
    "i hate that we keep staging up until 22",
    // Quoted, supposed.
    "bob wrote: keep staging up until 22",
    "the readme says: keep staging up until 22",
    "example: keep staging up until 22",
    "keep web up tomorrow, alice said friday",
    "somebody in the kitchen said that alice lost her phone too, but she has not called us so far",
    "bob took over, give him my web hold",
    "let's say we keep staging up until 22",
    "say keep staging up until 22",
    // What is compared, and what is for others.
    "web for less than 2 hours",
    "keep web up no longer than 2 hours",
    "web 1 hour less than qa",
    "keep staging up until 22 for qa",
    "staging for 3 days for web",
    // What people do, and where they are.
    "we stop keeping web up",
    "we don't keep web up any longer",
    "don't stop keeping web up",
    "stop keeping up with web",
    "don't keep web any longer than 18:00",
    "web isn't kept up anymore",
    "dave is off today",
    "dave is on vacation",
    "dave is back",
    "enable dave when he is back",
    "remove alice's mfa, tomorrow",
    // Possible, thought aloud, passed on.
    "it is possible that i need web until 22",
    "just thinking aloud: qa until friday would be nice",
    "the vendor was telling that somebody should keep staging up until 22",
    "staging should be kept up until 22, this is just for your information",
    "nobody said that you should disable bob",
    "disable bob when he is done",
    "the customer would like web up until 22. i will ask my boss first",
    "erin's account could be disabled soon i guess",
    "could be nice to have staging on saturday, lets see what the boss says",
    "don't end my hold on web",
    "we had staging up until 22 yesterday",
    "please don't disable bob, he only lost his phone",
    "keep staging up until 21 and make sure it goes off at 19",
    "keep staging up until 21, or better stop it at 19 as usual",
    // A question.
    "must we keep web up until 22",
    "shall we keep web up until 22",
    // Other machines, another time, somebody else.
    "keep staging up until 22 excluding i-0a1",
    "keep staging up until 22, i-0a1 can go",
    "keep staging up until 22, qa can go",
    "keep one machine of staging up until 22",
    "keep staging up until 22 like web",
    "keep staging up until 22 their time",
    "instead of web until 22",
    "quit extending web until 22",
    "disable bob's friend",
    "disable the friend of bob",
    "disable frank like bob",
    "disable bob, sorry, dave",
    "bob, please disable frank",
    "can bob disable frank",
    "<@U02BOB> disable <@U04DAVE>",
  ])("%s", (line) => {
    expect(changeOf(line)).toBeUndefined();
  });

  it.each(["it ended at 22", "bob ended it", "bob extended it until 22", "thanks for extending until 22"])(
    "in the thread of an exclusion: %s",
    (line) => {
      expect(changeOf(line, "exclusion")).toBeUndefined();
    },
  );

  it.each([
    ...[
      "it was approved",
      "approved yesterday",
      "i would approve",
      "i can approve",
      "yes and no",
      "let's say i approve",
      "i can't approve this without a ticket number",
      "can't you just approve it",
    ],
    ...["looks good, wrong user", "accept that this is wrong", "do it to dave", "confirm with bob", "ok for dave"],
  ])("in the thread of a request: %s", (line) => {
    expect(changeOf(line, "request")).toBeUndefined();
  });

  it.each([
    "once you have my approval",
    "you have my approval for bob",
    "he thinks you have my approval",
    "do you have my approval",
  ])("%s approves nothing", (line) => {
    expect(changeOf(line, "request")).toBeUndefined();
  });

  it.each(["go ahead and deny", "sure thing, deny", "+1 for denying"])("%s is no approval", (line) => {
    expect(changeOf(line, "request")).not.toBe("approve");
  });
});

it.each([
  "`keep staging up until 22`",
  "must keep web up until 22",
  "i need web extended until 22",
  "disable alice, bob and dave",
  "frank left, please disable him",
])("still understands: %s", (line) => {
  expect(changeOf(line) ?? understandLine(line, catalogue, context, names)).toBeDefined();
});

it.each([
  "only i-0a1 needed from here, drop the other two",
  "keep i-0a1 up until 22, release the rest",
  "keep i-0a1 up until 22, the other two can go",
])("does not keep one and leave out what was said of the others: %s", (line) => {
  expect(changeOf(line, "exclusion")).toBeUndefined();
});

describe("what a line costs", () => {
  const word = "staging server web prod build nightly backup stop start morning evening machines qa".split(" ");
  const times = { now: startAt, zone, dayZone: zone, dayStarts: "08:00", dayEnds: "18:00" };
  const many = namesFrom([
    ...Array.from({ length: 4000 }, (_, at) => ({ kind: "action", name: `nightly stop x${at}` }) as const),
    ...Array.from(
      { length: 4000 },
      (_, at) => ({ kind: "thing", name: [1, 7, 5].map((step) => word[(at * step) % 13]).join(" ") }) as const,
    ),
  ]);
  const read = (line: string) =>
    understand(line, {
      readTimeAt: (words) => timeAt(words, times),
      findPeriod: (words, isAfterThing) => findPeriod(words, times, isAfterThing),
      isSpan: () => false,
      isPast: () => false,
      names: many,
    });

  it.each(["nightly stop", "server", "web prod stop", "the databases", "not".repeat(900), "keep,,,,,".repeat(300)])(
    "a long line costs little, whatever it repeats, among thousands of names that share its words (%#)",
    async (piece) => {
      const line = `${piece} `.repeat(80).split(" ").slice(0, 76).join(" ").slice(0, 3000);
      expect(await leastMs(() => read(line), 4)).toBeLessThan(100);
    },
  );
});

describe("names that somebody may not see", () => {
  const { curfew } = oneBot({
    config: config.replace(
      "viewer: { members: [U04DAVE], allow: [reads] }",
      "viewer: { members: [U04DAVE], allow: [ListActions], where: { projects: [p-dev] } }",
    ),
    seed,
    account: linesAccount(),
    startAt,
  });
  const lines = [
    "is X fine",
    "status X",
    "what happens with X tonight",
    "why was X off yesterday",
    "keep X up until 22",
    "please do keep X up til 22 maybe",
    "X",
    "tell me about X please",
    "disable X",
    "please lock X out of everything",
    "what did X do",
    "who may disable X",
    "rename X to Y",
    "skip X tonight",
    "warn me before X stops",
    "bla bla X bla",
  ];
  const made: Readonly<Record<string, string>> = {
    "data-warehouse": "dot-womanizers",
    "data-warehosue": "dot-womanizres",
    warehouse: "womanizer",
    "dw-main": "dx-mine",
    "Data Platform": "Dote Plutform",
    "p-data": "p-dote",
    "Frank Meyer": "Frunk Moyer",
    francesca: "frunceska",
    francseca: "fruncseka",
    "frank@example.com": "frunk@example.com",
    "Start production": "Start projuction",
    "a-9": "a-0",
  };

  it("says what nobody can do, rather than that this person may not see what it is about", async () => {
    const { text } = await ask(curfew(), "dave", "make an acct for tom the new intern");
    expect(text).toContain("I can't create accounts or give access.");
    expect(text).not.toMatch(/You can't|Ask @/);
  });

  it.each(["dave", "guest"])(
    "%s gets the same answers about them as about names that nobody has",
    async (who) => {
      const differing = [];
      const said = async (line: string, name: string) => {
        const { text, message } = await ask(curfew(), who, line.replace("X", name));
        return `${text} ${buttonsOn(message).join(" | ")}`.replaceAll(new RegExp(name.replaceAll(" ", "|"), "gi"), "X");
      };
      // Each name in every other line, and each line with every other name.
      for (const [index, [name, other]] of Object.entries(made).entries())
        for (const line of lines.filter((_line, place) => (index + place) % 2 === 0)) {
          const [real, unknown] = [await said(line, name), await said(line, other)];
          if (real !== unknown) differing.push({ line: line.replace("X", name), real, unknown });
        }
      expect(differing).toEqual([]);
    },
    120_000,
  );
});
