import type { Logger } from "../../observability/log.ts";

const everyMs = 60_000;
/** Of each minute's refusals so many are logged one by one; whoever sends thousands must not fill the disk. */
const mostLogged = 20;

/** Logs requests that are refused: the first of each minute each, the others by their number. */
export function createRefusalLog(log: Logger): (status: number, reason: string) => void {
  let count = 0;
  const tell = () => {
    if (count > mostLogged) log.warn({ more: count - mostLogged }, "more requests were refused within a minute");
    count = 0;
  };
  return (status, reason) => {
    count += 1;
    if (count === 1) setTimeout(tell, everyMs).unref();
    if (count <= mostLogged) log.warn({ status }, `a request was refused: ${reason}`);
  };
}
