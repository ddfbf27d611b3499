import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { catalogue, namesOf } from "../../src/commands/catalogue.ts";
import type { Command } from "../../src/commands/command.ts";
import { isJsonObject } from "../../src/sandbox/workspace/json-object.ts";
import { validateBlocks } from "../../src/sandbox/workspace/validate/validate-message.ts";
import { validateView } from "../../src/sandbox/workspace/validate/validate-view.ts";
import { operations } from "../../src/service/operations.ts";
import { handleLine } from "../../src/slack/listeners/handle-line.ts";
import { anyLine } from "../language/any-line.ts";
import { startDesk } from "./start-desk.ts";

const origin = { userId: "U03CAROL", channelId: "C0OPS", responseUrl: "https://hooks.slack.com/x", triggerId: "1.2" };

describe("whatever is typed", () => {
  test("a change is asked for only where the line begins with the words of a command that changes something", async () => {
    const { desk, asks, service } = await startDesk();
    await fc.assert(
      fc.asyncProperty(anyLine, async (text) => {
        asks.length = 0;
        await handleLine(desk, { ...origin, text });
        expect(asks.length).toBeLessThanOrEqual(1);
        for (const { command, undoes } of asks) {
          const spoken = undoes === undefined ? namesOf(command) : ["undo"];
          expect(spoken.some((name) => beginsWith(text, name))).toBe(true);
        }
      }),
      { numRuns: 400 },
    );
    const sent = service.requests.flatMap(({ operation }) => (operation ? [operations[operation].effect] : []));
    expect(sent.filter((effect) => effect !== "read")).toEqual([]);
  });

  test("the line is answered with one message or one form, which Slack takes", async () => {
    const { desk, told, calls } = await startDesk();
    await fc.assert(
      fc.asyncProperty(anyLine, async (text) => {
        told.length = 0;
        calls.length = 0;
        await handleLine(desk, { ...origin, text });
        expect(told.length + calls.filter(({ method }) => method !== "views.update").length).toBe(1);
        for (const message of told) {
          expect(isJsonObject(message) && validateBlocks(message.blocks, "message")).toEqual([]);
        }
        for (const { args } of calls) expect(validateView(JSON.parse(args.view ?? ""))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});

test("a complete line of each changing command asks for that change, or opens its form for a yes", async () => {
  const lines: Readonly<Record<string, string>> = {
    "exclusion create": "exclude staging for 2h",
    "exclusion extend": "exclusion extend ae-1 for 1h",
    "user enable": "user enable bob",
    "user disable": "USER Disable <@U02BOB|bob>",
    "project rename": "project rename p-dev Dev (new)",
  };
  const { desk, asks, calls } = await startDesk();
  for (const [words, text] of Object.entries(lines)) {
    await handleLine(desk, { ...origin, text });
    expect(asks.at(-1)).toMatchObject({ command: { words }, idempotencyKey: "command:1.2" });
  }
  expect(calls).toEqual([]);
  await handleLine(desk, { ...origin, text: "user remove-mfa bob google-auth" });
  await handleLine(desk, { ...origin, text: "exclusion end ae-1" });
  expect(asks).toHaveLength(Object.keys(lines).length);
  expect(calls.map(({ method }) => method)).toEqual(["views.open", "views.open"]);
});

test("a changing command that asks for a yes never runs from a line", async () => {
  const confirming = catalogue.filter((command): command is Command => command.kind === "change" && !!command.confirms);
  const { desk, asks } = await startDesk();
  const rest = fc.array(fc.constantFrom("bob", "ae-1", "cred-00000001", "google-auth", "--reason", "x"), {
    maxLength: 5,
  });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...confirming), rest, async ({ words }, more) => {
      await handleLine(desk, { ...origin, text: [words, ...more].join(" ") });
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
