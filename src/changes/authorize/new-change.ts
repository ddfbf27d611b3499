import type { ChangeCommand } from "../../commands/command.ts";
import type { Input } from "../../commands/field.ts";
import { plannedStart } from "../../commands/occurrence.ts";
import { reasonOf } from "../../commands/reason-and-ticket.ts";
import { approvalFrom } from "../approvals/ask-approval.ts";
import type { ServiceChange } from "../change.ts";
import type { Asked, ChangeSettings } from "../ports.ts";
import type { Authorized } from "./decide-change.ts";

interface New {
  readonly id: string;
  readonly idempotencyKey: string;
  readonly undoes?: string | undefined;
  /** The preview of its effect, in sentences. */
  readonly effect?: readonly string[] | undefined;
  readonly requestedAt: number;
}

/** Whether it is to begin later, once or several times. */
const isAhead = ({ series }: ChangeCommand, input: Input, now: number): boolean =>
  series?.isTimed === true || (plannedStart(input) ?? now) > now;

/** The change that an authorized request begins. */
export function newChange(
  { command, context }: Pick<Asked, "command" | "context">,
  authorized: Authorized,
  settings: ChangeSettings,
  { id, idempotencyKey, undoes, effect, requestedAt }: New,
): ServiceChange {
  const { input, approval: rule, beyond } = authorized;
  const { teamId, userId, name, timeZone } = context.actor;
  return {
    id,
    idempotencyKey,
    words: command.words,
    operation: command.operation,
    state: rule ? "awaiting-approval" : isAhead(command, input, requestedAt) ? "planned" : "performing",
    input,
    request: authorized.request,
    before: authorized.before ?? null,
    answer: null,
    subjectKind: command.about,
    subjectId: authorized.subjectId,
    actor: { teamId, userId, name, timeZone },
    channelId: context.channelId,
    askedIn: context.askedIn,
    reason: reasonOf(input),
    undoes: undoes ?? null,
    role: authorized.decision.role,
    rule: authorized.decision.rule,
    approval: rule ? approvalFrom(rule, command.operation, settings, { requestedAt, effect, beyond }) : null,
    decisions: [],
    notices: [],
    error: null,
    note: null,
    verified: null,
    requestedAt,
    settledAt: null,
    executionId: context.executionId,
  };
}
