import { isDeepStrictEqual } from "node:util";
import { accountOperations } from "../permissions/account-care.ts";
import { list, type NamedGroups } from "../permissions/config-values.ts";
import type { OperationName } from "../service/operations.ts";
import { formatDuration } from "../time/duration.ts";
import type { Settings } from "./settings.ts";

export interface Comparison {
  /** Loosened settings, in full sentences; none when the new settings certainly loosen nothing. */
  readonly loosens: readonly string[];
  /** The paths in curfew.yaml that are tighter. */
  readonly tightens: readonly string[];
}

/** Any difference counts as loosened, unless it is of a kind that gives nobody more. */
export function compareSettings(next: Settings, old: Settings): Comparison {
  const found = differences([], written(next), written(old)).map((difference) => {
    const [, effectOf = looser, says = isNow] = kinds.find(([pattern]) => fits(pattern, difference.path)) ?? [];
    return { path: inFile(difference.path), effect: effectOf(difference, old), text: says(difference) };
  });
  const ofEffect = (wanted: Effect) => found.filter(({ effect }) => effect === wanted);
  return {
    loosens: [...new Set(ofEffect("looser").map(({ text }) => text))],
    tightens: [...new Set(ofEffect("tighter").map(({ path }) => path))],
  };
}

/** Where two configs differ, with what they have there. */
interface Difference {
  /** As in curfew.yaml. */
  readonly path: readonly string[];
  readonly next: unknown;
  readonly old: unknown;
}

type Effect = "looser" | "tighter" | "none";
type Kind = readonly [
  pattern: string,
  effectOf: (difference: Difference, old: Settings) => Effect,
  says?: (difference: Difference) => string,
];

const looser = (): Effect => "looser";
const none = (): Effect => "none";
const tighterIf = (isTighter: boolean): Effect => (isTighter ? "tighter" : "looser");
const gone = ({ next }: Difference): Effect => tighterIf(next === undefined);
const fewer = ({ next, old }: Difference): Effect => tighterIf(addedTo(next, old).length === 0);
const lower = ({ next, old }: Difference): Effect => tighterIf(limitOf(next) < limitOf(old));
const longer = ({ next, old }: Difference): Effect => tighterIf(limitOf(next) > limitOf(old));
/** For a list that stands for everything where it is missing. */
const narrower = ({ next, old, ...rest }: Difference): Effect =>
  old === undefined ? "tighter" : next === undefined ? "looser" : fewer({ next, old, ...rest });

/** Tighter if each machine was in one of the groups before. Then so was each project, which is all that a read asks. */
function fewerMembers(difference: Difference): Effect {
  const { next, old } = difference;
  if (!(next instanceof Map && old instanceof Map)) return narrower(difference);
  const before = membersOf(old);
  return tighterIf([...membersOf(next)].every((machine) => before.has(machine)));
}

const membersOf = (groups: NamedGroups): ReadonlySet<string> =>
  new Set([...groups.values()].flatMap(({ project, type, ids }) => [...ids].map((id) => `${project} ${type} ${id}`)));

/** What a kind of difference does, and how it is said. */
const kinds: readonly Kind[] = [
  [
    "permissions.roles.*",
    gone,
    ofRole(({ next }) => `is new, and lets ${heldBy(next)} do ${inWords(Object(next).allow)}`),
  ],
  ["permissions.roles.*.members", fewer, ofRole((each) => `is given to ${more(each)}`)],
  ["permissions.roles.*.allow", fewer, ofRole((each) => `also allows ${more(each)}`)],
  ["permissions.roles.*.mayAsk", gone, ofRole(({ next }) => `may ask for more: ${inWords(next)}`)],
  ["permissions.roles.*.mayAsk.*", fewer, ofRole((each) => `may ask for more: ${more(each)}`)],
  ["permissions.roles.*.where.own", ({ next }) => tighterIf(next === true), loosensCondition],
  ["permissions.roles.*.where.maxExclusion", lower, loosensCondition],
  ["permissions.roles.*.where.weeklyHours", lower, loosensCondition],
  ["permissions.roles.*.where.groups", fewerMembers, loosensCondition],
  ["permissions.roles.*.where.*", narrower, loosensCondition],
  ["approvals", addsApprovals, otherApprovals],
  ["exclusions.longest", lower],
  ["exclusions.default", lower],
  ["limits.perPersonPerMinute", lower],
  // What is deleted sooner is lost.
  ["retention.*", longer, (each) => isNow({ ...each, old: each.old ?? "for ever" })],
  ["callers.*", gone, ({ path, next }) => `The pipeline ${path[1]} can ask, as “${Object(next).role}”.`],
  ["callers.*.tokenSha256", fewer, ({ path }) => `The pipeline ${path[1]} has another token.`],
  ["workflows", gone],
  ["workflows.steps", fewer],
  // The time of a message gives nobody a right.
  ["exclusions.warn", none],
  ["warnings.*.before", none],
  ["warnings.*.quiet", none],
  ["warnings.*.quiet.*", none],
  ["digest.*.day", none],
  ["digest.*.at", none],
  // There may be many entries, and texts of addresses may be secret.
  ["calendars", looser, otherEntries],
  ["channels", looser, otherEntries],
  ["resourceGroups", looser, otherEntries],
  ["directory.*", looser, otherEntries],
];

function fits(pattern: string, path: readonly string[]): boolean {
  const steps = pattern.split(".");
  return steps.length === path.length && path.every((key, index) => ["*", inFile([key])].includes(steps[index] ?? ""));
}

function ofRole(says: (difference: Difference) => string) {
  return (each: Difference): string => `The role “${each.path[2]}” ${says(each)}.`;
}

