import { join } from "node:path";
import { findPostgres, startPostgres } from "../support/postgres.ts";
import { openTcpGate } from "../support/tcp-gate.ts";
import { curfew } from "./contenders.ts";
import type { LoadResult } from "./load.ts";
import { createDatabase, safe } from "./on-postgres.ts";
import { line, type Place, requireAll } from "./round.ts";
import { aligned } from "./table.ts";

const delaysMs = [0, 1, 5];

/**
 * One command after the other, with this much time between Curfew and its database. What the answer takes longer, divided by the
 * delay, is the number of round trips before it.
 */
export async function runDatabaseDelay({ folder, load, around }: Place, count: number): Promise<string> {
  const binaries = findPostgres(process.env);
  if (binaries === undefined)
    throw new Error("There is no PostgreSQL here: POSTGRES_BIN names the folder of its programs.");
  const server = await startPostgres(binaries, safe);
  const p50s: number[] = [];
  try {
    for (const delayMs of delaysMs) {
      const { hostname: host, port } = new URL(server.url);
      const gate = await openTcpGate({ host, port: Number(port) }, delayMs);
      const databaseUrl = gate.before(await createDatabase(server.url, `delay_${delayMs}`));
      const bot = await curfew({ databaseUrl }).start(join(folder, `delay-${delayMs}`), around);
      const order = { kind: "jobs", botUrls: [bot.url], slackUrl: around.slackUrl, line, seenAs: "answer" } as const;
      const run = async (jobs: number) => {
        const result = await load.ask<LoadResult>({ ...order, concurrency: 1, count: jobs });
        requireAll({ name: "Curfew" }, result, jobs);
        return result;
      };
      await run(50);
      p50s.push((await run(count)).result.p50);
      await bot.stop();
      await gate.close();
    }
  } finally {
    await server.stop();
  }
  const [direct = 0] = p50s;
  return aligned([
    ["between Curfew and its database, ms", "answer p50, ms", "round trips"],
    ...delaysMs.map((delayMs, index) => {
      const p50 = p50s[index] ?? 0;
      return [`${delayMs}`, p50.toFixed(1), delayMs === 0 ? "" : ((p50 - direct) / delayMs).toFixed(1)];
    }),
  ]);
}
