import { isProblem, type Problem } from "../../../commands/answer.ts";
import type { Command } from "../../../commands/command.ts";
import {
  actionAsThing,
  type ChosenThing,
  groupsAndMachines,
  keyOf,
  readKey,
  thingsChosen,
  wordsChosen,
} from "../../../commands/exclusion/chosen-things.ts";
import { followingFrom, groupOf, isResourceId } from "../../../commands/exclusion/resource-context.ts";
import { actionsCalled } from "../../../commands/exclusion/skip.ts";
import type { ResourceIdsField, ThingsField } from "../../../commands/field.ts";
import type { CommandSettings } from "../../../commands/query-ports.ts";
import { groupsListing } from "../../../directory/group-index.ts";
import { fixedForms, typeWords } from "../../../directory/resources.ts";
import { nearNameIn } from "../../../language/nearest-word.ts";
import { actionsNamed } from "../../../service/action-types.ts";
import { maxGrouped, maxResources } from "../../../service/resources.ts";
import { parseDuration } from "../../../time/duration.ts";
import { clip, cut, limits } from "../../messages/text.ts";
import {
  type FieldKind,
  missing,
  plainText,
  problem,
  type Reading,
  type ReadingContext,
  typedInput,
  value,
} from "../field-kind.ts";
import { oddLetters } from "../plain-letters.ts";
import {
  groupNamed,
  groupOptions,
  groupsFor,
  meaningsOf,
  otherThan,
  type WordMeaning,
  type WordsRead,
  wordsIn,
} from "../resource-words.ts";
import { optionFor } from "./reference.ts";

export const resourceIdsKind: FieldKind<ResourceIdsField> = {
  usage: () => "<id or group>…",
  example: ({ positional }) => (positional === "rest" ? "i-0a1 i-0a2" : "i-0a1"),
  fromLine: async (field, words, context) => read(field, words.map((word) => word.value).join("\n"), context),
  draw: async ({ redraws }, { value: ids, typed = "" }, context) => ({
    ...typedInput(Array.isArray(ids) ? idsTyped(ids, context) : typed),
    multiline: true,
    placeholder: plainText("i-0a1, i-0a2"),
    ...(redraws ? { dispatch_action_config: { trigger_actions_on: ["on_character_entered"] } } : {}),
  }),
  fromState: async (field, state, context) => {
    const chosen = await wordsChosen(context.given?.[field.chosenIn ?? ""], context);
    return read(field, [...chosen, state.value ?? ""].join("\n"), context);
  },
};

/**
 * Reads ids with any separator, each once and in order; addresses and paths that hold ids count as these. The name of a resource group
 * stands for its ids, unless it is an id itself. Any other word is no id, and never taken for one.
 */
async function read(field: ResourceIdsField, text: string, context: ReadingContext): Promise<Reading> {
  const { resourceGroups } = context.settings;
  const words = wordsIn(text);
  // Checked first: looking at each word takes a while.
  if (words.length > maxResources) return problem(tooMany(words.length, maxResources));
  const meant = await meaningsOf(field, words, context);
  if ("problem" in meant) return problem(meant.problem);
  const read = { ...meant, meanings: withoutGroupNoun(meant.meanings) };
  const all = [...read.meanings];
  const ids = [...new Set(all.flatMap(([, meant]) => meant.ids))];
  if (ids.length === 0) return missing;
  const wrong = problemWith(words, ids, resourceGroups, mostOf(field));
  if (wrong !== undefined) return problem(wrong);
  if (all.some(([, { kind }]) => kind === "unknown"))
    return (await groupsOfAction(field, text, context)) ?? withUnknownWords(field, read, context);
  const ofGroups = groupProject(field, read, context);
  if (isProblem(ofGroups)) return problem(ofGroups.problem);
  const opaque = all.filter(([, { kind }]) => kind !== "form");
  const suggestion = suggestedGroup(
    opaque.map(([word]) => word).filter((word) => !isResourceId(word, resourceGroups)),
    resourceGroups,
  );
  return {
    kind: "value",
    value: ids,
    ...(opaque.length > 0 ? { meanings: new Map(opaque.map(([word, meant]) => [word.toLowerCase(), meant.ids])) } : {}),
    ...(suggestion ? { suggestion } : {}),
    ...implied(field, read, ofGroups),
    ...newNames(read),
  };
}

/** Beside a group's name, `group` says only what the name is: "the web group". */
function withoutGroupNoun(meanings: WordsRead["meanings"]): WordsRead["meanings"] {
  const isNamed = [...meanings.values()].some(({ kind }) => kind === "group");
  const isNoun = (word: string, { kind }: WordMeaning) => kind === "unknown" && /^groups?$/i.test(word);
  return isNamed ? new Map([...meanings].filter(([word, meant]) => !isNoun(word, meant))) : meanings;
}

const tooMany = (count: number, most: number): string => `That is ${count} resources; at most ${most} are allowed.`;

type Groups = CommandSettings["resourceGroups"];

