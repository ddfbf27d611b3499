// npm run bench: Curfew beside the script of an afternoon, under the same load, in alternating rounds of one run.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startChild, startStandIn } from "./child.ts";
import { curfew, script } from "./contenders.ts";
import { type Figures, runRound, type Sizes } from "./round.ts";
import { comparison } from "./table.ts";

const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    rounds: { type: "string" },
    jobs: { type: "string" },
    concurrency: { type: "string", default: "32" },
    only: { type: "string" },
    profile: { type: "string" },
  },
});

const rounds = Number(options.rounds ?? (options.quick ? 2 : 5));
const jobs = Number(options.jobs ?? (options.quick ? 2000 : 6000));
const sizes: Sizes = {
  concurrency: Number(options.concurrency),
  warmUp: Math.ceil(jobs / 2),
  jobs,
  flood: Math.ceil(jobs / 3),
};

const folder = mkdtempSync(join(tmpdir(), "curfew-bench-"));
const slack = await startStandIn("./stand-ins/slack.ts");
const service = await startStandIn("./stand-ins/service.ts");
const load = startChild("./load.ts");
try {
  const nodeArgs = options.profile ? ["--cpu-prof", `--cpu-prof-dir=${options.profile}`] : [];
  const around = { slackUrl: slack.url, serviceUrl: service.url, nodeArgs };
  const results: Record<"script" | "curfew", Figures[]> = { script: [], curfew: [] };
  for (let round = 1; round <= rounds; round++) {
    const place = { folder: join(folder, String(round)), load, around, sizes };
    if (options.only !== "curfew") results.script.push(await runRound(script, place));
    if (options.only !== "script") results.curfew.push(await runRound(curfew(), place));
    process.stdout.write(
      `round ${round} of ${rounds}\n${comparison(results.script.slice(-1), results.curfew.slice(-1))}\n`,
    );
  }
  process.stdout.write(`medians of ${rounds} rounds\n${comparison(results.script, results.curfew)}`);
} finally {
  await Promise.all([slack.stop(), service.stop(), load.stop()]);
  rmSync(folder, { recursive: true, force: true });
}
