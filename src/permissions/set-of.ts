import { z } from "zod";

/** A list of the config file, as a set. An empty one would silently allow nothing, so it is refused. */
export const setOf = <S extends z.ZodType>(item: S) =>
  z
    .array(item)
    .min(1, "must list at least one, or be left out")
    .transform((items): ReadonlySet<z.output<S>> => new Set(items));
