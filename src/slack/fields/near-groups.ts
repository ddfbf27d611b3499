import { resourceWords } from "../../commands/exclusion/exclusion-body.ts";
import type { Input, ResourceIdsField } from "../../commands/field.ts";
import type { ResourceGroup } from "../../directory/directory.ts";
import { type FindNear, nearNameIn } from "../../language/nearest-word.ts";
import { clip, limits } from "../messages/message.ts";
import type { ChoiceOption } from "./field-kind.ts";

export type Groups = Readonly<Record<string, ResourceGroup>>;

export function groupNamed(name: string, groups: Groups): ResourceGroup | undefined {
  const known = byName.get(groups) ?? indexed(groups);
  byName.set(groups, known);
  return known.get(name.toLowerCase());
}

/** Cached: each of many words may be a group. */
const byName = new WeakMap<Groups, ReadonlyMap<string, ResourceGroup>>();

/** The first of those with one name counts. */
const indexed = (groups: Groups): ReadonlyMap<string, ResourceGroup> =>
  new Map(
    Object.entries(groups)
      .toReversed()
      .map(([name, group]) => [name.toLowerCase(), group]),
  );

/** The groups that fit the given type and project. */
export function groupsFor({ typedBy, placedBy }: ResourceIdsField, groups: Groups, given: Input = {}): Groups {
  const [type, project] = [typedBy, placedBy].map((name) => (name === undefined ? undefined : given[name]));
  const fitting = Object.entries(groups).filter(
    ([, group]) => (type === undefined || type === group.type) && (project === undefined || project === group.project),
  );
  return Object.fromEntries(fitting);
}

/** A word of the line, with the ids that it stands for. */
export interface LineWord {
  readonly word: string;
  readonly ids: readonly string[];
  readonly isUnknown: boolean;
  readonly isGroup: boolean;
}

/** More would not be read. */
const maxOptions = 4;
/** Comparing many words with many groups takes a while, and nobody mistypes that many. */
const maxUnknown = 10;

/**
 * The readings of a line with unknown words as groups: "web servers" as web-servers, or as web. Each has the ids of the whole line. None
 * where an unknown word is near no group.
 */
export function groupOptions(words: readonly LineWord[], groups: Groups): readonly ChoiceOption[] {
  if (words.filter(({ isUnknown }) => isUnknown).length > maxUnknown) return [];
  const findNear = nearNameIn(Object.keys(groups));
  const parts: (readonly Meant[])[] = [];
  for (const { words: run, isOpen } of partsOf(words)) {
    const readings = isOpen ? readingsOf(run, groups, findNear) : [asItIs(run)];
    if (readings.length === 0) return [];
    parts.push(readings);
  }
  const first = parts.find((readings) => readings.length !== 1) ?? parts[0] ?? [];
  return first.slice(0, maxOptions).map((chosen) => {
    const meant = parts.flatMap((readings) => (readings === first ? chosen : (readings[0] ?? [])));
    const label = clip(meant.map((each) => each.label).join(" and "), limits.buttonText);
    return { label, value: [...new Set(meant.flatMap(({ ids }) => ids))] };
  });
}

interface Meant {
  readonly label: string;
  readonly ids: readonly string[];
}

const asItIs = (run: readonly LineWord[]): Meant => ({
  label: clip(
    resourceWords(
      run.map(({ word }) => word),
      2,
    ),
    maxIdsLength,
  ),
  ids: run.flatMap(({ ids }) => ids),
});

/** Leaves room for a group's name. */
const maxIdsLength = 30;

interface Part {
  readonly words: readonly LineWord[];
  /** Holds an unknown word. */
  readonly isOpen: boolean;
}

/** Runs of unknown words and groups, which may be one name together, and what is between them. */
function partsOf(words: readonly LineWord[]): readonly Part[] {
  const runs: LineWord[][] = [];
  let wasName: boolean | undefined;
  for (const word of words) {
    const isName = word.isUnknown || word.isGroup;
    if (isName === wasName) runs.at(-1)?.push(word);
    else runs.push([word]);
    wasName = isName;
  }
  return runs.map((run) => ({ words: run, isOpen: run.some(({ isUnknown }) => isUnknown) }));
}

/** Says that a thing is a machine, and nothing more. */
const nouns: ReadonlySet<string> = new Set(
  "server servers machine machines instance instances vm vms box boxes host hosts node nodes group".split(" "),
);

/** The groups that a run of words may mean: one by all words, one by all but nouns, or one for each word. */
function readingsOf(run: readonly LineWord[], groups: Groups, findNear: FindNear): readonly Meant[] {
  const named = (group: string): Meant => ({ label: group, ids: groupNamed(group, groups)?.ids ?? [] });
  const telling = run.filter(({ word, isUnknown }) => !(isUnknown && nouns.has(word.toLowerCase())));
  const whole = [run, telling].flatMap((words) => {
    const typed = words.map(({ word }) => word).join("");
    return typed === "" ? [] : (findNear(typed) ?? []);
  });
  const all = eachNear(run, findNear).map(named);
  const together = all.length > 0 ? [{ label: joined(all), ids: all.flatMap(({ ids }) => ids) }] : [];
  const readings = [...[...new Set(whole)].map(named), ...together];
  return [...new Map(readings.map((reading) => [reading.label, reading])).values()];
}

/** A group for each word; none if a word is near no group. */
function eachNear(run: readonly LineWord[], findNear: FindNear): readonly string[] {
  const found = new Set<string>();
  for (const { word, isUnknown } of run) {
    const group = isUnknown ? findNear(word) : word;
    if (group === undefined) return [];
    found.add(group);
  }
  return [...found];
}

const joined = (all: readonly Meant[]): string => all.map(({ label }) => label).join(" and ");
