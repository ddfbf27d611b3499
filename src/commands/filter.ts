import type { EntityKind } from "../directory/directory.ts";
import { ticketIn } from "../permissions/requirements.ts";
import { accountIn } from "../service/account-ids.ts";
import { readPast, readSince } from "../time/read-since.ts";
import { type HistoryState, type HistorySubjects, type Person, statesCalled } from "./about-changes/about-changes.ts";
import { isProblem, type Problem } from "./answer.ts";
import type { QueryContext } from "./command.ts";
import { nearestTo, resolveThing, resourcesNamed, type Thing, thingsNamed } from "./thing.ts";

/** More words than any filter needs. Each is looked up. */
const maxWords = 12;

/** Reads the parts of a filter in any order. A word that fits none is a problem. */
export async function readFilter(
  text: string,
  parts: readonly FilterPart[],
  context: QueryContext,
): Promise<Filter | Problem> {
  const words = text.split(/\s+/).filter(Boolean);
  if (words.length > maxWords)
    return {
      field: "which",
      problem: `A list takes at most ${maxWords} words; these are ${words.length}. Use fewer.`,
    };
  let filter: Filter = { said: [] };
  const left: string[] = [];
  for (let at = 0; at < words.length; ) {
    const found = await partAt(words.slice(at), parts, context);
    if (found && isProblem(found)) return found;
    if (found?.adds) filter = together(filter, found.adds);
    else if (!found) left.push(words[at] ?? "");
    at += found?.length ?? 1;
  }
  return twoPeople(filter, context) ?? withLikely(filter, left, parts, context);
}

function twoPeople({ mine, person, said }: Filter, { actor }: QueryContext): Problem | undefined {
  const isContrary = mine && person !== undefined && person !== actor.userId;
  const people = new Set(said.filter((part) => part.startsWith("by ")));
  if (!isContrary && people.size < 2) return undefined;
  return { field: "which", problem: "Those are two people. Name one of them." };
}

async function partAt(words: readonly string[], parts: readonly FilterPart[], context: QueryContext) {
  for (const { part, read } of filterParts) {
    const found = part === undefined || parts.includes(part) ? await read(words, context) : undefined;
    if (found) return found;
  }
  return undefined;
}

function together(filter: Filter, more: Filter): Filter {
  const { things, commands, states, kinds } = filter;
  return {
    ...filter,
    ...more,
    ...(things ? { things: [...things, ...(more.things ?? [])] } : {}),
    ...(commands ? { commands: [...commands, ...(more.commands ?? [])] } : {}),
    ...(states ? { states: [...states, ...(more.states ?? [])] } : {}),
    ...(kinds ? { kinds: [...kinds, ...(more.kinds ?? [])] } : {}),
    said: [...filter.said, ...more.said],
  };
}

/** Takes the words that are a part of one thing's name. */
async function withLikely(
  filter: Filter,
  left: readonly string[],
  parts: readonly FilterPart[],
  context: QueryContext,
): Promise<Filter | Problem> {
  if (left.length === 0) return filter;
  const whole = left.join(" ");
  const likely = async (text: string): Promise<Filter | undefined> => {
    const thing = parts.includes("things") ? await resolveThing(text, context) : undefined;
    return thing && !isProblem(thing) ? { things: [thing], said: [saidOf(thing)] } : undefined;
  };
  const found = await likely(whole);
  if (found) return together(filter, found);
  const each = await Promise.all(left.map(async (word) => ({ word, adds: await likely(word) })));
  const unread = each.filter(({ adds }) => adds === undefined).map(({ word }) => word);
  if (unread.length > 0) return notUnderstood(unread.join(" "), parts, context);
  return each.reduce((all, { adds }) => (adds ? together(all, adds) : all), filter);
}

async function notUnderstood(said: string, parts: readonly FilterPart[], context: QueryContext): Promise<Problem> {
  const near = await nearestTo(said, context, parts.includes("states") ? Object.keys(statesCalled) : []);
  const hint = near.length > 0 ? ` Did you mean ${near.map((name) => `“${name}”`).join(" or ")}?` : "";
  const known = parts.flatMap((part) => partWords[part] ?? []).join(", ");
  return {
    field: "which",
    problem: `I didn't understand “${said}”, so nothing is shown.${hint} The list can be narrowed by: ${known}.`,
  };
}

