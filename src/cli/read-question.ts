import { z } from "zod";
import { channelId, durationMs, knownName } from "../permissions/config-values.ts";
import { operationNames } from "../service/operations.ts";
import { resourceTypes } from "../service/resources.ts";

/** A permission question: a user, an operation, and the facts that permissions depend on. */
export type Question = Readonly<z.output<typeof questionSchema>>;

const questionSchema = z.object({
  user: z
    .string()
    .regex(/^(?:[UW][A-Z0-9]+|caller:[a-z0-9-]+)$/, "must be a user id (U… or W…), or caller: and a name"),
  operation: knownName("operation", operationNames),
  channel: channelId.optional(),
  project: z.string().min(1, "must not be empty").optional(),
  type: knownName("resource type", resourceTypes).optional(),
  length: durationMs.optional(),
  /** Those of this week that count already. */
  hours: z.union([z.literal("0").transform(() => 0), durationMs]).optional(),
  own: z.boolean().default(false),
  groups: z
    .string()
    .transform((ids) => ids.split(",").map((id) => id.trim()))
    .pipe(z.array(z.string().regex(/^S[A-Z0-9]+$/, "must be user group ids (S…), with commas between them")))
    .optional(),
});

type Problems = { readonly kind: "problems"; readonly problems: readonly string[] };

/** Reads the words and options after `can`, or lists everything wrong with them. */
export function readQuestion(
  words: readonly string[],
  options: Readonly<Record<string, string | boolean | undefined>>,
): { readonly kind: "question"; readonly question: Question } | Problems {
  const [user, operation, ...more] = words;
  if (user === undefined || operation === undefined || more.length > 0) {
    return { kind: "problems", problems: ["can takes a user id and an operation: can U01ALICE CreateActionExclusion"] };
  }
  const read = questionSchema.safeParse({ user, operation, ...options });
  if (read.success) return { kind: "question", question: read.data };
  return { kind: "problems", problems: read.error.issues.map(({ path, message }) => `${nameOf(path[0])}: ${message}`) };
}

const nameOf = (key: PropertyKey | undefined): string =>
  key === "user" || key === "operation" ? `the ${key}` : `--${String(key)}`;
