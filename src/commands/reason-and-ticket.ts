import { maxTicketLength } from "../permissions/requirements.ts";
import { type Input, text } from "./field.ts";

/** The optional reason of every change. The config may require it (required-fields.ts). */
export const reason = text({ label: "Reason", maxLength: 500, optional: true });

/** The ticket of a change: no form asks for it, unless the config requires one. */
export const ticket = text({ label: "Ticket", maxLength: maxTicketLength, optional: true, hidden: "all" });

/** The reason in an input, when one was given. */
export const reasonOf = ({ reason: given }: Input): string | null => (typeof given === "string" ? given : null);

/** The ticket in an input, when one was given. */
export const ticketOf = ({ ticket: given }: Input): string | null => (typeof given === "string" ? given : null);

/** Both, for the steps that an input leads to. */
export const reasonAndTicket = ({ reason: why, ticket: which }: Input): Input => ({
  ...(why === undefined ? {} : { reason: why }),
  ...(which === undefined ? {} : { ticket: which }),
});
