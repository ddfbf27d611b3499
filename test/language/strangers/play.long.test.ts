import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { z } from "zod";
import { effectsOf, line, play } from "./play.ts";
import { buildWorld, type World } from "./world.ts";

const { CORPUS, OUT } = process.env;
const folder = join(dirname(fileURLToPath(import.meta.url)), "corpora");
const judged = line.extend({
  verdict: z.enum(["meant", "led", "lost", "wrong"]),
  done: z.array(z.string()),
});
const read = <T>(schema: z.ZodType<T>, path: string) => z.array(schema).parse(parse(readFileSync(path, "utf8")));

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
      const lines = read(judged, path).filter(({ verdict }) => verdict === "meant");
      const now = [];
      for (const { by, line: words, ...said } of lines)
        now.push({ by, words, done: effectsOf(await play(world, { by, line: words, ...said })) });
      expect(now).toEqual(lines.map(({ by, line: words, done }) => ({ by, words, done })));
    });
});
