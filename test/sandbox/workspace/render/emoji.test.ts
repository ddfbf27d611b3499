import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { drawEmoji } from "../../../../src/sandbox/workspace/render/emoji.ts";

test("every emoji that Curfew writes is drawn", () => {
  const files = readdirSync("src/slack", { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
  const written = files.flatMap((path) => [
    ...readFileSync(join("src/slack", path), "utf8").matchAll(/["`]:[a-z_]+:/g),
  ]);
  const names = new Set(written.map(([text]) => text.slice(1)));
  expect(names.size).toBeGreaterThan(8);
  expect([...names].filter((name) => drawEmoji(name) === name)).toEqual([]);
});
