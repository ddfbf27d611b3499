import { distance } from "fastest-levenshtein";
import { inTheirAccounts } from "../directory/across-accounts.ts";
import { isCommon } from "../directory/common-words.ts";
import { type Entity, type EntityKind, isOfKind } from "../directory/directory.ts";
import { groupCalled } from "../directory/group-index.ts";
import { resourcesIn } from "../directory/resources.ts";
import { inAccount, splitId } from "../service/account-ids.ts";
import type { Action } from "../service/resources.ts";
import { type CommandButton, isProblem, type Problem, resultButton } from "./answer.ts";
import type { QueryContext } from "./command.ts";
import { expiryOf, resourceWords } from "./exclusion/exclusion-body.ts";
import { knownMachines, mayKnowPlace, maySee, maySeeProject, maySeeUsers } from "./lookup/may-see.ts";

interface Named<K extends EntityKind> {
  readonly kind: K;
  readonly id: string;
  readonly name: string;
}

/** Resources by their ids; `group`: the name of the group that was said. */
export interface Resources {
  readonly kind: "resources";
  readonly ids: readonly string[];
  readonly group: string | undefined;
  readonly name: string;
}

/** What a person asks about. */
export type Thing =
  | Resources
  | (Named<"action"> & { readonly action: Action })
  | (Named<"exclusion"> & { readonly exclusion: Entity<"exclusion"> })
  | (Named<"user"> & { readonly user: Entity<"user"> })
  | Named<"project">
  | Named<"credential">
  | Named<"plan">
  | Named<"policy">
  | Named<"selector">;

type ThingContext = Pick<QueryContext, "directory" | "may" | "now" | "personIn" | "settings">;

/**
 * The one thing that a text means, among those that the requester may see: by id, exact name, e-mail address or mention, then by an
 * unambiguous prefix or word. A word is a resource's id only if it has the form of one, or is known as one. `words`: the command that
 * asks, which is offered for each of several things.
 */
export async function resolveThing(text: string, context: ThingContext, words?: string): Promise<Thing | Problem> {
  const found = await thingsMeant(text, context);
  if (isProblem(found)) return words === undefined ? found : withNear(found, text.trim(), words, context);
  const [thing, ...others] = found;
  if (thing && others.length === 0) return thing;
  return ambiguous(text.trim(), found, words);
}

/** What may be meant instead, as buttons. */
async function withNear(found: Problem, said: string, words: string, context: ThingContext): Promise<Problem> {
  const near = isCommon(said) ? [] : await nearestTo(said, context);
  const buttons = near.map((thing) => resultButton(thing, words, { thing }));
  return { ...found, buttons: [...(found.buttons ?? []), ...buttons] };
}

/** All things that a text may mean, at least one. */
export async function thingsMeant(text: string, context: ThingContext): Promise<readonly Thing[] | Problem> {
  const found = await resolveWords(text.trim(), context);
  const asked = withoutQuestion(text);
  const isOther = asked !== text.trim() && asked !== "";
  if (isProblem(found)) return isOther ? resolveWords(asked, context) : found;
  const narrower = found.length > 1 && isOther ? await resolveWords(asked, context) : undefined;
  return narrower && !isProblem(narrower) && narrower.length === 1 ? narrower : found;
}

async function resolveWords(said: string, context: ThingContext): Promise<readonly Thing[] | Problem> {
  const mentioned = /^<@([^|>]+)(?:\|[^>]*)?>$/.exec(said)?.[1];
  if (mentioned !== undefined) return userMentioned(mentioned, context);
  const named = await thingsNamed(said, context);
  const meant = named.filter((thing) => isSaid(thing, said, context.now));
  const [first] = meant;
  if (first) return first.kind === "resources" ? [first] : meant;
  const resources = await resourcesNamed(said, context);
  if (resources) return isProblem(resources) ? resources : [resources];
  const likely = isCommon(said) ? [] : await likelyThings(said, context);
  return likely.length > 0 ? likely : unknown(said, context);
}

/** The group, or else every thing, with exactly this id, name or e-mail address that the requester may see; also what is over. */
export async function thingsNamed(text: string, context: ThingContext): Promise<readonly Thing[]> {
  const group = groupNamed(text, context);
  if (group) return [group];
  const things = await seen(await context.directory.named(text), context);
  const byId = things.filter((thing) => "id" in thing && thing.id === text);
  return byId.length > 0 ? byId : things;
}

/** The group of this name, if the requester may read about it. */
function groupNamed(text: string, { settings, may }: Pick<ThingContext, "settings" | "may">) {
  const [name, group] = groupCalled(text, settings.resourceGroups) ?? [];
  if (name === undefined || !group || !maySeeProject({ may }, group.project)) return undefined;
  return { kind: "resources", ids: group.ids, group: name, name } as const;
}

