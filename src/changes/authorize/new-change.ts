import { type ChangeCommand, plannedStart } from "../../commands/command.ts";
import { type Input, reasonOf } from "../../commands/field.ts";
import type { NeededApproval } from "../../permissions/account-care.ts";
import { approvalChannel, holdersNamed } from "../../permissions/approval-rules.ts";
import type { ChangeOperation } from "../../service/operations.ts";
import { messagesTo } from "../account-owner.ts";
import { inAskedThread } from "../announce.ts";
import type { Approval, Change, ServiceChange } from "../change.ts";
import type { Asked, ChangeSettings, ChangeStore, Effects } from "../ports.ts";
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

interface Asking {
  readonly requestedAt: number;
  readonly effect: readonly string[] | undefined;
  readonly beyond: Approval["beyond"];
}

/** The approval that a rule asks for, with its channel. */
function approvalFrom(
  { rule, approvers, count, expiresMs, channel, operations, because, except, heldMs }: NeededApproval,
  operation: ChangeOperation,
  settings: ChangeSettings,
  { requestedAt, effect = [], beyond }: Asking,
): Approval {
  // The rule may be for another operation with the same result; then that operation's channel is used.
  const channelId = [operation, ...operations]
    .map((each) => approvalChannel({ channel }, each, settings))
    .find((each) => each !== undefined);
  if (channelId === undefined)
    throw new Error(`${rule} names no channel to ask in, and the config was taken all the same`);
  const holders = holdersNamed(settings.policy, approvers);
  const expiresAt = requestedAt + expiresMs;
  // The reasons may be part of what was foreseen.
  const others = effect.filter((line) => !because?.includes(line));
  return { rule, approvers: holders, count, channelId, expiresAt, effect: others, beyond, because, except, heldMs };
}

/**
 * The approval card, the message to the owner of an account, and the jobs for reminders and expiry; nothing for a change that
 * needs no approval.
 */
export async function askingEffects(change: Change, store: Pick<ChangeStore, "list">): Promise<Effects> {
  const { id, approval, requestedAt } = change;
  if (!approval) return {};
  const reminders = reminderTimes(requestedAt, approval).map(
    (dueAt) => ({ kind: "approval-reminder", subjectId: id, dueAt }) as const,
  );
  return {
    outbox: [
      { changeId: id, kind: "card", to: approval.channelId, underChangeId: null },
      ...inAskedThread(change, "asked-approval", change),
      ...(await messagesTo(change, "owner-card", store)),
    ],
    jobs: [...reminders, { kind: "approval-expiry", subjectId: id, dueAt: approval.expiresAt }],
  };
}

/** Halfway, and when a tenth of the time is left. In epoch ms. */
export function reminderTimes(requestedAt: number, { expiresAt }: Approval): readonly [number, number] {
  const lengthMs = expiresAt - requestedAt;
  return [requestedAt + Math.round(lengthMs * 0.5), requestedAt + Math.round(lengthMs * 0.9)];
}
