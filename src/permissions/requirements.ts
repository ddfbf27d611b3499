import { z } from "zod";
import type { OperationName } from "../service/operations.ts";
import { operationSet } from "./config-values.ts";

/** An http(s) address with one place, such as `{ticket}`, after its host. */
export const addressPattern = (place: string) =>
  z
    .string()
    .max(500, "must have at most 500 characters")
    .refine((pattern) => isPattern(pattern, place), `must be an http(s) address with one ${place} after its host`)
    .meta({ title: "address", pattern: `[{]${place.slice(1, -1)}[}]` });

/** The address with a text in its place; undefined without a pattern, which the config has checked. */
const addressIn = (pattern: string | undefined, place: string, text: string): string | undefined =>
  pattern === undefined ? undefined : filled(pattern, place, text)?.href;

function isPattern(pattern: string, place: string): boolean {
  const [one, other] = ["1", "2"].map((text) => filled(pattern, place, text));
  if (pattern.split(place).length !== 2 || !one || !other) return false;
  return one.origin === other.origin && `${one.username}${one.password}` === "" && /^https?:$/.test(one.protocol);
}

function filled(pattern: string, place: string, text: string): URL | undefined {
  const address = pattern.replace(place, () => encodeURIComponent(text));
  return URL.canParse(address) ? new URL(address) : undefined;
}

/** Longer ones are refused unread, so that no pattern takes long. */
export const maxTicketLength = 64;

/** One entry of `require` in curfew.yaml: what every change by these operations must say. */
export interface Requirement {
  readonly operations: ReadonlySet<OperationName>;
  readonly reason: boolean;
  /** A regular expression for the whole ticket. */
  readonly ticket?: string | undefined;
}

/** What a change by one operation must say. The first entry with a ticket for it counts. */
export interface Required {
  readonly reason: boolean;
  readonly ticket: string | undefined;
}

export function requiredFor(require: readonly Requirement[] | undefined, operation: string): Required {
  const entries = (require ?? []).filter(({ operations }) => [...operations].some((name) => name === operation));
  return { reason: entries.some(({ reason }) => reason), ticket: entries.find(({ ticket }) => ticket)?.ticket };
}

/** How a ticket is written, and where it is found. */
export interface TicketForm {
  /** A regular expression for the whole ticket. */
  readonly pattern: string;
  readonly url?: string | undefined;
}

/**
 * The ticket that a text is, by itself or as its address; undefined if it is none. Letters may be small where the pattern wants
 * capitals, unless it would then fit words that are no tickets.
 */
export function ticketIn({ pattern, url }: TicketForm, text: string): string | undefined {
  const ticket = url === undefined ? text : withoutAddress(url, text);
  if (ticket.length > maxTicketLength) return undefined;
  const fits = fitsWhole(pattern);
  if (fits(ticket)) return ticket;
  const capitals = ticket.toUpperCase();
  return fits(capitals) && !notTickets.some((each) => fits(each.toUpperCase())) ? capitals : undefined;
}

/** Slack puts what it takes for an address into angle brackets, with a label or without (PLATFORM.md §3.3). */
function withoutAddress(url: string, text: string): string {
  const [before = "", after = ""] = url.split(place);
  const address = /^<([^<>|]*)(?:\|[^<>]*)?>$/.exec(text)?.[1] ?? text;
  if (!address.startsWith(before) || !address.endsWith(after)) return text;
  const ticket = address.slice(before.length, address.length - after.length);
  try {
    return decodeURIComponent(ticket);
  } catch {
    return ticket;
  }
}

function fitsWhole(pattern: string): (text: string) => boolean {
  const whole = new RegExp(`^(?:${pattern})$`);
  return (text) => whole.test(text);
}

