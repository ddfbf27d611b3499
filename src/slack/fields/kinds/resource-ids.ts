import type { CommandSettings } from "../../../commands/command.ts";
import { resourceWords } from "../../../commands/exclusion/exclusion-body.ts";
import { isResourceId } from "../../../commands/exclusion/resource-context.ts";
import type { ResourceIdsField } from "../../../commands/field.ts";
import type { ResourceGroup } from "../../../directory/resource-group.ts";
import { resourceTypeOf } from "../../../directory/resources-in-text.ts";
import { nearestWord } from "../../../language/nearest-word.ts";
import { parseDuration } from "../../../time/duration.ts";
import { type Meanings, shownAs } from "../../forms/shown-words.ts";
import { cut } from "../../messages/message.ts";
import {
  type FieldKind,
  inputActionId,
  missing,
  plainText,
  problem,
  type Reading,
  type ReadingContext,
} from "../field-kind.ts";
import { oddLetters, withoutInvisible } from "./reference.ts";

/** More than any request should name; Slack's text input ends at 3,000 characters (PLATFORM.md §8.4). */
const maxIds = 200;

export const resourceIdsKind: FieldKind<ResourceIdsField> = {
  usage: () => "<id or group>…",
  example: ({ positional }) => (positional === "rest" ? "i-0a1 i-0a2" : "i-0a1"),
  fromLine: async (field, words, context) => read(field, words.map((word) => word.value).join("\n"), context),
  draw: async (_field, { value: ids, typed }) => ({
    type: "plain_text_input",
    action_id: inputActionId,
    multiline: true,
    placeholder: plainText("i-0a1, i-0a2"),
    ...initial(ids, typed),
  }),
  fromState: async (field, state, context) => read(field, state.value ?? "", context),
};

