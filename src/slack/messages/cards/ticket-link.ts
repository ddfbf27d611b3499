import type { Change } from "../../../changes/change.ts";
import { ticketOf } from "../../../commands/field.ts";
import { ticketAddress } from "../../../permissions/requirements.ts";
import { link, literal, type Mrkdwn } from "../message.ts";

/** The ticket of a change: a link where the config says where tickets are found. */
export function ticketLink({ input }: Pick<Change, "input">, ticketUrl: string | undefined): readonly Mrkdwn[] {
  const ticket = ticketOf(input);
  if (ticket === null) return [];
  const address = ticketAddress(ticketUrl, ticket);
  return [address === undefined ? literal(ticket) : link(address, ticket)];
}
