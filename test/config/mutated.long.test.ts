import { expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { compareSettings } from "../../src/config/compare-settings.ts";
import { parseSettings } from "../../src/config/read-settings.ts";
import { editorAccepts } from "../support/editor-accepts.ts";
import { everySetting, withSetting } from "../support/every-setting.ts";

/** Each part gets every third of them, its neighbours the others. */
const values: readonly unknown[] = [
  ...[null, true, 0, -1, 1e21, "", "x", "#audit", "x".repeat(10_000)],
  ...[[], [null], {}, { x: 1 }],
];

type Path = readonly (string | number)[];

function pathsIn(value: unknown, path: Path = []): readonly Path[] {
  const own = path.length === 0 ? [] : [path];
  if (typeof value !== "object" || value === null) return own;
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return [...own, ...keys.flatMap((key) => pathsIn(Reflect.get(value, key), [...path, key]))];
}

/** What only Curfew can say: a JSON Schema compares no parts of a file, and knows no zones. */
const beyondSchemas =
  /unknown (?:role|resource group|account|time zone)|nobody could be asked|listed twice|is longer than|too long|must be later than/;

it("each part of the config, replaced by other values, is taken or named with its line and column, and editors agree", {
  timeout: 200_000,
}, () => {
  const old = parseSettings(everySetting, "curfew.yaml");
  if ("problems" in old) throw new Error(old.problems.join("\n"));
  const content: unknown = parse(everySetting);
  const wrong: string[] = [];
  const paths = pathsIn(content);
  for (const [index, path] of paths.entries())
    for (const value of values.filter((_value, place) => (index + place) % 3 === 0)) {
      const text = stringify(withSetting(content, path, value));
      const said = `${path.join(".")} = ${JSON.stringify(value)?.slice(0, 40)}`;
      try {
        const read = parseSettings(text, "curfew.yaml");
        const isFine = "settings" in read || read.problems.every((each) => beyondSchemas.test(each));
        if (editorAccepts(parse(text)) !== isFine)
          wrong.push(
            `${said}: editors ${isFine ? "refuse it" : "take it"}, ${"problems" in read ? read.problems.join("; ") : ""}`,
          );
        if ("settings" in read) compareSettings(read.settings, old.settings);
        else if (read.problems.length === 0 || !read.problems.every((each) => /^curfew\.yaml:\d+:\d+ /.test(each)))
          wrong.push(`${said}: ${read.problems.join("; ")}`);
      } catch (error) {
        wrong.push(`${said}: thrown: ${String(error)}`);
      }
    }
  expect(wrong).toEqual([]);
  expect(paths.length).toBeGreaterThan(200);
});
