import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { z } from "zod";
import { effectsOf, line, play } from "./play.ts";
import { buildWorld, type World } from "./world.ts";

const { CORPUS, OUT, LINES } = process.env;
/** All take eight minutes. An eighth of each part is played in every full run, and `LINES=all` plays the rest too. */
const oneOf = LINES === "all" ? 1 : 8;
const folder = join(dirname(fileURLToPath(import.meta.url)), "corpora");
const judged = line.extend({
  verdict: z.enum(["meant", "led", "lost", "wrong"]),
  done: z.array(z.string()),
});
const read = <T>(schema: z.ZodType<T>, path: string) => z.array(schema).parse(parse(readFileSync(path, "utf8")));

/** A change is the same in every part. An answer may come from another command, but holds the names that were asked for. */
function isSame(
  { want, done: meant }: { readonly want: string; readonly done: readonly string[] },
  now: readonly string[],
) {
  const [answer = "", ...others] = meant;
  if (others.length > 0 || isChange(answer)) return withoutIds(meant) === withoutIds(now);
  const asked = answer.split(" ").filter((word) => word !== "" && want.toLowerCase().includes(word));
  const names = asked.filter((word) => /^(?:staging|web|qa|build|reports|alice|bob|carol|dave|erin|frank)$/.test(word));
  return !now.some(isChange) && names.every((name) => now.join(" ").split(" ").includes(name));
}

const isChange = (effect: string): boolean => /^form |[{→]|^(?:no )?(?:warning \w+ before|group \S+ \[)/.test(effect);
const withoutIds = (effects: readonly string[]): string => effects.join("\n").replaceAll(/\baex-\d+\b/g, "aex");

describe("lines of strangers", { timeout: 1_800_000 }, () => {
  let world: World;
  beforeAll(async () => {
    world = await buildWorld();
  }, 60_000);
  afterAll(() => world?.curfew.stop());

  if (CORPUS !== undefined)
    it(`plays ${CORPUS}`, async () => {
      const results = [];
      for (const said of read(line, CORPUS)) {
        const played = await play(world, said);
        const { ran, form, messages } = played;
        results.push({ ...said, verdict: "", done: effectsOf(played), came: { ran, form, messages } });
        writeFileSync(OUT ?? `${CORPUS}.played.yaml`, stringify(results, { lineWidth: 0 }));
      }
    });
  else
    it.each(readdirSync(folder).map((name) => join(folder, name)))("%s", async (path) => {
      const meant = read(judged, path).filter(({ verdict }) => verdict === "meant");
      const lines = meant.filter((_, at) => at % oneOf === 0);
      const other = [];
      for (const said of lines) {
        const done = effectsOf(await play(world, said));
        const isRefused = /^Refuse/.test(said.want) && done.every((each) => each.includes("(refused)"));
        if (!isRefused && !isSame(said, done)) other.push({ by: said.by, line: said.line, meant: said.done, done });
      }
      // Of the earlier rounds 95 % stay meant: some may take one step more, and none does anything else.
      expect(other.filter(({ done }) => done.some(isChange))).toEqual([]);
      expect(other.length).toBeLessThanOrEqual(Math.ceil(lines.length * 0.05));
    });
});
