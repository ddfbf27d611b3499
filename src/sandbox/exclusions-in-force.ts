import type { Sandbox } from "./sandbox.ts";
import type { ActionExclusion } from "./service/account.ts";
import { isInForce } from "./service/runs-between.ts";

/** The exclusions in force in the embedded service, the first to end first. */
export function exclusionsInForce({ service, clock }: Sandbox): readonly ActionExclusion[] {
  const at = clock.now();
  return [...service.account.exclusions.values()]
    .filter((exclusion) => isInForce(exclusion, at))
    .sort((one, other) => Date.parse(one.expiryDate) - Date.parse(other.expiryDate));
}
