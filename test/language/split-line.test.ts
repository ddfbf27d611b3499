import { describe, expect, test } from "vitest";
import { catalogue } from "../../src/commands/catalogue.ts";
import { type LineSplit, splitLine } from "../../src/language/split-line.ts";
import { tokenize } from "../../src/language/tokenize.ts";

const split = (line: string) => splitLine(line, catalogue, () => catalogue);

/** The command's words, and the words dealt out to each field. */
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
    ["an apostrophe, which is none", "it's bob's 'box", ["it's", "bob's", "'box"]],
    ["an inch mark within a quote", '"a 19"-rack" b', ['a 19"-rack', "b"]],
    ["Slack's own marks, which stay whole", "<@U1|bob smith> <#C1|ops>", ["<@U1|bob smith>", "<#C1|ops>"]],
    ["escaped characters", "a&amp;b &lt;x&gt; &amp;lt;", ["a&b", "<x>", "&lt;"]],
    ["a long dash before a flag, as Slack makes it", "—reason –type", ["--reason", "--type"]],
    ["several blanks and a zero-width one", "  a \u200b  b\t", ["a", "b"]],
    ["an empty quote", '""', [""]],
    ["nothing", "   ", []],
  ])("are told apart with %s", (_how, line, words) => {
    const tokens = tokenize(line);
    expect(tokens.kind === "words" && tokens.words.map(({ value }) => value)).toEqual(words);
  });

  test("with a quote that is not closed are refused rather than guessed", () => {
    expect(tokenize('a "b c')).toEqual({ kind: "unclosed", quote: '"' });
    expect(dealt('exclude "i-1 for 2h')).toMatch(/quote " is not closed. Nothing was changed/);
  });
});

describe("a line", () => {
  test("is dealt out to its command's fields: positionals, flags, and a time to the end", () => {
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

  test("names its command in any case, by its words or another name, the longest first", () => {
    expect(dealt("EXCLUDE i-1")).toMatchObject({ command: "exclusion create" });
    expect(dealt("Exclusion Create i-1")).toMatchObject({ command: "exclusion create", resourceIds: "i-1" });
    expect(dealt("exclusions mine")).toMatchObject({ command: "exclusion list", whose: "mine" });
    expect(dealt("actions for bob")).toEqual({ command: "action list", words: "for bob" });
  });

  test("takes an end that a flag gives together with one that the line gives", () => {
    expect(dealt("exclude i-1 --until 18:00 for 2h")).toMatchObject({ until: "18:00 for 2h" });
  });

  test("keeps for and until as words where they are quoted or no time is asked for", () => {
    expect(dealt('project rename p-dev "until" then')).toMatchObject({ name: "until then" });
    expect(dealt("project rename p-dev ready for launch")).toMatchObject({ name: "ready for launch" });
  });

  test("takes a quoted flag for a word", () => {
    expect(dealt('project rename p-dev "--reason"')).toMatchObject({ name: "--reason" });
  });

  test("with an unknown command is answered with the nearest, among those that are offered", () => {
    expect(dealt("exlude i-1")).toMatch(/no command “exlude i-1”\. Did you mean “exclude”\?/);
    expect(dealt("user enabel bob")).toMatch(/“user enable”/);
    const none = splitLine("exlude i-1", catalogue, () => []);
    expect(problemsIn(none)).not.toMatch(/Did you mean/);
    expect(problemsIn(none)).toMatch(/Nothing was changed/);
  });

  test("with a flag that does not exist is answered with the nearest or with those there are", () => {
    expect(problemsIn(split("exclude i-1 --reson x"))).toMatch(/no --reson here. Did you mean --reason\?/);
    expect(problemsIn(split("user enable bob --colour red"))).toMatch(/There are --.*--reason/);
    expect(problemsIn(split("user enable bob --constructor x"))).toMatch(/no --constructor here/);
  });

  test("with a flag that lacks its value, or with words too many, says so", () => {
    expect(problemsIn(split("user enable bob --reason"))).toMatch(/--reason needs a value/);
    expect(problemsIn(split("user enable bob --reason="))).toMatch(/--reason needs a value/);
    expect(problemsIn(split("user enable bob alice"))).toMatch(/“alice” is one too many/);
  });
});
