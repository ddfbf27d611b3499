import { join } from "node:path";
import type { Bot } from "./bot.ts";
import { onlyAcknowledging } from "./contenders.ts";
import type { LoadResult } from "./load.ts";
import { median } from "./percentile.ts";
import { line, type Place } from "./round.ts";
import { aligned, verdict } from "./table.ts";

/** Measures only acknowledgements, with no work behind them: how many per second each contender gives, in turn. */
export async function runAlone({ folder, load, around, sizes }: Place, rounds: number): Promise<string> {
  const bots: Bot[] = [];
  const perSecond = async (url: string, count: number): Promise<number> => {
    const order = { kind: "acknowledgements", botUrls: [url], slackUrl: around.slackUrl, line, isBlind: true } as const;
    const result = await load.ask<LoadResult>({ ...order, seenAs: "post", count, concurrency: sizes.concurrency });
    if (result.acknowledged < count)
      throw new Error(`${count - result.acknowledged} of ${count} were not acknowledged`);
    return (count / result.acknowledgedMs) * 1000;
  };
  const rates: number[][] = [];
  try {
    for (const each of Object.values(onlyAcknowledging)) bots.push(await each.start(join(folder, each.name), around));
    for (const { url } of bots) await perSecond(url, sizes.jobs);
    for (let round = 0; round < rounds; round++) {
      const ofRound: number[] = [];
      for (const { url } of bots) ofRound.push(await perSecond(url, sizes.jobs));
      rates.push(ofRound);
    }
  } finally {
    await Promise.all(bots.map((bot) => bot.stop()));
  }
  const of = (index: number) => median(rates.map((ofRound) => ofRound[index] ?? Number.NaN));
  const beside = (index: number) => median(rates.map((all) => (all.at(-1) ?? Number.NaN) / (all[index] ?? Number.NaN)));
  const [server, bolt, curfew] = [beside(0), beside(1), of(2)];
  return aligned([
    ["acknowledgement alone, per second", "it", "Curfew", "ratio", "to reach", ""],
    ["beside Node's server that only verifies", of(0).toFixed(0), curfew.toFixed(0), server.toFixed(2), "", ""],
    ["beside bare Bolt", of(1).toFixed(0), curfew.toFixed(0), bolt.toFixed(2), "≥ 1", verdict(bolt >= 1)],
  ]);
}
