import { join } from "node:path";
import type { Child } from "./child.ts";
import type { Contender, Surroundings } from "./contenders.ts";
import type { LoadOrder, LoadResult } from "./load.ts";
import { useOf, watchMemory } from "./process-use.ts";

/** One contender's figures in one round. */
export interface Figures {
  readonly readyMs: number;
  readonly idleMib: number;
  readonly jobsPerSecond: number;
  readonly acknowledgedPerSecond: number;
  readonly ackP50Ms: number;
  readonly ackP99Ms: number;
  readonly resultP50Ms: number;
  readonly resultP99Ms: number;
  readonly loadedMib: number;
  readonly processorSecondsPer1000: number;
}

export interface Sizes {
  readonly warmUp: number;
  readonly jobs: number;
  /** Commands sent as fast as they are acknowledged. */
  readonly flood: number;
  readonly concurrency: number;
}

export interface Place {
  readonly folder: string;
  readonly load: Child;
  readonly around: Surroundings;
  readonly sizes: Sizes;
}

export const line = "exclude {resource} for 2h --project p-dev";
const settleMs = 300;

/** Starts a fresh contender, warms it up, loads it and stops it. */
export async function runRound(contender: Contender, { folder, load, around, sizes }: Place): Promise<Figures> {
  const bot = await contender.start(join(folder, contender.name), around);
  try {
    await new Promise((resolve) => setTimeout(resolve, settleMs));
    const idleMib = useOf(bot.pid).residentMib;
    const { concurrency } = sizes;
    const order = { botUrls: [bot.url], slackUrl: around.slackUrl, line, seenAs: contender.seenAs, concurrency };
    const run = (kind: LoadOrder["kind"], count: number) => load.ask<LoadResult>({ ...order, kind, count });
    requireAll(contender, await run("jobs", sizes.warmUp), sizes.warmUp);
    const memory = watchMemory(bot.pid);
    const before = useOf(bot.pid).processorSeconds;
    const jobs = await run("jobs", sizes.jobs);
    const processorSeconds = useOf(bot.pid).processorSeconds - before;
    const { most } = memory();
    requireAll(contender, jobs, sizes.jobs);
    const flood = await run("acknowledgements", sizes.flood);
    requireAll(contender, flood, sizes.flood);
    return {
      readyMs: bot.readyMs,
      idleMib,
      jobsPerSecond: (jobs.seen / jobs.seenMs) * 1000,
      acknowledgedPerSecond: (flood.acknowledged / flood.acknowledgedMs) * 1000,
      ackP50Ms: jobs.acknowledgement.p50,
      ackP99Ms: jobs.acknowledgement.p99,
      resultP50Ms: jobs.result.p50,
      resultP99Ms: jobs.result.p99,
      loadedMib: most,
      processorSecondsPer1000: (processorSeconds / jobs.seen) * 1000,
    };
  } finally {
    await bot.stop();
  }
}

/** Fails if jobs were lost, because the figures would be worthless. */
export function requireAll({ name }: Pick<Contender, "name">, { acknowledged, seen }: LoadResult, count: number): void {
  if (acknowledged < count || seen < count)
    throw new Error(`${name} acknowledged ${acknowledged} and finished ${seen} of ${count} jobs`);
}