/** A name means what is still there; an id also what is over. */
function isSaid(thing: Thing, said: string, now: number): boolean {
  if (!("id" in thing) || thing.id === said || thing.kind !== "exclusion") return true;
  const { endedAt, body } = thing.exclusion;
  return endedAt === null && (expiryOf(body) ?? now + 1) > now;
}

async function seen(entities: readonly Entity[], context: ThingContext): Promise<readonly Thing[]> {
  const isSeen = await Promise.all(entities.map((entity) => maySee(entity, context)));
  return entities.filter((_entity, index) => isSeen[index]).flatMap((entity) => thingOf(entity) ?? []);
}

/** Undefined for a saved group, which is known as its resources. */
function thingOf(entity: Entity): Thing | undefined {
  const { id, kind } = entity;
  const named = { id, name: entity.name ?? id };
  if (isOfKind(entity, "action")) return { kind: "action", ...named, action: entity.body };
  if (isOfKind(entity, "exclusion")) return { kind: "exclusion", ...named, exclusion: entity };
  if (isOfKind(entity, "user")) return { kind: "user", ...named, user: entity };
  switch (kind) {
    case "credential":
    case "plan":
    case "policy":
    case "project":
    case "selector":
      return { kind, ...named };
    default:
      return undefined;
  }
}

async function userMentioned(slackUserId: string, context: ThingContext): Promise<readonly Thing[] | Problem> {
  const email = maySeeUsers(context) ? (await context.personIn(slackUserId))?.email : undefined;
  const users = email === undefined ? [] : await context.directory.match("user", email);
  const [user, ...others] = await seen(users, context);
  if (user && others.length === 0) return [user];
  return {
    problem: "Curfew knows no user of the service behind that mention. Name them by their id or e-mail address.",
  };
}

const maxWords = 50;

/** Ids and groups with any separators; undefined unless each word is one. */
export async function resourcesNamed(said: string, context: ThingContext): Promise<Resources | Problem | undefined> {
  const { accounts } = context.settings;
  const [typed, ...more] = resourcesIn(said, new Map(), accounts);
  if (typed?.text === said && more.length === 0) return placed([typed.id], said, context);
  const words = said.split(/[\s,;]+/).filter((word) => word !== "" && word.toLowerCase() !== "and");
  if (words.length === 0 || words.length > maxWords) return undefined;
  const candidates = [...words, ...words.flatMap((word) => Object.keys(accounts).map((name) => inAccount(name, word)))];
  const places = await context.directory.placesOf(candidates);
  const ids = words.map((word) => {
    const group = groupNamed(word, context);
    if (group) return group.ids;
    const [byForm] = resourcesIn(word, new Map(), accounts);
    if (byForm?.text === word) return [byForm.id];
    const machines = knownMachines(word, context);
    if (machines.length > 0) return machines.map((machine) => machine.id);
    const known = places.filter(({ id, projectId }) => isSaidBy(word, id) && maySeeProject(context, projectId));
    return known.length > 0 ? [...new Set(known.map(({ id }) => id))] : undefined;
  });
  return ids.every((each) => each !== undefined) ? placed([...new Set(ids.flat())], said, context) : undefined;
}

/** A machine that is known in one other account only is that one. */
async function placed(ids: readonly string[], said: string, context: ThingContext): Promise<Resources | Problem> {
  const { directory, settings } = context;
  const found = await inTheirAccounts(new Map([[said, ids]]), directory, settings.accounts, mayKnowPlace(context));
  return "problem" in found ? { field: "thing", ...found } : resources(found.get(said) ?? ids);
}

const isSaidBy = (word: string, id: string): boolean => id === word || splitId(id)[1] === word;

const resources = (ids: readonly string[]): Resources => ({
  ...{ kind: "resources", ids, group: undefined },
  name: resourceWords(ids),
});

const searched = ["project", "action", "exclusion", "user"] as const;
const maxSearched = 100;
const shortest = 2;

/** Things with a word that begins with the text: groups and projects; where there is none, also what has longer names. */
async function likelyThings(said: string, context: ThingContext): Promise<readonly Thing[]> {
  const sought = longestWord(said);
  if (sought.length < shortest) return [];
  const groups = Object.keys(context.settings.resourceGroups).filter((name) => hasWord(name, said));
  const [projects = [], ...others] = await Promise.all(
    searched.map(async (kind) => {
      const found = await context.directory.search(kind, sought, maxSearched);
      return seen(
        found.filter(({ name }) => name !== null && hasWord(name, said)),
        context,
      );
    }),
  );
  const near = [...groups.flatMap((name) => groupNamed(name, context) ?? []), ...projects];
  const likely = near.length > 0 ? near : others.flat();
  const whole = likely.filter(({ name }) => hasSameWords(name, said));
  return whole.length > 0 ? whole : likely;
}

