import { mkdirSync } from "node:fs";
import { startStandIn } from "./child.ts";
import { curfew } from "./contenders.ts";
import { median } from "./percentile.ts";
import { type Prober, startProber } from "./prober.ts";
import { useOf } from "./process-use.ts";
import { type Pile, seed } from "./seed.ts";
import { aligned, verdict } from "./table.ts";
import { userIds } from "./workspace-facts.ts";

/** Both have a full first page of each kind. Only the second has years of data behind it. */
const inForce = 20;
const page = { changes: 20, exclusions: inForce, directory: 100, inForce, people: 1 };
/** A tenth of these belong to the project that the requester may see. */
const actionsForAPage = 250;
const manyActions = 10_000;
const maxRatio = 1.2;
const warmUp = 4;

const lines = [
  "exclude {resource} for 2h --project p-dev",
  "exclusion list",
  "exclusion extend live-3 for 1h",
  'exclusion extend "Exclusion live-4" for 1h',
  "user disable u-00000001",
  "project rename p-dev Development",
  "action list office",
  "action show a-00000001",
  "policy show mp-00000001",
  "group list",
  "history",
  "history mine",
  "whoami",
  "help",
];
/** Search texts by field: one that finds everything and one that finds nothing. */
const suggested = [
  ["exclusion extend", "exclusion", ["live", "nothing"]],
  ["user disable", "user", ["number", "nothing"]],
  ["action show", "action", ["office", "nothing"]],
] as const;

export type GrownPile = Omit<Pile, "inForce" | "people">;

/** Runs every query against a new Curfew and a grown one with a grown service, in turn. */
export async function runGrown(folder: string, pile: GrownPile, times: number): Promise<string> {
  const sides = {
    new: await startSide(`${folder}/new`, page, actionsForAPage),
    grown: await startSide(`${folder}/grown`, { ...pile, inForce, people: userIds.length }, manyActions),
  };
  const rows = [["median, ms", "new", "grown", "ratio", `≤ ${maxRatio}`]];
  try {
    for (const [name, ask] of ways()) {
      const waits: Record<"new" | "grown", number[]> = { new: [], grown: [] };
      for (let round = 0; round < times + warmUp; round++) {
        // Alternate which one goes first, so that leftover work of one does not always slow down the other.
        for (const side of round % 2 === 0 ? (["new", "grown"] as const) : (["grown", "new"] as const)) {
          const wait = await ask(sides[side].prober);
          if (round >= warmUp) waits[side].push(wait);
        }
      }
      const [one, other] = [median(waits.new), median(waits.grown)];
      // Compare within a round, because the machine's load varies between rounds.
      const ratio = median(waits.grown.map((wait, round) => wait / (waits.new[round] ?? Number.NaN)));
      rows.push([name, one.toFixed(1), other.toFixed(1), ratio.toFixed(2), verdict(ratio <= maxRatio)]);
    }
    const memory = [sides.new, sides.grown].map(({ pid }) => useOf(pid).residentMib);
    rows.push([
      "memory, MiB",
      ...memory.map((each) => each.toFixed(0)),
      ((memory[1] ?? 0) / (memory[0] ?? 1)).toFixed(2),
      "",
    ]);
  } finally {
    await Promise.all([sides.new.stop(), sides.grown.stop()]);
  }
  return aligned(rows);
}

function* ways(): Generator<[string, (prober: Prober) => Promise<number>]> {
  for (const line of lines) yield [line, (prober) => prober.command(line)];
  yield ["the Home tab", (prober) => prober.home()];
  for (const [words, field, texts] of suggested)
    for (const typed of texts)
      yield [`typing “${typed}” in ${words}`, (prober) => prober.suggestion(words, `${words}/${field}`, typed)];
}

async function startSide(folder: string, pile: Pile, actions: number) {
  mkdirSync(folder, { recursive: true });
  await seed(`${folder}/bench.db`, pile);
  const slack = await startStandIn("./stand-ins/slack.ts");
  const service = await startStandIn("./stand-ins/service.ts", [String(actions)]);
  const bot = await curfew().start(folder, { slackUrl: slack.url, serviceUrl: service.url });
  const prober = await startProber(bot.url, slack.url);
  const stop = async () => {
    await prober.stop();
    await bot.stop();
    await Promise.all([slack.stop(), service.stop()]);
  };
  return { prober, pid: bot.pid, stop };
}
