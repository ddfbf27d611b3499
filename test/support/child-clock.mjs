// Loaded before the bundle: lets a test set the clock of the whole process forward, timers included, as clock.ts does within one process.

const realNow = Date.now;
const realSetTimeout = globalThis.setTimeout;
const realClearTimeout = globalThis.clearTimeout;
let aheadMs = Number(process.env.CLOCK_AHEAD_MS ?? 0);
const waiting = new Map();

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

process.on("message", (message) => {
  aheadMs = message.aheadMs;
  const due = [...waiting]
    .filter(([, { dueAt }]) => dueAt <= Date.now())
    .sort(([, one], [, other]) => one.dueAt - other.dueAt);
  for (const [timer, { fire }] of due) {
    realClearTimeout(timer);
    fire();
  }
});
process.channel?.unref();
// A test that ended in the middle leaves nothing behind.
process.on("disconnect", () => process.exit());
