import { join } from "node:path";
import { startStandIn } from "./child.ts";
import { type Contender, curfew, script } from "./contenders.ts";
import type { LoadResult } from "./load.ts";
import { median } from "./percentile.ts";
import { useOf } from "./process-use.ts";
import { line, type Place, requireAll } from "./round.ts";
import { aligned, verdict } from "./table.ts";

/** What people feel at a pace: commands at random moments, the service and Slack some way off. */
interface Pace {
  readonly perSecond: number;
  readonly slackMs: number;
}

interface Felt {
  readonly p50: number;
  readonly p99: number;
  /** Processor time for each job. */
  readonly processorMs: number;
}

const serviceMs = 40;
const paces: readonly Pace[] = [0, 80].flatMap((slackMs) => [5, 20, 150].map((perSecond) => ({ perSecond, slackMs })));
/** The most that the ratio to the script may be, by Slack's distance. */
const goals: Readonly<Record<number, { readonly p50: number; readonly p99: number }>> = {
  0: { p50: 1.1, p99: 1.25 },
  80: { p50: 1.0, p99: 1.1 },
};
const processorGoal = 1.4;

/** Each pace for `seconds`, in alternating rounds of the script and Curfew. Prints the medians. */
export async function runOpenLoop(
  { folder, load }: Place,
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
  say: (text: string) => unknown,
): Promise<void> {
  const lines: (readonly string[])[] = [
    ["a second, Slack", "script p50 / p99, ms", "Curfew p50 / p99, ms", "p50", "p99", "processor", "to reach", ""],
  ];
  for (const pace of paces) {
    const felt: Record<"script" | "curfew", Felt[]> = { script: [], curfew: [] };
    for (let round = 1; round <= rounds; round++) {
      for (const [name, contender] of [
        ["script", script],
        ["curfew", curfew()],
      ] as const) {
        const place = join(folder, `${name}-${pace.perSecond}-${pace.slackMs}-${round}`);
        felt[name].push(await feel(contender, pace, { folder: place, load, seconds }));
      }
    }
    lines.push(row(pace, felt.script, felt.curfew));
    say(`${lines.at(-1)?.join("  ")}\n`);
  }
  say(
    `\ncommand to first sight of the result, the service ${serviceMs} ms away; medians of ${rounds} rounds\n${aligned(lines)}`,
  );
  say(`idle processor over ${seconds} s: ${(await idle(join(folder, "idle"), seconds)).toFixed(2)} %\n`);
}

function row({ perSecond, slackMs }: Pace, script: readonly Felt[], curfew: readonly Felt[]): readonly string[] {
  const of = (all: readonly Felt[], figure: keyof Felt) => median(all.map((each) => each[figure]));
  const ratio = (figure: keyof Felt) =>
    median(curfew.map((each, index) => each[figure] / (script[index]?.[figure] ?? Number.NaN)));
  const spread = (all: readonly Felt[]) => `${of(all, "p50").toFixed(1)} / ${of(all, "p99").toFixed(1)}`;
  const goal = goals[slackMs] ?? { p50: 1, p99: 1 };
  const isReached = ratio("p50") <= goal.p50 && ratio("p99") <= goal.p99 && ratio("processorMs") <= processorGoal;
  const ratios = [ratio("p50"), ratio("p99"), ratio("processorMs")].map((each) => each.toFixed(2));
  const goalText = `≤ ${goal.p50} / ${goal.p99} / ${processorGoal}`;
  return [`${perSecond}, ${slackMs} ms`, spread(script), spread(curfew), ...ratios, goalText, verdict(isReached)];
}

async function feel(
  contender: Contender,
  { perSecond, slackMs }: Pace,
  { folder, load, seconds }: Pick<Place, "folder" | "load"> & { readonly seconds: number },
): Promise<Felt> {
  const slack = await startStandIn("./stand-ins/slack.ts", [String(slackMs)]);
  const service = await startStandIn("./stand-ins/service.ts", ["20", String(serviceMs)]);
  const bot = await contender.start(folder, { slackUrl: slack.url, serviceUrl: service.url });
  try {
    const order = { botUrls: [bot.url], slackUrl: slack.url, line, seenAs: contender.seenAs, concurrency: 0 };
    const run = (count: number) =>
      load.ask<LoadResult>({ ...order, kind: "random", perSecond, slackAwayMs: slackMs, count });
    // Until the code is compiled and everybody's profile is known.
    await run(warmUp);
    const before = useOf(bot.pid).processorSeconds;
    const count = perSecond * seconds;
    const result = await run(count);
    requireAll(contender, result, count);
    const processorMs = ((useOf(bot.pid).processorSeconds - before) * 1000) / count;
    return { p50: result.result.p50, p99: result.result.p99, processorMs };
  } finally {
    await bot.stop();
    await Promise.all([slack.stop(), service.stop()]);
  }
}

const warmUp = 200;

/** The percentage of one processor that an idle Curfew takes. */
async function idle(folder: string, seconds: number): Promise<number> {
  const slack = await startStandIn("./stand-ins/slack.ts");
  const service = await startStandIn("./stand-ins/service.ts");
  const bot = await curfew().start(folder, { slackUrl: slack.url, serviceUrl: service.url });
  try {
    await pause(2000);
    const before = useOf(bot.pid).processorSeconds;
    await pause(seconds * 1000);
    return ((useOf(bot.pid).processorSeconds - before) / seconds) * 100;
  } finally {
    await bot.stop();
    await Promise.all([slack.stop(), service.stop()]);
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
