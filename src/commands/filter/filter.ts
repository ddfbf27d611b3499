import { statesCalled } from "../about-changes/about-changes.ts";
import { isProblem, type Problem } from "../answer.ts";
import type { QueryContext } from "../command.ts";
import { nearestTo, resolveThing } from "../thing.ts";
import { type Filter, type FilterPart, filterParts, saidOf } from "./filter-parts.ts";

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