/** More ids than fit an input are written as the name of their group. */
function idsTyped(ids: readonly string[], { settings }: Pick<ReadingContext, "settings">): string {
  const text = ids.join(", ");
  return text.length <= limits.inputText ? text : (groupOf(ids, settings.resourceGroups) ?? text);
}

function tooLarge(words: readonly string[], groups: Groups, most: number): string | undefined {
  const group = words.find((word) => (groupNamed(word, groups)?.ids.length ?? 0) > most);
  if (group === undefined) return undefined;
  return `The group ${group} has ${groupNamed(group, groups)?.ids.length} machines, and at most ${most} are allowed here. Name a smaller group, or some of its machines. Those who run Curfew can make smaller groups of it.`;
}

/** What is kept may be several exclusions (changes/steps/parts.ts). */
const mostOf = ({ chosenIn }: ResourceIdsField): number => (chosenIn === undefined ? maxResources : maxGrouped);

function problemWith(
  words: readonly string[],
  ids: readonly string[],
  groups: Groups,
  most: number,
): string | undefined {
  if (ids.length > most) return tooLarge(words, groups, most) ?? tooMany(ids.length, most);
  const length = words.find((word) => /^\d/.test(word) && parseDuration(word).kind === "duration");
  if (length !== undefined) return `“${length}” is a length of time, not a resource id. Did you mean “for ${length}”?`;
  const odd = ids.find((id) => /[<>&\p{Cc}]/u.test(id));
  if (odd !== undefined) return `“${odd}” does not look like a resource id.`;
  return ids
    .filter((id) => groupsListing(id, groups).length === 0)
    .map(oddLetters)
    .find(Boolean);
}

/** Names the words that are nothing, and offers the groups that they may mean. */
function withUnknownWords(field: ResourceIdsField, { meanings, type }: WordsRead, context: ReadingContext): Reading {
  const groups = context.settings.resourceGroups;
  const unknown = [...meanings].flatMap(([word, { kind }]) => (kind === "unknown" ? [word] : []));
  for (const word of unknown) {
    const group = groupNamed(word, groups);
    if (group) return problem(otherThan(word, group));
  }
  const options = groupOptions({ meanings, type }, groupsFor(field, groups, context.given));
  const form = type && fixedForms.get(type);
  const isTypeOpen = field.typedBy !== undefined && type === undefined;
  const why =
    type && form
      ? notOfForm(unknown, typeWords[type], form.example)
      : `${dontKnow(unknown)}${isTypeOpen ? orType : ""}`;
  if (options.length === 0) return problem(why);
  const meant = options.map(({ label }) => `“${label}”`).join(" or ");
  return { kind: "choice", text: `${why} Nothing was changed. Did you mean ${meant}?`, options };
}

const orType = " If it names a machine, say its type too.";

const shownWords = 5;

const listed = (words: readonly string[]): string => {
  const shown = words.slice(0, shownWords).map((word) => `“${cut(word, 100)}”`);
  const last = words.length > shown.length ? `${words.length - shown.length} more` : shown.pop();
  return shown.length > 0 ? `${shown.join(", ")} and ${last}` : `${last}`;
};

const dontKnow = (words: readonly string[]): string => `I don't know ${listed(words)}.`;

function notOfForm(words: readonly string[], type: string, example: string): string {
  const [is, ids] = words.length === 1 ? ["is", `an ${type} id`] : ["are", `${type} ids`];
  return `${listed(words)} ${is} not ${ids}: those look like ${example}.`;
}

/**
 * The project of the named groups, unless it is given or follows from their ids. Ids of some types are names, which groups of
 * several projects may hold.
 */
function groupProject(
  { placedBy }: ResourceIdsField,
  { meanings }: WordsRead,
  { given = {}, settings }: ReadingContext,
): { readonly project?: string | undefined } | Problem {
  if (placedBy === undefined || given[placedBy] !== undefined) return {};
  const groups = [...meanings].flatMap(([word, meant]) =>
    meant.kind === "group" ? [{ word, ids: meant.ids, project: meant.project }] : [],
  );
  const [first] = groups;
  const other = groups.find(({ project }) => project !== first?.project);
  if (first && other)
    return {
      problem: `“${first.word}” is of the project ${first.project}, and “${other.word}” of ${other.project}: give groups of one project.`,
    };
  const ids = groups.flatMap((group) => group.ids);
  // It says nothing about what stands beside it.
  if (groups.length < meanings.size) return {};
  return followingFrom(ids, settings.resourceGroups).project === undefined ? { project: first?.project } : {};
}

/** The type of all words, where their forms and groups tell: the id of a database no longer tells it without its ARN. */
function implied(
  { typedBy, placedBy }: ResourceIdsField,
  { meanings, type: known }: WordsRead,
  { project }: { readonly project?: string | undefined },
) {
  const types = new Set([...meanings.values()].map((meant) => ("type" in meant ? meant.type : undefined)));
  const [type] = types.size === 1 && known === undefined ? types : [];
  const values = {
    ...(typedBy !== undefined && type !== undefined ? { [typedBy]: type } : {}),
    ...(placedBy !== undefined && project !== undefined ? { [placedBy]: project } : {}),
  };
  return Object.keys(values).length > 0 ? { implied: values } : {};
}

