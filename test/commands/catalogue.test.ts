import { describe, expect, test } from "vitest";
import { catalogue, commandOf } from "../../src/commands/catalogue.ts";
import type { Input } from "../../src/commands/field.ts";
import { missingFields } from "../../src/commands/field-values.ts";
import { namesOf } from "../../src/language/names-of.ts";
import { operationNames, operations } from "../../src/service/operations.ts";

test("every command name is unique", () => {
  const names = catalogue.flatMap(namesOf);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  for (const name of names) expect(name).toMatch(/^[a-z'-]+(?: [a-z'-]+)*$/);
});

test("finds a command by its words, not by its alias", () => {
  for (const command of catalogue) expect(commandOf(command.words)).toBe(command);
  expect(commandOf("exclude")).toBeUndefined();
  expect(commandOf("constructor")).toBeUndefined();
});

test("changes and shortcuts to them name a changing operation, other commands do not", () => {
  for (const { kind, operation, words } of catalogue) {
    const effect = operation === null ? null : operations[operation].effect;
    if (kind === "change" || kind === "shortcut") expect(["create", "modify", "delete"], words).toContain(effect);
    else expect([null, "read"], words).toContain(effect);
  }
});

test("every operation is reached by a command", () => {
  const reached = new Set<string | null>(catalogue.map(({ operation }) => operation));
  expect(operationNames.filter((name) => !reached.has(name))).toEqual([]);
});

test("the missing fields depend on the input", () => {
  const missing = (words: string, input: Input) => missingFields(commandOf(words)?.fields ?? {}, input);
  expect(missing("whoami", {})).toEqual([]);
  expect(missing("project rename", { name: "Live" })).toEqual(["project"]);
  expect(missing("plan create", { type: "start-stop-plan" })).toEqual([
    ...["name", "project", "days", "start", "stop", "zone"],
  ]);
  expect(missing("plan create", { type: "backup-plan" })).toEqual([
    ...["name", "project", "days", "start", "zone", "parameters"],
  ]);
});

describe.each(catalogue.map((command) => [command.words, command] as const))("%s", (_words, command) => {
  const fields = Object.entries(command.fields);

  test("has a summary, and a title that fits a form", () => {
    expect(command.title.length).toBeGreaterThan(0);
    expect(command.title.length).toBeLessThanOrEqual(24);
    expect(command.summary).toMatch(/^[A-Z].*[^.]$/);
  });

  test("has at most one end, and takes the rest of the line only last", () => {
    const positional = fields.filter(([, field]) => field.positional).map(([, field]) => field.positional);
    expect(positional.slice(0, -1)).not.toContain("rest");
    const ends = fields.filter(([, field]) =>
      field.kind === "moment" ? !field.isStart && !field.isDay : field.kind === "extension",
    );
    expect(ends.length).toBeLessThanOrEqual(1);
  });

  test("keeps its fields within Slack's limits", () => {
    const drawn = fields.map(([name, field]) => ({ name, label: field.label, hint: field.hint ?? "" }));
    for (const { name, label, hint } of drawn) {
      expect(name.length).toBeLessThanOrEqual(255);
      expect(label.length).toBeGreaterThan(0);
      expect(label.length).toBeLessThanOrEqual(2000);
      expect(hint.length).toBeLessThanOrEqual(2000);
    }
    for (const [, field] of fields) {
      if (field.kind !== "choice") continue;
      expect(field.options.length).toBeLessThanOrEqual(field.multiple ? 10 : 100);
      for (const { value, label } of field.options) {
        expect(value.length).toBeLessThanOrEqual(150);
        expect(label.length).toBeLessThanOrEqual(75);
      }
    }
  });
});
