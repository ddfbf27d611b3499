import { type CheckResult, checkResultsOf } from "../../observability/check-result.ts";
import type { Actor } from "../../permissions/actor.ts";
import type { Found } from "./find-people.ts";
import { type Flaw, flawText, type RoleMember } from "./role-members.ts";
import { refusalText } from "./slack-refusal.ts";

const { ok, warning, failed, notChecked } = checkResultsOf("people");

/** Whether the people with roles exist and are members, who alone may do anything. */
export function checkPeople(found: ReadonlyMap<string, Found>, members: readonly RoleMember[]): CheckResult {
  if (members.length === 0) return ok("no role names one");
  const flaws: Flaw[] = [];
  const unseen: string[] = [];
  for (const member of members) {
    const person = found.get(member.id);
    if (person && "refusal" in person) {
      const { refusal } = person;
      if (refusal.kind === "refused" && /^user_not_(?:found|visible)$/.test(refusal.code))
        flaws.push({ member, what: "is not known in this workspace", isNobody: true });
      else unseen.push(refusalText(refusal));
    } else {
      const what = person && barred[person.actor.membership];
      if (what !== undefined) flaws.push({ member, what, isNobody: false });
    }
  }
  const [why] = unseen;
  const unseenText = why === undefined ? "" : `${unseen.length} of ${members.length} could not be checked: ${why}`;
  const detail = [flawText(flaws), unseenText].filter(Boolean).join("\n");
  const advice = "Remove them from the roles, or correct the ids (Slack: profile, ⋮, “Copy member ID”).";
  if (flaws.some(({ isNobody }) => isNobody)) return failed(detail, advice);
  if (flaws.length > 0) return warning(detail, advice);
  return why === undefined
    ? ok(`all ${members.length} with roles are members`)
    : notChecked(detail, "Fix the scopes if one is missing, and run this again in a minute.");
}

/** People who may do nothing, even with a role. */
const barred: Readonly<Record<Actor["membership"], string | undefined>> = {
  member: undefined,
  guest: "is a guest, and guests may do nothing",
  bot: "is a bot, and bots may do nothing",
  deleted: "is deactivated",
  external: "belongs to another organization, whose people may do nothing",
};
