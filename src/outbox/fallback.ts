import { isToAddress, type NewOutboxMessage, type OutboxMessage, type PostedCard } from "../changes/outbox-message.ts";
import type { OutboxStore } from "../changes/ports.ts";
import type { Logger } from "../observability/log.ts";

export interface FallbackOptions {
  readonly store: Pick<OutboxStore, "cardOf">;
  readonly linkTo: (card: PostedCard) => Promise<string | undefined>;
  readonly requesterOf: (changeId: string) => Promise<string | undefined>;
  readonly adminsChannel: () => string | undefined;
  readonly log: Logger;
}

/**
 * When a card can no longer be edited, posts it anew. When one cannot be posted, notifies its requester and the admins. What cannot
 * be said in the thread where it was asked for, its requester gets by direct message. When an account owner cannot be notified, reports it to the admins only. Other kinds are dropped.
 */
export async function fallbackFor(
  options: FallbackOptions,
  message: OutboxMessage,
  error: string,
): Promise<readonly NewOutboxMessage[]> {
  const { requesterOf, adminsChannel, log } = options;
  const { kind, changeId, to } = message;
  const admins = adminsChannel();
  const report = (note: string): readonly NewOutboxMessage[] =>
    admins && admins !== to ? [{ changeId, kind: "report", to: admins, underChangeId: null, note }] : [];
  if (kind === "step") return changeId === to ? [] : report(`The step of its workflow could not be ended (${error}).`);
  if (kind === "account-owner" || kind === "owner-card")
    return report(`The account owner could not be notified (${error}). Please contact them.`);
  // What somebody deleted from their own messages they have seen.
  if (kind === "update" && isCardGone(error) && !isToAddress(message))
    return [{ changeId, kind: "card", to, underChangeId: null, note: await continues(options, message) }];
  if (kind !== "card" && kind !== "asked-outcome") return [];
  const requester = await requesterOf(changeId).catch((err: unknown) => {
    log.error({ err, changeId }, "could not find the requester of a change");
    return undefined;
  });
  if (kind === "asked-outcome")
    return requester ? [{ changeId, kind: "notify-requester", to: requester, underChangeId: null }] : [];
  const note = `It could not be announced in the channel ${to} (${error}).${remedyFor(error)}`;
  return [
    ...(requester ? [{ changeId, kind: "notify-requester", to: requester, underChangeId: null, note } as const] : []),
    ...report(note),
  ];
}

/** Slack's codes for a message that was deleted, or is too old to edit (PLATFORM.md §12.3). */
const isCardGone = (error: string): boolean => ["message_not_found", "edit_window_closed"].includes(error);

function remedyFor(error: string): string {
  const isOutside = error === "not_in_channel" || error === "channel_not_found";
  return isOutside ? " Curfew must be a member there." : "";
}

/** What a card says that is posted in place of another. */
async function continues({ store, linkTo }: FallbackOptions, { changeId, to }: OutboxMessage): Promise<string> {
  const former = await store.cardOf(changeId, to);
  const link = former && (await linkTo(former));
  return link === undefined
    ? "This continues a card that can no longer be edited."
    : `This continues a card that can no longer be edited: ${link}`;
}
