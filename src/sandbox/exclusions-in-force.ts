import type { Sandbox } from "./sandbox.ts";
import type { ActionExclusion } from "./service/account.ts";

/** What keeps machines out of their schedules at this moment, as the embedded service itself sees it; the soonest to end first. */
export function exclusionsInForce({ service, now }: Sandbox): readonly ActionExclusion[] {
  const at = now();
  return [...service.account.exclusions.values()]
    .filter(
      ({ isEnabled, startDate, expiryDate }) => isEnabled && Date.parse(startDate) <= at && at < Date.parse(expiryDate),
    )
    .sort((one, other) => Date.parse(one.expiryDate) - Date.parse(other.expiryDate));
}
