import type { EntityKind } from "../directory/directory.ts";
import { maxTicketLength, type TicketForm } from "../permissions/requirements.ts";
import type { weekdays } from "../service/resources.ts";
import type { Interval } from "../time/intervals.ts";
import type { Recurrence } from "../time/recurrence.ts";

/**
 * A field says *what* a command asks for. How each kind is read from a line, drawn in a form and shown on a card is in
 * `slack/fields/`, one file per kind.
 */

/** A saved resource group is named among resource ids, so it has no reference field. */
export type ReferenceKind = Exclude<EntityKind, "group" | "machine">;

interface FieldBase {
  readonly label: string;
  readonly hint?: string;
  /** A sample value, where its kind has no default sample. */
  readonly example?: string;
  readonly optional?: boolean;
  /** The field that may determine it (see `complete`). A form lets it be empty and asks only when it cannot be derived. */
  readonly derivedFrom?: string;
  /** The field exists only while this holds for the rest of the input. Where a line says it nevertheless, the command answers. */
  readonly when?: (input: Input) => boolean;
  /** A choice here changes the form, which is redrawn. */
  readonly redraws?: boolean;
  /** A form shows it under *More*, unless it was given or is needed; `"known"`: only then. */
  readonly folded?: true | "known";
  /** No form asks for it: `"form"` leaves its flag on a line, `"all"` is for Curfew itself. `"line"`: only a form asks for it. */
  readonly hidden?: "form" | "line" | "all";
  /** A form keeps it, although nobody can say it. */
  readonly isKept?: true;
  /** Taken from the line in order; `"rest"` takes all that remains. Others are flags named after the field. */
  readonly positional?: true | "rest";
}

/** A field that is described by its kind and what every field has. */
type PlainField<K extends string> = FieldBase & { readonly kind: K };

export interface TextField extends FieldBase {
  readonly kind: "text";
  readonly maxLength: number;
  readonly multiline?: boolean;
  /** Mentions stay as Slack writes them: `<@U1|bob>`. */
  readonly keepsMentions?: true;
  /** It holds a ticket of this form. A line may say it anywhere. */
  readonly ticket?: TicketForm;
}

export interface Option<V extends string = string> {
  readonly value: V;
  readonly label: string;
}

export interface ChoiceField<V extends string = string> extends FieldBase {
  readonly kind: "choice";
  readonly options: readonly Option<V>[];
  readonly multiple?: boolean;
  readonly initial?: V;
}

export interface ReferenceField extends FieldBase {
  readonly kind: "reference";
  readonly to: ReferenceKind;
  readonly multiple?: boolean;
  /** The field that names the owner of these: a selector's plan. */
  readonly of?: string;
  /** The command refuses an id that Curfew does not know, in the same words as one that the requester may not see. */
  readonly refusesUnknown?: true;
}

export interface ResourceIdsField extends FieldBase {
  readonly kind: "resource-ids";
  /** The fields with their type and project. A group of another type or project does not match. */
  readonly typedBy?: string;
  readonly placedBy?: string;
  /** The field of a form where some of them are chosen by name. */
  readonly chosenIn?: string;
  /** The thing whose resources they are, and the field that names it. Its type counts where none is given. */
  readonly of?: { readonly kind: "exclusion" | "selector"; readonly field: string };
}

/** Groups, machines and actions, chosen by name in a form. They count as typed for the resource ids that are `chosenIn` it. */
export type ThingsField = PlainField<"things">;

/** A point in time; a line may also give a length from now. */
export interface MomentField extends FieldBase {
  readonly kind: "moment";
  /** Ready answers in a form, each in words of a line. */
  readonly quick?: readonly { readonly label: string; readonly words: string }[];
  /** A line says it after `from`, and an end counts from it. */
  readonly isStart?: true;
  /** Only its day counts. */
  readonly isDay?: true;
}

/** A point in time, or a length to add to what it extends. */
export type ExtensionField = PlainField<"extension">;

export interface NumberField extends FieldBase {
  readonly kind: "number";
  readonly minimum: number;
  readonly maximum?: number;
}

export type EmailField = PlainField<"email">;
/** A time of day, `HH:MM:SS`. */
export type TimeField = PlainField<"time">;
/** Days of the week, in their order. */
export type DaysField = PlainField<"days">;
/** A length of time, in ms. */
export type LengthField = PlainField<"length">;
/** A time zone, by its IANA or Windows id. */
export type ZoneField = PlainField<"zone">;
/** An object whose shape API.md does not show; with `list` any number of them. */
export interface JsonField extends FieldBase {
  readonly kind: "json";
  readonly list?: boolean;
}

/** Comparisons of tags: `Environment=staging`, or one a line `name equals value`. */
export type RulesField = PlainField<"rules">;
/** Words with any separators. */
export type ListField = PlainField<"list">;
/** Present or absent; on a line its flag alone. */
export type SwitchField = PlainField<"switch">;
/** Times that come again. */
export interface RecurrenceField extends FieldBase {
  readonly kind: "recurrence";
  /** Only what is to be another way in a series that there is. */
  readonly isPart?: true;
}

/** The time that a question is about. A line may say it anywhere. */
export type SpanField = PlainField<"span">;
/** Somebody in Slack, by their user id. */
export type PersonField = PlainField<"person">;

