// The watcher with 10,000 actions, in its own process and bundled like the release.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createReadService } from "../../src/directory/read-service.ts";
import { createLogger } from "../../src/observability/log.ts";
import { createServiceClient } from "../../src/service/client.ts";
import { openStore } from "../../src/store/open-store.ts";
import { createWatcher } from "../../src/watch/watcher.ts";
import { median } from "./percentile.ts";
import { aligned, verdict } from "./table.ts";

const [, , serviceUrl = "", folder = "", polls = "20"] = process.argv;
const minuteMs = 60_000;
let elapsed = 0;
let written = 0;
const now = () => Date.now() + elapsed;
const store = await openStore(`${folder}/watch.db`, {
  now,
  onQuery: (statement) => {
    if (statement !== "select") written++;
  },
});
const none = { warnings: [], resourceGroups: {} };
const client = createServiceClient({ baseUrl: serviceUrl, apiKey: "bench-key" });
const log = createLogger({ level: "silent" });
const watcher = createWatcher({
  store,
  read: createReadService(client, store, () => elapsed),
  settings: () => ({ watch: { everyMs: minuteMs }, announce: [{ channel: "C0OPS", isElsewhere: true }], ...none }),
  now,
  log,
  zoneOf: async () => "UTC",
  schedule: () => () => undefined,
});

interface Poll {
  readonly cpuMs: number;
  readonly blockedMs: number;
  readonly written: number;
}

async function poll(): Promise<Poll> {
  elapsed += minuteMs;
  written = 0;
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const before = process.cpuUsage();
  await watcher.poll();
  const { user, system } = process.cpuUsage(before);
  delay.disable();
  return { cpuMs: (user + system) / 1000, blockedMs: delay.max / 1e6, written };
}

const first = await poll();
const usual: Poll[] = [];
for (let count = 0; count < Number(polls); count++) usual.push(await poll());
await store.close();
await client.close();
const unchanged = median(usual.map(({ cpuMs }) => cpuMs));
const statements = usual.reduce((sum, each) => sum + each.written, 0);
process.stdout.write(
  aligned([
    ["10,000 actions", "processor ms", "event loop blocked, ms", "statements that write", ""],
    ["the first poll", first.cpuMs.toFixed(0), first.blockedMs.toFixed(0), String(first.written), ""],
    [
      `${polls} polls that change nothing, median`,
      unchanged.toFixed(0),
      median(usual.map(({ blockedMs }) => blockedMs)).toFixed(0),
      String(statements),
      verdict(unchanged < 150 && statements === 0),
    ],
    ["memory, MiB", String(Math.round(process.memoryUsage().rss / 2 ** 20)), "", "", ""],
  ]),
);
