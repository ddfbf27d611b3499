import type { NewOutboxMessage, OutboxMessage } from "../changes/ports.ts";
import type { Logger } from "../observability/log.ts";

export interface InsteadOptions {
  readonly requesterOf: (changeId: string) => Promise<string | undefined>;
  readonly adminsChannel: () => string | undefined;
  readonly log: Logger;
}

/**
 * A card that reaches no channel is told to its requester and to those who run Curfew; to these alone, that the owner of an account could
 * not be told that it was altered. Nothing is told about lesser things.
 */
export async function insteadOf(
  { requesterOf, adminsChannel, log }: InsteadOptions,
  outboxMessage: OutboxMessage,
  error: string,
): Promise<readonly NewOutboxMessage[]> {
  const { kind, changeId, to } = outboxMessage;
  const admins = adminsChannel();
  const report = (note: string): readonly NewOutboxMessage[] =>
    admins && admins !== to ? [{ changeId, kind: "report", to: admins, underChangeId: null, note }] : [];
  if (kind === "account-owner")
    return report(`The person whose account it altered could not be told (${error}): see to it that they hear of it.`);
  if (kind !== "card") return [];
  const requester = await requesterOf(changeId).catch((err: unknown) => {
    log.error({ err, changeId }, "the requester of a change could not be found");
    return undefined;
  });
  const note = `It could not be announced in the channel ${to} (${error}).${remedyFor(error)}`;
  return [
    ...(requester ? [{ changeId, kind: "notify-requester", to: requester, underChangeId: null, note } as const] : []),
    ...report(note),
  ];
}

function remedyFor(error: string): string {
  const isOutside = error === "not_in_channel" || error === "channel_not_found";
  return isOutside ? " Curfew must be a member there." : "";
}
