import { expect, test } from "vitest";
import { catalogue } from "../../src/commands/catalogue.ts";
import { splitLine } from "../../src/language/split-line.ts";
import { readParts } from "../../src/slack/fields/read-fields.ts";
import { usageOf } from "../../src/slack/messages/usage.ts";
import { aReadingContext } from "./build.ts";

test.each(catalogue.map((command) => [usageOf("/curfew", command).example, command] as const))(
  "the example “%s” is a valid line of its command",
  async (example, command) => {
    const line = example.replace("/curfew ", "").replace("@bob", "<@U02BOB|bob>");
    const split = splitLine(line, catalogue, () => undefined);
    if (split.kind === "unclear") throw new Error(split.problem);
    expect([split.command.words, split.problems]).toEqual([command.words, []]);
    const { problems, missing } = await readParts(command, split.parts, aReadingContext());
    const isEdit = command.kind === "change" && command.fill !== undefined;
    expect(problems).toEqual({});
    expect(missing.filter((name) => !isEdit && !command.fields[name]?.derivedFrom)).toEqual([]);
  },
);

test("help uses the installed slash command", () => {
  const [command] = catalogue;
  expect(command && usageOf("/night", command).usage).toMatch(/^\/night /);
});
