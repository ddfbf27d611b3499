export type Verdict = "ok" | "warning" | "failed" | "not checked";

/** What one check of `curfew doctor` found. Holds nothing secret. */
export interface Finding {
  readonly name: string;
  readonly verdict: Verdict;
  /** May have several lines. */
  readonly what: string;
  /** Absent where there is nothing to do. */
  readonly whatToDo?: string;
}

/** The findings that a check of this name can come to. */
export const findingsOf = (name: string) => ({
  ok: (what: string): Finding => ({ name, verdict: "ok", what }),
  warning: (what: string, whatToDo: string): Finding => ({ name, verdict: "warning", what, whatToDo }),
  failed: (what: string, whatToDo: string): Finding => ({ name, verdict: "failed", what, whatToDo }),
  /** Something else must be known or mended first, or it cannot be seen from here. */
  notChecked: (what: string, whatToDo?: string): Finding => ({
    name,
    verdict: "not checked",
    what,
    ...(whatToDo === undefined ? {} : { whatToDo }),
  }),
});
