import { describe, expect, it } from "vitest";
import { findPeriod } from "../../src/language/periods/find-period.ts";
import { type TimeContext, timeAt } from "../../src/language/read-time.ts";
import { type Name, namesFrom } from "../../src/language/sense/names.ts";
import { understand } from "../../src/language/sense/understand.ts";

const context: TimeContext = {
  ...{ now: Date.parse("2026-11-25T13:10:00Z"), zone: "Europe/Berlin", dayZone: "Europe/Berlin" },
  ...{ dayStarts: "08:00", dayEnds: "18:00" },
};
const groups: readonly Name[] = ["staging", "qa", "build", "web", "reports-db"].map((name) => ({
  kind: "thing",
  name,
}));
const machines: readonly Name[] = ["i-0b1", "i-0b2"].map((name) => ({ kind: "thing", name, isId: true }));
const others: readonly Name[] = [
  { kind: "person", name: "dave" },
  { kind: "project", name: "p-prod", isId: true },
  { kind: "action", name: "Weekly volume backup" },
];
const lineFor = (line: string): string | undefined => {
  const understood = understand(line, {
    readTimeAt: (words) => timeAt(words, context),
    findPeriod: (words, isAlone) => findPeriod(words, context, isAlone),
    isSpan: () => false,
    isPast: () => false,
    names: namesFrom([...groups, ...machines, ...others]),
  });
  return understood?.kind === "line" && understood.note === undefined ? understood.line : undefined;
};

describe("words in short", () => {
  it.each([
    ["keep stg up 2nite til 22", "keep staging up tonight til 22"],
    ["keep the prd boxes up til 22", "keep p-prod up til 22"],
    ["the reporting databases up til 22 pls", "keep reports-db up til 22"],
    ["message me 10 min b4 stg nods off", "warn me 10 min before staging"],
    ["sundays volume bkup shd not run, only this sunday", "skip Weekly volume backup this sunday"],
    ["extend web to 20:30, not 21:30", "extend web until 20:30"],
    ["qa til 4pm thursday instead of noon", "extend qa til 4pm thursday"],
    ["keep i-0b2 up till 22, the other one can go", "keep i-0b2 up till 22"],
    ["keep web up till 9, qa is broken", "keep web up till 9 because qa is broken"],
    ["drag web out till 22", "extend web till 22"],
    ["lock dave out", "disable dave"],
    // Days that are left out, wherever they stand.
    [
      "keep staging up next week mon-fri till 23:30, not thursday",
      "keep staging up next week mon-fri till 23:30 not on thursday",
    ],
    [
      "web every evening 19-21 until friday but not on thursday",
      "keep web up every evening 19-21 until friday not on thursday",
    ],
    [
      "qa every workday 20-22 for 2 weeks, load runs, not on holidays",
      "keep qa up every workday 20-22 for 2 weeks not on holidays because load runs",
    ],
  ])("%s", (line, meant) => {
    expect(lineFor(line)).toBe(meant);
  });

  it.each([
    "prob need web til 9",
    "mby keep web up til 9",
    "keep 4 web servers up til 22",
    "keep web up til 9 w/o i-0b2",
    "keep i-0b2 up till 22, the others too",
    "web until 22 but not i-0b2",
    "i need staging until 10pm each tuesday, just skip the 23rd",
    "daev is locked out",
    "no need for qa 2moro",
  ])("does not act on: %s", (line) => {
    expect(lineFor(line)).toBeUndefined();
  });
});
