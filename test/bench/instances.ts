// Several instances of Curfew on one PostgreSQL, under the commands of a company: one is killed and one is added meanwhile.
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { companyAccount, companyConfig, companySeed } from "../../src/sandbox/company.ts";
import { startSandboxService } from "../../src/sandbox/service/start-sandbox-service.ts";
import { startWorkspace } from "../../src/sandbox/workspace/start-workspace.ts";
import { openStore, type Store } from "../../src/store/open-store.ts";
import { findPostgres, startPostgres } from "../support/postgres.ts";
import { createBalancer } from "./balancer.ts";
import { type Bot, startBot } from "./bot.ts";
import { nowMs } from "./clock.ts";
import { createCompanyLoad, type Sent } from "./company-load.ts";
import { sandboxEnvironment, startOptions } from "./contenders.ts";
import { type DatabaseUse, watchDatabase, watchedSettings } from "./database-use.ts";
import { judgeLoad } from "./judge-load.ts";
import { safe } from "./on-postgres.ts";
import { spreadOf } from "./percentile.ts";
import { useOf } from "./process-use.ts";
import { aligned } from "./table.ts";

interface InstancesOptions {
  readonly folder: string;
  readonly nodeArgs: readonly string[];
  readonly instances: number;
  readonly perSecond: number;
  /** Of each part. */
  readonly seconds: number;
  readonly say: (text: string) => unknown;
}

/** The parts of one run. */
export async function runInstances({ instances, perSecond, seconds, say, ...place }: InstancesOptions): Promise<void> {
  const scene = await openScene(place);
  const { bots, load, workspace, service, database } = scene;
  try {
    while (bots.length < instances) await scene.add();
    await load.run(Math.min(10, perSecond), 6);
    await load.run(perSecond / 2, 6);
    await delay(2000);
    const rows: (readonly string[])[] = [headings(instances + 1)];
    const measure = async (name: string, during: () => Promise<unknown> = async () => undefined) => {
      const before = use(bots);
      const startedDatabase = await database.use();
      const outside = process.cpuUsage();
      const [sent] = await Promise.all([load.run(perSecond, seconds), delay((seconds * 1000) / 4).then(during)]);
      const { user, system } = process.cpuUsage(outside);
      const after = use(bots);
      const databaseUse = await database.use();
      // The added one with its start, and one column for each that there will be.
      const spent = Array.from({ length: instances + 1 }, (_, at) => (after[at] ?? Number.NaN) - (before[at] ?? 0));
      const [databaseMs, outsideMs] = [
        1000 * (databaseUse.processorSeconds - startedDatabase.processorSeconds),
        (user + system) / 1000,
      ];
      rows.push(
        row(
          name,
          sent,
          [...spent, databaseMs, outsideMs].map((each) => each / sent.length),
        ),
      );
      return { sent, from: startedDatabase, to: databaseUse };
    };
    database.lookForWaits();
    const steady = await measure(`${instances} instances`);
    say(`${aligned(rows)}\n${perCommand(steady)}\n`);
    const added = bots.at(-1);
    await measure("one killed", async () => added?.kill());
    await measure("one added", scene.add);
    const { looks, waiting, most, active } = database.waits();
    say(`${aligned(rows)}
Waiting for the head of the history: ${(waiting / looks).toFixed(3)} transactions on average, ${most} at most; statements under way ${(active / looks).toFixed(2)} (${looks} looks).
`);
    const drainedMs = await drain(database);
    say(`Everything settled ${(drainedMs / 1000).toFixed(0)} s after the last command.\n`);
    say(await judgeLoad({ workspace, service, database, sent: load.all }));
    say(`Stored: ${await database.sizes()}\n`);
    say(`Calls of Slack a minute of load: ${slackCalls(workspace, (3 * seconds + 12) / 60)}\n`);
    say(
      `The head of the history alone: ${(await appendsPerSecond(scene.databaseUrl, instances)).toFixed(0)} entries a second.\n`,
    );
    if (place.nodeArgs.length > 0) say(await database.dearest());
  } finally {
    await scene.close();
  }
}

async function openScene({ folder, nodeArgs }: Pick<InstancesOptions, "folder" | "nodeArgs">) {
  const binaries = findPostgres(process.env);
  if (!binaries) throw new Error("There is no PostgreSQL here: POSTGRES_BIN names the folder of its programs.");
  // On the disk, as in production.
  const server = await startPostgres(
    binaries,
    { ...safe, ...watchedSettings },
    mkdtempSync(join(tmpdir(), "curfew-postgres-")),
  );
  const databaseUrl = `${server.url}/postgres`;
  const database = await watchDatabase(databaseUrl);
  const service = await startSandboxService({ account: companyAccount(Date.now()) });
  const balancer = createBalancer();
  const manifest: unknown = JSON.parse(readFileSync("manifest/slack-app.http.json", "utf8"));
  const slack = { manifest, seed: companySeed, rateLimits: "off", fetch: balancer.fetch } as const;
  const workspace = await startWorkspace({ ...slack, requestUrl: "http://balancer/slack/events" });
  const config = companyConfig(readFileSync("manifest/curfew.example.yaml", "utf8"));
  const bots: Bot[] = [];
  return {
    bots: bots as readonly Bot[],
    databaseUrl,
    database,
    service,
    workspace,
    load: createCompanyLoad(workspace),
    add: async () => {
      const cwd = join(folder, `instance-${bots.length}`);
      mkdirSync(cwd, { recursive: true });
      writeFileSync(join(cwd, "curfew.yaml"), config);
      const args = [...nodeArgs, ...startOptions(), resolve("dist/main.js")];
      const env = { ...sandboxEnvironment(workspace, service), DATABASE_URL: databaseUrl };
      const bot = await startBot({ args, env, cwd, readyPath: "/readyz" });
      bots.push(bot);
      balancer.add(bot.url);
    },
    close: async () => {
      await Promise.all(bots.map((bot) => bot.stop()));
      await workspace.close();
      await service.close();
      await database.close();
      await server.stop();
    },
  };
}