/** A ticket that people know the form by, such as HD-123; undefined for a pattern that is no prefix with a number. */
export function exampleTicket(pattern: string): string | undefined {
  const prefix = /^\^?([A-Za-z0-9#/_-]*)(?:\[0-9\]|\\d)/.exec(pattern)?.[1];
  const examples = [3, 4, 5, 6, 7, 8, 2, 1].map((digits) => `${prefix}${"12345678".slice(0, digits)}`);
  return prefix === undefined ? undefined : examples.find(fitsWhole(pattern));
}

const maxPatternLength = 100;

/** The `require` section of curfew.yaml (REFERENCE.md, "require"). */
export const requireSchema = z.array(
  z
    .strictObject({
      operations: operationSet.describe("Changes that must say it"),
      reason: z.boolean().default(false).describe("Whether it needs a reason"),
      ticket: z
        .string()
        .min(1, "must not be empty")
        .max(maxPatternLength, { error: `a pattern has at most ${maxPatternLength} characters`, abort: true })
        .superRefine((pattern, context) => {
          const message = whyUnfit(pattern);
          if (message !== undefined) context.addIssue({ code: "custom", message });
        })
        .optional()
        .describe("It needs a ticket whose whole text fits this regular expression"),
    })
    .refine(({ reason, ticket }) => reason || ticket !== undefined, "must ask for a reason or a ticket"),
);

const maxRepeated = 3;
const maxChoices = 6;

/** One part of a pattern: an escape, a class, a bracket or an operator. */
const part = /\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\(\?:|\{\d+(?:,\d*)?\}|[\s\S]/g;
const repeats = /^(?:[*+]|\{\d+,\d*\})$/;

/** Why a pattern cannot be used; undefined if it can. What could take long for some text is refused, not tried. */
function whyUnfit(pattern: string): string | undefined {
  const parts = pattern.match(part) ?? [];
  const isOdd = (each: string, index: number) =>
    (each === "(" && parts[index + 1] === "?") || /^\\[1-9bBkpPuxc]/.test(each);
  if (parts.some(isOdd)) return "a ticket's pattern has no look-around, named group or back reference";
  if (parts.some((each, index) => each === ")" && /^[*+{]/.test(parts[index + 1] ?? "")))
    return "a group in brackets cannot be repeated in a ticket's pattern: it could take very long";
  if (parts.filter((each) => repeats.test(each)).length > maxRepeated)
    return `a ticket's pattern repeats at most ${maxRepeated} parts: more could take very long`;
  if (parts.filter((each) => each === "?" || each === "|").length > maxChoices)
    return `a ticket's pattern has at most ${maxChoices} of | and ?: more could take very long`;
  try {
    new RegExp(pattern);
    const taken = notTickets.find(fitsWhole(pattern));
    return taken && `it also fits “${taken}”, so words of a line would be taken for tickets: make it narrower`;
  } catch {
    return "it is no regular expression";
  }
}

/** Words of a usual line. Whatever fits one of them would take a person, a machine or a time for the ticket. */
const notTickets: readonly string[] = [
  ...["bob", "running", "2h", "18:00", "2026-11-23", "bob@example.com", "staging-2", "chg-2abcdefgh"],
  ...["u-00000001", "a-00000001", "av-00000001", "cred-00000001", "mp-00000001", "ae-00000001", "i-0a1", "p-dev"],
];

const place = "{ticket}";

/** Where tickets are found. */
export const ticketUrlSchema = addressPattern(place);

/** The address of a ticket; undefined where there is none to show. */
export const ticketAddress = (ticketUrl: string | undefined, ticket: string): string | undefined =>
  addressIn(ticketUrl, place, ticket);

const idPlace = "{id}";

/** Where the service's console shows a thing. */
export const consoleUrlSchema = addressPattern(idPlace);

/** The kinds of thing whose names are links. */
export const consoleKinds = ["action", "exclusion", "user"] as const;

export type ConsoleUrls = Readonly<Partial<Record<(typeof consoleKinds)[number], string | undefined>>>;

/** The address of a thing in the service's console; undefined where the config names none for its kind. */
export const consoleAddress = (
  { consoleUrl }: { readonly consoleUrl?: ConsoleUrls | undefined },
  kind: keyof ConsoleUrls,
  id: string,
): string | undefined => addressIn(consoleUrl?.[kind], idPlace, id);
