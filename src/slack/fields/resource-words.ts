import { resourceWords } from "../../commands/exclusion/exclusion-body.ts";
import type { Input, ResourceIdsField } from "../../commands/field.ts";
import { knownMachines, mayKnowPlace } from "../../commands/lookup/may-see.ts";
import { inTheirAccounts } from "../../directory/across-accounts.ts";
import type { PlacedDirectory, ResourceGroup } from "../../directory/directory.ts";
import {
  type FoundResource,
  fixedForms,
  machinesNamed,
  type ResourcePlace,
  resourcesInWord,
  resourceTypeNamed,
  typesByForm,
} from "../../directory/resources.ts";
import { nearNameIn } from "../../language/nearest-word.ts";
import { list } from "../../permissions/config-values.ts";
import { accountOf, canonicalId } from "../../service/account-ids.ts";
import type { ResourceType } from "../../service/resources.ts";
import { oncePer } from "../../time/once-per.ts";
import { shownAs } from "../forms/form-meta.ts";
import { clip, limits } from "../messages/text.ts";
import type { ChoiceOption, ReadingContext } from "./field-kind.ts";
import { unwrapLinks, withoutInvisible } from "./plain-letters.ts";

/** What a typed word stands for. */
export type WordMeaning =
  | {
      /** `name`: a free name, accepted for its type. */
      readonly kind: "form" | "group" | "machine" | "known" | "name";
      readonly ids: readonly string[];
      readonly type: ResourceType | undefined;
      /** The project of a group. */
      readonly project?: string;
    }
  | { readonly kind: "unknown"; readonly ids: readonly string[] };

/** Splits at blanks and at most signs, but never inside a web address, which Slack may have put into angle brackets. */
export function wordsIn(text: string): readonly string[] {
  const chunks = unwrapLinks(withoutInvisible(text))
    .split(/\s+/)
    .flatMap((chunk) => chunk.split(/(?=https?:\/\/)/i));
  const words = chunks.flatMap((chunk) =>
    /^https?:\/\//i.test(chunk) ? [withoutSigns(chunk)] : chunk.split(/[,;|"'`“”„‘’]+/),
  );
  return [...new Set(words)].filter(Boolean);
}

/** By hand, since a regular expression would try each place where these characters occur. */
function withoutSigns(address: string): string {
  let end = address.length;
  while (end > 0 && ",;|\"'`“”„‘’".includes(address[end - 1] ?? "")) end--;
  return address.slice(0, end);
}

export interface WordsRead {
  readonly meanings: ReadonlyMap<string, WordMeaning>;
  /** The type that was given, or that the edited thing has. */
  readonly type: ResourceType | undefined;
}

/** The meaning of each word, or why one cannot be used. */
export async function meaningsOf(
  field: ResourceIdsField,
  words: readonly string[],
  context: ReadingContext,
): Promise<WordsRead | { readonly problem: string }> {
  const given = givenType(field, context.given);
  const edited = await editedThing(field, context);
  const type = given ?? edited.type;
  const { accounts } = context.settings;
  const found = new Map(words.map((word) => [word, resourcesInWord(word, accounts)]));
  const plain = words.filter((word) => found.get(word)?.length === 0);
  const asName = await nameReader(
    plain.map((word) => canonicalId(word, accounts)),
    type,
    edited.ids,
    context.directory,
  );
  const meanings = new Map<string, WordMeaning>();
  for (const word of words) {
    const meant =
      byForm(word, found.get(word) ?? [], type) ??
      (await asGroup(word, field, context)) ??
      asMachine(asName(canonicalId(word, accounts)), word, field, context);
    if ("problem" in meant) return meant;
    meanings.set(word, meant);
  }
  if (Object.keys(accounts).length === 0) return { meanings, type };
  const placed = await placedWords(meanings, field, context);
  return "problem" in placed ? placed : { meanings: placed, type };
}

/** With several accounts, a machine that is known nowhere goes with the project, the edited thing or the channel. Groups are certain. */
async function placedWords(
  meanings: ReadonlyMap<string, WordMeaning>,
  { placedBy = "", of }: ResourceIdsField,
  context: ReadingContext,
): Promise<ReadonlyMap<string, WordMeaning> | { readonly problem: string }> {
  const { directory, settings, channelId, given = {} } = context;
  const { accounts, channels } = settings;
  const said = [given[placedBy], given[of?.field ?? ""]].find((id) => typeof id === "string");
  const at = accountOf(String(said ?? channels[channelId ?? ""]?.project ?? ""));
  const typed = new Map([...meanings].flatMap(([word, { kind, ids }]) => (kind === "group" ? [] : [[word, ids]])));
  const placed = await inTheirAccounts(typed, directory, accounts, mayKnowPlace(context), {
    at,
    isSaid: said !== undefined,
  });
  if ("problem" in placed) return placed;
  return new Map([...meanings].map(([word, meant]) => [word, { ...meant, ids: placed.get(word) ?? meant.ids }]));
}