const headings = (instances: number): readonly string[] => [
  "commands",
  "a second",
  "acknowledged",
  "p50, p99, most, ms",
  "sent late, p99 ms",
  ...Array.from({ length: instances }, (_, at) => `instance ${at + 1}`),
  "database",
  "load, Slack and service: processor ms a command",
];

function row(name: string, sent: readonly Sent[], processorMs: readonly number[]): readonly string[] {
  const took = spreadOf(sent.filter(({ isAcknowledged }) => isAcknowledged).map(({ doneAt, dueAt }) => doneAt - dueAt));
  const lasted = ((sent.at(-1)?.sentAt ?? 0) - (sent[0]?.sentAt ?? 0)) / 1000;
  return [
    name,
    (sent.length / lasted).toFixed(1),
    `${sent.filter(({ isAcknowledged }) => isAcknowledged).length} of ${sent.length}`,
    [took.p50, took.p99, took.most].map((each) => each.toFixed(0)).join(", "),
    spreadOf(sent.map(({ sentAt, dueAt }) => sentAt - dueAt)).p99.toFixed(0),
    ...processorMs.map((each) => (Number.isNaN(each) ? "" : each.toFixed(2))),
  ];
}

/** Each instance's processor time so far, in ms; of a dead one it is not known. */
const use = (bots: readonly Bot[]): number[] =>
  bots.map(({ pid, isRunning }) => (isRunning() ? useOf(pid).processorSeconds * 1000 : Number.NaN));

function perCommand({
  sent,
  from,
  to,
}: {
  readonly sent: readonly Sent[];
  readonly from: DatabaseUse;
  readonly to: DatabaseUse;
}) {
  const each = (figure: (use: DatabaseUse) => number, digits = 1) =>
    ((figure(to) - figure(from)) / sent.length).toFixed(digits);
  const tables = [...to.rows].flatMap(([table, now]) => {
    const before = from.rows.get(table) ?? [0, 0, 0];
    const [inserted = "", updated = "", deleted = ""] = now.map((count, at) =>
      ((count - (before[at] ?? 0)) / sent.length).toFixed(1),
    );
    const isTouched = [inserted, updated, deleted].some((count) => count !== "0.0");
    return isTouched ? [[table, inserted, updated, deleted]] : [];
  });
  const heads = to.headCalls - from.headCalls;
  return `${aligned([["rows a command", "inserted", "updated", "deleted"], ...tables])}
A command: ${each(({ statements }) => statements)} statements, ${each(({ commits }) => commits)} commits, ${each(({ statementMs }) => statementMs, 2)} ms in statements.
It takes the head of the history ${(heads / sent.length).toFixed(2)} times, each after ${((to.headMs - from.headMs) / heads).toFixed(2)} ms.`;
}

/** Until nothing that a person waits for is left. Cards are posted at Slack's pace, which takes longer. */
async function drain(database: Awaited<ReturnType<typeof watchDatabase>>): Promise<number> {
  const from = nowMs();
  for (;;) {
    const [left] =
      await database.query(`select (select count(*) from receipt) + (select count(*) from change where state = 'performing')
      + (select count(*) from outbox where state = 'pending' and kind = 'notify-requester') as count`);
    if (Number(left?.count) === 0) return nowMs() - from;
    if (nowMs() - from > 120_000)
      throw new Error(`${left?.count} receipts, changes and notices are left after two minutes`);
    await delay(250);
  }
}

function slackCalls({ calls }: Awaited<ReturnType<typeof startWorkspace>>, minutes: number): string {
  const counts = new Map<string, number>();
  for (const { method } of calls) counts.set(method, (counts.get(method) ?? 0) + 1);
  return [...counts].map(([method, count]) => `${method} ${(count / minutes).toFixed(0)}`).join(", ");
}

/** Of each instance. */
const connections = 5;

/** With as many connections as so many instances have, and nothing else in each transaction. */
async function appendsPerSecond(databaseUrl: string, instances: number): Promise<number> {
  const stores = await Promise.all(Array.from({ length: instances }, () => openStore(databaseUrl)));
  const [from, forMs] = [nowMs(), 3000];
  let count = 0;
  const append = async (store: Store) => {
    while (nowMs() - from < forMs) {
      await store.appendEvent("imported", Date.now(), { actor: "operator:import", count: 1 });
      count += 1;
    }
  };
  await Promise.all(stores.flatMap((store) => Array.from({ length: connections }, () => append(store))));
  await Promise.all(stores.map((store) => store.close()));
  return (count * 1000) / (nowMs() - from);
}