/** Reads ids with any separator, each once and in order. The name of a resource group stands for its ids, unless it is an id itself. */
async function read(field: ResourceIdsField, text: string, context: ReadingContext): Promise<Reading> {
  const { resourceGroups } = context.settings;
  const parts = withoutInvisible(text).split(/[\s,;|"'`“”„‘’]+/);
  const names = [...new Set(parts)].filter(Boolean);
  // Checked first: looking at each name takes a while.
  if (names.length > maxIds) return problem(tooMany(names.length));
  const read = await meaningsOf(field, names, context);
  if ("problem" in read) return problem(read.problem);
  const { meanings } = read;
  const isGroup = (name: string) => groupNamed(name, resourceGroups) !== undefined;
  const ids = new Set(names.flatMap((name) => (isGroup(name) ? (meanings.get(name.toLowerCase()) ?? [name]) : [name])));
  if (ids.size === 0) return missing;
  if (ids.size > maxIds) return problem(tooMany(ids.size));
  const length = names.find((name) => /^\d/.test(name) && parseDuration(name).kind === "duration");
  if (length !== undefined)
    return problem(`“${length}” is a length of time, not a resource id. Did you mean “for ${length}”?`);
  const odd = [...ids].find((id) => /[<>&\p{Cc}]/u.test(id));
  if (odd !== undefined) return problem(`“${odd}” does not look like a resource id.`);
  const ofGroups = new Set(Object.values(resourceGroups).flatMap((group) => group.ids));
  const reason = [...ids]
    .filter((id) => !ofGroups.has(id))
    .map(oddLetters)
    .find(Boolean);
  if (reason !== undefined) return problem(reason);
  const suggestion = suggestedGroup(
    names.filter((name) => !isResourceId(name, resourceGroups)),
    resourceGroups,
  );
  return {
    kind: "value",
    value: [...ids],
    ...(meanings.size > 0 ? { meanings } : {}),
    ...(suggestion ? { suggestion } : {}),
  };
}

const tooMany = (count: number): string => `That is ${count} resources; at most ${maxIds} are allowed.`;

/** A name that is neither a group nor shaped like an id may be a mistyped group. */
function suggestedGroup(names: readonly string[], groups: CommandSettings["resourceGroups"]): string | undefined {
  const candidates = Object.keys(groups).map((group) => ({ group, lower: group.toLowerCase() }));
  for (const name of names) {
    const near = groupNamed(name, groups) ? undefined : nearestGroup(name.toLowerCase(), candidates);
    if (near !== undefined)
      return `There is no group “${name}”. Did you mean the group “${near}”? If it is a resource, give its type and project.`;
  }
  return undefined;
}

interface GroupName {
  readonly group: string;
  readonly lower: string;
}

function nearestGroup(typed: string, groups: readonly GroupName[]): string | undefined {
  const started = groups.find(({ lower }) => typed.length > 2 && lower.startsWith(typed));
  if (started) return started.group;
  const near = nearestWord(
    typed,
    groups.map(({ lower }) => lower),
  );
  const isNear = near !== undefined && near.differences <= (near.word.length < 5 ? 1 : 2);
  return isNear ? groups.find(({ lower }) => lower === near.word)?.group : undefined;
}

function initial(ids: unknown, typed: string | undefined): { initial_value?: string } {
  const text = Array.isArray(ids) ? ids.join(", ") : (typed ?? "");
  return text === "" ? {} : { initial_value: cut(text, 3000) };
}

type Meant = { readonly ids: readonly string[] } | { readonly problem: string };

/** The ids that each word stands for: a resource's own id or a group's ids; or why a word is ambiguous. */
async function meaningsOf(
  field: ResourceIdsField,
  words: readonly string[],
  context: ReadingContext,
): Promise<{ readonly meanings: Meanings } | { readonly problem: string }> {
  const meanings = new Map<string, readonly string[]>();
  for (const word of words) {
    const meant = await meantBy(word, field, context);
    if ("problem" in meant) return meant;
    if (!resourceTypeOf([word])) meanings.set(word.toLowerCase(), meant.ids);
  }
  return { meanings };
}

/** An id wins over a group. So does a given type or project that is not the group's. */
async function meantBy(word: string, field: ResourceIdsField, context: ReadingContext): Promise<Meant> {
  const itself = { ids: [word] };
  if (resourceTypeOf([word])) return itself;
  const group = groupNamed(word, context.settings.resourceGroups);
  const { shown, given = {} } = context;
  const was = shown ? shownAs(shown, word, group?.ids) : "nothing";
  const wasGroup = was === "this group" || was === "another group";
  if (!group) return wasGroup && shown?.isSent ? changed(word, "is no longer a group") : itself;
  if (shown?.isSent && (was === "an id" || was === "another group"))
    return changed(word, `now means ${resourceWords(group.ids)}`);
  const [type, project] = [field.typedBy, field.placedBy].map((name) => (name === undefined ? undefined : given[name]));
  const isOther = (type !== undefined && type !== group.type) || (project !== undefined && project !== group.project);
  if (isOther) return wasGroup ? { problem: otherThan(word, group) } : itself;
  const isPlaceGiven = field.placedBy !== undefined && type !== undefined && project !== undefined;
  return idOrGroup(word, group, isPlaceGiven && !wasGroup, context);
}

/**
 * A group of the config file wins over every id but those of other such groups. A saved group is ambiguous when a known id has its
 * name, or when type and project are given.
 */
async function idOrGroup(
  word: string,
  { ids, isSaved }: ResourceGroup,
  isPlaceGiven: boolean,
  { directory }: ReadingContext,
): Promise<Meant> {
  const places = (await directory.placesOf([word])).filter(
    ({ source, name, isPast }) => !isPast && !(name?.toLowerCase() === word.toLowerCase() && source !== "exclusion"),
  );
  if (places.some(({ source }) => source === "config" || (isSaved && source === "group"))) return { ids: [word] };
  if (isSaved && (isPlaceGiven || places.length > 0)) return { problem: couldBeBoth(word, ids) };
  return { ids };
}

function groupNamed(name: string, groups: CommandSettings["resourceGroups"]): ResourceGroup | undefined {
  return Object.entries(groups).find(([group]) => group.toLowerCase() === name.toLowerCase())?.[1];
}

const changed = (word: string, how: string): Meant => ({
  problem: `The group changed: “${word}” ${how}, unlike when this form was shown. Nothing was changed: close the form and open it again.`,
});

const otherThan = (word: string, { type, project }: ResourceGroup): string =>
  `The group “${word}” has the type ${type} and the project ${project}: choose those, or give other ids.`;

const couldBeBoth = (word: string, ids: readonly string[]): string =>
  `“${word}” could be a resource, and a saved resource group has the same name. Give the ids of the group (${resourceWords(ids, 10)}) or the resource's full ARN, or delete the group.`;