/** Free names that could be ordinary words. */
function newNames({ meanings, type }: WordsRead) {
  const isWord = (word: string, { kind }: WordMeaning) => kind === "name" && !/\d/.test(word);
  const names = [...meanings].flatMap(([word, meant]) => (isWord(word, meant) ? [word] : []));
  return type && names.length > 0 ? { newNames: { names, type } } : {};
}

/** A name that is neither a group nor shaped like an id may be a mistyped group. */
function suggestedGroup(names: readonly string[], groups: Groups): string | undefined {
  const findNear = nearNameIn(Object.keys(groups));
  for (const name of names) {
    const near = groupNamed(name, groups) ? undefined : findNear(name);
    if (near !== undefined)
      return `There is no group “${name}”. Did you mean the group “${near}”? If it is a resource, give its type and project.`;
  }
  return undefined;
}

/** More would not be read. */
const maxOptions = 5;

/** The machines of an action, where the words are its name or id: those of the groups that name it. Undefined for other words. */
async function groupsOfAction(
  field: ResourceIdsField,
  text: string,
  context: ReadingContext,
): Promise<Reading | undefined> {
  if (field.placedBy === undefined || field.typedBy === undefined) return undefined;
  const said = text.split(/\s+/).filter(Boolean).join(" ");
  const { settings, given } = context;
  const actions = await actionsCalled(said, context);
  const [action] = actions;
  if (!action) return undefined;
  const bodies = actions.map(({ body }) => body);
  const groups = Object.entries(groupsFor(field, settings.resourceGroups, given)).filter(
    ([, group]) => actionsNamed(group, bodies).length > 0,
  );
  const [first, ...others] = groups;
  const name = clip(action.name ?? action.id, limits.buttonText);
  if (!first)
    return problem(
      `“${name}” is an action, and no group names its machines. Give their ids, or name them by “group save”.`,
    );
  if (others.length === 0) {
    const [, { ids, type, project }] = first;
    return { kind: "value", value: [...ids], implied: { [field.typedBy]: type, [field.placedBy]: project } };
  }
  return {
    kind: "choice",
    text: `“${name}” is an action of several groups. Nothing was changed. Which one do you mean?`,
    options: groups.slice(0, maxOptions).map(([label, { ids }]) => ({ label, value: [...ids] })),
  };
}

/** More fill no form; each needs look-ups. */
const maxChosen = 20;

/** Groups, machines and actions by name, several at once. Only a form has it: a line names the same things in its words. */
export const thingsKind: FieldKind<ThingsField> = {
  usage: () => "",
  example: () => "",
  fromLine: async () => missing,
  draw: async (_field, { value: keys }, { directory }) => {
    const read = (Array.isArray(keys) ? keys : []).flatMap((key) => readKey(String(key)) ?? []).slice(0, maxChosen);
    const options = await Promise.all(
      read.map(async ({ kind, id }) => {
        const name = kind === "action" ? ((await directory.get("action", id))?.name ?? id) : id;
        return optionFor({ id: keyOf({ kind, id }), name }, kind);
      }),
    );
    return {
      type: "multi_external_select",
      action_id: "reference:thing",
      min_query_length: 0,
      max_selected_items: maxChosen,
      placeholder: plainText("Groups, machines, actions"),
      ...(options.length > 0 ? { initial_options: options } : {}),
    };
  },
  fromState: async (_field, { selected_options }, context) => {
    const keys = (selected_options ?? []).map((option) => option.value);
    if (keys.length === 0) return missing;
    if (keys.length > maxChosen) return problem(`That is ${keys.length}; at most ${maxChosen} can be chosen.`);
    const things = await thingsChosen(keys, context);
    return isProblem(things) ? problem(things.problem) : value([...new Set(keys)]);
  },
};

/** More would not help. */
const maxThings = 25;
const maxActions = 50;

/** What may be meant by a part of a name: groups first, then actions, then machines. */
export async function thingOptions(query: string, command: Command, context: ReadingContext) {
  const typed = query.trim().toLowerCase();
  const known = await groupsAndMachines(context, (name) => name.toLowerCase().includes(typed));
  const found = await context.nameable(await context.directory.search("action", typed, maxActions), command);
  const actions = (await Promise.all(found.map(({ id }) => actionAsThing(id, context)))).filter(
    (each) => each !== undefined,
  );
  const isGroup = ({ kind }: ChosenThing): boolean => kind === "group";
  return [...known.filter(isGroup), ...actions, ...known.filter((thing) => !isGroup(thing))]
    .filter((thing) => keyOf(thing).length <= limits.optionValue)
    .slice(0, maxThings)
    .map((thing) => optionFor({ id: keyOf(thing), name: thing.name }, thing.kind));
}
