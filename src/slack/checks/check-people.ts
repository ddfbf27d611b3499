import { type CheckResult, checkResultsOf } from "../../observability/check-result.ts";
import type { Actor } from "../../permissions/actor.ts";
import type { Actors } from "../people/actors.ts";
import { type Flaw, flawText, type RoleMember } from "./role-members.ts";
import { refusalText, slackRefusal } from "./slack-refusal.ts";

const { ok, warning, failed, notChecked } = checkResultsOf("people");

type Look =
  | { readonly kind: "fine" }
  | { readonly kind: "flawed"; readonly flaw: Flaw }
  | { readonly kind: "unseen"; readonly why: string };

/** Whether the people with roles exist and are members, who alone may do anything. */
export async function checkPeople(actors: Pick<Actors, "actor">, members: readonly RoleMember[]): Promise<CheckResult> {
  if (members.length === 0) return ok("no role names one");
  const looks = await Promise.all(members.map((member) => look(actors, member)));
  const flaws = looks.flatMap((each) => (each.kind === "flawed" ? [each.flaw] : []));
  const unseen = looks.flatMap((each) => (each.kind === "unseen" ? [each.why] : []));
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

async function look(actors: Pick<Actors, "actor">, member: RoleMember): Promise<Look> {
  try {
    const what = barred[(await actors.actor(member.id)).membership];
    return what === undefined ? { kind: "fine" } : { kind: "flawed", flaw: { member, what, isNobody: false } };
  } catch (error) {
    const refusal = slackRefusal(error);
    return refusal.kind === "refused" && /^user_not_(?:found|visible)$/.test(refusal.code)
      ? { kind: "flawed", flaw: { member, what: "is not known in this workspace", isNobody: true } }
      : { kind: "unseen", why: refusalText(refusal) };
  }
}

/** People who may do nothing, even with a role. */
const barred: Readonly<Record<Actor["membership"], string | undefined>> = {
  member: undefined,
  guest: "is a guest, and guests may do nothing",
  bot: "is a bot, and bots may do nothing",
  deleted: "is deactivated",
  external: "belongs to another organization, whose people may do nothing",
};
