import { z } from "zod";

/** A list without duplicates; every repeat is reported at its place. */
export const distinct = <S extends z.ZodType>(item: S, idOf: (item: z.output<S>) => string) =>
  z.array(item).superRefine((items, context) => {
    const seen = new Set<string>();
    for (const [index, id] of items.map(idOf).entries()) {
      if (seen.has(id)) context.addIssue({ code: "custom", path: [index], message: `"${id}" is listed twice` });
      seen.add(id);
    }
  });
