import type { Delivery, NewDelivery } from "../changes/ports.ts";
import type { Logger } from "../log.ts";

export interface InsteadOptions {
  readonly askerOf: (changeId: string) => Promise<string | undefined>;
  readonly adminsChannel: () => string | undefined;
  readonly log: Logger;
}

/** A card that reaches no channel is told to its asker and to those who run Curfew; nothing is told about lesser things. */
export async function insteadOf(
  { askerOf, adminsChannel, log }: InsteadOptions,
  delivery: Delivery,
  error: string,
): Promise<readonly NewDelivery[]> {
  if (delivery.kind !== "card") return [];
  const asker = await askerOf(delivery.changeId).catch((err: unknown) => {
    log.error({ err, changeId: delivery.changeId }, "the asker of a change could not be found");
    return undefined;
  });
  const admins = adminsChannel();
  const note = `It could not be announced in the channel ${delivery.to} (${error}).${remedyFor(error)}`;
  const told = { changeId: delivery.changeId, underChangeId: null, note };
  return [
    ...(asker ? [{ ...told, kind: "tell", to: asker } as const] : []),
    ...(admins && admins !== delivery.to ? [{ ...told, kind: "report", to: admins } as const] : []),
  ];
}

function remedyFor(error: string): string {
  const isOutside = error === "not_in_channel" || error === "channel_not_found";
  return isOutside ? " Curfew must be a member there." : "";
}
