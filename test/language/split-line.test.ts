import { describe, expect, test } from "vitest";
import { catalogue } from "../../src/commands/catalogue.ts";
import { findTime } from "../../src/language/read-time.ts";
import { type LineSplit, splitLine } from "../../src/language/split-line.ts";
import { tokenize } from "../../src/language/tokenize.ts";
import { aTimeContext } from "./time-readings.ts";

const split = (line: string) => splitLine(line, catalogue, () => undefined);

/** The command's words, and the words of each field. */
function dealt(line: string) {
  const found = split(line);
  if (found.kind === "unclear") return found.problem;
  const parts = [...found.parts].map(([name, words]) => [name, words.map(({ value }) => value).join(" ")]);
  return { command: found.command.words, ...Object.fromEntries(parts) };
}
const problemsIn = (found: LineSplit) => (found.kind === "split" ? found.problems.join(" ") : found.problem);

describe("the words of a line", () => {
  test.each([
    ["straight quotes", 'a "b c" d', ["a", "b c", "d"]],
    ["curly quotes, as Slack makes them", "“b c” „d e“ ‘f g’", ["b c", "d e", "f g"]],
    ["a quote after a flag's equals sign", '--name="b c"', ["--name=b c"]],
    ["an apostrophe, which is no quote", "it's bob's 'box", ["it's", "bob's", "'box"]],
    ["an inch mark within a quote", '"a 19"-rack" b', ['a 19"-rack', "b"]],
    ["Slack's own marks, kept whole", "<@U1|bob smith> <#C1|ops>", ["<@U1|bob smith>", "<#C1|ops>"]],
    ["escaped characters", "a&amp;b &lt;x&gt; &amp;lt;", ["a&b", "<x>", "&lt;"]],
    ["a long dash before a flag, as Slack makes it", "—reason –type", ["--reason", "--type"]],
    ["several blanks and a zero-width one", "  a \u200b  b\t", ["a", "b"]],
    ["an empty quote", '""', [""]],
    ["nothing", "   ", []],
  ])("are split with %s", (_how, line, words) => {
    const tokens = tokenize(line);
    expect(tokens.kind === "words" && tokens.words.map(({ value }) => value)).toEqual(words);
  });

  test("are refused when a quote is not closed", () => {
    expect(tokenize('a "b c')).toEqual({ kind: "unclosed", quote: '"' });
    expect(dealt('exclude "i-1 for 2h')).toMatch(/quote " is not closed. Nothing was changed/);
  });
});

describe("a line", () => {
  test("is split into positionals, flags and a time that ends the line", () => {
    expect(dealt('exclude i-1 i-2 --reason "big day" until fri 18:00 Europe/Berlin')).toEqual({
      command: "exclusion create",
      resourceIds: "i-1 i-2",
      reason: "big day",
      until: "until fri 18:00 Europe/Berlin",
    });
    expect(dealt("project rename p-dev My new name --reason=tidy")).toEqual({
      command: "project rename",
      project: "p-dev",
      name: "My new name",
      reason: "tidy",
    });
  });

  test("matches the longest command name or alias, in any case", () => {
    expect(dealt("EXCLUDE i-1")).toMatchObject({ command: "exclusion create" });
    expect(dealt("Exclusion Create i-1")).toMatchObject({ command: "exclusion create", resourceIds: "i-1" });
    expect(dealt("exclusions mine")).toMatchObject({ command: "exclusion list", which: "mine" });
    expect(dealt("actions for bob")).toEqual({ command: "action list", words: "for bob" });
  });

  test("keeps every word of a denial's reason, but not of a query", () => {
    expect(dealt("deny chg-1 please explain, why now?")).toMatchObject({ reason: "please explain, why now?" });
    expect(dealt("history bob, please.")).toMatchObject({ which: "bob" });
  });

  test("takes the last address as a user's new one", () => {
    const address = "bob@example.net";
    expect(dealt(`user email bob@example.com ${address}`)).toMatchObject({ user: "bob@example.com", address });
  });

  test("keeps an end given by a flag beside one given by `for`", () => {
    expect(dealt("exclude i-1 --until 18:00 for 2h")).toMatchObject({ until: "18:00 for 2h" });
  });

  test.each([
    ["exclude i-1 --until monday", "until monday"],
    ["exclude i-1 --until=monday", "until monday"],
    ["exclude i-1 --until 2h", "2h"],
    ["exclude i-1 --until until friday", "until friday"],
    ["exclude i-1 --until banana", "banana"],
  ])("reads what a flag gives as an end: %s", (line, until) => {
    const found = splitLine(line, catalogue, (words) => findTime(words, aTimeContext()));
    const words = found.kind === "split" ? found.parts.get("until") : undefined;
    expect(words?.map(({ value }) => value).join(" ")).toBe(until);
  });

  test("treats quoted `for` and `until` as words, also where no field is a time", () => {
    expect(dealt('project rename p-dev "until" then')).toMatchObject({ name: "until then" });
    expect(dealt("project rename p-dev ready for launch")).toMatchObject({ name: "ready for launch" });
  });

  test("treats a quoted flag as a word", () => {
    expect(dealt('project rename p-dev "--reason"')).toMatchObject({ name: "--reason" });
  });

  test("that names no command quotes its beginning", () => {
    expect(dealt("exlude i-1 for 2h")).toMatch(/^I didn't understand “exlude i-1”. Nothing was changed/);
  });

  test.each([
    ["keep web up until 6", { command: "exclusion create", resourceIds: "web", until: "until 6" }],
    ["Please don’t stop the web tier", { command: "exclusion create", resourceIds: "web tier" }],
    ["hi curfew, can you disable bob, thanks!", { command: "user disable", user: "bob" }],
    ["rename p-dev to The Dev Team", { command: "project rename", project: "p-dev", name: "The Dev Team" }],
    ["rename data platform to x --reason tidy up", { project: "data platform", name: "x", reason: "tidy up" }],
    ["exclude x1 and y2 because of the demo", { resourceIds: "x1 y2", reason: "of the demo" }],
    ["reset MFA for Frank Meyer google-auth", { user: "Frank Meyer", mfaType: "google-auth" }],
    ["extend staging", { command: "exclusion extend", exclusion: "staging" }],
    ["stop excluding staging.", { command: "exclusion end", exclusion: "staging" }],
    ["exclude x1 in the data platform please", { resourceIds: "x1", project: "data platform" }],
    ["exclude x1 in dev --project p-prod", { resourceIds: "x1 in dev", project: "p-prod" }],
    ["rename p-dev to web in dev", { project: "p-dev", name: "web in dev" }],
    ["disable exclusion", { command: "user disable", user: "exclusion" }],
  ])("as people say it: %s", (line, meaning) => {
    expect(dealt(line)).toMatchObject(meaning);
  });

  test("suggests the nearest flag for an unknown one, else lists the flags", () => {
    expect(problemsIn(split("exclude i-1 --reson x"))).toMatch(/no --reson here. Did you mean --reason\?/);
    expect(problemsIn(split("user enable bob --colour red"))).toMatch(/There are --.*--reason/);
    expect(problemsIn(split("user enable bob --constructor x"))).toMatch(/no --constructor here/);
  });

  test("reports a flag without a value and words too many", () => {
    expect(problemsIn(split("user enable bob --reason"))).toMatch(/--reason needs a value/);
    expect(problemsIn(split("user enable bob --reason="))).toMatch(/--reason needs a value/);
    expect(dealt("user email bob smith bob@example.com")).toMatchObject({ user: "bob smith" });
    expect(split("whoami everything")).toMatchObject({ unexplained: [{ value: "everything" }] });
  });
});
