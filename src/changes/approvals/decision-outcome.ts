import type { Ruling } from "../../commands/about-changes/about-changes.ts";
import type { Problem } from "../../commands/answer.ts";
import type { Denied, Invalid } from "../authorize/decide-change.ts";
import type { Change } from "../change.ts";

export type DecisionOutcome =
  | { readonly kind: "refused"; readonly decision: Denied }
  | Invalid
  /** The decision counted: `change` is the change after it. */
  | { readonly kind: "decided"; readonly ruling: Ruling; readonly change: Change }
  /** The decision came too late, or twice: `change` is the change as it is now. */
  | { readonly kind: "overtaken"; readonly ruling: Ruling; readonly change: Change };

export function nothingToApprove(changeId: string): Problem {
  return {
    problem: `There is no change ${changeId} that needs an approval or is planned. Nothing was changed. “approvals” shows what waits.`,
  };
}