async function unknown(said: string, context: ThingContext): Promise<Problem> {
  const near = isCommon(said) ? [] : await nearestTo(said, context);
  const hint = near.length > 0 ? ` Did you mean ${near.map((name) => `“${name}”`).join(" or ")}?` : "";
  return {
    field: "thing",
    problem: `Curfew knows no “${said}” that you may see.${hint} Name a group, project, action, user or machine.`,
  };
}

/** The names that a mistyped text may mean, among `others` and the things that the requester may see. */
export async function nearestTo(
  said: string,
  context: ThingContext,
  others: readonly string[] = [],
): Promise<readonly string[]> {
  const groups = Object.keys(context.settings.resourceGroups).filter((name) => groupNamed(name, context));
  const all = await Promise.all(searched.map((kind) => context.directory.search(kind, "", maxSearched)));
  const things = await seen(all.flat(), context);
  return nearestNames(said, [...others, ...groups, ...things.map(({ name }) => name)]);
}

const shownCandidates = 5;

function ambiguous(said: string, things: readonly Thing[], words: string | undefined): Problem {
  const shown = things.slice(0, shownCandidates);
  const names = shown.map((thing) => {
    if (thing.kind === "resources") return `the group ${thing.name}`;
    return `the ${thing.kind} ${thing.name}${thing.name === thing.id ? "" : ` (${thing.id})`}`;
  });
  const more = things.length > shownCandidates ? " and others" : "";
  const which = words === undefined ? " Say which, by its id." : " Which one?";
  return {
    field: "thing",
    problem: `“${said}” could be ${names.join(", ")}${more}.${which}`,
    buttons: words === undefined ? [] : shown.map((thing) => thisOne(thing, words)),
  };
}

function thisOne(thing: Thing, words: string): CommandButton {
  const [label, text] =
    thing.kind === "resources" ? [thing.name, thing.name] : [`${thing.name} (${thing.id})`, thing.id];
  return resultButton(label, words, { thing: text });
}

const before: ReadonlySet<string> = new Set("a about an are did do does for in is of on the was were".split(" "));
const after: ReadonlySet<string> = new Set(
  "down excluded not off on running start started starting still stop stopped stopping up".split(" "),
);

/** The words without those of a question around them: "why *is* staging *still up?*". */
export function withoutQuestion(text: string): string {
  const words = text
    .trim()
    .split(/[\s?]+/)
    .filter(Boolean);
  const is = (word: string | undefined, set: ReadonlySet<string>) => word !== undefined && set.has(word.toLowerCase());
  const start = words.findIndex((word) => !is(word, before));
  const end = words.findLastIndex((word) => !is(word, after));
  return start === -1 ? "" : words.slice(start, end + 1).join(" ");
}

/** A longer text is like no name, and comparing it would be slow. */
const maxCompared = 60;
const maxFound = 3;

/** The names that differ from the text in a few letters, the nearest first. */
export function nearestNames(text: string, names: readonly string[]): readonly string[] {
  const said = text.toLowerCase();
  if (said.length > maxCompared) return [];
  // Two letters that changed places are two differences.
  const mostDifferences = said.length < 5 ? 1 : Math.max(2, Math.floor(said.length / 3));
  return [...new Set(names)]
    .map((name) => ({ name, differences: distance(said, name.toLowerCase()) }))
    .filter(({ differences }) => differences <= mostDifferences)
    .sort((one, other) => one.differences - other.differences)
    .slice(0, maxFound)
    .map(({ name }) => name);
}

/** Whether a name begins with the text, or one of its words does. Articles do not matter: a line may be without them. */
export function hasWord(name: string, text: string): boolean {
  const [whole, said] = [` ${wordsIn(name).join(" ")}`, ` ${wordsIn(text).join(" ")}`];
  return said !== " " && whole.includes(said);
}

/** Whether two texts have the same words, but for articles. */
function hasSameWords(name: string, text: string): boolean {
  return wordsIn(name).join(" ") === wordsIn(text).join(" ");
}

/** The word to search names by. */
export function longestWord(text: string): string {
  return wordsIn(text).reduce((longest, word) => (word.length > longest.length ? word : longest), "");
}

const articles: ReadonlySet<string> = new Set(["a", "an", "the"]);
const wordsIn = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && !articles.has(word));
