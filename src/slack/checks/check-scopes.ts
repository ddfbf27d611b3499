import { type CheckResult, checkResultsOf } from "../../observability/check-result.ts";

const { ok, warning, failed, notChecked } = checkResultsOf("scopes");

/** What Curfew can do without, and what is different then. */
const optional: Readonly<Record<string, string>> = {
  "app_mentions:read": "mentions of Curfew get no answer",
  "im:history": "direct messages to Curfew get no answer",
};

/** Compares the scopes of the token with those of the manifest. */
export function checkScopes(granted: readonly string[] | undefined, wanted: readonly string[] | string): CheckResult {
  if (typeof wanted === "string") return notChecked(wanted);
  if (granted === undefined) return notChecked("Slack did not list the scopes of the token");
  const absent = wanted.filter((scope) => !granted.includes(scope));
  const missing = absent.filter((scope) => !(scope in optional));
  const superfluous = granted.filter((scope) => !wanted.includes(scope));
  if (missing.length > 0) {
    return failed(
      `missing: ${missing.join(", ")}`,
      "Add them to the app, or apply the manifest. Then install the app again: only then does the token get them.",
    );
  }
  if (superfluous.length > 0)
    return warning(
      `more than Curfew needs: ${superfluous.join(", ")}`,
      "Remove them from the app, so that its token can do no more than it needs.",
    );
  return absent.length > 0
    ? ok(`all that are needed. Without ${absent.map((scope) => `${scope} ${optional[scope]}`).join("; ")}`)
    : ok(`exactly those of the manifest: ${wanted.join(", ")}`);
}
