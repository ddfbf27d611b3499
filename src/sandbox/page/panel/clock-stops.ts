import { exclusionsInForce, type Sandbox } from "../../sandbox.ts";
import type { Action } from "../../service/account.ts";
import { affects, runsBetween } from "../../service/runs.ts";
import type { ClockShown } from "../wire.ts";

const lookAheadMs = 7 * 24 * 3_600_000;
const minuteMs = 60_000;
const maxStops = 4;

/** Half an hour, as in the example config. */
const warnedMs = 30 * minuteMs;

/** Suggested times to jump to: when a warning comes, the ends of exclusions, and the runs that an exclusion affects. */
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
  const staging = [...actions].filter(([, action]) => stopsStaging(action));
  const warnings = runsBetween({ exclusions, actions: new Map(staging) }, at + warnedMs, at + lookAheadMs)
    .filter(({ acted }) => acted.length > 0)
    .slice(0, 1)
    .map(({ at: due, actionName }) => ({ at: due - warnedMs, text: `a warning that “${actionName}” comes up` }));
  return [...warnings, ...ends.slice(0, maxStops), ...skipped.slice(0, maxStops)]
    .sort((one, other) => one.at - other.at)
    .map((stop) => ({ ...stop, at: Math.ceil(stop.at / minuteMs) * minuteMs }));
}

const stopsStaging = ({ actionType, tags }: Action): boolean =>
  actionType === "amazon-stop-ec2-instances" && tags.includes("staging");
