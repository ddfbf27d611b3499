import type { Logger } from "../../observability/log.ts";

const intervalMs = 60_000;
/** The number of refusals logged one by one in each minute; a flood must not fill the disk. */
const maxLogged = 20;

/** Logs refused requests: the first ones of each minute one by one, the others as a count. */
export function createRefusalLog(log: Logger): (status: number, reason: string) => void {
  let count = 0;
  const summarize = () => {
    if (count > maxLogged) log.warn({ more: count - maxLogged }, "more requests were refused within a minute");
    count = 0;
  };
  return (status, reason) => {
    count += 1;
    if (count === 1) setTimeout(summarize, intervalMs).unref();
    if (count <= maxLogged) log.warn({ status }, `a request was refused: ${reason}`);
  };
}
