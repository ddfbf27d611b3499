import { expect, test } from "vitest";
import { defineChange } from "../../src/commands/command.ts";
import { number, text } from "../../src/commands/field.ts";

const declaration = {
  words: "project renumber",
  title: "Renumber project",
  summary: "Give a project a number",
  operation: "ModifyProject",
  about: "project",
  fields: { project: text({ label: "Project", maxLength: 9 }), number: number({ label: "Number", minimum: 1 }) },
} as const;
const describe = () => ({ done: "renumbered", asked: "renumber", facts: [] });

test("checks a change's functions against its own fields and operation", () => {
  const command = defineChange({
    ...declaration,
    subjectId: (input) => input.project,
    request: (input) => ({ id: input.project, name: String(input.number) }),
    target: ({ request }) => ({ projectId: request.id }),
    describe,
  });
  expect(Object.keys(command.fields)).toEqual(["project", "number", "reason", "ticket"]);
  defineChange({
    ...declaration,
    // @ts-expect-error: `number` is not text.
    subjectId: (input: { readonly number: string }) => input.number,
    // @ts-expect-error: the operation takes a name.
    request: (input) => ({ id: input.project }),
    // @ts-expect-error: the operation's input has no `number`.
    target: ({ request }) => ({ projectId: request.number }),
    describe,
  });
});
