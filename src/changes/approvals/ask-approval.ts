import type { NeededApproval } from "../../permissions/account-care.ts";
import { approvalChannel, holdersNamed } from "../../permissions/approval-rules.ts";
import type { ChangeOperation } from "../../service/operations.ts";
import { askedMessages } from "../account-owner.ts";
import { inAskedThread } from "../announce.ts";
import type { Approval, Change } from "../change.ts";
import type { ChangeSettings, ChangeStore, Effects } from "../ports.ts";

interface Asking {
  readonly requestedAt: number;
  readonly effect: readonly string[] | undefined;
  readonly beyond: Approval["beyond"];
}

/** The approval that a rule asks for, with its channel. */
export function approvalFrom(
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
      ...(await askedMessages(change, store)),
    ],
    jobs: [...reminders, { kind: "approval-expiry", subjectId: id, dueAt: approval.expiresAt }],
  };
}

/** Halfway, and when a tenth of the time is left. In epoch ms. */
export function reminderTimes(requestedAt: number, { expiresAt }: Approval): readonly [number, number] {
  const lengthMs = expiresAt - requestedAt;
  return [requestedAt + Math.round(lengthMs * 0.5), requestedAt + Math.round(lengthMs * 0.9)];
}
