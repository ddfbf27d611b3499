// The process entry: version of Node, environment, start, stop on signal.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isTooOld, oldestNode } from "./cli/node-version.ts";

const { node } = process.versions;
if (isTooOld(node)) {
  process.stderr.write(`Curfew needs Node ${oldestNode} or newer, and this is Node ${node}.\n`);
  process.exit(1);
}

// The sandbox formats with date-fns-tz, which is wrong near the clock changes of the process's own zone.
process.env.TZ = "UTC";

/** Below the 30 seconds that platforms commonly allow before they kill. */
const stopDeadlineMs = 25_000;
const parentCheckMs = 500;
/** Time for anything that still keeps the process alive after the stop. */
const exitDeadlineMs = 1_000;

const stopAsked = new Promise<void>((resolve) => {
  let isAsked = false;
  const ask = () => {
    if (isAsked) process.exit(1);
    isAsked = true;
    setTimeout(() => process.exit(1), stopDeadlineMs).unref();
    resolve();
  };
  process.on("SIGTERM", ask);
  process.on("SIGINT", ask);
  if (process.env.npm_lifecycle_event === "start") whenOrphaned(ask);
});

/** A signal to `npm start` ends npm and its shell, but may not reach this process. So it watches for the end of its parent. */
function whenOrphaned(then: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    then();
  }, parentCheckMs);
  timer.unref();
}

// Only now: an older Node cannot even read the rest.
const { run } = await import("./cli/run.ts");
process.exitCode = await run({
  args: process.argv.slice(2),
  env: process.env,
  rootFolder: fileURLToPath(new URL("..", import.meta.url)),
  readFile: (path) => readFileSync(path, "utf8"),
  input: process.stdin,
  output: process.stdout,
  errorOutput: process.stderr,
  onReloadAsked: (reload) => process.on("SIGHUP", () => void reload()),
  onUnhandled: (log) => {
    process.on("unhandledRejection", (error) => log("rejection", error));
    process.on("uncaughtException", (error) => {
      log("exception", error);
      process.exit(1);
    });
  },
  stopAsked,
});
setTimeout(() => process.exit(), exitDeadlineMs).unref();
