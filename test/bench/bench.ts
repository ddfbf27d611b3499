// npm run bench: compares Curfew's cost with others under the same load in the same run. README.md here explains each mode.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bundled } from "./bundled.ts";
import { runBurst } from "./burst.ts";
import { startChild, startStandIn } from "./child.ts";
import { runCompany } from "./company.ts";
import { runComparison } from "./comparison.ts";
import { curfew, script } from "./contenders.ts";
import { runInstances } from "./instances.ts";
import { runOnPostgres } from "./on-postgres.ts";
import { runOpenLoop } from "./open-loop.ts";
import type { Sizes } from "./round.ts";
import { runSoak } from "./soak.ts";

const { values: options } = parseArgs({
  options: {
    pace: { type: "boolean", default: false },
    burst: { type: "boolean", default: false },
    soak: { type: "boolean", default: false },
    postgres: { type: "boolean", default: false },
    watch: { type: "boolean", default: false },
    company: { type: "boolean", default: false },
    instances: { type: "string" },
    rate: { type: "string", default: "50" },
    seconds: { type: "string" },
    quick: { type: "boolean", default: false },
    rounds: { type: "string" },
    jobs: { type: "string" },
    concurrency: { type: "string", default: "32" },
    only: { type: "string" },
    profile: { type: "string" },
  },
});

const isQuick = options.quick;
const rounds = Number(options.rounds ?? (isQuick ? 2 : 5));
const jobs = Number(options.jobs ?? (isQuick ? 2000 : 6000));
const sizes: Sizes = {
  concurrency: Number(options.concurrency),
  warmUp: Math.ceil(jobs / 2),
  jobs,
  flood: Math.ceil(jobs / 3),
};

/** The watcher alone, with many actions. */
async function watchMany(): Promise<void> {
  const many = await startStandIn("./stand-ins/service.ts", ["10000"]);
  try {
    // Beside node_modules, for the SQLite that is not bundled.
    const args = [bundled("watch", "dist/bench"), many.url, folder, isQuick ? "5" : "20"];
    execFileSync(process.execPath, args, { stdio: "inherit" });
  } finally {
    await many.stop();
  }
}

const instancesOf = (count: string, nodeArgs: readonly string[]) => ({
  ...{ folder, nodeArgs, say, instances: Number(count), perSecond: Number(options.rate) },
  seconds: Number(options.seconds ?? (isQuick ? 8 : 30)),
});

const say = (text: string) => process.stdout.write(text);
const folder = mkdtempSync(join(tmpdir(), "curfew-bench-"));
const slack = await startStandIn("./stand-ins/slack.ts");
const service = await startStandIn("./stand-ins/service.ts");
const load = startChild("./load.ts");
try {
  const nodeArgs = options.profile ? ["--cpu-prof", `--cpu-prof-dir=${options.profile}`] : [];
  const place = { folder, load, around: { slackUrl: slack.url, serviceUrl: service.url, nodeArgs }, sizes };
  if (options.pace) await runOpenLoop(place, isQuick ? { rounds: 1, seconds: 5 } : { rounds, seconds: 60 }, say);
  else if (options.burst) say(await runBurst(place, isQuick ? [100] : [5, 100]));
  else if (options.soak) say(await runSoak(place, Number(options.jobs ?? (isQuick ? 20_000 : 200_000))));
  else if (options.watch) await watchMany();
  else if (options.company) say(await runCompany(folder, nodeArgs, options.only));
  else if (options.instances) await runInstances(instancesOf(options.instances, nodeArgs));
  else if (options.postgres) await runOnPostgres(place, rounds, say);
  else {
    const pair = { script, curfew: curfew() };
    await runComparison(pair, place, { rounds, only: options.only, say });
    execFileSync(process.execPath, [bundled("micro", folder), service.url], { stdio: "inherit" });
  }
} finally {
  await Promise.all([slack.stop(), service.stop(), load.stop()]);
  rmSync(folder, { recursive: true, force: true });
}
