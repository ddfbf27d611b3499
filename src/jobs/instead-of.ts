import type { Delivery, NewDelivery } from "../changes/ports.ts";
import type { Logger } from "../log.ts";

export interface InsteadOptions {
  readonly askerOf: (changeId: string) => Promise<string | undefined>;
  readonly adminsChannel: () => string | undefined;
  readonly log: Logger;
}

/**
 * A card that reaches no channel is told to its asker and to those who run Curfew; to these alone, that the owner of an account could
 * not be told that it was altered. Nothing is told about lesser things.
 */
export async function insteadOf(
  { askerOf, adminsChannel, log }: InsteadOptions,
  delivery: Delivery,
  error: string,
): Promise<readonly NewDelivery[]> {
  const { kind, changeId, to } = delivery;
  const admins = adminsChannel();
  const report = (note: string): readonly NewDelivery[] =>
    admins && admins !== to ? [{ changeId, kind: "report", to: admins, underChangeId: null, note }] : [];
  if (kind === "concerned")
    return report(`The person whose account it altered could not be told (${error}): see to it that they hear of it.`);
  if (kind !== "card") return [];
  const asker = await askerOf(changeId).catch((err: unknown) => {
    log.error({ err, changeId }, "the asker of a change could not be found");
    return undefined;
  });
  const note = `It could not be announced in the channel ${to} (${error}).${remedyFor(error)}`;
  return [
    ...(asker ? [{ changeId, kind: "tell", to: asker, underChangeId: null, note } as const] : []),
    ...report(note),
  ];
}

function remedyFor(error: string): string {
  const isOutside = error === "not_in_channel" || error === "channel_not_found";
  return isOutside ? " Curfew must be a member there." : "";
}
