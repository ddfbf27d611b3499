import { z } from "zod";

/** A field of an answer. Absent, null and an unexpected type all read as undefined, so one odd field never spoils an answer. */
export const lenient = <S extends z.ZodType>(schema: S) => schema.nullish().catch(undefined);

/** A list in an answer. Null reads as the empty list (API.md: `regionNames` is null when none is set). Absent stays absent. */
export const lenientList = <S extends z.ZodType>(item: S) =>
  z
    .array(item)
    .nullable()
    .transform((list) => list ?? [])
    .optional()
    .catch(undefined);
