import { z } from "zod";

/** A field of an answer: absent, null or of an unexpected type all read as "not told", so one odd field never spoils an answer. */
export const lenient = <S extends z.ZodType>(schema: S) => schema.nullish().catch(undefined);

/** A list in an answer: null reads as the empty list (spec.md: `regionNames` is null when none is set); absent stays absent. */
export const lenientList = <S extends z.ZodType>(item: S) =>
  z
    .array(item)
    .nullable()
    .transform((list) => list ?? [])
    .optional()
    .catch(undefined);
