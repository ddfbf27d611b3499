// Loaded into the bot: says what its process used since it was asked last, and the most in one turn of its event loop. In processor
// time, since others may keep the processor from it.
let before = process.cpuUsage();
let last = before;
let mostInOneGo = 0;
let timer;

const sinceMs = (start) => {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
};

process.on("message", ({ watchesLoop }) => {
  process.send({
    processorMs: sinceMs(before),
    oneGoMs: mostInOneGo,
    residentMib: process.memoryUsage().rss / 2 ** 20,
  });
  clearInterval(timer);
  before = process.cpuUsage();
  [last, mostInOneGo] = [before, 0];
  if (!watchesLoop) return;
  timer = setInterval(() => {
    mostInOneGo = Math.max(mostInOneGo, sinceMs(last));
    last = process.cpuUsage();
  }, 1);
});
// The channel alone keeps no process alive.
process.channel.unref();
