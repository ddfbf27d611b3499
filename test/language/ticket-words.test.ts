import { describe, expect, test } from "vitest";
import { catalogue } from "../../src/commands/catalogue.ts";
import { allAsRequired } from "../../src/commands/required-fields.ts";
import { splitLine } from "../../src/language/split-line.ts";
import { requireSchema } from "../../src/permissions/requirements.ts";

const require = requireSchema.parse([{ operations: ["ModifyUser", "ModifyProject"], ticket: "^HD-[0-9]+$" }]);
const commands = allAsRequired(catalogue, { require, ticketUrl: "https://tracker.example.com/browse/{ticket}" });

function dealt(line: string) {
  const found = splitLine(line, commands, () => undefined);
  if (found.kind === "unclear") return found.problem;
  const parts = [...found.parts].map(([name, words]) => [name, words.map(({ value }) => value).join(" ")]);
  const unexplained = found.unexplained.map(({ value }) => value).join(" ");
  return { command: found.command.words, ...Object.fromEntries(parts), ...(unexplained ? { unexplained } : {}) };
}
const disable = { command: "user disable", user: "dave", ticket: "HD-123" };

describe("a ticket in a line of an operation that requires one", () => {
  test.each([
    ["at its end", "disable dave HD-123", disable],
    ["at its start", "HD-123 disable dave", disable],
    ["before the person", "please disable HD-123 dave", disable],
    ["in small letters and brackets", "disable dave (hd-123)", disable],
    ["after its usual words", "disable dave for ticket HD-123.", disable],
    ["as a flag", "disable dave --ticket HD-123", disable],
    ["as its address", "disable dave <https://tracker.example.com/browse/HD-123|tracker.example.com/…>", disable],
    ["as the whole reason", "disable dave because of HD-123", disable],
    ["before a reason", "disable dave HD-123 because he left", { ...disable, reason: "he left" }],
    ["within a reason", "disable dave because he left, HD-123", { ...disable, reason: "he left" }],
    ["within a quoted reason", 'disable dave --reason "left, see HD-123"', { ...disable, reason: "left, see HD-123" }],
    [
      "before free text",
      "rename p-dev to Dev team HD-7",
      { command: "project rename", project: "p-dev", name: "Dev team", ticket: "HD-7" },
    ],
  ])("is found %s", (_where, line, expected) => {
    expect(dealt(line)).toEqual(expected);
  });

  test.each([
    ["of another form", "disable dave INC-1", { command: "user disable", user: "dave INC-1" }],
    ["in quotes", 'disable "HD-123"', { command: "user disable", user: "HD-123" }],
    ["a second time", "disable dave HD-123 HD-4", { ...disable, user: "dave HD-4" }],
    ["where none is required", "skip HD-123", { command: "skip", thing: "HD-123" }],
  ])("is an ordinary word %s", (_where, line, expected) => {
    expect(dealt(line)).toEqual(expected);
  });

  test("is found after a word that is too long for one", () => {
    const line = `disable dave ${"H".repeat(3000)} HD-1`;
    expect(dealt(line)).toMatchObject({ ticket: "HD-1" });
  });
});

describe("a person who is locked out", () => {
  test.each([
    "unlock bob",
    "user unlock bob",
    "bob is locked out",
    "Bob got locked out.",
    "bob lost their phone",
    "please let bob back in",
    "bob can’t sign in",
  ])("is named by “%s”", (line) => {
    const found = dealt(line);
    expect(found).toMatchObject({ command: "user unlock" });
    expect(JSON.stringify(found).toLowerCase()).toContain('"user":"bob"');
  });

  test("takes a reason in the same line", () => {
    expect(dealt("bob lost their phone because of a theft")).toMatchObject({ user: "bob", reason: "of a theft" });
  });
});
