import {
  exampleTicket,
  type Required,
  type Requirement,
  requiredFor,
  type TicketForm,
  ticketIn,
} from "../permissions/requirements.ts";
import type { Problem } from "./answer.ts";
import type { Command } from "./command.ts";
import { type Field, type Fields, type Input, reasonOf, text, ticketOf } from "./field.ts";
import { missingFields } from "./field-values.ts";
import type { CommandSettings } from "./query-ports.ts";

type Requiring = Pick<CommandSettings, "require" | "ticketUrl">;

/** The command as the config wants it said: with a reason, or with a ticket, where its operation requires one. */
export function asRequired<C extends Command>(command: C, settings: Requiring): C {
  const fields = requiredFields(command, settings);
  return fields ? { ...command, fields: { ...command.fields, ...fields } } : command;
}

const cached = new WeakMap<readonly Requirement[], WeakMap<readonly Command[], readonly Command[]>>();

/** The same for many, and the same list for the same settings. */
export function allAsRequired(commands: readonly Command[], settings: Requiring): readonly Command[] {
  const { require = [] } = settings;
  if (require.length === 0) return commands;
  const known = cached.get(require) ?? new WeakMap();
  cached.set(require, known);
  const found = known.get(commands) ?? commands.map((command) => asRequired(command, settings));
  known.set(commands, found);
  return found;
}

/** Whether a button's input lacks what the config requires, so that the form asks for it. */
export function lacksRequired(command: Command, input: Input): boolean {
  return missingFields(command.fields, input).some((name) => name === "reason" || name === "ticket");
}

/** What a change lacks that the config requires, with the form that asks for it. `undo`: the input of the undo that it is. */
export function whatIsRequired(
  command: Command,
  input: Input,
  { require }: Requiring,
  undo?: Input,
): Problem | undefined {
  const { words } = command;
  const { reason, ticket: pattern } = requiredOf(command, require);
  const given = ticketOf(input);
  const lacksTicket = pattern !== undefined && (given === null || ticketIn({ pattern }, given) === undefined);
  const lacking = [
    ...(reason && reasonOf(input) === null ? ["a reason"] : []),
    ...(lacksTicket ? [ticketWords(pattern)] : []),
  ];
  if (lacking.length === 0) return undefined;
  const form = undo ? { words: "undo", input: undo } : { words, input };
  return {
    problem: `This needs ${lacking.join(" and ")}. Nothing was changed.`,
    buttons: [{ label: lacksTicket ? "Give the ticket…" : "Give the reason…", opens: "form", ...form }],
  };
}

/** What a command must say; a series also what its steps must. */
function requiredOf(command: Command, require: readonly Requirement[] | undefined): Required {
  const steps = command.kind === "change" ? (command.series?.operations ?? []) : [];
  const each = [command.operation ?? "", ...steps].map((operation) => requiredFor(require, operation));
  return { reason: each.some(({ reason }) => reason), ticket: each.find(({ ticket }) => ticket)?.ticket };
}

function requiredFields(command: Command, { require = [], ticketUrl: url }: Requiring): Fields | undefined {
  if (require.length === 0) return undefined;
  if (command.kind === "undo") {
    const patterns = [...new Set(require.flatMap(({ ticket }) => ticket ?? []))];
    const [first] = patterns;
    if (first === undefined) return undefined;
    const pattern = patterns.length === 1 ? first : patterns.map((each) => `(?:${each})`).join("|");
    return { ticket: ticketField({ pattern, url }, "Without one, that of the change counts", true) };
  }
  if (command.kind !== "change" && command.kind !== "shortcut") return undefined;
  const { reason, ticket: pattern } = requiredOf(command, require);
  if (!reason && pattern === undefined) return undefined;
  return {
    ...(reason && command.fields.reason ? { reason: needed(command.fields.reason) } : {}),
    ...(pattern === undefined
      ? {}
      : { ticket: ticketField({ pattern, url }, capitalized(ticketWords(pattern)), false) }),
  };
}

/** A field that is needed is in sight. */
function needed({ folded: _folded, ...field }: Field): Field {
  return { ...field, optional: false };
}

/** Its address may be pasted, which is longer. */
const maxTyped = 600;

const ticketField = (ticket: TicketForm, hint: string, optional: boolean) =>
  text({
    ...{ label: "Ticket", hint, maxLength: maxTyped, optional, ticket },
    example: exampleTicket(ticket.pattern) ?? "ticket",
  });

/** The form of a ticket in words. */
export function ticketWords(pattern: string): string {
  const example = exampleTicket(pattern);
  return example === undefined ? `a ticket of the form ${pattern}` : `a ticket such as ${example}`;
}

const capitalized = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
