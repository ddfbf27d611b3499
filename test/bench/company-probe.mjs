// Loaded into the bot: says what its process used since it was asked last, and the most in one turn of its event loop, also without the
// turns in which all garbage was collected, which no piece of work can be blamed for. In processor time, since others may keep the
// processor from it.
import { constants, PerformanceObserver, performance } from "node:perf_hooks";

let before = process.cpuUsage();
let last = before;
let turnBeganAt = performance.now();
let turns = [];
let collections = [];
let timer;

new PerformanceObserver((list) => {
  const full = list.getEntries().filter(({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR);
  collections.push(...full.map(({ startTime, duration }) => ({ from: startTime, to: startTime + duration })));
}).observe({ entryTypes: ["gc"] });

const sinceMs = (start) => {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
};
const isClean = ({ from, to }) => !collections.some((each) => each.from < to && from < each.to);
const most = (some) => Math.max(0, ...some.map(({ ms }) => ms));

process.on("message", ({ watchesLoop }) => {
  process.send({
    processorMs: sinceMs(before),
    oneGoMs: most(turns),
    cleanMs: most(turns.filter(isClean)),
    residentMib: process.memoryUsage().rss / 2 ** 20,
  });
  clearInterval(timer);
  before = process.cpuUsage();
  [last, turnBeganAt, turns, collections] = [before, performance.now(), [], []];
  if (!watchesLoop) return;
  timer = setInterval(() => {
    const [ms, at] = [sinceMs(last), performance.now()];
    // Most are short, and there are thousands.
    if (ms > 2) turns.push({ ms, from: turnBeganAt, to: at });
    [last, turnBeganAt] = [process.cpuUsage(), at];
  }, 1);
});
// The channel alone keeps no process alive.
process.channel.unref();