function loosensCondition({ path }: Difference): string {
  return `The role “${path[2]}” loosens its condition “${inFile(path.slice(4))}”.`;
}

/** A role for pipelines alone has no members. */
const heldBy = (role: unknown): string => {
  const { members } = Object(role);
  return itemsOf(members).length > 0 ? inWords(members) : "nobody";
};
const more = ({ next, old }: Difference): string => inWords(addedTo(next, old));

/** What had none gets an approval from a further entry at the end. For accounts `identity` may have asked other approvers before. */
function addsApprovals({ next, old }: Difference, { policy }: Settings): Effect {
  const [rules, before] = [itemsOf(next), itemsOf(old)];
  const further = rules.slice(before.length).flatMap((rule) => itemsOf(Object(rule).operations));
  const isForIdentity = policy.identity !== undefined && further.some((name) => ofAccounts.has(name));
  return tighterIf(isDeepStrictEqual(rules.slice(0, before.length), before) && !isForIdentity);
}

const ofAccounts: ReadonlySet<unknown> = new Set<OperationName>(accountOperations);

function otherApprovals(each: Difference): string {
  const lost = addedTo(each.old, each.next).flatMap((rule) => itemsOf(Object(rule).operations));
  return lost.length > 0 ? `${inWords(lost)} no longer needs approval in every case.` : isNow(each);
}

function otherEntries({ path, next, old }: Difference): string {
  const names = Object.keys({ ...Object(old), ...Object(next) });
  const other = names.filter((name) => !isDeepStrictEqual(Object(next)[name], Object(old)[name]));
  return `${inFile(path)} says something else of ${list(other)}.`;
}

function isNow({ path, next, old }: Difference): string {
  const key = path.at(-1) ?? "";
  if (!isList(next) || !isList(old)) return `${inFile(path)} is ${said(key, next)}, instead of ${said(key, old)}.`;
  const parts = [
    ["also has", addedTo(next, old)],
    ["no longer has", addedTo(old, next)],
  ] as const;
  const found = parts.flatMap(([verb, items]) => (items.length > 0 ? [`${verb} ${inWords(items)}`] : []));
  const other = next instanceof Map ? "has other machines in them" : "has another order";
  return `${inFile(path)} ${found.join(", and ") || other}.`;
}

/** Lengths of time are settings whose name ends so. */
const isLength = (key: string): boolean => key.endsWith("Ms");

const inFile = (path: readonly string[]): string =>
  path.map((key) => (isLength(key) ? key.slice(0, -2) : key)).join(".");

const said = (key: string, value: unknown): string =>
  isLength(key) && typeof value === "number" ? formatDuration(value) : inWords(value);

function inWords(value: unknown): string {
  if (isList(value)) return list(itemsOf(value).map(inWords)) || "nothing";
  if (typeof value !== "object" || value === null) return String(value ?? "none");
  const parts = Object.entries(value).filter(([, each]) => each !== undefined);
  return `{ ${parts.map(([key, each]) => `${inFile([key])}: ${said(key, each)}`).join(", ")} }`;
}

type List = ReadonlySet<unknown> | ReadonlyMap<unknown, unknown> | readonly unknown[];
const isList = (value: unknown): value is List => value instanceof Set || value instanceof Map || Array.isArray(value);
/** Of groups their names. */
const itemsOf = (value: unknown): readonly unknown[] =>
  !isList(value) ? [] : value instanceof Map ? [...value.keys()] : [...value];

const addedTo = (next: unknown, old: unknown): readonly unknown[] =>
  itemsOf(next).filter((item) => !itemsOf(old).some((other) => isDeepStrictEqual(item, other)));

/** No limit where there is none, or 0. */
const limitOf = (value: unknown): number => Number(value) || Number.POSITIVE_INFINITY;

/** The settings as curfew.yaml has them. What is listed with names or ids is found by them. */
function written({ policy, callers, calendars, directory, exclusions, fingerprint: _text, ...rest }: Settings) {
  const { roles, rolesFor: _rolesFor, workflowApprovers: _approvers, approvals, budgets, ...others } = policy;
  const { maxLengthMs, ...lengths } = exclusions;
  return {
    ...rest,
    ...others,
    exclusions: { ...lengths, longestMs: maxLengthMs },
    permissions: {
      roles: by(
        "name",
        roles.map(({ programs: _programs, operations, ...role }) => ({ ...role, allow: operations })),
      ),
    },
    approvals: approvals.map(({ rule: _rule, ...entry }) => entry),
    budgets: budgets.map(({ rule: _rule, ...entry }) => entry),
    callers: by("name", callers),
    calendars: by("name", calendars),
    directory: Object.fromEntries(Object.entries(directory).map(([kind, items]) => [kind, by("id", items)])),
  };
}

const by = <K extends string, T extends Readonly<Record<K, string>>>(key: K, items: readonly T[]) =>
  Object.fromEntries(items.map((item) => [item[key], item]));

/** The deepest parts that differ. What a kind says of a whole part is not looked into. */
function differences(path: readonly string[], next: unknown, old: unknown): readonly Difference[] {
  if (isDeepStrictEqual(next, old)) return [];
  const isWhole = kinds.some(([pattern, , says]) => says === otherEntries && fits(pattern, path));
  if (isWhole || !isGroup(next) || !isGroup(old)) return [{ path, next, old }];
  if (Array.isArray(next) && Array.isArray(old) && next.length !== old.length) return [{ path, next, old }];
  const keys = new Set([...Object.keys(old), ...Object.keys(next)]);
  return [...keys].flatMap((key) => differences([...path, key], Reflect.get(next, key), Reflect.get(old, key)));
}

const isGroup = (value: unknown): value is object =>
  Array.isArray(value) ? value.some(isGroup) : typeof value === "object" && value !== null && !isList(value);
