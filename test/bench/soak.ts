import { join } from "node:path";
import { sqliteOfThisNode } from "../../src/store/db/sqlite/open-sqlite.ts";
import { curfew } from "./contenders.ts";
import type { LoadResult } from "./load.ts";
import { median } from "./percentile.ts";
import { useOf } from "./process-use.ts";
import { line, type Place, requireAll } from "./round.ts";
import { aligned, verdict } from "./table.ts";
import { curfewConfig } from "./workspace-facts.ts";

const samples = 20;
const maxGrowth = 1.1;

interface Sample {
  readonly done: number;
  readonly residentMib: number;
  readonly waiting: number;
  readonly underWay: number;
  readonly perSecond: number;
}

/**
 * Runs many jobs and samples memory and queues at intervals. Announces nothing, because one channel accepts one message per second,
 * and that queue would only reflect the length of the soak.
 */
export async function runSoak({ folder, load, around, sizes }: Place, jobs: number): Promise<string> {
  const place = join(folder, "soak");
  const count = Math.ceil(jobs / samples);
  const bot = await curfew({ config: curfewConfig([]) }).start(place, around);
  const order = { kind: "jobs", botUrls: [bot.url], slackUrl: around.slackUrl, line, seenAs: "answer", count } as const;
  const taken: Sample[] = [];
  try {
    while (taken.length < samples) {
      const result = await load.ask<LoadResult>({ ...order, concurrency: sizes.concurrency });
      requireAll({ name: "Curfew" }, result, count);
      const perSecond = (count / result.seenMs) * 1000;
      const queues = await queuesIn(join(place, "bench.db"));
      taken.push({ done: (taken.length + 1) * count, residentMib: useOf(bot.pid).residentMib, perSecond, ...queues });
    }
  } finally {
    await bot.stop();
  }
  return soakTable(taken);
}

function soakTable(taken: readonly Sample[]): string {
  const rows = taken.map(({ done, residentMib, waiting, underWay, perSecond }) =>
    [done, residentMib, waiting, underWay, perSecond].map((each) => each.toFixed(0)),
  );
  // The first quarter is warm-up. Compare the last quarter with the second.
  const quarter = taken.length / 4;
  const growth = (of: (sample: Sample) => number) =>
    median(taken.slice(-quarter).map(of)) / median(taken.slice(quarter, 2 * quarter).map(of));
  const memory = growth(({ residentMib }) => residentMib);
  const longest = Math.max(...taken.slice(quarter).map(({ waiting, underWay }) => waiting + underWay));
  const atFirst = Math.max(...taken.slice(0, quarter).map(({ waiting, underWay }) => waiting + underWay));
  return `${aligned([["jobs", "memory, MiB", "waiting for an answer", "under way", "jobs per second"], ...rows])}
${aligned([
  ["", "", "to reach", ""],
  ["memory, last quarter beside the second", memory.toFixed(2), `≤ ${maxGrowth}`, verdict(memory <= maxGrowth)],
  ["jobs per second, likewise", growth(({ perSecond }) => perSecond).toFixed(2), "", ""],
  [
    "longest queue after the first quarter",
    String(longest),
    `≤ ${Math.max(atFirst, 32)}`,
    verdict(longest <= Math.max(atFirst, 32)),
  ],
])}`;
}

async function queuesIn(path: string): Promise<Pick<Sample, "waiting" | "underWay">> {
  const Sqlite = await sqliteOfThisNode();
  const database = new Sqlite(path, { readOnly: true });
  const count = (table: string, where: string) =>
    Number(database.prepare(`select count(*) as count from ${table} where ${where}`).get()?.count);
  const queues = { waiting: count("outbox", "state = 'pending'"), underWay: count("change", "settled_at is null") };
  database.close();
  return queues;
}
