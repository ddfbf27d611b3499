// Curfew in a company of 3,000 people, beside the small one of the sandbox: what each thing that people do costs, one at a time.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { companyAccount, companyConfig, companySeed } from "../../src/sandbox/company.ts";
import { createSeedAccount } from "../../src/sandbox/service/seed-account.ts";
import { startSandboxService } from "../../src/sandbox/service/start-sandbox-service.ts";
import { defaultSeed } from "../../src/sandbox/workspace/default-seed.ts";
import { startWorkspace } from "../../src/sandbox/workspace/start-workspace.ts";
import { freePort } from "./bot.ts";
import { nowMs } from "./clock.ts";
import { sandboxEnvironment, startOptions } from "./contenders.ts";
import { median } from "./percentile.ts";
import { aligned } from "./table.ts";

interface Company {
  readonly name: string;
  readonly config: string;
  readonly seed: typeof defaultSeed;
  readonly account: ReturnType<typeof createSeedAccount>;
  /** Who types what where. The n-th machine and group are different ones. */
  readonly engineer: string;
  readonly channel: string;
  readonly machine: (n: number) => string;
  readonly group: (n: number) => string;
  readonly readers: readonly string[];
}

const withoutLimits = (config: string) => config.replace("perPersonPerMinute: 30", "perPersonPerMinute: 0");
const example = withoutLimits(readFileSync("manifest/curfew.example.yaml", "utf8"));

const companies = (): readonly Company[] => [
  {
    name: "small",
    config: example,
    seed: defaultSeed,
    account: createSeedAccount(Date.now()),
    ...{ engineer: "alice", channel: "ops", machine: (n) => `i-0d${n}`, group: () => "staging" },
    readers: ["alice", "carol"],
  },
  {
    name: "company",
    config: companyConfig(example),
    seed: companySeed,
    account: companyAccount(Date.now()),
    ...{ engineer: "person0003", channel: "payments-jobs" },
    machine: (n) => `i-0c${(3 * 50 + n).toString(16).padStart(15, "0")}`,
    group: (n) => `payments-jobs-${["test", "qa", "staging", "demo", "load"][n % 5]}`,
    readers: companySeed.people.slice(8, 108).map(({ handle }) => handle),
  },
];

interface Use {
  readonly processorMs: number;
  readonly oneGoMs: number;
  /** Without the turns in which all garbage was collected. */
  readonly cleanMs: number;
  readonly residentMib: number;
}

const settleMs = 400;
const runs = 7;

/** The rows of the table for one company: the very first time, before the code is warm, and the usual time. */
type Cells = ReadonlyMap<string, readonly [first: string, usual: string]>;

