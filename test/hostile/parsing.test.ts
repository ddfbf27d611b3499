import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { catalogue } from "../../src/commands/catalogue.ts";
import { instant } from "../../src/commands/exclusion/exclusion-body.ts";
import { json, reference } from "../../src/commands/field.ts";
import { resourcesIn } from "../../src/directory/resources.ts";
import { createTextSearch } from "../../src/directory/text-search.ts";
import { namesOf } from "../../src/language/names-of.ts";
import { readTime } from "../../src/language/read-time.ts";
import { maxLineLength, splitLine } from "../../src/language/split-line.ts";
import { tokenize } from "../../src/language/tokenize.ts";
import { readErrorBody } from "../../src/service/explain-exchange.ts";
import { createRedact } from "../../src/service/service-error.ts";
import { blockIdOf } from "../../src/slack/fields/field-kind.ts";
import { kindOf } from "../../src/slack/fields/kind-of.ts";
import { readParts, readState } from "../../src/slack/fields/read-fields.ts";
import { longestMessage, messageText } from "../../src/slack/listeners/handlers/handle-shortcut.ts";
import { addressedLine } from "../../src/slack/listeners/mention/listen-to-messages.ts";
import { literal } from "../../src/slack/messages/text.ts";
import { parseDuration } from "../../src/time/duration.ts";
import { nextDailyRun } from "../../src/time/schedule.ts";
import { nearestZone } from "../../src/time/zone.ts";
import { noon } from "../changes/build.ts";
import { aReadingContext, word } from "../slack/build.ts";
import { everySample } from "../slack/fields/sample-fields.ts";
import { anyShape, leastMs, plainShapes, type Shape, superlinear, textOf } from "./shapes.ts";

const slow = 120_000;
/** As many as in a large configuration. */
const groups = Object.fromEntries(
  Array.from({ length: 100 }, (_each, group) => [
    `group-${group}`,
    {
      type: "amazon-ec2-instance" as const,
      project: "p-dev",
      ids: Array.from({ length: 50 }, (_id, id) => `i-${group}a${id}`),
    },
  ]),
);
const context = aReadingContext();
const contextWithGroups = { ...context, settings: { ...context.settings, resourceGroups: groups } };
const redact = createRedact(["kkkkkkkk-1234567890", "-----BEGIN KEY-----\nabcdefghijklmnop\nqrstuvwxyz012345\n"]);
const search = createTextSearch(["one"], ["a".repeat(1000)]);
const schedule = { days: ["monday"], timeOfDay: "19:00", timeZoneId: "UTC" };

const timeContext = { now: noon, zone: "UTC", dayZone: "UTC", dayStarts: "08:00", dayEnds: "18:00" };

/** Every parser of outside text, for any length, also of text that is bounded earlier. */
const parsers: Readonly<Record<string, (text: string) => unknown>> = {
  "the words of a line": tokenize,
  "the resources in a text": (text) => resourcesIn(text, new Map([["web-01", undefined]])),
  "the text of a message": (text) => messageText({ text, blocks: [{ text: { text } }] }),
  "the line in a message": (text) =>
    addressedLine(text, { isDirect: true, isReply: false }, { botUserId: "UCURFEW", slashCommand: "/curfew" }),
  "a length of time": parseDuration,
  "a time": (text) => readTime(["until", ...text.split(/\s+/).slice(0, 11)], timeContext),
  "a time zone": nearestZone,
  "what is searched for": (text) => search(text, 25),
  "text that is shown": literal,
  "text that is shown in part": (text) => literal(text, text.length - 1),
  "an error answer": (text) => readErrorBody(text, redact),
  "an error answer in JSON": (text) =>
    readErrorBody(JSON.stringify({ message: text, modelState: { a: [text] } }), redact),
  "a timestamp of the service": instant,
  "a schedule of the service": (text) => nextDailyRun({ ...schedule, timeOfDay: text, startDate: text }, noon),
  "a secret in a text": redact,
};

