import { closest } from "fastest-levenshtein";
import { z } from "zod";
import { inAccountOf } from "../service/account-ids.ts";
import { type OperationName, operationNames, operations } from "../service/operations.ts";
import { resourceKeys } from "../service/resources.ts";
import { parseDuration } from "../time/duration.ts";
import { groupBy } from "../time/group-by.ts";

const lengthText = z
  .string("must be a length such as 45m, 4h, 2h30m, 3d or 1w")
  .meta({ title: "length", pattern: "^\\s*(\\d+(\\.\\d+)?\\s*[wdhmsWDHMS][a-zA-Z]*[\\s,]*([aA][nN][dD]\\s+)?)+$" });

/** A length of time as curfew.yaml writes it, in milliseconds. */
export const durationMs = lengthText.transform((text, context) => {
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

/** A text, with what documents and editors call it and the names that it may be. */
export const titled = (title: string, names: readonly string[] = []) =>
  z.string().meta({ title, ...(names.length > 0 ? { enum: names } : {}) });

/** One of the given names; an unknown one is reported with the nearest. */
export const knownName = <N extends string>(noun: string, names: readonly N[], more = "") =>
  titled(noun, names).transform((text, context): N => {
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

/** An id of a thing of the service. No rule would know the id of a thing of the main account by another name. */
export const placedId = z
  .string()
  .min(1, "must not be empty")
  .regex(/^(?!main\/)/, "an id of the account “main” has nothing before it: leave out “main/”");

/** A resource group of the file, as rules look up its machines. */
export interface GroupMembers {
  readonly type: string;
  readonly project: string;
  /** In lower case. */
  readonly ids: ReadonlySet<string>;
  /** Every way to name them (`resourceKeys`). */
  readonly keys: ReadonlySet<string>;
}

/** The machines of a group, as rules look them up. Most have one name only, and there may be thousands: then both are one set. */
export function namesOf(ids: readonly string[]): Pick<GroupMembers, "ids" | "keys"> {
  const own = new Set(ids.map((id) => id.toLowerCase()));
  const keys = new Set(ids.flatMap(resourceKeys));
  return { ids: own, keys: keys.size === own.size ? own : keys };
}

/** The resource groups that a rule names. */
export type NamedGroups = ReadonlyMap<string, GroupMembers>;

/** As the file has them. */
type FileGroups = Readonly<
  Record<string, Pick<GroupMembers, "type" | "project"> & { readonly ids: readonly string[] }>
>;

/** Only about these accounts of the service, these projects, and these machines; a missing list stands for everything. */
export interface Scope {
  readonly accounts?: ReadonlySet<string> | undefined;
  readonly projects?: ReadonlySet<string> | undefined;
  readonly groups?: NamedGroups | undefined;
}

/**
 * What an entry may say that it is about. Only groups of the file: others are saved and altered by people, who would widen their own
 * rights.
 */
export function scopeAmong(groups: FileGroups, accounts: readonly string[] = []) {
  const all: NamedGroups = new Map(
    Object.entries(groups).map(([name, { type, project, ids: listed }]) => {
      const ids = inAccountOf(project, listed);
      return [name, { type, project, ...namesOf(ids) }];
    }),
  );
  const named = setOf(knownName("resource group", [...all.keys()], onlyOfFile)).transform(
    (names): NamedGroups => new Map([...all].filter(([name]) => names.has(name))),
  );
  const projectId = placedId.meta({ title: "project id" });
  return {
    accounts: setOf(knownName("account", accounts)).optional().meta({
      description: "Only in these accounts of the service; “main” is that of SCHEDULER_BASE_URL",
      since: "1.1.0",
    }),
    projects: setOf(projectId).optional().describe("Only in these projects"),
    groups: named.optional().describe("Only for machines of these resource groups of the file"),
  };
}
export type ScopeSchema = ReturnType<typeof scopeAmong>;

const onlyOfFile = " (rules name groups of resourceGroups, never saved ones)";

/** Slack ids by their first letter (PLATFORM.md §11.1); names are refused, since anyone can take a name. */
const slackId = (first: string, title: string) =>
  z
    .string()
    .regex(new RegExp(`^[${first}][A-Z0-9]+$`), {
      error: ({ input }) => `"${input}" is not a ${title}: use the id, not the name`,
    })
    .meta({ title });
export const channelId = slackId("CG", "channel id (C… or G…)");
export const memberId = slackId("UWS", "user id (U… or W…) or user group id (S…)");
export const teamId = slackId("T", "workspace id (T…)");

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

const maxAlike = 3;

/** Of many findings that say the same, the first, with where the others are. */
export function oncePerMessage<F extends { readonly path: readonly PropertyKey[]; readonly message: string }>(
  findings: readonly F[],
): readonly F[] {
  return [...groupBy(findings, ({ message }) => message).values()].flatMap((alike) => {
    const [first, ...others] = alike;
    if (!first || alike.length <= maxAlike) return alike;
    const where = list(others.map(({ path }) => path.map(String).join(".")));
    return [{ ...first, message: `${first.message} (the same at ${others.length} more: ${where})` }];
  });
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