const partWords: Readonly<Partial<Record<FilterPart, string>>> = {
  mine: "mine",
  others: "others",
  person: "a person",
  things: "the id or name of what was changed",
  commands: "a command",
  states: "a state such as “failed”",
  since: "“since monday”",
  kinds: "a kind such as “accounts”",
  until: "“yesterday” or “between 9:00 and 11:00”",
};

/** What a list is narrowed to. Several things, commands or states stand for any of them. */
export interface Filter {
  readonly mine?: true;
  readonly others?: true;
  readonly changeId?: string;
  readonly ticket?: string;
  /** A Slack user id. */
  readonly person?: string;
  readonly things?: readonly Thing[];
  readonly commands?: readonly string[];
  readonly states?: readonly HistoryState[];
  /** In epoch ms. */
  readonly since?: number;
  readonly until?: number;
  /** Of the service. */
  readonly account?: string;
  /** Of what was changed. */
  readonly kinds?: readonly EntityKind[];
  /** Its parts in words. */
  readonly said: readonly string[];
}

/** “in eu”, “in the account eu”. */
function account(words: Words, { settings }: QueryContext): Reading {
  for (const length of [2, 3, 4]) {
    const found = words.length >= length ? accountIn(words.slice(0, length).join(" "), settings.accounts) : undefined;
    if (found?.rest === "") return { length, adds: { account: found.account, said: [`in ${found.account}`] } };
  }
  return undefined;
}

type FilterPart = Exclude<keyof Filter, "said">;

type Words = readonly string[];
interface Found {
  /** The number of words it takes. */
  readonly length: number;
  /** Nothing for a word that only joins others. */
  readonly adds?: Filter;
}
type Reading = Found | Problem | undefined;

/** The ways to read the next words, in order. */
const filterParts: readonly {
  readonly part: FilterPart | undefined;
  readonly read: (words: Words, context: QueryContext) => Reading | Promise<Reading>;
}[] = [
  { part: "account", read: (words, context) => account(words, context) },
  { part: "until", read: fromTo },
  { part: "since", read: ([word = "", ...rest], context) => (isSince(word) ? timeIn(rest, context, 1) : undefined) },
  { part: "mine", read: ([word = ""]) => mine(word) },
  { part: "others", read: ([word = ""]) => others(word) },
  { part: "changeId", read: ([word = ""]) => changeId(word) },
  { part: "ticket", read: ([word = ""], context) => ticket(word, context) },
  { part: "person", read: ([word = "", ...rest], context) => (isBy(word) ? personIn(rest, context, 1) : undefined) },
  { part: "things", read: ([word = "", ...rest], context) => (isBy(word) ? named(rest, context, 1) : undefined) },
  { part: "states", read: ([word = ""]) => state(word) },
  { part: "things", read: thingOfKind },
  { part: "things", read: ([word = "", ...rest], context) => (isAbout(word) ? named(rest, context, 1) : undefined) },
  { part: "kinds", read: ([word = ""]) => kindsIn(word) },
  { part: "commands", read: commandIn },
  { part: "person", read: personIn },
  { part: "things", read: (words, context) => named(words, context) },
  { part: "until", read: daysIn },
  { part: "since", read: timeIn },
  { part: undefined, read: ([word = ""]) => (joiners.has(word.toLowerCase()) ? { length: 1 } : undefined) },
];

const isSince = (word: string): boolean => /^(?:since|after|from)$/i.test(word);
const isAbout = (word: string): boolean => /^about$/i.test(word);
const isBy = (word: string): boolean => /^by$/i.test(word);
const joiners: ReadonlySet<string> = new Set(
  "about of on in for to and or that which are is was were the a all everybody everyone changes change exclusions".split(
    " ",
  ),
);

