// Loaded before the bundle. Lets a test set the whole process's clock and timers forward, as clock.ts does in one process.
// Time stops while the process waits for Slack, or short calls would seem to take minutes.
import { subscribe } from "node:diagnostics_channel";

const { now: realNow } = Date;
const { setTimeout: realSetTimeout, clearTimeout: realClearTimeout } = globalThis;
const waiting = new Map();
let aheadMs = Number(process.env.CLOCK_AHEAD_MS ?? 0);
let wantedMs = aheadMs;
let underWay = 0;

Date.now = () => realNow() + aheadMs;

globalThis.setTimeout = Object.assign((run, delayMs = 0, ...values) => {
  const fire = () => {
    waiting.delete(timer);
    run(...values);
  };
  const timer = realSetTimeout(fire, delayMs);
  waiting.set(timer, { dueAt: Date.now() + delayMs, fire });
  return timer;
}, realSetTimeout);

globalThis.clearTimeout = (timer) => {
  waiting.delete(timer);
  realClearTimeout(timer);
};

// The requests that undici reports (https://github.com/nodejs/undici/blob/main/docs/docs/api/DiagnosticsChannel.md).
const slackOrigin = process.env.SLACK_API_URL && new URL(process.env.SLACK_API_URL).origin;
const onSlack = (channel, act) =>
  subscribe(channel, ({ request }) => {
    if (request.origin === slackOrigin) act();
  });
onSlack("undici:request:create", () => {
  underWay += 1;
});
for (const over of ["undici:request:trailers", "undici:request:error"])
  onSlack(over, () => {
    underWay -= 1;
    setImmediate(goOn);
  });

function goOn() {
  if (underWay > 0 || wantedMs === aheadMs) return;
  aheadMs = wantedMs;
  const due = [...waiting].filter(([, { dueAt }]) => dueAt <= Date.now());
  for (const [timer, { fire }] of due.sort(([, one], [, other]) => one.dueAt - other.dueAt)) {
    realClearTimeout(timer);
    fire();
  }
  report();
}

/** Tells the test which time this process has, since a message may come after a request that was sent later. */
function report() {
  if (process.connected) process.send({ aheadMs });
}

process.on("message", (message) => {
  if (message.aheadMs === undefined) return;
  wantedMs = message.aheadMs;
  if (wantedMs === aheadMs) report();
  goOn();
});
process.channel?.unref();
// An interrupted test leaves no process behind.
process.on("disconnect", () => process.exit());
