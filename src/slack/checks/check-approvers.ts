import { type CheckResult, checkResultsOf } from "../../observability/check-result.ts";
import type { Policy } from "../../permissions/policy.ts";
import { unapprovable } from "../../permissions/unapprovable.ts";
import type { Found } from "./find-people.ts";
import { refusalText } from "./slack-refusal.ts";

const { ok, warning, notChecked } = checkResultsOf("approvers");

/** Whether anything needs an approval. */
export const asksApprovers = ({ approvals, identity }: Policy): boolean =>
  approvals.length > 0 || identity !== undefined;

/** Whether everybody with a role can get approved what they may ask for. `found`: all of them. `groups`: the members of each user group. */
export function checkApprovers(
  policy: Policy,
  found: ReadonlyMap<string, Found>,
  groups: ReadonlyMap<string, ReadonlySet<string>>,
): CheckResult {
  const people = [...found.values()];
  const unseen = people.flatMap((person) =>
    "refusal" in person && person.refusal.kind !== "refused" ? [person.refusal] : [],
  );
  const [refusal] = unseen;
  if (refusal) return notChecked(refusalText(refusal), "Run this again in a minute.");
  const groupsOf = (userId: string) => [...groups].flatMap(([id, members]) => (members.has(userId) ? [id] : []));
  const actors = people.flatMap((person) =>
    "actor" in person ? [{ ...person.actor, groupIds: groupsOf(person.actor.userId) }] : [],
  );
  const lines = unapprovable(policy, actors);
  return lines.length === 0
    ? ok("everybody with a role can get approved what they may ask for")
    : warning(lines.join("\n"), "Give the approvers' roles to more people, or name more roles as approvers.");
}
