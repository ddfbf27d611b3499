import type { WebClient } from "@slack/web-api";
import { z } from "zod";
import { type CheckResult, checkResultsOf } from "../../observability/check-result.ts";
import { optionalText } from "../optional-text.ts";
import type { teamsToAsk } from "../people/group-members.ts";
import { type Flaw, flawText, type RoleMember } from "./role-members.ts";
import { adviceFor, refusalText, slackRefusal } from "./slack-refusal.ts";

const { ok, warning, failed, notChecked } = checkResultsOf("user groups");

/** A disabled group has a deletion date; the count comes as text (PLATFORM.md §12.5). */
const groupList = z.array(
  z.looseObject({
    id: z.string(),
    date_delete: z.number().nullish(),
    user_count: z.union([z.number(), optionalText]),
  }),
);
type Group = z.output<typeof groupList>[number];

/** Whether the user groups with roles exist and have members. */
export async function checkGroups(
  client: WebClient,
  members: readonly RoleMember[],
  teams: ReturnType<typeof teamsToAsk>,
): Promise<CheckResult> {
  if (members.length === 0) return ok("no role names one");
  try {
    const asked = { include_disabled: true, include_count: true };
    const lists = await Promise.all(teams.map((team) => client.usergroups.list({ ...asked, ...team })));
    const all = lists.flatMap(({ usergroups }) => groupList.parse(usergroups));
    const groups = new Map(all.map((group) => [group.id, group]));
    return judge(
      members,
      members.flatMap((member) => flawOf(member, groups.get(member.id))),
    );
  } catch (error) {
    const refusal = slackRefusal(error);
    if (refusal.kind === "refused" && refusal.code === "missing_argument")
      return failed(
        "the app is installed for an organization, and Slack shows user groups by workspace only: nobody has their roles",
        "Name the workspaces in `teams`.",
      );
    return refusal.kind === "refused" && refusal.code === "plan_upgrade_required"
      ? failed("this workspace's plan has no user groups", "Give roles to people instead, by their ids.")
      : notChecked(refusalText(refusal), adviceFor(refusal) ?? "Fix the scopes if one is missing, and run this again.");
  }
}

function flawOf(member: RoleMember, group: Group | undefined): readonly Flaw[] {
  if (group === undefined) return [{ member, what: "does not exist", isNobody: true }];
  if (group.date_delete) return [{ member, what: "is disabled: nobody has its roles", isNobody: false }];
  return Number(group.user_count ?? 1) === 0 ? [{ member, what: "has nobody in it", isNobody: false }] : [];
}

function judge(members: readonly RoleMember[], flaws: readonly Flaw[]): CheckResult {
  const advice = "Fix the group in Slack, or give its roles to another group in the config.";
  if (flaws.length === 0) return ok(`all ${members.length} with roles exist`);
  return flaws.some(({ isNobody }) => isNobody) ? failed(flawText(flaws), advice) : warning(flawText(flaws), advice);
}
