import { describe, expect, test } from "vitest";
import { catalogue } from "../../src/commands/catalogue.ts";
import { type LineSplit, splitLine } from "../../src/language/split-line.ts";
import { tokenize } from "../../src/language/tokenize.ts";

const split = (line: string) => splitLine(line, catalogue, () => catalogue);

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
    expect(dealt("exclusions mine")).toMatchObject({ command: "exclusion list", whose: "mine" });
    expect(dealt("actions for bob")).toEqual({ command: "action list", words: "for bob" });
  });

  test("keeps an end given by a flag beside one given by `for`", () => {
    expect(dealt("exclude i-1 --until 18:00 for 2h")).toMatchObject({ until: "18:00 for 2h" });
  });

  test("treats quoted `for` and `until` as words, also where no field is a time", () => {
    expect(dealt('project rename p-dev "until" then')).toMatchObject({ name: "until then" });
    expect(dealt("project rename p-dev ready for launch")).toMatchObject({ name: "ready for launch" });
  });

  test("treats a quoted flag as a word", () => {
    expect(dealt('project rename p-dev "--reason"')).toMatchObject({ name: "--reason" });
  });

  test("suggests the nearest offered command for an unknown one", () => {
    expect(dealt("exlude i-1")).toMatch(/no command “exlude i-1”\. Did you mean “exclude”\?/);
    expect(dealt("user enabel bob")).toMatch(/“user enable”/);
    const none = splitLine("exlude i-1", catalogue, () => []);
    expect(problemsIn(none)).not.toMatch(/Did you mean/);
    expect(problemsIn(none)).toMatch(/Nothing was changed/);
  });

  test("suggests the nearest flag for an unknown one, else lists the flags", () => {
    expect(problemsIn(split("exclude i-1 --reson x"))).toMatch(/no --reson here. Did you mean --reason\?/);
    expect(problemsIn(split("user enable bob --colour red"))).toMatch(/There are --.*--reason/);
    expect(problemsIn(split("user enable bob --constructor x"))).toMatch(/no --constructor here/);
  });

  test("reports a flag without a value and words too many", () => {
    expect(problemsIn(split("user enable bob --reason"))).toMatch(/--reason needs a value/);
    expect(problemsIn(split("user enable bob --reason="))).toMatch(/--reason needs a value/);
    expect(problemsIn(split("user enable bob alice"))).toMatch(/I didn't understand “alice”/);
  });
});