const fields = everySample.map(([, { field }]) => field);

describe("parsing time grows linearly", () => {
  const all: readonly (readonly [string, (text: string) => unknown])[] = [
    ...Object.entries(parsers),
    ...fields.map((field, index): readonly [string, (text: string) => unknown] => [
      `the ${field.kind} field ${index} on a line`,
      (text: string) => kindOf(field).fromLine(field, [word(text, true)], contextWithGroups),
    ]),
  ];
  test.each(all)(
    "for %s",
    async (_name, parse) => {
      for (const shape of plainShapes) expect(await superlinear(parse, shape)).toBeUndefined();
      await fc.assert(
        fc.asyncProperty(anyShape, async (shape) => {
          expect(await superlinear(parse, shape)).toBeUndefined();
        }),
        { numRuns: 30 },
      );
    },
    slow,
  );
});

/** The limit for one block of the event loop by outside input. */
const longestHoldMs = 20;
const longestHold = (read: () => unknown) => leastMs(read, 25, longestHoldMs);

describe("the longest accepted text", () => {
  const lineOf = (name: string, shape: Shape) => `${name} ${textOf(shape, maxLineLength - name.length - 1)}`;
  const readLine = async (line: string) => {
    const split = splitLine(line, catalogue, () => undefined);
    if (split.kind === "split") await readParts(split.command, split.parts, contextWithGroups);
  };

  test("of a line is read within 20 ms for every command", { timeout: slow }, async () => {
    const names = catalogue.flatMap(namesOf);
    for (const [index, shape] of plainShapes.entries()) {
      for (const name of ["", "exclude", "exclude i-1 --project", names[index % names.length] ?? ""])
        expect(await longestHold(() => readLine(lineOf(name, shape))), lineOf(name, shape)).toBeLessThan(longestHoldMs);
    }
  });

  test.each([
    ["words", "exclude", (index: number) => `w${index} `],
    ["words that are almost groups", "exclude", (index: number) => `grup-${index % 200} `],
    ["flags", "exclude i-1", (index: number) => `--f${index} x `],
    ["flags that are almost ours", "exclude i-1", (index: number) => `--proces${index} `],
    ["things", "selector edit plan-1 sel-1 --credentials", (index: number) => `c${index},`],
    ["rules", "selector edit plan-1 sel-1 --tags", (index: number) => `"a equals ${index};"`],
    ["numbers", "exclude i-1 for", (index: number) => `${index} `],
  ])("with many different %s in a line is read within 20 ms", async (_what, begin, part) => {
    const parts = Array.from({ length: 2000 }, (_each, index) => part(index)).join("");
    const least = await longestHold(() => readLine(`${begin} ${parts}`.slice(0, maxLineLength)));
    expect(least).toBeLessThan(longestHoldMs);
  });

  test("of a form field is read within 20 ms", { timeout: slow }, async () => {
    const command = fc.constantFrom(...catalogue.filter((each) => Object.keys(each.fields).length > 0));
    await fc.assert(
      fc.asyncProperty(command, anyShape, async (each, shape) => {
        const value = textOf(shape, 3000);
        for (const name of Object.keys(each.fields)) {
          const state = { input: { value, selected_option: { value }, selected_time: value, selected_user: value } };
          const values = { [blockIdOf(each, name)]: state };
          expect(await longestHold(() => readState(each, values, context))).toBeLessThan(longestHoldMs);
        }
      }),
      { numRuns: 60 },
    );
  });

  test("of a message is read within 20 ms", { timeout: slow }, async () => {
    for (const shape of plainShapes) {
      const text = textOf(shape, longestMessage);
      const read = () => resourcesIn(messageText({ text }) ?? "", new Map([["web-01", undefined]]));
      expect(await longestHold(read), JSON.stringify(shape)).toBeLessThan(longestHoldMs);
    }
  });

  test("of an error answer is read within 20 ms", { timeout: slow }, async () => {
    for (const shape of plainShapes) {
      const text = textOf(shape, 32 * 1024);
      const read = () => readErrorBody(text, redact);
      expect(await longestHold(read), JSON.stringify(shape)).toBeLessThan(longestHoldMs);
    }
  });

  test("of a time is read within 20 ms", { timeout: slow }, async () => {
    await fc.assert(
      fc.asyncProperty(anyShape, async (shape) => {
        const read = () => readTime(["until", ...textOf(shape, 100).split(/\s+/).slice(0, 11)], timeContext);
        expect(await longestHold(read)).toBeLessThan(longestHoldMs);
      }),
    );
  });
});