export type Field =
  | TextField
  | ChoiceField
  | ReferenceField
  | ResourceIdsField
  | ThingsField
  | MomentField
  | ExtensionField
  | NumberField
  | EmailField
  | TimeField
  | DaysField
  | LengthField
  | ZoneField
  | JsonField
  | RulesField
  | ListField
  | SwitchField
  | RecurrenceField
  | SpanField
  | PersonField;

export type Fields = Readonly<Record<string, Field>>;

/** `until`: epoch ms; `forMs`: a length in ms to add to the present end, if that still is the one that its requester saw (`from`). */
export type Extension = { readonly until: number } | { readonly forMs: number; readonly from?: number | undefined };

/** A time to ask about: one span, or several where the words leave open which. `said`: the words. */
export interface Span {
  readonly said: string;
  readonly spans: readonly Interval[];
}

/** One comparison of a tag, as the service takes it (API.md, "ResourceTagComparison"). */
export interface TagRule {
  readonly tagName: string;
  readonly compareType: string;
  readonly tagValue?: string;
}

interface ValueOfKind {
  readonly text: string;
  readonly email: string;
  readonly time: string;
  readonly days: readonly (typeof weekdays)[number][];
  readonly length: number;
  readonly zone: string;
  readonly "resource-ids": readonly string[];
  readonly things: readonly string[];
  readonly list: readonly string[];
  readonly moment: number;
  readonly number: number;
  readonly extension: Extension;
  readonly rules: readonly TagRule[];
  readonly switch: true;
  readonly recurrence: Recurrence;
  readonly span: Span;
  readonly person: string;
}
type JsonObject = Readonly<Record<string, unknown>>;
type OneOrSeveral<F extends Field, V> = F extends { multiple: true } | { list: true } ? readonly V[] : V;

type FieldValue<F extends Field> = F extends { kind: "recurrence"; isPart: true }
  ? Partial<Recurrence>
  : F extends ChoiceField<infer V>
    ? OneOrSeveral<F, V>
    : F extends ReferenceField
      ? OneOrSeveral<F, string>
      : F extends JsonField
        ? OneOrSeveral<F, JsonObject>
        : F["kind"] extends keyof ValueOfKind
          ? ValueOfKind[F["kind"]]
          : never;

type NeedNotBeGiven = { readonly optional: true } | { readonly when: (input: Input) => boolean };

/** A command's input, typed by its fields. */
export type InputOf<F extends Fields> = {
  readonly [K in keyof F as F[K] extends NeedNotBeGiven ? never : K]: FieldValue<F[K]>;
} & {
  readonly [K in keyof F as F[K] extends NeedNotBeGiven ? K : never]?: FieldValue<F[K]>;
};

/** An input whose command is not known at compile time; it has passed `inputSchema` of that command's fields. */
export type Input = Readonly<Record<string, unknown>>;

/** Without what is undefined: a value that is absent stays as it is. */
export function defined<T extends object>(values: T): { readonly [K in keyof T]?: Exclude<T[K], undefined> };
export function defined(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

type Options<F extends Field> = Omit<F, "kind">;

/** Makes the fields of one kind; their types keep what is said of each. */
const fieldOf =
  <F extends Field>(kind: F["kind"]) =>
  <const O extends Options<F>>(options: O): { readonly kind: F["kind"] } & O => ({ kind, ...options });

export const choice = <const V extends string, const O extends Omit<Options<ChoiceField<V>>, "options">>(
  options: readonly Option<V>[],
  rest: O,
) => ({ kind: "choice", options, ...rest }) as const;
export const reference = <const O extends Omit<Options<ReferenceField>, "to">>(to: ReferenceKind, options: O) =>
  ({ kind: "reference", to, ...options }) as const;
export const text = fieldOf<TextField>("text");
export const resourceIds = fieldOf<ResourceIdsField>("resource-ids");
export const things = fieldOf<ThingsField>("things");
export const moment = fieldOf<MomentField>("moment");
export const extension = fieldOf<ExtensionField>("extension");
export const number = fieldOf<NumberField>("number");
export const email = fieldOf<EmailField>("email");
export const time = fieldOf<TimeField>("time");
export const days = fieldOf<DaysField>("days");
export const length = fieldOf<LengthField>("length");
export const zone = fieldOf<ZoneField>("zone");
export const json = fieldOf<JsonField>("json");
export const rules = fieldOf<RulesField>("rules");
export const list = fieldOf<ListField>("list");
export const recurrence = fieldOf<RecurrenceField>("recurrence");
export const span = fieldOf<SpanField>("span");
export const toggle = fieldOf<SwitchField>("switch");
export const person = fieldOf<PersonField>("person");

/** The optional reason of every change. The config may require it (required-fields.ts). */
export const reason = text({ label: "Reason", maxLength: 500, optional: true });

/** The ticket of a change: no form asks for it, unless the config requires one. */
export const ticket = text({ label: "Ticket", maxLength: maxTicketLength, optional: true, hidden: "all" });

/** The reason in an input, when one was given. */
export const reasonOf = ({ reason: given }: Input): string | null => (typeof given === "string" ? given : null);

/** The ticket in an input, when one was given. */
export const ticketOf = ({ ticket: given }: Input): string | null => (typeof given === "string" ? given : null);

/** Both, for the steps that an input leads to. */
export const reasonAndTicket = ({ reason: why, ticket: which }: Input): Input =>
  defined({ reason: why, ticket: which });
