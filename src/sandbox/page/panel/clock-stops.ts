import { exclusionsInForce } from "../../exclusions-in-force.ts";
import type { Sandbox } from "../../sandbox.ts";
import { runsBetween } from "../../service/runs-between.ts";
import type { ClockShown } from "../wire.ts";

const lookAheadMs = 7 * 24 * 3_600_000;
const minuteMs = 60_000;
const most = 4;

/** Moments worth moving the clock to: the ends of exclusions, and the runs that they will keep from happening. */
export function clockStops(sandbox: Sandbox): ClockShown["stops"] {
  const { service, clock } = sandbox;
  const at = clock.now();
  const ends = exclusionsInForce(sandbox).flatMap(({ name, expiryDate }) => {
    const end = Date.parse(expiryDate);
    return end - at > lookAheadMs ? [] : [{ at: end, text: `“${name}” ends` }];
  });
  const last = Math.max(at, ...ends.map((end) => end.at));
  const skipped = runsBetween(service.account, at, last)
    .filter((run) => run.acted.length === 0 && run.skipped.length > 0)
    .map((run) => ({ at: run.at, text: `“${run.actionName}” is due, and excluded` }));
  return [...ends.slice(0, most), ...skipped.slice(0, most)]
    .sort((one, other) => one.at - other.at)
    .map((stop) => ({ ...stop, at: Math.ceil(stop.at / minuteMs) * minuteMs }));
}
