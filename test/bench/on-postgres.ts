import { join } from "node:path";
import pg from "pg";
import { findPostgres, startPostgres } from "../support/postgres.ts";
import type { Bot } from "./bot.ts";
import { runComparison } from "./comparison.ts";
import { type Contender, curfew, script } from "./contenders.ts";
import type { LoadResult } from "./load.ts";
import { median } from "./percentile.ts";
import { line, type Place, requireAll } from "./round.ts";
import { aligned } from "./table.ts";

/** Commits reach the disk before they are acknowledged, as in production. */
export const safe = { fsync: "on", synchronous_commit: "on", full_page_writes: "on" };

/** Runs the comparison on a separate PostgreSQL, then the same load on one, two and three instances that share a database. */
export async function runOnPostgres(place: Place, rounds: number, say: (text: string) => unknown): Promise<void> {
  const binaries = findPostgres(process.env);
  if (binaries === undefined)
    throw new Error("There is no PostgreSQL here: POSTGRES_BIN names the folder of its programs.");
  const server = await startPostgres(binaries, safe);
  try {
    let databases = 0;
    const newDatabase = () => createDatabase(server.url, `bench_${++databases}`);
    const onPostgres: Contender = {
      ...curfew(),
      start: async (folder, around) => curfew({ databaseUrl: await newDatabase() }).start(folder, around),
    };
    await runComparison({ script, curfew: onPostgres }, place, { rounds, say });
    say(`\n${await runReplicas(place, rounds, newDatabase)}`);
  } finally {
    await server.stop();
  }
}

/** Gives its URL. */
async function createDatabase(serverUrl: string, name: string): Promise<string> {
  const client = new pg.Client(`${serverUrl}/postgres`);
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return `${serverUrl}/${name}`;
}

const numbers = [1, 2, 3];

async function runReplicas(place: Place, rounds: number, newDatabase: () => Promise<string>): Promise<string> {
  const results = numbers.map((): LoadResult[] => []);
  for (let round = 1; round <= rounds; round++)
    for (const [index, replicas] of numbers.entries()) {
      const folder = join(place.folder, `replicas-${round}-${replicas}`);
      results[index]?.push(await loadReplicas({ ...place, folder }, replicas, await newDatabase()));
    }
  const rows = numbers.map((replicas, index) => {
    const of = (figure: (result: LoadResult) => number) => median((results[index] ?? []).map(figure)).toFixed(1);
    const perSecond = (result: LoadResult) => (result.seen / result.seenMs) * 1000;
    const beside = (results[index] ?? []).map(
      (each, round) => perSecond(each) / perSecond(results[0]?.[round] ?? each),
    );
    const waits = [
      of((each) => each.acknowledgement.p99),
      of((each) => each.result.p50),
      of((each) => each.result.p99),
    ];
    return [`${replicas}`, of(perSecond), median(beside).toFixed(2), ...waits];
  });
  return aligned([
    ["replicas", "full jobs per second", "beside one", "acknowledgement p99, ms", "result p50, ms", "result p99, ms"],
    ...rows,
  ]);
}

async function loadReplicas({ folder, load, around, sizes }: Place, replicas: number, databaseUrl: string) {
  const bots: Bot[] = [];
  try {
    while (bots.length < replicas)
      bots.push(await curfew({ databaseUrl }).start(join(folder, `${bots.length}`), around));
    const { concurrency } = sizes;
    const order = { kind: "jobs", botUrls: bots.map(({ url }) => url), slackUrl: around.slackUrl, line } as const;
    const run = async (count: number) => {
      const result = await load.ask<LoadResult>({ ...order, seenAs: "answer", concurrency, count });
      requireAll({ name: `Curfew, ${replicas} of them,` }, result, count);
      return result;
    };
    await run(sizes.warmUp);
    return await run(sizes.jobs);
  } finally {
    await Promise.all(bots.map((bot) => bot.stop()));
  }
}
