import { type CheckResult, checkResultsOf } from "../../observability/check-result.ts";

const { ok, failed } = checkResultsOf("teams");

/** Whether the members of the workspace that Curfew is installed in count; nothing where the config leaves that open. */
export function checkTeams(installedIn: string, teams: ReadonlySet<string> | undefined): readonly CheckResult[] {
  if (teams === undefined) return [];
  if (installedIn.startsWith("T") && !teams.has(installedIn)) {
    const what = `the app is installed in ${installedIn}, which \`teams\` does not list: nobody there may do anything`;
    return [failed(what, "Add it to `teams`, or leave `teams` out.")];
  }
  return [ok(`members of ${[...teams].join(", ")} count as ours`)];
}
