import { z } from "zod";

/**
 * What a command asks for. A field says *what* it is; how each kind is read from a line, drawn in a form and shown on a card
 * lives in `slack/fields/`, one file per kind.
 */

/** The kinds of things Curfew knows by id and name. */
export const knownKinds = [
  "action",
  "credential",
  "exclusion",
  "plan",
  "policy",
  "project",
  "selector",
  "user",
] as const;
export type KnownKind = (typeof knownKinds)[number];

interface FieldBase {
  readonly label: string;
  readonly hint?: string;
  readonly optional?: boolean;
  /** Taken from the line in order; `"rest"` takes all that remains. Others are flags named after the field. */
  readonly positional?: true | "rest";
}

export interface TextField extends FieldBase {
  readonly kind: "text";
  readonly maxLength: number;
  readonly multiline?: boolean;
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
  readonly to: KnownKind;
}

export interface ResourceIdsField extends FieldBase {
  readonly kind: "resource-ids";
}

/** A point in time; from a line also a length, counted from now. */
export interface MomentField extends FieldBase {
  readonly kind: "moment";
}

/** A point in time, or a length to add to what it extends. */
export interface ExtensionField extends FieldBase {
  readonly kind: "extension";
}

export interface NumberField extends FieldBase {
  readonly kind: "number";
  readonly minimum: number;
}

export type Field =
  | TextField
  | ChoiceField
  | ReferenceField
  | ResourceIdsField
  | MomentField
  | ExtensionField
  | NumberField;

export type Fields = Readonly<Record<string, Field>>;

/** `until`: epoch ms; `forMs`: a length in ms to add to the present end. */
export type Extension = { readonly until: number } | { readonly forMs: number };

export type FieldValue<F extends Field> =
  F extends ChoiceField<infer V>
    ? F extends { multiple: true }
      ? readonly V[]
      : V
    : F extends ResourceIdsField
      ? readonly string[]
      : F extends MomentField | NumberField
        ? number
        : F extends ExtensionField
          ? Extension
          : string;

/** A command's input, as its fields type it. */
export type InputOf<F extends Fields> = {
  readonly [K in keyof F as F[K] extends { optional: true } ? never : K]: FieldValue<F[K]>;
} & {
  readonly [K in keyof F as F[K] extends { optional: true } ? K : never]?: FieldValue<F[K]>;
};

/** An input whose command is not known at compile time; it has passed `inputSchema` of that command's fields. */
export type Input = Readonly<Record<string, unknown>>;

type Options<F extends Field> = Omit<F, "kind">;

export const text = <const O extends Options<TextField>>(options: O) => ({ kind: "text", ...options }) as const;
export const choice = <const V extends string, const O extends Omit<Options<ChoiceField<V>>, "options">>(
  options: readonly Option<V>[],
  rest: O,
) => ({ kind: "choice", options, ...rest }) as const;
export const reference = <const O extends Omit<Options<ReferenceField>, "to">>(to: KnownKind, options: O) =>
  ({ kind: "reference", to, ...options }) as const;
export const resourceIds = <const O extends Options<ResourceIdsField>>(options: O) =>
  ({ kind: "resource-ids", ...options }) as const;
export const moment = <const O extends Options<MomentField>>(options: O) => ({ kind: "moment", ...options }) as const;
export const extension = <const O extends Options<ExtensionField>>(options: O) =>
  ({ kind: "extension", ...options }) as const;
export const number = <const O extends Options<NumberField>>(options: O) => ({ kind: "number", ...options }) as const;

/** Checks an input that came from outside, such as a button's, against the fields it is for. `partial`: some may be absent. */
export function inputSchema(fields: Fields, { partial = false } = {}): z.ZodType<Input> {
  const shape = Object.entries(fields).map(([name, field]) => {
    const value = valueSchema(field);
    return [name, partial || field.optional ? value.optional() : value] as const;
  });
  return z.strictObject(Object.fromEntries(shape));
}

function valueSchema(field: Field): z.ZodType {
  switch (field.kind) {
    case "text":
      return z.string().min(1).max(field.maxLength);
    case "choice": {
      const value = z.enum(field.options.map((option) => option.value));
      return field.multiple ? z.array(value).min(1) : value;
    }
    case "reference":
      return z.string().min(1);
    case "resource-ids":
      return z.array(z.string().min(1)).min(1);
    case "moment":
      return z.int().positive();
    case "extension":
      return z.union([z.strictObject({ until: z.int().positive() }), z.strictObject({ forMs: z.int().positive() })]);
    case "number":
      return z.int().min(field.minimum);
  }
}
