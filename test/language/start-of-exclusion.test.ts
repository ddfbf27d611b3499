import { describe, expect, test } from "vitest";
import { catalogue } from "../../src/commands/catalogue.ts";
import { findTime } from "../../src/language/read-time.ts";
import { splitLine } from "../../src/language/split-line.ts";
import { aTimeContext } from "./time-readings.ts";

const context = aTimeContext();

/** The words of the start and of the end, and those that are left for the resources. */
function partsOf(line: string): string {
  const split = splitLine(line, catalogue, (words) => findTime(words, context));
  if (split.kind !== "split") return split.problem;
  const said = (name: string) => (split.parts.get(name) ?? []).map(({ value }) => value).join(" ");
  return [said("resourceIds"), said("from"), said("until")].join(" | ");
}

describe("the start of an exclusion", () => {
  test.each([
    ["exclude staging from fri 18:00 until mon 8:00", "staging | fri 18:00 | until mon 8:00"],
    ["keep staging up from tomorrow 18:00 for 3h", "staging | tomorrow 18:00 | for 3h"],
    ["keep staging up from monday 9am to friday 6pm", "staging | monday 9am | to friday 6pm"],
    ["keep staging up until mon 8:00 starting at fri 18:00", "staging | fri 18:00 | until mon 8:00"],
    ["exclude staging from stopping from fri 18:00 until mon 8:00", "staging | fri 18:00 | until mon 8:00"],
    ["exclude staging beginning on friday for the weekend", "staging | friday | for the weekend"],
    ["exclude staging for 2 days from monday", "staging | monday | for 2 days"],
    ["exclude staging from 18:00 to 22:00", "staging | 18:00 | to 22:00"],
    ["keep staging up friday 6pm to saturday 2am", "staging | friday 6pm | to saturday 2am"],
    ["keep staging up tomorrow at 18:00 for 2h", "staging | tomorrow at 18:00 | for 2h"],
    ["keep staging up in 2h for 1h", "staging | in 2h | for 1h"],
    ["keep staging up for 1h in 2h", "staging | in 2h | for 1h"],
  ])("in “%s” is “%s”", (line, parts) => {
    expect(partsOf(line)).toBe(parts);
  });

  test.each([
    ["exclude staging from now until 18:00", "staging |  | from now until 18:00"],
    ["keep staging up until a week from monday", "staging |  | until a week from monday"],
    ["keep staging up for 2 hours from now", "staging |  | for 2 hours from now"],
    ["keep staging up for 2h until 18:00", "staging |  | for 2h until 18:00"],
    ["keep staging up tomorrow for 2h", "staging |  | tomorrow for 2h"],
    ["exclude staging from stopping until 18:00", "staging |  | until 18:00"],
  ])("is not in “%s”", (line, parts) => {
    expect(partsOf(line)).toBe(parts);
  });
});
