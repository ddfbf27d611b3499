import type { EntityKind } from "../directory/directory.ts";
import type { TicketForm } from "../permissions/requirements.ts";
import type { weekdays } from "../service/resources.ts";
import type { Interval } from "../time/intervals.ts";
import type { Recurrence } from "../time/recurrence.ts";

/**
 * A field says *what* a command asks for. How each kind is read from a line, drawn in a form and shown on a card is in
 * `slack/fields/`, one file per kind.
 */

/** A saved resource group is named among resource ids, so it has no reference field. */
export type ReferenceKind = Exclude<EntityKind, "group">;

interface FieldBase {
  readonly label: string;
  readonly hint?: string;
  /** A sample value, where its kind has no default sample. */
  readonly example?: string;
  readonly optional?: boolean;
  /** The field that may determine it (see `complete`). A form lets it be empty and asks only when it cannot be derived. */
  readonly derivedFrom?: string;
  /** The field exists only while this holds for the rest of the input. */
  readonly when?: (input: Input) => boolean;
  /** A choice here changes the form, which is redrawn. */
  readonly redraws?: boolean;
  /** A form shows it under *More*, unless it was given or is needed. */
  readonly folded?: true;
  /** No form asks for it: `"form"` leaves its flag on a line, `"all"` is for Curfew itself. */
  readonly hidden?: "form" | "all";
  /** A form keeps it, although nobody can say it. */
  readonly isKept?: true;
  /** Taken from the line in order; `"rest"` takes all that remains. Others are flags named after the field. */
  readonly positional?: true | "rest";
}

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
  /** The thing whose resources they are, and the field that names it. Its type counts where none is given. */
  readonly of?: { readonly kind: "exclusion" | "selector"; readonly field: string };
}

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
export interface ExtensionField extends FieldBase {
  readonly kind: "extension";
}

export interface NumberField extends FieldBase {
  readonly kind: "number";
  readonly minimum: number;
  readonly maximum?: number;
}

export interface EmailField extends FieldBase {
  readonly kind: "email";
}

/** A time of day, `HH:MM:SS`. */
export interface TimeField extends FieldBase {
  readonly kind: "time";
}

/** Days of the week, in their order. */
export interface DaysField extends FieldBase {
  readonly kind: "days";
}

/** A length of time, in ms. */
export interface LengthField extends FieldBase {
  readonly kind: "length";
}

/** A time zone, by its IANA or Windows id. */
export interface ZoneField extends FieldBase {
  readonly kind: "zone";
}

/** An object whose shape API.md does not show; with `list` any number of them. */
export interface JsonField extends FieldBase {
  readonly kind: "json";
  readonly list?: boolean;
}

/** Comparisons of tags: `Environment=staging`, or one a line `name equals value`. */
export interface RulesField extends FieldBase {
  readonly kind: "rules";
}

/** Words with any separators. */
export interface ListField extends FieldBase {
  readonly kind: "list";
}

/** Present or absent; on a line its flag alone. */
export interface SwitchField extends FieldBase {
  readonly kind: "switch";
}

/** Times that come again. */
export interface RecurrenceField extends FieldBase {
  readonly kind: "recurrence";
  /** Only what is to be another way in a series that there is. */
  readonly isPart?: true;
}

/** The time that a question is about. A line may say it anywhere. */
export interface SpanField extends FieldBase {
  readonly kind: "span";
}

/** Somebody in Slack, by their user id. */
export interface PersonField extends FieldBase {
  readonly kind: "person";
}

export type Field =
  | TextField
  | ChoiceField
  | ReferenceField
  | ResourceIdsField
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

export type FieldValue<F extends Field> = F extends { kind: "recurrence"; isPart: true }
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

type Options<F extends Field> = Omit<F, "kind">;

export const text = <const O extends Options<TextField>>(options: O) => ({ kind: "text", ...options }) as const;
export const choice = <const V extends string, const O extends Omit<Options<ChoiceField<V>>, "options">>(
  options: readonly Option<V>[],
  rest: O,
) => ({ kind: "choice", options, ...rest }) as const;
export const reference = <const O extends Omit<Options<ReferenceField>, "to">>(to: ReferenceKind, options: O) =>
  ({ kind: "reference", to, ...options }) as const;
export const resourceIds = <const O extends Options<ResourceIdsField>>(options: O) =>
  ({ kind: "resource-ids", ...options }) as const;
export const moment = <const O extends Options<MomentField>>(options: O) => ({ kind: "moment", ...options }) as const;
export const extension = <const O extends Options<ExtensionField>>(options: O) =>
  ({ kind: "extension", ...options }) as const;
export const number = <const O extends Options<NumberField>>(options: O) => ({ kind: "number", ...options }) as const;

export const email = <const O extends Options<EmailField>>(options: O) => ({ kind: "email", ...options }) as const;
export const time = <const O extends Options<TimeField>>(options: O) => ({ kind: "time", ...options }) as const;
export const days = <const O extends Options<DaysField>>(options: O) => ({ kind: "days", ...options }) as const;
export const length = <const O extends Options<LengthField>>(options: O) => ({ kind: "length", ...options }) as const;
export const zone = <const O extends Options<ZoneField>>(options: O) => ({ kind: "zone", ...options }) as const;
export const json = <const O extends Options<JsonField>>(options: O) => ({ kind: "json", ...options }) as const;
export const rules = <const O extends Options<RulesField>>(options: O) => ({ kind: "rules", ...options }) as const;
export const list = <const O extends Options<ListField>>(options: O) => ({ kind: "list", ...options }) as const;
export const recurrence = <const O extends Options<RecurrenceField>>(options: O) =>
  ({ kind: "recurrence", ...options }) as const;
export const span = <const O extends Options<SpanField>>(options: O) => ({ kind: "span", ...options }) as const;
export const toggle = <const O extends Options<SwitchField>>(options: O) => ({ kind: "switch", ...options }) as const;
export const person = <const O extends Options<PersonField>>(options: O) => ({ kind: "person", ...options }) as const;
