import { z } from "zod";

/** A list in which nothing stands twice; every repeat is reported where it stands. */
export const distinct = <S extends z.ZodType>(item: S, idOf: (item: z.output<S>) => string) =>
  z.array(item).superRefine((items, context) => {
    const seen = new Set<string>();
    for (const [index, id] of items.map(idOf).entries()) {
      if (seen.has(id)) context.addIssue({ code: "custom", path: [index], message: `"${id}" is listed twice` });
      seen.add(id);
    }
  });
