import { z } from "zod";
import { channelId, durationMs, knownName, setOf, weeklyHours } from "../config-values.ts";

/** What happens beyond the hours. */
const key = "then";

/** The `budgets` section of curfew.yaml (PERMISSIONS.md, "budgets"). Approvers must be among `roleNames`. */
export const budgetsSchema = (roleNames: readonly string[]) => {
  const limit = { projects: setOf(z.string().min(1)).optional(), weeklyHours };
  return z.array(
    z.discriminatedUnion(
      key,
      [
        z.strictObject({ ...limit, [key]: z.literal("refuse") }),
        z.strictObject({ ...limit, [key]: z.literal("warn") }),
        z
          .strictObject({
            ...limit,
            [key]: z.literal("approval"),
            approvers: z.array(knownName("role", roleNames)).min(1, "must name at least one role"),
            count: z.int("must be a whole number").min(1, "must be at least 1").default(1),
            expires: durationMs.prefault("4h"),
            channel: channelId.optional(),
          })
          .transform(({ expires, ...budget }) => ({ ...budget, expiresMs: expires })),
      ],
      { error: "must say what happens then: approval, refuse or warn" },
    ),
  );
};
export type Budgets = z.output<ReturnType<typeof budgetsSchema>>;

/** One entry of `budgets`, with its path there. */
export type Budget = Readonly<Budgets[number]> & { readonly rule: string };
