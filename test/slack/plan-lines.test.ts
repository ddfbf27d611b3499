import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { meaningOf } from "./line-meaning.ts";

const entry = z.object({ text: z.string(), means: z.union([z.string(), z.array(z.string())]) });
const table = z.record(z.string(), z.array(entry)).parse(parse(readFileSync("test/language/plan-lines.yaml", "utf8")));

/** Asking back does nothing that was not meant. */
async function resultOf({ text, means }: z.infer<typeof entry>) {
  const came = await meaningOf(text);
  const wanted = [means].flat();
  const result = wanted.includes(came) ? "as meant" : came === "ask" ? "asked" : "otherwise";
  return { result, shown: `${text} → ${came}, not ${wanted.join(" or ")}` };
}

describe("lines about plans, series, warnings and ends", async () => {
  const results = await Promise.all(Object.values(table).flat().map(resultOf));
  const those = (wanted: string) => results.flatMap(({ result, shown }) => (result === wanted ? [shown] : []));

  test("are never read otherwise than meant", () => {
    expect(those("otherwise")).toEqual([]);
  });

  test("are read as meant, at least 95 of 100", () => {
    expect(results.length).toBeGreaterThanOrEqual(100);
    expect(those("as meant").length / results.length, those("asked").join("\n")).toBeGreaterThanOrEqual(0.95);
  });
});
