import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { catalogue } from "../../src/commands/catalogue.ts";
import type { Command } from "../../src/commands/command.ts";
import { namesOf } from "../../src/language/names-of.ts";
import { validateBlocks, validateView } from "../../src/sandbox/workspace/blocks.ts";
import { isJsonObject } from "../../src/sandbox/workspace/json-object.ts";
import { operations } from "../../src/service/operations.ts";
import { handleLine } from "../../src/slack/listeners/line/handle-line.ts";
import { anyLine } from "../language/any-line.ts";
import { startListening } from "./start-listening.ts";

const origin = {
  userId: "U03CAROL",
  channelId: "C0OPS",
  responseUrl: "https://hooks.slack.com/x",
  triggerId: "1.2",
  arrivedAt: 0,
  key: "command:1.2",
};

/** What the lines name, and how a change names it. */
const ids = [
  ...[
    ["staging", "i-0a"] as const,
    ["i-0a1", "i-0a1"] as const,
    ["p-dev", "p-dev"] as const,
    ["ae-1", "ae-1"] as const,
  ],
  ...[["chg-1", "chg-1"] as const, ["bob", "u-0"] as const, ["u-00000001", "u-00000001"] as const],
];

describe("any typed line", () => {
  test("requests a change only if it starts with the words of a changing command, or names what is changed", async () => {
    const { ports, asks, service } = await startListening();
    await fc.assert(
      fc.asyncProperty(anyLine, async (text) => {
        asks.length = 0;
        await handleLine(ports, { ...origin, text });
        expect(asks.length).toBeLessThanOrEqual(1);
        for (const { command, undoes, input } of asks) {
          const names = undoes === undefined ? namesOf(command) : ["undo"];
          const about = JSON.stringify(input);
          const isNamed = ids.some(([said, id]) => text.toLowerCase().includes(said) && about.includes(id));
          expect(isNamed || names.some((name) => beginsWith(text, name)), text).toBe(true);
        }
      }),
      { numRuns: 400, examples: [["user remove-mfa for for"]] },
    );
    const sent = service.requests.flatMap(({ operation }) => (operation ? [operations[operation].effect] : []));
    expect(sent.filter((effect) => effect !== "read")).toEqual([]);
  });

  test("gets one valid message or one valid form", async () => {
    const { ports, replies, calls } = await startListening();
    await fc.assert(
      fc.asyncProperty(anyLine, async (text) => {
        replies.length = 0;
        calls.length = 0;
        await handleLine(ports, { ...origin, text });
        expect(replies.length + calls.filter(({ method }) => method !== "views.update").length).toBe(1);
        for (const message of replies) {
          expect(isJsonObject(message) && validateBlocks(message.blocks, "message")).toEqual([]);
        }
        for (const { args } of calls) expect(validateView(JSON.parse(args.view ?? ""))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});

test("a complete line requests its change, or opens the form to confirm it", async () => {
  const lines: Readonly<Record<string, string>> = {
    "exclusion create": "exclude staging for 2h",
    "exclusion extend": "exclusion extend ae-1 for 1h",
    "user enable": "user enable bob",
    "user disable": "USER Disable <@U02BOB|bob>",
    "project rename": "project rename p-dev Dev (new)",
  };
  const { ports, asks, calls } = await startListening();
  for (const [words, text] of Object.entries(lines)) {
    await handleLine(ports, { ...origin, text });
    expect(asks.at(-1)).toMatchObject({ command: { words }, idempotencyKey: "command:1.2" });
  }
  expect(calls).toEqual([]);
  await handleLine(ports, { ...origin, text: "user remove-mfa bob google-auth" });
  await handleLine(ports, { ...origin, text: "exclusion end ae-1" });
  expect(asks).toHaveLength(Object.keys(lines).length);
  expect(calls.map(({ method }) => method)).toEqual(["views.open"]);
});

test("a command with a confirmation never runs from a line", async () => {
  const confirming = catalogue.filter((command): command is Command => command.kind === "change" && !!command.confirms);
  const { ports, asks } = await startListening();
  const rest = fc.array(fc.constantFrom("bob", "ae-1", "cred-00000001", "google-auth", "--reason", "x"), {
    maxLength: 5,
  });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...confirming), rest, async ({ words }, more) => {
      await handleLine(ports, { ...origin, text: [words, ...more].join(" ") });
      expect(asks).toEqual([]);
    }),
  );
});

/** Quotes and blanks aside. */
function beginsWith(text: string, name: string): boolean {
  const spoken = text
    .toLowerCase()
    .split(/[\s\u200b"'“”„«»‘’]+/)
    .filter(Boolean);
  return name.split(" ").every((word, index) => spoken[index] === word);
}
