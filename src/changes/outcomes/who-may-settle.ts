import { isProblem } from "../../commands/answer.ts";
import { commandOf } from "../../commands/catalogue.ts";
import type { CommandContext } from "../../commands/command.ts";
import { decide } from "../../permissions/decide.ts";
import { notAMember } from "../approvals/who-may-approve.ts";
import { changeTargets } from "../authorize/change-targets.ts";
import { type Denied, judge } from "../authorize/decide-change.ts";
import { occurrenceOf, type ServiceChange } from "../change.ts";
import type { ChangePorts } from "../ports.ts";

/** Why this person may not find out or report the outcome of a change: it takes the right to make it. Its requester has it where they asked. */
export async function whyNotSettle(
  { settings, directory }: Pick<ChangePorts, "settings" | "directory">,
  change: ServiceChange,
  { actor, channelId }: Pick<CommandContext, "actor" | "channelId">,
): Promise<Denied | undefined> {
  const { policy } = settings();
  if (actor.membership !== "member") return notAMember(policy, actor);
  const { operation, subjectId, subjectKind, requestedAt: now } = change;
  const isRequester = change.actor.userId === actor.userId;
  const ask = { actor, operation, channelId: isRequester ? change.channelId : channelId };
  const command = commandOf(change.words);
  if (command?.kind !== "change") return denied(decide(policy, ask));
  const subject = subjectId === null ? undefined : await directory.get(subjectKind, subjectId);
  const isOwn = subject?.ownerId === actor.userId;
  const targets = await changeTargets(command, occurrenceOf(change), { subjectId, now, directory });
  const decision = judge(policy, { ...targets, contradiction: undefined }, { ...ask, isOwn, hours: [] });
  return isProblem(decision) ? undefined : denied(decision);
}

const denied = (decision: ReturnType<typeof decide>): Denied | undefined =>
  decision.kind === "denied" ? decision : undefined;
