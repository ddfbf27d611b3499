import fc from "fast-check";
import { expect, test } from "vitest";
import { catalogue } from "../../src/commands/catalogue.ts";
import { inputSchema } from "../../src/commands/field-values.ts";
import { splitLine } from "../../src/language/split-line.ts";
import { tokenize } from "../../src/language/tokenize.ts";
import { readParts, readState } from "../../src/slack/fields/read-fields.ts";
import { anyLine } from "../language/any-line.ts";
import { anyText } from "../time/any-text.ts";
import { aReadingContext } from "./build.ts";

test("splits any text into words with their positions, or reports an open quote", () => {
  fc.assert(
    fc.property(fc.oneof(anyText, anyLine), (text) => {
      const tokens = tokenize(text);
      if (tokens.kind === "unclosed") {
        expect(text).toContain(tokens.quote);
        return;
      }
      const starts = tokens.words.map(({ start }) => start);
      expect(starts).toEqual([...starts].sort((one, other) => one - other));
      expect(new Set(starts).size).toBe(starts.length);
      for (const start of starts) expect(text[start]).toMatch(/[^\s\u200b]/);
      expect(tokens.words.every(({ value, isQuoted }) => value !== "" || isQuoted)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test("quoted text is one word", () => {
  const inner = anyText.filter((text) => !/["“”„]/.test(text));
  fc.assert(
    fc.property(inner, inner, fc.constantFrom('""', "“”", "„“"), (one, other, [open, close]) => {
      const tokens = tokenize(`${open}${escapeTyped(one)}${close} ${open}${escapeTyped(other)}${close}`);
      expect(tokens.kind === "words" && tokens.words.map(({ value }) => value)).toEqual([one, other]);
    }),
  );
});

test("reads any line into values that fit the fields, or reports it as unclear", async () => {
  const context = aReadingContext();
  await fc.assert(
    fc.asyncProperty(anyLine, async (line) => {
      const split = splitLine(line, catalogue, () => undefined);
      if (split.kind === "unclear") {
        expect(split.problem).toMatch(/Nothing was changed/);
        return;
      }
      const read = await readParts(split.command, split.parts, context);
      const names = Object.keys(split.command.fields);
      expect(names).toEqual(
        expect.arrayContaining([...split.parts.keys(), ...Object.keys(read.problems), ...read.missing]),
      );
      const schema = inputSchema(split.command.fields, { partial: true });
      expect(schema.safeParse(read.input).error?.issues).toBeUndefined();
      for (const name of Object.keys(read.problems)) {
        expect(read.input).not.toHaveProperty(name);
        expect(read.missing).not.toContain(name);
      }
    }),
    { numRuns: 600 },
  );
});

test("reads any form into values that fit the fields", async () => {
  const context = aReadingContext();
  const state = fc.record(
    {
      type: fc.string(),
      value: fc.option(anyText),
      selected_option: fc.option(fc.record({ value: anyText })),
      selected_options: fc.option(fc.array(fc.record({ value: anyText }), { maxLength: 3 })),
      selected_date_time: fc.option(fc.integer({ min: 0 })),
      selected_time: fc.option(fc.oneof(anyText, fc.constantFrom("09:30", "25:00"))),
    },
    { requiredKeys: [] },
  );
  const command = fc.constantFrom(...catalogue);
  const submission = command.chain((each) => {
    const names = [...Object.keys(each.fields), "stranger"];
    const block = fc.oneof({ weight: 5, arbitrary: fc.record({ input: state }) }, fc.jsonValue());
    return fc.tuple(fc.constant(each), fc.oneof(fc.dictionary(fc.constantFrom(...names), block), fc.jsonValue()));
  });
  await fc.assert(
    fc.asyncProperty(submission, async ([each, values]) => {
      const read = await readState(each, values, context);
      expect(inputSchema(each.fields, { partial: true }).safeParse(read.input).error?.issues).toBeUndefined();
    }),
    { numRuns: 600 },
  );
});

/** As Slack sends what is typed (PLATFORM.md §3.3). */
function escapeTyped(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}
