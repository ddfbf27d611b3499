import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { vi } from "vitest";
import { z } from "zod";
import { type SandboxService, startSandboxService } from "../../src/sandbox/service/start-sandbox-service.ts";
import { sign } from "../../src/sandbox/workspace/deliveries.ts";
import type { Db } from "../../src/store/db/database.ts";
import { buildBundle, type Process, type StartOptions } from "../cli/bundle.ts";
import { type Clock, createClock } from "../support/clock.ts";
import { startWorkspace, type Workspace } from "../support/start-workspace.ts";
import { openTcpGate, type TcpGate } from "../support/tcp-gate.ts";
import { ask, type CrashRequest, isNotified } from "./ask.ts";
import { crew, crewConfig, crewSeed } from "./crew.ts";
import { type CrashDatabase, makeCrashDatabase } from "./database.ts";
import { waitMs } from "./wait-ms.ts";

/** Real processes of the bundle, between a service and a workspace in this process that survive them. */
export interface Scene {
  readonly service: SandboxService;
  /** In front of the service. */
  readonly gate: TcpGate;
  readonly workspace: Workspace;
  readonly database: CrashDatabase;
  /** The test's own connection to the database. */
  readonly db: Db;
  /** Shared by the service, the workspace and the processes. */
  readonly clock: Clock;
  /** All requests so far. */
  readonly requests: readonly CrashRequest[];
  /** Starts a process; when there are several, Slack's requests go to them in turn. */
  start(options?: StartOptions): Promise<Bot>;
  /** One concurrent change for each of so many people after the first ones; resolves when Slack has got each acknowledgement or its timeout. */
  ask(people: number, after?: number): Promise<readonly CrashRequest[]>;
  /** The same for other requests. */
  send<R extends CrashRequest>(all: readonly Sending<R>[]): Promise<readonly R[]>;
  /** Whether every requester of a running process is notified. */
  isAnswered(): boolean;
  /** How many changes are in this state. */
  count(state: string): Promise<number>;
  /**
   * Advances time until nothing is performing or pending, and every requester of a running process is notified. Afterwards each
   * process has the test's time.
   */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** Sends a request; resolves when Slack has got its acknowledgement or its timeout. */
export type Sending<R extends CrashRequest = CrashRequest> = (workspace: Workspace) => Promise<R>;

export interface Bot {
  readonly process: Process;
  readonly url: string;
  /** Whether a command came to it. */
  got(request: CrashRequest): boolean;
  /** Whether it has logged, since the request, that it could not answer this person. */
  gaveUp(request: CrashRequest): boolean;
  /** Resolves when it is dead. Slack gets nothing more from it. */
  kill(): Promise<void>;
}

/** What `child-clock.mjs` reports. The two clocks are read one after the other, so the times differ a little. */
const Report = z.object({ aheadMs: z.number() });
const toleratedMs = 100;

/** On a database of the present test project's kind, unless one is given. */
export async function openScene(given?: CrashDatabase): Promise<Scene> {
  const bundle = buildBundle();
  const database = given ?? (await makeCrashDatabase());
  const clock = createClock();
  const service = await startSandboxService({ now: clock.now });
  const gate = await openTcpGate({ host: "127.0.0.1", port: Number(new URL(service.baseUrl).port) });
  const balancer = createBalancer();
  const workspace = await openWorkspace(clock, balancer);
  const config = join(bundle.folder, "curfew.yaml");
  writeFileSync(config, crewConfig);
  const requests: CrashRequest[] = [];
  let pendingRequests: Promise<readonly CrashRequest[]> = Promise.resolve([]);
  let unanswered: readonly CrashRequest[] = [];
  /** How much its process had logged before a request. */
  const loggedBefore = new WeakMap<CrashRequest, number>();
  const instances = new Set<string>();
  let db: Db | undefined;
  const opened = (): Db => {
    db ??= database.open();
    return db;
  };
  const aheadMs = (): number => clock.now() - Date.now();
  const advance = (ms: number): void => {
    clock.advance(ms);
    for (const { process } of balancer.bots) process.say({ aheadMs: aheadMs() });
  };
  const areInTime = (): boolean => {
    const wanted = aheadMs() - toleratedMs;
    return balancer.bots.every(({ process }) => (Report.safeParse(process.heard).data?.aheadMs ?? 0) >= wanted);
  };
  const synchronize = async (): Promise<void> => {
    advance(0);
    await vi.waitUntil(areInTime, { timeout: waitMs, interval: 10 });
  };
  const count = (state: string): Promise<number> => countIn(opened(), "change", state);
  const isMarking = async (): Promise<boolean> => {
    const people = await peopleToNotify(opened());
    const isOver = (each: CrashRequest) => people.has(workspace.as(each.handle).id) && isNotified(workspace, each);
    const notified = requests.filter(isOver);
    return notified.some((each) => balancer.bots.some((bot) => bot.got(each)));
  };
  const isAnswered = (): boolean => {
    const isOpen = (each: CrashRequest) =>
      !isNotified(workspace, each) && !balancer.botOf(each.triggerId)?.gaveUp(each);
    unanswered = unanswered.filter(isOpen);
    return unanswered.length === 0;
  };
  const send: Scene["send"] = async (sendings) => {
    const logged = new Map(balancer.bots.map((bot) => [bot.url, bot.process.output.length]));
    const sent = Promise.all(sendings.map((each) => each(workspace)));
    pendingRequests = sent;
    const all = await sent;
    requests.push(...all);
    for (const each of all) loggedBefore.set(each, logged.get(balancer.botOf(each.triggerId)?.url ?? "") ?? 0);
    unanswered = all.filter(({ isAcknowledged }) => isAcknowledged);
    return all;
  };

  return {
    service,
    gate,
    workspace,
    database,
    get db() {
      return opened();
    },
    clock: { now: clock.now, advance },
    requests,
    start: async ({ env, ...options } = {}) => {
      const process = bundle.start({
        env: {
          ...environmentFor({ service, gate, workspace, database, config }),
          CLOCK_AHEAD_MS: String(aheadMs()),
          ...env,
        },
        preload: "test/support/child-clock.mjs",
        ...options,
      });
      const url = `http://127.0.0.1:${await process.sees(/"port":(\d+)/)}/slack/events`;
      const instance = await newestInstance(opened(), instances);
      const bot: Bot = {
        process,
        url,
        got: ({ triggerId }) => balancer.botOf(triggerId) === bot,
        gaveUp: (request) => {
          const { id } = workspace.as(request.handle);
          const lines = process.output
            .slice(loggedBefore.get(request) ?? 0)
            .split("\n")
            .filter((line) => line.includes("an answer could not be given at all"));
          return lines.some((line) => line.includes(`"userId":"${id}"`));
        },
        kill: async () => {
          process.signal("SIGKILL");
          await process.exited;
          await pendingRequests;
          unanswered = unanswered.filter((each) => !bot.got(each));
          balancer.remove(bot);
          // Ages the heartbeat, so that the others count the instance as gone.
          if (instance) await opened().updateTable("instance").set({ seen_at: 0 }).where("id", "=", instance).execute();
        },
      };
      balancer.add(bot);
      return bot;
    },
    ask: (people, after = 0) =>
      send(
        crew.slice(after, after + people).map(
          ({ handle }) =>
            (workspace) =>
              ask(workspace, handle),
        ),
      ),
    send,
    isAnswered,
    count,
    settle: async () => {
      await settled(opened(), { isAnswered, isMarking, passTime: () => advance(1000) });
      await synchronize();
    },
    close: async () => {
      await db?.destroy();
      await bundle.remove();
      await workspace.close();
      await gate.close();
      await service.close();
      await database.remove();
    },
  };
}

/** The instance not yet in `known`, which it adds; undefined on SQLite, which has no heartbeats. */
async function newestInstance(db: Db, known: Set<string>): Promise<string | undefined> {
  const all = await db.selectFrom("instance").select("id").execute();
  const newest = all.find(({ id }) => !known.has(id))?.id;
  if (newest !== undefined) known.add(newest);
  return newest;
}

/** Signs by the processes' clock: they reject old requests. */
async function openWorkspace(clock: Clock, balancer: Balancer): Promise<Workspace> {
  const manifest: unknown = JSON.parse(readFileSync("manifest/slack-app.http.json", "utf8"));
  const workspace = await startWorkspace({
    manifest,
    seed: crewSeed,
    now: clock.now,
    rateLimits: "off",
    deadlineMs: waitMs,
    fetch: async (_url, init) => {
      const body = String(init?.body);
      const bot = balancer.next(triggerIn(new URLSearchParams(body)));
      if (!bot) throw new TypeError("No process listens.");
      const timestamp = String(Math.floor(clock.now() / 1000));
      const headers = new Headers(init?.headers);
      headers.set("x-slack-request-timestamp", timestamp);
      headers.set("x-slack-signature", sign(workspace.signingSecret, timestamp, body));
      return fetch(bot.url, { ...init, headers });
    },
  });
  workspace.connectHttp("http://127.0.0.1/in-turn");
  return workspace;
}

const Interaction = z.object({ trigger_id: z.string() });

function triggerIn(body: URLSearchParams): string {
  const payload = body.get("payload");
  if (payload === null) return body.get("trigger_id") ?? "";
  return Interaction.safeParse(JSON.parse(payload)).data?.trigger_id ?? "";
}

function environmentFor(parts: Pick<Scene, "service" | "gate" | "workspace" | "database"> & { config: string }) {
  const { service, gate, workspace, database, config } = parts;
  return {
    NODE_ENV: "production",
    SLACK_API_URL: workspace.apiUrl,
    SLACK_BOT_TOKEN: workspace.botToken,
    SLACK_SIGNING_SECRET: workspace.signingSecret,
    SCHEDULER_BASE_URL: gate.before(service.baseUrl),
    SCHEDULER_API_KEY: service.apiKey,
    DRAIN_SECONDS: "0",
    DATABASE_URL: database.url,
    CURFEW_CONFIG: config,
    HOST: "127.0.0.1",
  };
}

/** Routes Slack's commands to the running processes in turn. */
interface Balancer {
  readonly bots: readonly Bot[];
  add(bot: Bot): void;
  remove(bot: Bot): void;
  next(triggerId: string): Bot | undefined;
  /** The process that got a command. */
  botOf(triggerId: string): Bot | undefined;
}

function createBalancer(): Balancer {
  const routes = new Map<string, Bot>();
  let bots: readonly Bot[] = [];
  return {
    get bots() {
      return bots;
    },
    add: (bot) => {
      bots = [...bots, bot];
    },
    remove: (bot) => {
      bots = bots.filter((other) => other !== bot);
    },
    next: (triggerId) => {
      const bot = bots[routes.size % bots.length];
      if (bot) routes.set(triggerId, bot);
      return bot;
    },
    botOf: (triggerId) => routes.get(triggerId),
  };
}

interface Settling {
  /** Whether every requester of a living process is notified. */
  readonly isAnswered: () => boolean;
  /** Whether a notification was sent and is about to be marked. */
  readonly isMarking: () => Promise<boolean>;
  readonly passTime: () => void;
}

/** Resolves when nothing is pending or performing. Advances time only while nothing else is awaited, never during a service call. */
async function settled(db: Db, { isAnswered, isMarking, passTime }: Settling): Promise<void> {
  let last = 0;
  await vi.waitUntil(
    async () => {
      const performing = await countIn(db, "change", "performing");
      const pending = await countIn(db, "outbox", "pending");
      const received = await countReceipts(db);
      if (performing + pending + received === 0 && isAnswered()) return true;
      const isIdle =
        received === 0 && performing === (await countLeft(db)) && performing + pending > 0 && pending === last;
      if (isIdle && !(await isMarking())) passTime();
      last = pending;
      return false;
    },
    { timeout: waitMs, interval: 10 },
  );
}

/** The changes of dead instances, which a living one settles on its next recovery. */
async function countLeft(db: Db): Promise<number> {
  const left = db.selectFrom("change").innerJoin("instance", "instance.id", "change.performer").select("change.id");
  return (await left.where("state", "=", "performing").where("seen_at", "=", 0).execute()).length;
}

/** The requests that are being handled, or that a dead instance left. */
async function countReceipts(db: Db): Promise<number> {
  const all = db.selectFrom("receipt").select(({ fn }) => fn.countAll().as("count"));
  return Number((await all.executeTakeFirstOrThrow()).count);
}

/** The people who are still to be notified of a change. */
async function peopleToNotify(db: Db): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("outbox")
    .innerJoin("change", "change.id", "outbox.change_id")
    .select("change.actor_id")
    .where("outbox.kind", "=", "notify-requester")
    .where("outbox.state", "=", "pending")
    .execute();
  return new Set(rows.map((row) => row.actor_id));
}

async function countIn(db: Db, table: "change" | "outbox", state: string): Promise<number> {
  const all = db.selectFrom(table).select(({ fn }) => fn.countAll().as("count"));
  return Number((await all.where("state", "=", state).executeTakeFirstOrThrow()).count);
}
