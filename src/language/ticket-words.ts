import type { Command } from "../commands/command.ts";
import type { Field } from "../commands/field.ts";
import { type TicketForm, ticketIn } from "../permissions/requirements.ts";
import type { Word } from "./tokenize.ts";

/** A line's ticket, and the words without it. */
export interface TicketSaid {
  readonly ticket: Word;
  readonly rest: readonly Word[];
}

/** The form of the tickets that a command asks for, with its field; undefined if it asks for none. */
export function ticketFieldOf({ fields }: Command): { readonly name: string; readonly form: TicketForm } | undefined {
  for (const [name, field] of Object.entries<Field>(fields))
    if (field.kind === "text" && field.ticket) return { name, form: field.ticket };
  return undefined;
}

const cachedForms = new WeakMap<readonly Command[], ReadonlyMap<string, TicketForm>>();

/** The forms of the tickets that these commands ask for, by their pattern. */
export function ticketFormsOf(commands: readonly Command[]): ReadonlyMap<string, TicketForm> {
  const known = cachedForms.get(commands);
  if (known) return known;
  const forms = commands.flatMap((command) => ticketFieldOf(command)?.form ?? []);
  const found = new Map(forms.map((form) => [form.pattern, form]));
  cachedForms.set(commands, found);
  return found;
}

/** Takes the first ticket of this form, wherever it is said; undefined if there is none. The value of a flag stays there. */
export function takeTicket(words: readonly Word[], form: TicketForm): TicketSaid | undefined {
  for (const [at, word] of words.entries()) {
    const isOfFlag = isFlag(words[at - 1]);
    const ticket = word.isQuoted || isOfFlag ? undefined : ticketIn(form, bare(word.value));
    if (ticket === undefined) continue;
    const before = withoutLead(words.slice(0, at));
    const after = words.slice(at + 1);
    const isEnd = after.length === 0 || isFlag(after[0]);
    // "because HD-12" gives no reason.
    const kept = isEnd && isSaid(before.at(-1), because) ? before.slice(0, -1) : before;
    return { ticket: { ...word, value: ticket }, rest: [...kept, ...after] };
  }
  return undefined;
}

/** The ticket in the words of a reason, which keeps it. */
export function ticketWithin(words: readonly Word[], form: TicketForm): Word | undefined {
  for (const word of words)
    for (const part of word.value.split(/\s+/)) {
      const ticket = ticketIn(form, bare(part));
      if (ticket !== undefined) return { ...word, value: ticket };
    }
  return undefined;
}

/** What people say before a ticket. */
const leads: ReadonlySet<string> = new Set([
  ...["ticket", "issue", "case", "request", "number", "ref", "re"],
  ...["for", "under", "per", "see", "of", "as", "in", "with", "-"],
]);
const because: ReadonlySet<string> = new Set(["because", "bc"]);

function withoutLead(words: readonly Word[]): readonly Word[] {
  let end = words.length;
  while (end > 1 && words.length - end < 2 && isSaid(words[end - 1], leads) && !isFlag(words[end - 2])) end--;
  return words.slice(0, end);
}

const isSaid = (word: Word | undefined, among: ReadonlySet<string>): boolean =>
  word !== undefined && !word.isQuoted && among.has(word.value.toLowerCase().replace(/:$/, ""));

const isFlag = (word: Word | undefined): boolean =>
  word !== undefined && !word.isQuoted && /^--[a-z]/i.test(word.value);

/** Without the brackets and stops around it. */
const bare = (value: string): string => value.replace(/^[([#]+/, "").replace(/[)\].,;:!?]+$/, "");
