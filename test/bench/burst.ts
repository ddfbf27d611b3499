import { type Child, startStandIn } from "./child.ts";
import { curfew } from "./contenders.ts";
import type { LoadResult } from "./load.ts";
import { line } from "./round.ts";

const commands = 1000;

interface Seen {
  readonly created: number;
  readonly mostInFlight: number;
}
interface Posts {
  readonly notices: number;
  readonly shortestGapMs: number;
}

/** A thousand commands within one second, of a quick service and of one that takes its time. */
export async function runBurst(folder: string, load: Child): Promise<string> {
  const told: string[] = [];
  for (const delayMs of [5, 100]) {
    const slack = await startStandIn("./stand-ins/slack.ts");
    const service = await startStandIn("./stand-ins/service.ts", ["20", String(delayMs)]);
    const around = { slackUrl: slack.url, serviceUrl: service.url };
    const bot = await curfew().start(`${folder}/burst-${delayMs}`, around);
    const order = { botUrls: [bot.url], slackUrl: slack.url, line, seenAs: "answer", concurrency: 0 } as const;
    const result = await load.ask<LoadResult>({ ...order, kind: "open", count: commands, perSecond: commands });
    const { created, mostInFlight }: Seen = await read(`${service.url}/bench/seen`);
    const { notices, shortestGapMs }: Posts = await read(`${slack.url}/bench/posts`);
    await bot.stop();
    await Promise.all([slack.stop(), service.stop()]);
    told.push(
      `${commands} commands within a second, the service taking ${delayMs} ms:`,
      `  acknowledged ${result.acknowledged}, the slowest after ${Math.round(result.acknowledgement.most)} ms (3000 allowed)`,
      `  answered ${result.seen}, made by the service ${created}, the last answer after ${Math.round(result.seenMs)} ms`,
      `  at most ${mostInFlight} at once at the service (8 allowed), ${notices} people told that they wait`,
      `  shortest time between two messages in one channel: ${Math.round(shortestGapMs)} ms (1000 allowed)`,
    );
  }
  return `${told.join("\n")}\n`;
}

async function read<T>(url: string): Promise<T> {
  // What the stand-ins say is declared beside them.
  return (await (await fetch(url)).json()) as T;
}
