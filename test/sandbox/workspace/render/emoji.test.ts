import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { drawEmoji } from "../../../../src/sandbox/workspace/mrkdwn.ts";

/** Names that only look like emoji: one of SQLite, the placeholder for any emoji, and parts of ARNs. */
const noEmoji = new Set([":memory:", ":name:", ":rds:", ":cluster:"]);

/** Finds Slack's emoji names in the source: `:white_check_mark:`, `:pencil2:`, `:+1:`. */
function writtenEmoji(): ReadonlySet<string> {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((path) => /\.tsx?$/.test(path));
  const texts = files.map((path) => readFileSync(join("src", path), "utf8"));
  const names = texts.flatMap((text) => text.match(/(?<![\w:}\])?]):[a-z+-][\w+-]*:(?![\w:])/g) ?? []);
  return new Set(names.filter((name) => !noEmoji.has(name)));
}

test("renders every emoji that Curfew uses", () => {
  const written = writtenEmoji();
  expect([...written]).toEqual(expect.arrayContaining([":pencil2:", ":white_check_mark:", ":x:"]));
  expect(written.size).toBeGreaterThan(15);
  expect([...written].filter((name) => drawEmoji(name) === name)).toEqual([]);
});

test("keeps text that only looks like an emoji", () => {
  expect(drawEmoji("at 10:30:00, :unknown: and a:x")).toBe("at 10:30:00, :unknown: and a:x");
  expect(drawEmoji(":pencil2: Edited")).toBe("✏️ Edited");
});