async function measure(company: Company, folder: string, nodeArgs: readonly string[]): Promise<Cells> {
  const { seed, account, engineer, channel, machine, group, readers } = company;
  const service = await startSandboxService({ account });
  const manifest: unknown = JSON.parse(readFileSync("manifest/slack-app.http.json", "utf8"));
  const workspace = await startWorkspace({ manifest, seed, rateLimits: "off", deadlineMs: 30_000 });
  const cells = new Map<string, readonly [string, string]>();
  const note = (name: string, usual: string, first = "") => cells.set(name, [first, usual]);
  const cwd = join(folder, company.name);
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(cwd, "curfew.yaml"), company.config);
  const port = await freePort();
  const log = openSync(join(cwd, "bot.log"), "a");
  const startedAt = nowMs();
  const { PATH = "" } = process.env;
  const bot = fork(resolve("dist/main.js"), [], {
    cwd,
    execArgv: [...startOptions(), ...nodeArgs, "--import", resolve("test/bench/company-probe.mjs")],
    env: {
      ...{ PATH, PORT: String(port), HOST: "127.0.0.1", DATABASE_URL: "sqlite:bench.db" },
      ...sandboxEnvironment(workspace, service),
    },
    stdio: ["ignore", log, log, "ipc"],
  });
  const url = `http://127.0.0.1:${port}`;
  while (
    !(await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (bot.exitCode !== null || nowMs() - startedAt > 60_000) throw new Error(`not ready: see ${cwd}/bot.log`);
    await delay(5);
  }
  note("start to ready, ms", (nowMs() - startedAt).toFixed(0));
  workspace.connectHttp(`${url}/slack/events`);
  const use = async (watchesLoop = false): Promise<Use> => {
    bot.send({ watchesLoop });
    const [said]: Use[] = await once(bot, "message");
    if (!said) throw new Error("the probe said nothing");
    return said;
  };
  const memory = await use();
  note("start, processor ms", memory.processorMs.toFixed(0));
  note("memory when ready, MiB", memory.residentMib.toFixed(0));
  const person = workspace.as(engineer);
  const type = (line: string, who = person) => who.type(`/curfew ${line}`, channel);
  let n = 0;
  const cost = async (name: string, act: () => Promise<unknown>, after: () => Promise<unknown> = async () => {}) => {
    const found: { processorMs: number; oneGoMs: number }[] = [];
    for (let run = 0; run < runs * 2; run++) {
      const watchesLoop = run >= runs;
      await use(watchesLoop);
      await act();
      await delay(settleMs);
      found.push(await use());
      await after();
    }
    // The first two compile the code. The very first has its own column.
    const processor = median(found.slice(2, runs).map(({ processorMs }) => processorMs));
    const blocked = median(found.slice(runs).map(({ oneGoMs }) => oneGoMs));
    note(name, `${processor.toFixed(1)} / ${blocked.toFixed(0)}`, found[0]?.processorMs.toFixed(0));
  };
  await delay(1000);
  await cost("nothing at all", async () => {});
  await cost("exclude a machine by id", () => type(`exclude ${machine(n++)} for 2h --another`));
  await cost("exclude a group", () => type(`keep ${group(n++)} up for ${10 + n}m --another`));
  await cost("status", () => type("status"));
  await cost("status of a group", () => type(`status ${group(0)}`));
  await cost("next", () => type("next"));
  await cost("next of a group", () => type(`next ${group(0)}`));
  await cost("why, of a machine", () => type(`why ${machine(0)}`));
  await cost("running", () => type("running"));
  await cost("a list (groups)", () => type("groups"));
  await cost("a list (actions)", () => type("actions"));
  await cost("whoami", () => type("whoami"));
  await cost("a stranger's question", () => workspace.as("dave").type("/curfew what stops tonight", "ops"));
  await cost("a stranger's exclude", () => workspace.as("dave").type(`/curfew exclude ${machine(0)} for 2h`, "ops"));
  await cost("a wrong word", () => type("next paymens-jobs-qa"));
  await cost("Home, an engineer", () => person.openHome());
  await cost("Home, alice, in many teams", () => workspace.as("alice").openHome());
  await cost("Home, an admin", () => workspace.as("carol").openHome());
  await cost("Home, whoever reads", () => workspace.as(readers.at(-1) ?? "alice").openHome());
  const close = async () => void (person.openView() && (await person.cancel()));
  await cost("a form opens", () => type("exclude"), close);
  await type("exclude");
  await delay(settleMs);
  if (!person.openView()?.fields.includes("Project")) await person.press("More…", "view");
  await delay(settleMs);
  await cost("a suggestion", () => person.suggest("Project", "pay"));
  await close();
  await crowd();
  await use(true);
  await delay(65_000);
  const minute = await use();
  note("a minute with a poll of the watcher: most in one go", minute.oneGoMs.toFixed(0));
  note("… without a full collection of garbage", minute.cleanMs.toFixed(0));
  const idle = await use();
  note("memory after all of it, MiB", idle.residentMib.toFixed(0));
  bot.kill("SIGTERM");
  await once(bot, "exit");
  await workspace.close();
  await service.close();
  return cells;

  /** A hundred Homes at the same time, and a command every 100 ms beside them. */
  async function crowd(): Promise<void> {
    await use(true);
    const published = () => workspace.calls.filter(({ method }) => method === "views.publish").length;
    const before = published();
    const acks: number[] = [];
    let isOpen = true;
    const typing = (async () => {
      while (isOpen) {
        const at = nowMs();
        await type("whoami");
        acks.push(nowMs() - at);
        await delay(50);
      }
    })();
    const openedAt = nowMs();
    await Promise.all(
      Array.from({ length: 100 }, (_, at) => workspace.as(readers[at % readers.length] ?? "").openHome()),
    );
    const wanted = Math.min(100, readers.length);
    while (published() < before + wanted && nowMs() - openedAt < 120_000) await delay(20);
    note("100 Homes: last one after, ms", (nowMs() - openedAt).toFixed(0));
    isOpen = false;
    await typing;
    note("100 Homes: slowest acknowledgement, ms", Math.max(...acks).toFixed(0));
    const { processorMs, oneGoMs } = await use();
    note("100 Homes: processor / most in one go, ms", `${processorMs.toFixed(0)} / ${oneGoMs.toFixed(0)}`);
    const groupReads = workspace.calls.filter(({ method }) => method.startsWith("usergroups."));
    const minutes = (nowMs() - startedAt) / 60_000;
    note("Slack calls for user groups, a minute", (groupReads.length / minutes).toFixed(1));
  }
}

/** The table, the small company beside the large one. */
export async function runCompany(folder: string, nodeArgs: readonly string[], only?: string): Promise<string> {
  const found = new Map<string, Cells>();
  for (const company of companies())
    if (only === undefined || company.name === only) found.set(company.name, await measure(company, folder, nodeArgs));
  const [first] = found.values();
  const heading = [
    "processor / most in one go, ms",
    ...[...found.keys()].flatMap((name) => [`${name}: first`, "usual"]),
  ];
  const rows = [...(first?.keys() ?? [])].map((name) => [
    name,
    ...[...found.values()].flatMap((cells) => cells.get(name) ?? ["", ""]),
  ]);
  return aligned([heading, ...rows]);
}
