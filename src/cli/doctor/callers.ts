import { type Caller, exampleTokenHash } from "../../config/settings.ts";
import { type CheckResult, checkResultsOf } from "../../observability/check-result.ts";

/** The pipelines that may ask, and whether one still has the public token of the example. */
export function callersResult({ callers }: { readonly callers: readonly Caller[] }): CheckResult {
  const { ok } = checkResultsOf("callers");
  const named = callers.map(({ name, role, channel }) => `${name} as ${role} in ${channel}`).join(", ");
  const open = callers.filter(({ tokenSha256 }) => tokenSha256.includes(exampleTokenHash)).map(({ name }) => name);
  const only =
    open.length === 0 ? "" : `; the token of ${open.join(", ")} is the example's, and counts only on this machine`;
  return ok(`POST /v1/lines is open to ${named}${only}`);
}
