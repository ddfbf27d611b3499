import type { Sandbox } from "../../sandbox.ts";
import { exclusionsInForce } from "../../sandbox.ts";
import { affects, runsBetween } from "../../service/runs-between.ts";
import type { ClockShown } from "../wire.ts";

const lookAheadMs = 7 * 24 * 3_600_000;
const minuteMs = 60_000;
const maxStops = 4;

/** Suggested times to jump to: the ends of exclusions, and the runs that an exclusion affects. */
export function clockStops(sandbox: Sandbox): ClockShown["stops"] {
  const { service, clock } = sandbox;
  const at = clock.now();
  const inForce = exclusionsInForce(sandbox);
  const ends = inForce.flatMap(({ name, expiryDate }) => {
    const end = Date.parse(expiryDate);
    return end - at > lookAheadMs ? [] : [{ at: end, text: `“${name}” ends` }];
  });
  const last = Math.max(at, ...ends.map((end) => end.at));
  const { exclusions, actions } = service.account;
  const affected = [...actions].filter(([, action]) => inForce.some((exclusion) => affects(exclusion, action)));
  const skipped = runsBetween({ exclusions, actions: new Map(affected) }, at, last)
    .filter((run) => run.skipped.length > 0)
    .map(({ at: due, actionName, acted }) => ({
      at: due,
      text: `“${actionName}” is due and ${acted.length === 0 ? "will be skipped" : "will leave out excluded resources"}`,
    }));
  return [...ends.slice(0, maxStops), ...skipped.slice(0, maxStops)]
    .sort((one, other) => one.at - other.at)
    .map((stop) => ({ ...stop, at: Math.ceil(stop.at / minuteMs) * minuteMs }));
}
