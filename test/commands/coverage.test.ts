import { describe, expect, test } from "vitest";
import { catalogue, commandOf } from "../../src/commands/catalogue.ts";
import type { Command, FillContext } from "../../src/commands/command.ts";
import type { Field } from "../../src/commands/field.ts";
import { inputSchema, presentFields } from "../../src/commands/field-values.ts";
import { namesOf } from "../../src/language/names-of.ts";
import { splitLine } from "../../src/language/split-line.ts";
import { flagOf } from "../../src/language/take-flags.ts";
import { validateView } from "../../src/sandbox/workspace/blocks.ts";
import { operationNames } from "../../src/service/operations.ts";
import { kindOf } from "../../src/slack/fields/kind-of.ts";
import { formFor } from "../../src/slack/forms/form.ts";
import { metaFor } from "../../src/slack/forms/form-meta.ts";
import { usageOf } from "../../src/slack/messages/usage.ts";
import { aContext } from "../changes/build.ts";

const context: FillContext = {
  ...aContext(),
  may: () => true,
  read: () => Promise.reject(new Error("a form read the service before it knew its entity")),
};
const named = catalogue.map((command) => [command.words, command] as const);

test.each(operationNames)("%s is reached by a command", (operation) => {
  // ListActions also stands for queries without an operation of their own.
  const own = catalogue.filter((command) => command.operation === operation);
  expect(own.map(({ words }) => words)).not.toEqual([]);
});

describe.each(named)("%s", (words, command) => {
  test("is found by its words and each of its aliases", () => {
    for (const name of namesOf(command)) {
      expect(splitLine(name, catalogue, () => undefined)).toMatchObject({ kind: "split", command: { words } });
    }
    expect(commandOf(words)).toBe(command);
  });

  test("has a usage line that fills every field", () => {
    expect(usageOf("/curfew", command).usage).toMatch(/^\/curfew \S/);
    const split = splitLine(lineWithAll(command), catalogue, () => undefined);
    if (split.kind !== "split") throw new Error(split.problem);
    expect(split.problems).toEqual([]);
    expect([...split.parts.keys()].sort()).toEqual(shownFields(command));
  });

  test("has a valid form with an input for every initial field", async () => {
    const shown = { input: {}, problems: {}, typed: {} };
    const meta = metaFor(command, { channelId: "C0OPS", responseUrl: undefined });
    const view = await formFor(command, shown, meta, context);
    expect(view.title.text.length).toBeLessThanOrEqual(24);
    const inputs = view.blocks
      .filter(({ type }) => type === "input")
      .map(({ block_id }) => String(block_id).split("/").at(-1));
    // A command without fields answers directly; its form never opens.
    if (inputs.length === 0) expect(Object.keys(command.fields)).toEqual([]);
    else expect(validateView(view)).toEqual([]);
    expect(inputs).toEqual(await fieldsAtFirst(command));
  });

  test("rejects input outside its fields", () => {
    expect(inputSchema(command.fields, { partial: true }).safeParse({}).success).toBe(true);
    expect(inputSchema(command.fields, { partial: true }).safeParse({ nonsense: 1 }).success).toBe(false);
  });
});

/** A line with every field: flags, then positionals in order, then the time. */
function lineWithAll(command: Command): string {
  const fields = Object.entries<Field>(command.fields).filter(([name]) => shownFields(command).includes(name));
  const isTime = (field: Field) => (field.kind === "moment" && !field.isStart) || field.kind === "extension";
  const positionals = fields
    .filter(([, { positional }]) => positional)
    .map(([, field]) => field.example ?? kindOf(field).example(field));
  // A reason reaches to the end of the line, so it comes last.
  const reason = "reason" in command.fields ? ["--reason f-reason"] : [];
  const flags = fields
    .filter(([name, field]) => name !== "reason" && !field.positional && !isTime(field))
    .map(([name, field]) => `--${flagOf(name)}${kindOf(field).usage(field) === "" ? "" : ` f-${name}`}`);
  const time = fields.some(([, field]) => isTime(field)) ? ["for 2h"] : [];
  return [command.words, ...flags, ...positionals, ...time, ...reason].join(" ");
}

const shownFields = (command: Command): readonly string[] =>
  Object.entries<Field>(command.fields)
    .filter(([, { hidden }]) => hidden === undefined || hidden === "form")
    .map(([name]) => name)
    .sort();

/** An edit form first asks for the entity; any other form starts with all present fields. */
async function fieldsAtFirst(command: Command): Promise<readonly string[]> {
  const fields = Object.entries(command.fields);
  if (command.kind === "change" && command.fill)
    return fields.filter(([, { positional }]) => positional).map(([name]) => name);
  const proposed = command.kind === "change" ? await command.propose?.({}, context) : {};
  const present = presentFields(command.fields, proposed ?? {});
  return present.filter(([, { hidden, folded }]) => (!hidden || hidden === "line") && !folded).map(([name]) => name);
}