function givenType({ typedBy }: ResourceIdsField, given: Input = {}): ResourceType | undefined {
  const type = typedBy === undefined ? undefined : given[typedBy];
  return typeof type === "string" ? resourceTypeNamed(type) : undefined;
}

/**
 * A word that its form explains. An ARN stays whole where it contradicts the given type, so that the change is refused for it, or where
 * it leaves the type open.
 */
function byForm(
  word: string,
  found: readonly FoundResource[],
  given: ResourceType | undefined,
): WordMeaning | { readonly problem: string } | undefined {
  if (found.length === 0) return undefined;
  const types = [...new Set(found.flatMap(({ type }) => type ?? typesByForm(word)))];
  const type = types.length === 1 ? resourceTypeNamed(types[0]) : undefined;
  const isClear = given === undefined ? type !== undefined : types.includes(given);
  if (isClear || found.every(({ id }) => id === word)) return { kind: "form", ids: found.map(({ id }) => id), type };
  if (/^arn:/i.test(word)) return { kind: "form", ids: [word], type };
  const named = `“${clip(word, 200)}”`;
  return {
    problem:
      given === undefined
        ? `${named} names resources of several types: give those of one type.`
        : `${named} is ${types.join(" or ")}, and this says ${given}.`,
  };
}

/** The type and the resources of the edited thing, which need not be given again. */
async function editedThing(
  { of }: ResourceIdsField,
  { given = {}, directory }: ReadingContext,
): Promise<{ readonly type: ResourceType | undefined; readonly ids: readonly string[] }> {
  const id = of && given[of.field];
  const thing = typeof id === "string" && of ? await directory.get(of.kind, id) : undefined;
  return { type: resourceTypeNamed(thing?.body.resourceType), ids: thing?.body.resourceIds ?? [] };
}

/**
 * Reads a word as the name of a resource. It needs a type with free names, or must have been seen before. Exclusions prove nothing about a
 * type whose ids have a fixed form.
 */
async function nameReader(
  words: readonly string[],
  type: ResourceType | undefined,
  present: readonly string[],
  { placesOf }: PlacedDirectory,
): Promise<(word: string) => WordMeaning> {
  const places = await placesOf(words);
  const isProof = ({ source, types }: ResourcePlace) =>
    source !== "form" && (source !== "exclusion" || types.some((each) => !fixedForms.has(each)));
  const seen = new Set([...present, ...places.filter(isProof).map(({ id }) => id)]);
  const form = type && fixedForms.get(type);
  return (word) => {
    if (form?.pattern.test(word)) return { kind: "known", ids: [word], type };
    if (seen.has(word)) return { kind: "known", ids: [word], type };
    return type && !form && isFreeName(word) ? { kind: "name", ids: [word], type } : { kind: "unknown", ids: [word] };
  };
}

/** Paths and addresses that no form explains are no names. */
const isFreeName = (word: string): boolean => /^[a-z0-9][\w.:/-]*$/i.test(word) && !/^(?:arn:|https?:)/i.test(word);

/** An id by its form wins over a group. So does a given type or project that is not the group's. */
async function asGroup(
  word: string,
  field: ResourceIdsField,
  context: ReadingContext,
): Promise<WordMeaning | { readonly problem: string } | undefined> {
  const group = groupNamed(word, context.settings.resourceGroups);
  const { shown, given = {} } = context;
  const was = shown ? shownAs(shown, word, group?.ids) : "nothing";
  const wasGroup = was === "this group" || was === "another group";
  const isMachine = machinesNamed(context.directory.machines(), word).length > 0;
  if (!group) return wasGroup && shown?.isSent && !isMachine ? changed(word, "is no longer a group") : undefined;
  if (shown?.isSent && (was === "an id" || was === "another group"))
    return changed(word, `now means ${resourceWords(group.ids)}`);
  const [type, project] = [field.typedBy, field.placedBy].map((name) => (name === undefined ? undefined : given[name]));
  const isOther = (type !== undefined && type !== group.type) || (project !== undefined && project !== group.project);
  if (isOther) return wasGroup ? { problem: otherThan(word, group) } : undefined;
  const isPlaceGiven = field.placedBy !== undefined && type !== undefined && project !== undefined;
  return idOrGroup(word, group, isPlaceGiven && !wasGroup, context);
}

/** An imported machine of the given type and project that the requester may know, by its name. A known id wins over it. */
function asMachine(
  named: WordMeaning,
  word: string,
  { typedBy, placedBy }: ResourceIdsField,
  context: ReadingContext,
): WordMeaning | { readonly problem: string } {
  const { shown, given = {} } = context;
  const [type, project] = [typedBy, placedBy].map((name) => (name === undefined ? undefined : given[name]));
  const machines = knownMachines(word, context).filter(
    (each) => (type ?? each.type) === each.type && (project ?? each.project) === each.project,
  );
  const [machine, ...others] = machines;
  if (!machine || named.kind === "known") return named;
  if (others.length > 0) {
    const each = machines.map(({ id, project: place }) => `${id} in ${place}`);
    return { problem: `“${word}” is the name of ${list(each)}. Give the id of the one that you mean.` };
  }
  if (shown?.isSent && shownAs(shown, word, [machine.id]) === "another group")
    return changed(word, `now means ${machine.id}`);
  return { kind: "machine", ids: [machine.id], type: machine.type, project: machine.project };
}

