import type { Change } from "../../../changes/change.ts";
import { ticketOf } from "../../../commands/reason-and-ticket.ts";
import { ticketAddress } from "../../../permissions/requirements.ts";
import { escapeMrkdwn } from "../message.ts";

/** Slack takes these signs for the end of a link or of its address. */
const inAddress: Readonly<Record<string, string>> = { "|": "%7C", "<": "%3C", ">": "%3E" };

/** The ticket of a change: a link where the config says where tickets are found. */
export function ticketLink({ input }: Pick<Change, "input">, ticketUrl: string | undefined): readonly string[] {
  const ticket = ticketOf(input);
  if (ticket === null) return [];
  const address = ticketAddress(ticketUrl, ticket)?.replace(/[|<>]/g, (sign) => inAddress[sign] ?? sign);
  const label = escapeMrkdwn(ticket).replaceAll("|", "¦");
  return [address === undefined ? label : `<${escapeMrkdwn(address)}|${label}>`];
}
