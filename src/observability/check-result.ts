export type Verdict = "ok" | "warning" | "failed" | "not checked";

/** The result of one check of `curfew doctor`. Holds no secrets. */
export interface CheckResult {
  readonly name: string;
  readonly verdict: Verdict;
  /** May have several lines. */
  readonly what: string;
  /** Absent when there is nothing to do. */
  readonly whatToDo?: string;
}

/** Makes the results of the check with this name. */
export const checkResultsOf = (name: string) => ({
  ok: (what: string): CheckResult => ({ name, verdict: "ok", what }),
  warning: (what: string, whatToDo: string): CheckResult => ({ name, verdict: "warning", what, whatToDo }),
  failed: (what: string, whatToDo: string): CheckResult => ({ name, verdict: "failed", what, whatToDo }),
  /** The check needs something else to be known or fixed first, or cannot be made from here. */
  notChecked: (what: string, whatToDo?: string): CheckResult => ({
    name,
    verdict: "not checked",
    what,
    ...(whatToDo === undefined ? {} : { whatToDo }),
  }),
});