/**
 * A group of the config file wins over every id but those of other such groups. A saved group is ambiguous when a known id has its
 * name, or when type and project are given.
 */
async function idOrGroup(
  word: string,
  { ids, type, project, isSaved }: ResourceGroup,
  isPlaceGiven: boolean,
  { directory }: ReadingContext,
): Promise<WordMeaning | { readonly problem: string }> {
  const places = (await directory.placesOf([word])).filter(
    ({ source, name, isPast }) => !isPast && !(name?.toLowerCase() === word.toLowerCase() && source !== "exclusion"),
  );
  if (places.some(({ source }) => source === "config" || (isSaved && source === "group")))
    return { kind: "known", ids: [word], type: undefined };
  if (isSaved && (isPlaceGiven || places.length > 0)) return { problem: couldBeBoth(word, ids) };
  return { kind: "group", ids, type, project };
}

const changed = (word: string, how: string) => ({
  problem: `The group changed: “${word}” ${how}, unlike when this form was shown. Nothing was changed: close the form and open it again.`,
});

export const otherThan = (word: string, { type, project }: ResourceGroup): string =>
  `The group “${word}” has the type ${type} and the project ${project}: choose those, or give other ids.`;

const couldBeBoth = (word: string, ids: readonly string[]): string =>
  `“${word}” could be a resource, or the saved group of the same name. Give the group's ids (${resourceWords(ids, 10)}). Or give the resource's full ARN, or delete the group.`;

type Groups = Readonly<Record<string, ResourceGroup>>;

export const groupNamed = (name: string, groups: Groups): ResourceGroup | undefined =>
  byName(groups).get(name.toLowerCase());

/** Each of many words may be a group. The first of those with one name counts. */
const byName = oncePer((groups: Groups) => {
  const last = Object.entries(groups).toReversed();
  return new Map(last.map(([name, group]) => [name.toLowerCase(), group]));
});

/** The groups that fit the given type and project. */
export function groupsFor({ typedBy, placedBy }: ResourceIdsField, groups: Groups, given: Input = {}): Groups {
  const [type, project] = [typedBy, placedBy].map((name) => (name === undefined ? undefined : given[name]));
  const fitting = Object.entries(groups).filter(
    ([, group]) => (type === undefined || type === group.type) && (project === undefined || project === group.project),
  );
  return Object.fromEntries(fitting);
}

/** More would not be read. */
const maxOptions = 4;
/** Comparing many words with many groups takes a while, and nobody mistypes that many. */
const maxUnknown = 10;
/** Leaves room for a group's name. */
const maxIdsLength = 30;

/** Says that a thing is a machine, and nothing more. */
const nouns: ReadonlySet<string> = new Set(
  "server servers machine machines instance instances vm vms box boxes host hosts node nodes group".split(" "),
);

/**
 * The groups that unknown words may mean: one by all words ("web servers" as web-servers), one by all but nouns, or one for each word.
 * Each option has the ids of the whole line. None where an unknown word is near no group.
 */
export function groupOptions({ meanings }: WordsRead, groups: Groups): readonly ChoiceOption[] {
  const isName = ({ kind }: WordMeaning) => kind === "unknown" || kind === "group";
  const names = [...meanings].filter(([, meant]) => isName(meant));
  const rest = [...meanings].filter(([, meant]) => !isName(meant));
  if (names.filter(([, { kind }]) => kind === "unknown").length > maxUnknown) return [];
  const findNear = nearNameIn(Object.keys(groups));
  const telling = names.filter(([word, { kind }]) => !(kind === "unknown" && nouns.has(word.toLowerCase())));
  const whole = [names, telling].flatMap((words) => {
    const near = words.length === 0 ? undefined : findNear(words.map(([word]) => word).join(""));
    return near === undefined ? [] : [[near]];
  });
  const each = names.map(([word, { kind }]) => (kind === "unknown" ? findNear(word) : word));
  const known = each.filter((group) => group !== undefined);
  const readings = [...whole, ...(known.length === each.length ? [[...new Set(known)]] : [])];
  const beside =
    rest.length > 0
      ? [
          clip(
            resourceWords(
              rest.map(([word]) => word),
              2,
            ),
            maxIdsLength,
          ),
        ]
      : [];
  const labelled = new Map(readings.map((named) => [[...beside, ...named].join(" and "), named]));
  return [...labelled].slice(0, maxOptions).map(([label, named]) => {
    const ids = [
      ...rest.flatMap(([, meant]) => meant.ids),
      ...named.flatMap((name) => groupNamed(name, groups)?.ids ?? []),
    ];
    return { label: clip(label, limits.buttonText), value: [...new Set(ids)] };
  });
}