const mine = (word: string): Reading =>
  /^(?:mine|my|me|own)$/i.test(word) ? { length: 1, adds: { mine: true, said: ["mine"] } } : undefined;

const others = (word: string): Reading =>
  /^others?$/i.test(word) ? { length: 1, adds: { others: true, said: ["of others"] } } : undefined;

function changeId(word: string): Reading {
  const id = word.toLowerCase();
  return /^chg-[0-9a-z]+$/.test(id) ? { length: 1, adds: { changeId: id, said: [id] } } : undefined;
}

function ticket(word: string, { settings }: QueryContext): Reading {
  const patterns = (settings.require ?? []).flatMap((each) => each.ticket ?? []);
  const [found] = patterns.flatMap((pattern) => ticketIn({ pattern, url: settings.ticketUrl }, word) ?? []);
  return found === undefined ? undefined : { length: 1, adds: { ticket: found, said: [`for ${found}`] } };
}

const states = new Map<string, readonly HistoryState[]>(Object.entries(statesCalled));

function state(word: string): Reading {
  const named = states.get(word.toLowerCase());
  return named && { length: 1, adds: { states: named, said: [word.toLowerCase()] } };
}

/** The longest beginning of the words that can be read. */
async function longest(
  words: Words,
  most: number,
  read: (text: string, length: number) => Reading | Promise<Reading>,
): Promise<Reading> {
  for (let length = Math.min(most, words.length); length > 0; length--) {
    const found = await read(words.slice(0, length).join(" "), length);
    if (found) return found;
  }
  return undefined;
}

/** `before`: the words that were taken already. */
function timeIn(words: Words, { now, actor }: QueryContext, before = 0): Promise<Reading> {
  return longest(words, 4, (text, length) => {
    const since = readSince(text.split(" "), { now, zone: actor.timeZone });
    return since === undefined ? undefined : { length: before + length, adds: { since, said: [`since ${text}`] } };
  });
}

/** `yesterday`, `on monday`, `last night`: from its begin to its end. */
function daysIn(words: Words, { now, actor }: QueryContext): Promise<Reading> {
  return longest(words, 4, (text, length) => {
    const past = readPast(text.split(" "), { now, zone: actor.timeZone });
    const adds = past && {
      since: past.from,
      ...(past.to === undefined ? {} : { until: past.to }),
      said: [wordsOf(text, past.to)],
    };
    return adds && { length, adds };
  });
}

function wordsOf(text: string, to: number | undefined): string {
  if (/^(?:on|today|yesterday|this|last)\b/i.test(text)) return text;
  return `${to === undefined ? "since" : "on"} ${text}`;
}

/** `between monday and yesterday 12:00`, `from 9:00 to 11:00` */
async function fromTo([word = "", ...rest]: Words, context: QueryContext): Promise<Reading> {
  const joined = /^between$/i.test(word) ? /^and$/i : /^from$/i.test(word) ? /^(?:to|until|till)$/i : undefined;
  const at = joined ? rest.findIndex((each) => joined.test(each)) : -1;
  const reader = { now: context.now, zone: context.actor.timeZone };
  const from = at > 0 ? readSince(rest.slice(0, at), reader) : undefined;
  if (from === undefined) return undefined;
  return longest(rest.slice(at + 1), 4, (text, length) => {
    const past = readPast(text.split(" "), reader);
    const until = past && (isClock(text) ? past.from : (past.to ?? context.now));
    const all = [word, ...rest.slice(0, at + 1), text].join(" ");
    return until === undefined || until <= from
      ? undefined
      : { length: at + 2 + length, adds: { since: from, until, said: [all] } };
  });
}

/** A day means all of it, and a time of day that moment. */
const isClock = (text: string): boolean => /:\d\d$|[ap]m$|noon$|midday$|lunch(?:time)?$|\bat \d+$| ago$/i.test(text);

const kindsCalled: Readonly<Record<string, EntityKind>> = {
  ...{ accounts: "user", users: "user", exclusions: "exclusion", projects: "project", groups: "group" },
  ...{ actions: "action", plans: "plan", selectors: "selector", credentials: "credential", policies: "policy" },
};

