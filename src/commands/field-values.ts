import { z } from "zod";
import { weekdays } from "../service/resources.ts";
import { recurrenceSchema } from "./exclusion/planned/recurrence-words.ts";
import type { Field, Fields, Input } from "./field.ts";

/** The fields that exist for this input, in their order. */
export function presentFields(fields: Fields, input: Input): readonly (readonly [string, Field])[] {
  return Object.entries(fields).filter(([, field]) => field.when?.(input) ?? true);
}

/** Checks an input from outside, such as a button's, against its fields. `partial`: fields may be absent. */
export function inputSchema(fields: Fields, { partial = false } = {}): z.ZodType<Input> {
  const shape = Object.entries(fields).map(([name, field]) => {
    const value = valueSchema(field);
    return [name, partial || field.optional || field.when ? value.optional() : value] as const;
  });
  return z.strictObject(Object.fromEntries(shape));
}

/** Words of a span. */
export const longestSpan = 100;

function valueSchema(field: Field): z.ZodType {
  switch (field.kind) {
    case "text":
      return z.string().min(1).max(field.maxLength);
    case "choice": {
      const value = z.enum(field.options.map((option) => option.value));
      return field.multiple ? z.array(value).min(1) : value;
    }
    case "reference":
      return field.multiple ? z.array(z.string().min(1)) : z.string().min(1);
    case "email":
      return z.email();
    case "time":
      return z.iso.time({ precision: 0 });
    case "days":
      return z.array(z.enum(weekdays)).min(1);
    case "length":
      return z.int().positive();
    case "zone":
      return z.string().min(1);
    case "json": {
      const object = z.record(z.string(), z.unknown());
      return field.list ? z.array(object) : object;
    }
    case "switch":
      return z.literal(true);
    case "recurrence":
      return field.isPart ? recurrenceSchema.partial() : recurrenceSchema;
    case "span":
      return spanSchema;
    case "person":
      return z.string().min(1);
    case "rules":
      return z.array(
        z.strictObject({ tagName: z.string().min(1), compareType: z.string().min(1), tagValue: z.string().optional() }),
      );
    case "list":
      return z.array(z.string().min(1));
    case "resource-ids":
    case "things":
      return z.array(z.string().min(1)).min(1);
    case "moment":
      return z.int().positive();
    case "extension":
      return z.union([
        z.strictObject({ until: z.int().positive() }),
        z.strictObject({ forMs: z.int().positive(), from: z.int().positive().optional() }),
      ]);
    case "number":
      return z
        .int()
        .min(field.minimum)
        .max(field.maximum ?? Number.MAX_SAFE_INTEGER);
  }
}

const spanSchema = z.strictObject({
  said: z.string().min(1).max(longestSpan),
  spans: z.array(z.strictObject({ from: z.int(), to: z.int() })).min(1),
});

/** Required fields that are missing. */
export function missingFields(fields: Fields, input: Input): readonly string[] {
  return presentFields(fields, input)
    .filter(([name, field]) => !field.optional && input[name] === undefined)
    .map(([name]) => name);
}
