import { type CheckResult, checkResultsOf } from "../../observability/check-result.ts";
import type { Policy } from "../../permissions/policy.ts";
import { unapprovable } from "../../permissions/unapprovable.ts";
import type { Actors } from "../people/actors.ts";
import type { RoleMembers } from "./role-members.ts";
import { refusalText, slackRefusal } from "./slack-refusal.ts";

const { ok, warning, notChecked } = checkResultsOf("approvers");

/** More take too long to look up, and so many approvers are enough. */
const maxPeople = 300;

/** Whether everybody with a role can get approved what they may ask for; undefined where nothing needs an approval. */
export async function checkApprovers(
  actors: Pick<Actors, "find" | "idsIn">,
  policy: Policy,
  { groups, people }: RoleMembers,
): Promise<CheckResult | undefined> {
  if (policy.approvals.length === 0 && !policy.identity) return undefined;
  try {
    const inGroups = await Promise.all(groups.map(({ id }) => actors.idsIn(id)));
    const ids = [...new Set([...people.map(({ id }) => id), ...inGroups.flat()])];
    if (ids.length > maxPeople) return notChecked(`more than ${maxPeople} people have a role`);
    const found = await Promise.all(ids.map((id) => actors.find(id)));
    const lines = unapprovable(
      policy,
      found.flatMap((actor) => actor ?? []),
    );
    return lines.length === 0
      ? ok("everybody with a role can get approved what they may ask for")
      : warning(lines.join("\n"), "Give the approvers' roles to more people, or name more roles as approvers.");
  } catch (error) {
    return notChecked(refusalText(slackRefusal(error)), "Run this again in a minute.");
  }
}