function kindsIn(word: string): Reading {
  const kind = Object.hasOwn(kindsCalled, word.toLowerCase()) ? kindsCalled[word.toLowerCase()] : undefined;
  return kind && { length: 1, adds: { kinds: [kind], said: [`of ${word.toLowerCase()}`] } };
}

function commandIn(words: Words, context: QueryContext): Promise<Reading> {
  return longest(words, 3, (text, length) => {
    const commands = context.commandsCalled(text);
    return commands.length === 0 ? undefined : { length, adds: { commands, said: [text.toLowerCase()] } };
  });
}

function personIn(words: Words, context: QueryContext, before = 0): Promise<Reading> {
  return longest(words, 3, async (text, length) => {
    const person = await personNamed(text, context);
    if (!person || isProblem(person)) return person;
    return { length: before + length, adds: { person: person.userId, said: [`by ${person.name}`] } };
  });
}

const kinds: ReadonlySet<string> = new Set<EntityKind>([
  ...(["action", "credential", "exclusion", "group", "plan", "policy", "project", "selector", "user"] as const),
]);

/** A thing after its kind: "user bob", who may be a person who asks for changes too. */
async function thingOfKind([word = "", ...rest]: Words, context: QueryContext): Promise<Reading> {
  const kind = word.toLowerCase();
  return kinds.has(kind) ? named(rest, context, 1, (thing) => kindOf(thing) === kind) : undefined;
}

/** "in Development", "of staging". */
const saidOf = ({ kind, name }: Thing): string => `${kind === "project" ? "in" : "of"} ${name}`;

const kindOf = (thing: Thing): string => (thing.kind === "resources" ? "group" : thing.kind);

function named(
  words: Words,
  context: QueryContext,
  before = 0,
  isMeant: (thing: Thing) => boolean = () => true,
): Promise<Reading> {
  return longest(words, 6, async (text, length) => {
    const byName = (await thingsNamed(text, context)).filter(isMeant);
    const resources = byName.length === 0 && length === 1 && before === 0 && (await resourcesNamed(text, context));
    if (resources && isProblem(resources)) return resources;
    const things = resources ? [resources] : byName;
    const [first] = things;
    return first && { length: before + length, adds: { things, said: [saidOf(first)] } };
  });
}

type PersonContext = Pick<QueryContext, "actor" | "personIn" | "requesters" | "roles">;

/** Somebody who asked for changes, by a mention, or by their name or a word of it. Who holds no role finds only themselves. */
export async function personNamed(text: string, context: PersonContext): Promise<Person | Problem | undefined> {
  const [, mentioned, label] = /^<@([^|>]+)(?:\|([^>]*))?>$/.exec(text) ?? [];
  if (mentioned !== undefined)
    return { userId: mentioned, name: label || ((await context.personIn(mentioned))?.name ?? mentioned) };
  const said = text.replace(/^@/, "").toLowerCase();
  const { actor, roles } = context;
  const known = roles.length === 0 ? [{ userId: actor.userId, name: actor.name }] : await context.requesters();
  const named = known.filter(({ name, userId }) => name.toLowerCase() === said || userId.toLowerCase() === said);
  const found = named.length > 0 ? named : known.filter(({ name }) => name.toLowerCase().split(/\s+/).includes(said));
  const [person, ...others] = found;
  if (!person || others.length === 0) return person;
  const names = found.map(({ name, userId }) => `${name} (${userId})`).join(", ");
  return { problem: `“${text}” could be more than one person: ${names}. Mention the one you mean.` };
}

/** The changes of any of these things. */
export function changesOf(things: readonly Thing[]): HistorySubjects {
  return {
    subjects: things.flatMap((thing): HistorySubjects["subjects"] => {
      if (thing.kind !== "resources") return [{ kind: thing.kind, id: thing.id }];
      return thing.group === undefined ? [] : [{ kind: "group", id: thing.group.toLowerCase() }];
    }),
    resourceIds: things.flatMap((thing) => (thing.kind === "resources" ? thing.ids : [])),
  };
}
