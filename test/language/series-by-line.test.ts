import { describe, expect, test } from "vitest";
import { findPeriod } from "../../src/language/periods/find-period.ts";
import { timeAt } from "../../src/language/read-time.ts";
import { namesFrom } from "../../src/language/sense/names.ts";
import { understand } from "../../src/language/sense/understand.ts";
import { aTimeContext } from "./time-readings.ts";

const context = aTimeContext({});
const names = namesFrom(["staging", "build", "web"].map((name) => ({ kind: "thing", name })));

function meant(line: string): string | undefined {
  const understood = understand(line, {
    readTimeAt: (words) => timeAt(words, context),
    findPeriod: (words, isAfterThing) => findPeriod(words, context, isAfterThing),
    isSpan: () => false,
    isPast: () => false,
    names,
  });
  return understood?.kind === "line" ? understood.line : understood?.problem;
}

describe("a line about a series", () => {
  test.each([
    ["my weekly build only through dec 10", "edit build every through dec 10"],
    ["build thursdays -> til 23:30 not 22", "edit build every thursday til 23:30"],
    ["change the weekly build to 19:00-23:00", "edit build every 19:00-23:00"],
    ["the weekly build should end on dec 10", "edit build every until dec 10"],
    ["my thu build slot: leave out dec 3", "leave out build on dec 3"],
    ["shift tomorrow's build slot to friday", "move build on tomorrow to friday"],
    ["keep build up weekly on tuesday 18-20 until dec 10", "keep build up every tuesday 18-20 until dec 10"],
    ["staging tue+thu until 20:00, last one dec 10", "keep staging up tue+thu until 20:00 until dec 10"],
  ])("%j is %j", (line, grammar) => {
    expect(meant(line)).toBe(grammar);
  });

  test.each(["extend my weekly build by one hour", "change the weekly build dec 3"])(
    "%j changes nothing, since it does not say what the series becomes",
    (line) => {
      expect(meant(line)).not.toMatch(/^(?:edit|keep|extend)/);
    },
  );
});

describe("a time in a way of its own", () => {
  test.each([
    ["staging until around 9pm max", "keep staging up until around 9pm"],
    ["staging up no later than 21:00", "keep staging up until 21:00"],
    ["web 24/7 from tomorrow 06:00, 10 days", "keep web up from tomorrow 06:00 for 10 days"],
    ["build up 12d straight: 27.11. 18:00 to 9.12. 18:00", "keep build up 27.11. 18:00 to 9.12. 18:00"],
    ["keep web up until 20:00 rather than 19:00", "extend web until 20:00"],
  ])("%j is %j", (line, grammar) => {
    expect(meant(line)).toBe(grammar);
  });

  test("that contradicts another is kept beside it, so that it is asked", () => {
    expect(meant("build up 3d straight: 27.11. 18:00 to 9.12. 18:00")).toContain("3d");
  });
});
