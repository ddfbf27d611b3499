import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { buildApp } from "../../src/app.ts";
import { parseSettings } from "../../src/config/read-settings.ts";
import { createLogger } from "../../src/observability/log.ts";
import { startSandboxService } from "../../src/sandbox/service/start-sandbox-service.ts";
import { startWorkspace, type Workspace } from "../support/start-workspace.ts";
import { aligned } from "./table.ts";

/**
 * What Curfew weighs: its source, and what one warmed `exclude … for 2h` runs from its arrival until its card is posted and recorded.
 * With `--check` it fails where a line weighs 5 % more than `weight.json` says. In some runs V8 counts up to a tenth fewer functions.
 */
const { check } = parseArgs({ options: { check: { type: "boolean", default: false } } }).values;
const source = fileURLToPath(new URL("../../src/", import.meta.url));
const folder = await mkdtemp(join(tmpdir(), "curfew-weight-"));
const lineFor = (machine: number) => `exclude i-0d${machine} for 2h --project p-dev`;
const warmUps = 3;
/** The lightest of these counts: beside the others something else may have been due. */
const looks = 3;

const sizes = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => readFileSync(join(source, name), "utf8").split("\n").length - 1)
  .toSorted((one, other) => one - other);
const figures = await weighLine();
await rm(folder, { recursive: true, force: true });

const known: Readonly<Record<string, number>> = JSON.parse(
  readFileSync(new URL("weight.json", import.meta.url), "utf8"),
);
const tolerated = 1.05;
const rows: readonly (readonly [string, number, number | undefined])[] = [
  ["lines of source", sizes.reduce((sum, each) => sum + each, 0), undefined],
  ["files of source", sizes.length, undefined],
  ["lines of a file, median", sizes[Math.floor(sizes.length / 2)] ?? 0, undefined],
  ["lines of a file, longest", sizes.at(-1) ?? 0, undefined],
  ...Object.entries(figures).map(([name, value]) => [`one line: ${name}`, value, known[name]] as const),
];
process.stdout.write(
  aligned([["", "now", "at most"], ...rows.map(([name, now, then]) => [name, `${now}`, `${then ?? ""}`])]),
);
const heavier = Object.entries(figures).filter(([name, value]) => value > (known[name] ?? 0) * tolerated);
if (check && heavier.length > 0) {
  process.stderr.write(
    `One line weighs more than test/bench/weight.json allows: ${heavier.map(([name]) => name).join(", ")}.\n`,
  );
  process.exitCode = 1;
}

/** Of one line: the files and functions of `src` that run, without the sandbox, and the statements to the database. */
interface Figures {
  readonly files: number;
  readonly functions: number;
  readonly statements: number;
}

/** Runs Curfew in this process, on the embedded service and workspace and a SQLite file, and looks at one line. */
async function weighLine(): Promise<Figures> {
  const service = await startSandboxService({});
  const workspace = await startWorkspace({
    manifest: JSON.parse(readFileSync("manifest/slack-app.http.json", "utf8")),
    rateLimits: "off",
    deadlineMs: 30_000,
  });
  const parsed = parseSettings(readFileSync("manifest/curfew.example.yaml", "utf8"), "curfew.yaml");
  if ("problems" in parsed) throw new Error(parsed.problems.join("\n"));
  const { apiUrl, botToken, signingSecret } = workspace;
  const app = buildApp(
    {
      slack: { botToken, apiUrl, receiver: { kind: "http", signingSecret } },
      ...{ service, configFile: "curfew.yaml", database: join(folder, "curfew.db"), secretsDir: undefined },
      ...{ metrics: { port: 0, token: undefined }, tracing: undefined, command: "/curfew" },
      ...{ host: "127.0.0.1", port: 0, drainMs: 0 },
    },
    parsed.settings,
    createLogger({ level: "fatal" }),
  );
  const { port, metricsPort } = await app.start();
  workspace.connectHttp(`http://127.0.0.1:${port}/slack/events`);
  const statements = async () => {
    const scraped = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
    const counts = (await scraped.text()).matchAll(/^curfew_database_query_duration_seconds_count\{.*\} (\d+)$/gm);
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  };
  let machine = 0;
  const exclude = async () => {
    const before = service.account.exclusions.size;
    const line = lineFor(++machine);
    await type(line, workspace);
    await app.idle();
    if (service.account.exclusions.size !== before + 1) throw new Error(`“${line}” excluded nothing.`);
  };
  for (let each = 0; each < warmUps; each++) await exclude();
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  const found: Figures[] = [];
  for (let look = 0; look < looks; look++) {
    const before = await statements();
    await session.post("Profiler.takePreciseCoverage");
    await exclude();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const own = result.filter(({ url }) => url.includes("/src/") && !url.includes("/src/sandbox/"));
    const ran = own.map(({ functions }) => functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0).length);
    found.push({
      files: ran.filter((count) => count > 0).length,
      functions: ran.reduce((sum, count) => sum + count, 0),
      statements: (await statements()) - before,
    });
  }
  session.disconnect();
  await app.stop();
  await workspace.close();
  await service.close();
  const least = (figure: keyof Figures) => Math.min(...found.map((each) => each[figure]));
  return { files: least("files"), functions: least("functions"), statements: least("statements") };
}

async function type(line: string, { as, channel, waitFor }: Workspace): Promise<void> {
  const cards = channel("ops").messages.length;
  await as("alice").type(`/curfew ${line}`, "ops");
  await waitFor(() => channel("ops").messages.length > cards, { what: "its card" });
}
