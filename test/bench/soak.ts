import { DatabaseSync } from "@photostructure/sqlite";
import type { Child } from "./child.ts";
import { curfew, curfewConfig, type Surroundings } from "./contenders.ts";
import type { LoadResult } from "./load.ts";
import { useOf } from "./process-use.ts";
import { line } from "./round.ts";
import { aligned } from "./table.ts";

const samples = 20;

/**
 * Many jobs, one after the other: memory and queue every so often. Nothing is announced, since one channel takes one message a
 * second, and that queue would say how long the soak is.
 */
export async function runSoak(folder: string, load: Child, around: Surroundings, jobs: number): Promise<string> {
  const place = `${folder}/soak`;
  const bot = await curfew({ config: curfewConfig([]) }).start(place, around);
  const order = { botUrls: [bot.url], slackUrl: around.slackUrl, line, seenAs: "answer", concurrency: 32 } as const;
  const lines: string[][] = [["jobs", "memory, MiB", "deliveries waiting", "under way", "jobs per second"]];
  try {
    for (let done = 0; done < jobs; done += jobs / samples) {
      const result = await load.ask<LoadResult>({ ...order, kind: "jobs", count: jobs / samples });
      if (result.seen < jobs / samples) throw new Error(`${result.seen} of ${jobs / samples} jobs came to an end`);
      const rate = (result.seen / result.seenMs) * 1000;
      const [waiting, open] = waitingIn(`${place}/bench.db`);
      const memory = useOf(bot.pid).residentMib;
      lines.push([done + jobs / samples, memory, waiting, open, rate].map((each) => each.toFixed(0)));
    }
  } finally {
    await bot.stop();
  }
  return aligned(lines);
}

function waitingIn(file: string): readonly [number, number] {
  const database = new DatabaseSync(file, { readOnly: true });
  const count = (query: string) => Number(Object.values(database.prepare(query).get() ?? {})[0]);
  const counts = [
    count("select count(*) from delivery where state = 'pending'"),
    count("select count(*) from change where settled_at is null"),
  ] as const;
  database.close();
  return counts;
}
