import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { editorSchema } from "./support/config-schema.ts";
import { configKeys, withTables } from "./support/reference.ts";

test("REFERENCE.md has what the code says of each key, variable and metric (write it with `npm run reference`)", async () => {
  const document = await withTables(readFileSync("manifest/REFERENCE.md", "utf8"));
  await expect(document).toMatchFileSnapshot("../manifest/REFERENCE.md");
  const tables = document.match(/^<!-- keys .* -->$/gm) ?? [];
  const ofKeys = [...document.matchAll(/^<!-- keys [\s\S]*?^<!-- end -->/gm)].join("").match(/^\| `/gm) ?? [];
  expect(tables.length).toBeGreaterThan(20);
  expect(ofKeys.length).toBe(configKeys().length);
});

test("curfew.schema.json is the schema of the code (write it with `npm run reference`)", async () => {
  const text = `${JSON.stringify(editorSchema(), null, 1)}\n`;
  await expect(text).toMatchFileSnapshot("../manifest/curfew.schema.json");
});

test("every key says what it does", () => {
  const keys = configKeys();
  expect(keys.filter(({ description }) => description === "")).toEqual([]);
  expect(keys.length).toBeGreaterThan(118);
});
