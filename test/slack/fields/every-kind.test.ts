import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { number } from "../../../src/commands/field.ts";
import { inputSchema } from "../../../src/commands/field-values.ts";
import { kindOf } from "../../../src/slack/fields/kind-of.ts";
import { anyValue } from "../../commands/any-input.ts";
import { hostileText } from "../hostile-text.ts";
import { problemsOf, sendUntouched, startOf } from "./draw.ts";
import { everySample } from "./sample-fields.ts";

describe.each(everySample)("the field %s", (_name, { field, value, wrong }) => {
  test("draws a valid input, empty and with a value", async () => {
    expect(await problemsOf(field)).toEqual([]);
    expect(await problemsOf(field, { value })).toEqual([]);
  });

  test("draws a valid input with any value and any typed text", async () => {
    const known = fc.option(anyValue(field), { nil: undefined });
    const shown = fc.record({ value: known, typed: fc.option(hostileText, { nil: undefined }) });
    await fc.assert(
      fc.asyncProperty(shown, async (each) => {
        expect(await problemsOf(field, each)).toEqual([]);
      }),
    );
  });

  test("never cuts a surrogate pair of too long a text", async () => {
    for (const typed of ["🦉".repeat(3000), `x${"🦉".repeat(3000)}`])
      expect(Object.values(Object(await startOf(field, { typed }))).join()).not.toMatch(/\p{Surrogate}/u);
  });

  test("keeps its value in a form sent unchanged", async () => {
    expect(await sendUntouched(field, { value })).toEqual({ kind: "value", value });
  });

  test("accepts only its own values", () => {
    const schema = inputSchema({ field });
    expect(schema.parse({ field: value })).toEqual({ field: value });
    for (const each of wrong) expect(schema.safeParse({ field: each }).success, JSON.stringify(each)).toBe(false);
  });
});

test("an input has exactly its command's fields; optional ones, or any of a partial one, may be missing", () => {
  const field = number({ label: "Page", minimum: 1 });
  const value = 2;
  const schema = inputSchema({ needed: field, extra: { ...field, optional: true } });
  expect(schema.safeParse({ needed: value }).success).toBe(true);
  expect(schema.safeParse({ extra: value }).success).toBe(false);
  expect(schema.safeParse({ needed: value, other: value }).success).toBe(false);
  expect(schema.safeParse("needed").success).toBe(false);
  const partial = inputSchema({ needed: field }, { partial: true });
  expect(partial.safeParse({}).success).toBe(true);
  expect(partial.safeParse({ other: value }).success).toBe(false);
});

test("each kind has a usage", () => {
  const usages = everySample.map(([name, { field }]) => `${name}: ${kindOf(field).usage(field)}`);
  expect(usages.join("\n")).toMatchInlineSnapshot(`
    "text (Name): <name>
    text (Reason): <reason>
    text (New name): <new name…>
    choice (Process): stop|start|both
    choice (Type): <type-0|…>
    choice (Include): <stop,…>
    reference (Project): <project>
    reference (Users): <users,…>
    resource-ids (Resource ids): <id or group>…
    things (Or choose): 
    moment (Until): for …|until …
    extension (Until): for …|until …
    number (Page): <page>
    number (Page): <page>
    email (Address): <address>
    time (Time): <HH:MM>
    recurrence (Every): every …
    span (When): <day or time>
    days (Days): <Mon-Fri|…>
    days (Days): <Mon-Fri|…>
    length (Length): <8h>
    zone (Zone): <zone>
    json (Parameters): '{…}'
    rules (Tags): <name>=<value>,…
    switch (Deleted too): 
    person (Person): <@person>
    list (Regions): <regions,…>"
  `);
});
