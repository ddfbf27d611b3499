import type { CommandSettings, ResourceGroup } from "../../commands/command.ts";
import { resourceWords } from "../../commands/exclusion/exclusion-body.ts";
import type { ResourceIdsField } from "../../commands/field.ts";
import { resourceTypeOf } from "../../directory/resources-in-text.ts";
import { type Meanings, shownAs } from "../forms/shown-words.ts";
import type { ReadingContext } from "./field-kind.ts";

type Meant = { readonly ids: readonly string[] } | { readonly problem: string };

/** What each word stands for: a resource's id, or a group's ids; or why one cannot be told. */
export async function meaningsOf(
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

/** A group never wins over an id, nor over a type or a project that is said and that is not the group's. */
async function meantBy(word: string, field: ResourceIdsField, context: ReadingContext): Promise<Meant> {
  const named = { ids: [word] };
  if (resourceTypeOf([word])) return named;
  const group = groupNamed(word, context.settings.resourceGroups);
  const { shown, said = {} } = context;
  const was = shown ? shownAs(shown, word, group?.ids) : "nothing";
  const wasGroup = was === "this group" || was === "another group";
  if (!group) return wasGroup && shown?.isSent ? changed(word, "is no group any more") : named;
  if (shown?.isSent && was === "an id") return changed(word, `names ${resourceWords(group.ids)} by now`);
  if (shown?.isSent && was === "another group") return changed(word, `names ${resourceWords(group.ids)} by now`);
  const asked = [field.typedBy, field.placedBy].map((name) => (name === undefined ? undefined : said[name]));
  const [type, project] = asked;
  const isOther = (type !== undefined && type !== group.type) || (project !== undefined && project !== group.project);
  if (isOther) return wasGroup ? { problem: otherThan(word, group) } : named;
  const isSaidWhole = field.placedBy !== undefined && type !== undefined && project !== undefined;
  return asIdOr(word, group, isSaidWhole && !wasGroup, context);
}

/** A group of the config file stands before all but the ids of other such groups; one that people save also before no other known id. */
async function asIdOr(
  word: string,
  { ids, isSaved }: ResourceGroup,
  isSaidWhole: boolean,
  { directory }: ReadingContext,
): Promise<Meant> {
  const places = (await directory.placesOf([word])).filter(
    ({ source, name, isPast }) => !isPast && !(name?.toLowerCase() === word.toLowerCase() && source !== "exclusion"),
  );
  if (places.some(({ source }) => source === "config" || (isSaved && source === "group"))) return { ids: [word] };
  if (isSaved && (isSaidWhole || places.length > 0)) return { problem: couldBeBoth(word, ids) };
  return { ids };
}

export function groupNamed(name: string, groups: CommandSettings["resourceGroups"]): ResourceGroup | undefined {
  return Object.entries(groups).find(([group]) => group.toLowerCase() === name.toLowerCase())?.[1];
}

const changed = (word: string, how: string): Meant => ({
  problem: `The group changed: “${word}” ${how}, which is not what this form showed. Nothing was changed: close the form and open it again.`,
});

const otherThan = (word: string, { type, project }: ResourceGroup): string =>
  `The group “${word}” is of ${type} in project ${project}: choose these, or write other ids.`;

const couldBeBoth = (word: string, ids: readonly string[]): string =>
  `“${word}” could be a resource, and it is a saved resource group as well. Write the ids of the group (${resourceWords(ids, 10)}), or the resource's full ARN, or delete the group.`;
