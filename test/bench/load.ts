// The load generator, in its own process. It sends signed commands, and the workspace reports when their results become visible.
import { createInterface } from "node:readline";
import { Pool } from "undici";
import { followsText } from "../../src/slack/listeners/acknowledgement.ts";
import { createSignal } from "../support/signal.ts";
import { nowMs } from "./clock.ts";
import { type Spread, spreadOf } from "./percentile.ts";
import { slashCommand } from "./slack-request.ts";
import type { SeenAs } from "./workspace-facts.ts";

export interface LoadOrder {
  /**
   * `jobs`: keeps this many jobs in progress until their results are visible. `acknowledgements`: keeps this many commands waiting for
   * their acknowledgement. `open`: starts this many per second, independent of their results. `random`: the same, at random moments as
   * people do.
   */
  readonly kind: "jobs" | "acknowledgements" | "open" | "random";
  /** Commands go to these in turn. */
  readonly botUrls: readonly string[];
  readonly slackUrl: string;
  readonly line: string;
  readonly seenAs: SeenAs;
  readonly count: number;
  readonly concurrency: number;
  readonly perSecond?: number;
  /** How long an acknowledgement takes to Slack and back: an answer that it carries is visible after half of it. */
  readonly slackAwayMs?: number;
}

export interface LoadResult {
  readonly acknowledged: number;
  readonly seen: number;
  /** From the first command to the last acknowledgement, and to the last visible result. */
  readonly acknowledgedMs: number;
  readonly seenMs: number;
  readonly acknowledgement: Spread;
  readonly result: Spread;
  /** How many read in the acknowledgement that the answer follows, and for how many that was missing. */
  readonly noticed: number;
  readonly wronglyNoticed: number;
}

/** Time limit, for lost results. */
const giveUpMs = 120_000;
const maxConnections = 200;
let lastJob = 0;

process.on("message", (order: LoadOrder) => {
  void load(order).then((result) => process.send?.(result));
});
process.on("disconnect", () => process.exit(0));

interface Job {
  readonly sentAt: number;
  acknowledgedAt?: number;
  /** When its requester read that the answer follows. */
  noticedAt?: number;
  seenAt?: number;
  readonly whenSeen: () => void;
}

async function load(order: LoadOrder): Promise<LoadResult> {
  const jobs = new Map<number, Job>();
  const pools = order.botUrls.map((url) => new Pool(url, { connections: maxConnections }));
  const stop = await watch(order, (number, as, at) => {
    const job = jobs.get(number);
    if (!job || job.seenAt !== undefined) return;
    if (as !== order.seenAs) return;
    job.seenAt = at;
    job.whenSeen();
  });
  const seen: Promise<void>[] = [];
  const send = async (): Promise<void> => {
    const { sight, acknowledgement } = start(order, pools, jobs);
    seen.push(sight);
    await acknowledgement;
    if (order.kind === "jobs") await sight;
  };
  const ways = { open: atRate, random: atRandom, jobs: atConcurrency, acknowledgements: atConcurrency };
  const all = ways[order.kind](order, send);
  await Promise.race([all.then(() => Promise.all(seen)), pause(giveUpMs)]);
  stop();
  await Promise.all(pools.map((pool) => pool.destroy()));
  return summary([...jobs.values()]);
}

function start({ line, slackUrl, seenAs, slackAwayMs = 0 }: LoadOrder, pools: readonly Pool[], jobs: Map<number, Job>) {
  const number = ++lastJob;
  const { body, headers } = slashCommand(number, line, slackUrl);
  const { given: sight, give: whenSeen } = createSignal();
  const job: Job = { sentAt: nowMs(), whenSeen };
  jobs.set(number, job);
  let said = "";
  const acknowledged = () => {
    if (said.includes(followsText)) job.noticedAt = nowMs();
    else if (said !== "" && seenAs === "answer") {
      job.seenAt = nowMs() + slackAwayMs / 2;
      job.whenSeen();
    }
  };
  const acknowledgement = new Promise<void>((resolve) => {
    pools[number % pools.length]?.dispatch(
      { path: "/slack/events", method: "POST", headers, body },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, status) => {
          if (status === 200) job.acknowledgedAt = nowMs();
        },
        onResponseData: (_controller, chunk) => {
          said += chunk.toString();
        },
        onResponseEnd: () => {
          acknowledged();
          resolve();
        },
        onResponseError: () => resolve(),
      },
    );
  });
  return { sight, acknowledgement };
}

async function atConcurrency({ count, concurrency }: LoadOrder, send: () => Promise<void>): Promise<void> {
  let left = count;
  const sendOn = async () => {
    while (left-- > 0) await send();
  };
  await Promise.all(Array.from({ length: concurrency }, sendOn));
}

async function atRate({ count, perSecond = 100 }: LoadOrder, send: () => Promise<void>): Promise<void> {
  const beganAt = nowMs();
  const sent: Promise<void>[] = [];
  while (sent.length < count) {
    const due = Math.min(count, Math.ceil(((nowMs() - beganAt) / 1000) * perSecond));
    while (sent.length < due) sent.push(send());
    await pause(2);
  }
  await Promise.all(sent);
}

/** The pauses between arrivals are exponential, so that they are independent of each other. */
async function atRandom({ count, perSecond = 20 }: LoadOrder, send: () => Promise<void>): Promise<void> {
  const sent: Promise<void>[] = [];
  let dueAt = nowMs();
  while (sent.length < count) {
    dueAt += (-Math.log(1 - Math.random()) * 1000) / perSecond;
    const waitMs = dueAt - nowMs();
    if (waitMs > 1) await pause(waitMs);
    sent.push(send());
  }
  await Promise.all(sent);
}

/** Listens to the workspace for results that become visible. */
async function watch(
  { slackUrl }: LoadOrder,
  onSeen: (job: number, as: string, at: number) => void,
): Promise<() => void> {
  const pool = new Pool(slackUrl, { bodyTimeout: 0 });
  const { body } = await pool.request({ path: "/bench/seen", method: "GET" });
  const lines = createInterface({ input: body });
  lines.on("error", () => undefined);
  lines.on("line", (line) => {
    const [job, as = "", at] = line.split(" ");
    onSeen(Number(job), as, Number(at));
  });
  return () => void pool.destroy();
}

function summary(jobs: readonly Job[]): LoadResult {
  const beganAt = jobs[0]?.sentAt ?? 0;
  const waits = (moment: "acknowledgedAt" | "seenAt") =>
    jobs.flatMap((job) => (job[moment] === undefined ? [] : [job[moment] - job.sentAt]));
  const last = (moment: "acknowledgedAt" | "seenAt") =>
    jobs.reduce((latest, job) => Math.max(latest, job[moment] ?? 0), beganAt) - beganAt;
  const [acknowledgements, results] = [waits("acknowledgedAt"), waits("seenAt")];
  return {
    acknowledged: acknowledgements.length,
    seen: results.length,
    acknowledgedMs: last("acknowledgedAt"),
    seenMs: last("seenAt"),
    acknowledgement: spreadOf(acknowledgements),
    result: spreadOf(results),
    noticed: jobs.filter(({ noticedAt }) => noticedAt !== undefined).length,
    wronglyNoticed: jobs.filter(isWronglyNoticed).length,
  };
}

/** An answer that came later than its acknowledgement had to be announced there. */
function isWronglyNoticed({ acknowledgedAt = 0, noticedAt, seenAt = Number.NaN }: Job): boolean {
  return noticedAt === undefined && seenAt - acknowledgedAt > 1000;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