describe("text over the limit", () => {
  test("is refused in a line, not cut", () => {
    const line = `whoami ${" ".repeat(maxLineLength)}x`;
    const split = splitLine(line, catalogue, () => undefined);
    expect(split).toMatchObject({ kind: "unclear", problem: expect.stringMatching(/4,000 .* Nothing was changed/) });
    expect(splitLine("a".repeat(maxLineLength), catalogue, () => undefined)).toMatchObject({
      problem: expect.stringContaining("I didn't understand"),
    });
  });

  test("is refused in JSON that would fill megabytes in a form", async () => {
    const field = json({ label: "Groups", list: true });
    const read = (depth: number) =>
      kindOf(field).fromLine(field, [word(`[{"a":${"[".repeat(depth)}${"]".repeat(depth)}}]`, true)], context);
    expect(await read(10)).toMatchObject({ kind: "value" });
    expect(await read(1900)).toMatchObject({ kind: "problem", problem: expect.stringContaining("nested too deeply") });
  });

  test("is refused in a list of names before any look-up", async () => {
    let lookUps = 0;
    const match: typeof context.directory.match = (...asked) => {
      lookUps++;
      return context.directory.match(...asked);
    };
    const field = reference("credential", { label: "Credentials", multiple: true });
    const read = (count: number) => {
      const said = Array.from({ length: count }, (_each, index) => `c${index}`).join(",");
      return kindOf(field).fromLine(field, [word(said)], { ...context, directory: { ...context.directory, match } });
    };
    expect(await read(101)).toMatchObject({ kind: "problem", problem: "That is 101; at most 100 are allowed." });
    expect(lookUps).toBe(0);
    // Two unknown names are enough to ask again.
    expect(await read(100)).toMatchObject({ kind: "problem", problem: expect.stringMatching(/“c0”.*“c1”/) });
    expect(lookUps).toBe(2);
  });

  test("is refused in a form field of every kind", async () => {
    for (const command of catalogue) {
      const sent = { input: { value: "i".repeat(3001), selected_time: "1".repeat(3001) } };
      const names = Object.keys(command.fields);
      const values = Object.fromEntries(names.map((name) => [blockIdOf(command, name), sent]));
      const read = await readState(command, values, context);
      for (const name of names.filter((name) => name in read.problems))
        expect(read.problems[name]).toContain("3,000 characters");
      expect(
        Object.keys(read.input).filter((name) => values[blockIdOf(command, name)] && !(name in read.problems)),
      ).toEqual([]);
    }
  });

  test("is not searched in a message of any form", () => {
    const nested = (depth: number) => JSON.parse(`${'{"a":['.repeat(depth)}{"text":"i-0a1"}${"]}".repeat(depth)}`);
    expect(messageText(nested(5000))).toBe("i-0a1");
    expect(messageText(nested(300_000))).toBeUndefined();
    expect(messageText({ blocks: Array.from({ length: 100_000 }, () => ({})) })).toBeUndefined();
    expect(messageText({ text: "a".repeat(longestMessage + 1) })).toBeUndefined();
    expect(messageText({ text: "a".repeat(longestMessage) })).toHaveLength(longestMessage);
  });
});
