/**
 * A setting that is valid and has no effect. An error cannot be meant; a warning may be. Neither stops a start or a reload: a rule
 * without effect allows nothing, and a refused reload would keep rights in force that were just taken away.
 */
export interface LintFinding {
  readonly path: readonly PropertyKey[];
  readonly verdict: "error" | "warning";
  readonly message: string;
}

export const error = (path: LintFinding["path"], message: string): LintFinding => ({ path, verdict: "error", message });
export const warning = (path: LintFinding["path"], message: string): LintFinding => ({
  path,
  verdict: "warning",
  message,
});
