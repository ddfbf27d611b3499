import { closest } from "fastest-levenshtein";
import { z } from "zod";
import { type OperationName, operationNames, operations } from "../service/operations.ts";
import { resourceKeys } from "../service/resources.ts";
import { parseDuration } from "../time/duration.ts";

/** A length of time as curfew.yaml writes it, in milliseconds. */
export const durationMs = z.string("must be a length such as 45m, 4h, 2h30m, 3d or 1w").transform((text, context) => {
  const read = parseDuration(text);
  if (read.kind === "duration") return read.ms;
  context.addIssue({ code: "custom", message: `"${text}": ${read.reason}` });
  return z.NEVER;
});

/** Hours of a week, as curfew.yaml writes them: 40. */
export const weeklyHours = z
  .number("must be a number of hours, such as 40")
  .positive("must be more than 0")
  .max(168, "a week has 168 hours");

/** One of the given names; an unknown one is reported with the nearest. */
export const knownName = <N extends string>(noun: string, names: readonly N[], more = "") =>
  z.string().transform((text, context): N => {
    const known = names.find((name) => name === text);
    if (known !== undefined) return known;
    context.addIssue({ code: "custom", message: `unknown ${noun} "${text}"${suggestion(text, names)}${more}` });
    return z.NEVER;
  });

const suggestion = (text: string, names: readonly string[]): string =>
  names.length === 0 ? "" : `; did you mean "${closest(text, names)}"?`;

/** A list of the config file, as a set. An empty one is refused, since it would silently allow nothing. */
export const setOf = <S extends z.ZodType>(item: S) =>
  z
    .array(item)
    .min(1, "must list at least one, or be left out")
    .transform((items): ReadonlySet<z.output<S>> => new Set(items));

/** The name of a group that is saved or imported. */
export const groupName = /^[a-z0-9][\w.-]*$/i;

/** A resource group of the file, as rules look up its machines. */
export interface GroupMembers {
  readonly type: string;
  readonly project: string;
  /** In lower case. */
  readonly ids: ReadonlySet<string>;
  /** Every way to name them (`resourceKeys`). */
  readonly keys: ReadonlySet<string>;
}

/** The resource groups that a rule names. */
export type NamedGroups = ReadonlyMap<string, GroupMembers>;

/** As the file has them. */
type FileGroups = Readonly<
  Record<string, Pick<GroupMembers, "type" | "project"> & { readonly ids: readonly string[] }>
>;

/** Only about these projects, and these machines; a missing list stands for everything. */
export interface Scope {
  readonly projects?: ReadonlySet<string> | undefined;
  readonly groups?: NamedGroups | undefined;
}

/**
 * What an entry may say that it is about. Only groups of the file: others are saved and altered by people, who would widen their own
 * rights.
 */
export function scopeAmong(groups: FileGroups) {
  const all: NamedGroups = new Map(
    Object.entries(groups).map(([name, { type, project, ids }]) => {
      const [members, keys] = [ids.map((id) => id.toLowerCase()), ids.flatMap(resourceKeys)];
      return [name, { type, project, ids: new Set(members), keys: new Set(keys) }];
    }),
  );
  const named = setOf(knownName("resource group", [...all.keys()], onlyOfFile)).transform(
    (names): NamedGroups => new Map([...all].filter(([name]) => names.has(name))),
  );
  return { projects: setOf(z.string().min(1, "must not be empty")).optional(), groups: named.optional() };
}
export type ScopeSchema = ReturnType<typeof scopeAmong>;

const onlyOfFile = " (rules name groups of resourceGroups, never saved ones)";

/** Slack ids by their first letter (PLATFORM.md §11.1); names are refused, since anyone can take a name. */
export const channelId = z.string().regex(/^[CG][A-Z0-9]+$/, {
  error: ({ input }) => `"${input}" is not a channel id (C… or G…): use the id, not the name`,
});

export const memberId = z.string().regex(/^[UWS][A-Z0-9]+$/, {
  error: ({ input }) => `"${input}" is not a user id (U… or W…) or user group id (S…): use the id, not the name`,
});

export const teamId = z.string().regex(/^T[A-Z0-9]+$/, {
  error: ({ input }) => `"${input}" is not a workspace id (T…): use the id, not the name`,
});

/** A list of operations as curfew.yaml writes it: exact names, `reads` for all that only read, `"*"` for all. */
export const operationSet = z
  .array(operationEntry())
  .min(1, "must name at least one operation")
  .transform(namedOperations);

/** One entry of such a list; `others`: what may stand there too. */
export function operationEntry<N extends string = never>(...others: readonly N[]) {
  return knownName("operation", [...operationNames, "reads", "*", ...others]);
}

export function namedOperations(entries: readonly (OperationName | "reads" | "*")[]): ReadonlySet<OperationName> {
  return new Set(entries.flatMap(namedBy));
}

function namedBy(entry: OperationName | "reads" | "*"): readonly OperationName[] {
  if (entry === "*") return operationNames;
  if (entry === "reads") return operationNames.filter((name) => operations[name].effect === "read");
  return [entry];
}

/** The first few names, since a message has little room. */
export function list(names: readonly string[]): string {
  const shown = 5;
  const more = names.length - shown;
  return `${names.slice(0, shown).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** A list without duplicates; every repeat is reported at its place. */
export const distinct = <S extends z.ZodType>(item: S, idOf: (item: z.output<S>) => string) =>
  z.array(item).superRefine((items, context) => {
    const seen = new Set<string>();
    for (const [index, id] of items.map(idOf).entries()) {
      if (seen.has(id)) context.addIssue({ code: "custom", path: [index], message: `"${id}" is listed twice` });
      seen.add(id);
    }
  });
