import type { Sandbox } from "./sandbox.ts";
import type { ActionExclusion } from "./service/account.ts";
import { isInForce } from "./service/runs-between.ts";

/** What keeps machines out of their schedules at this moment, as the embedded service itself sees it; the soonest to end first. */
export function exclusionsInForce({ service, clock }: Sandbox): readonly ActionExclusion[] {
  const at = clock.now();
  return [...service.account.exclusions.values()]
    .filter((exclusion) => isInForce(exclusion, at))
    .sort((one, other) => Date.parse(one.expiryDate) - Date.parse(other.expiryDate));
}
