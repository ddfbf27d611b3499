import { type ResourceType, resourceTypes } from "../service/resources.ts";
import { type ResourceForm, resourceForms } from "./resource-forms.ts";

export interface FoundResource {
  readonly id: string;
  /** Undefined if neither the form nor the directory shows it. */
  readonly type: ResourceType | undefined;
  /** As written in the text. */
  readonly text: string;
}

interface Span extends FoundResource {
  readonly start: number;
}

/**
 * The resources in a text, each once, in order: by their form, and by known ids (with their types, if known). Where two readings
 * overlap, the one that begins first counts, then the longer.
 */
export function resourcesIn(
  text: string,
  known: ReadonlyMap<string, ResourceType | undefined>,
): readonly FoundResource[] {
  const spans = [...knownSpans(text, known), ...resourceForms.flatMap((form) => formSpans(text, form))];
  spans.sort((one, other) => one.start - other.start || other.text.length - one.text.length);
  const found = new Map<string, FoundResource>();
  let end = 0;
  for (const { start, id, type, text: words } of spans) {
    if (start < end) continue;
    end = start + words.length;
    found.set(id, { id, type: found.get(id)?.type ?? type, text: words });
  }
  return [...found.values()];
}

export function resourceTypeNamed(name: string | null | undefined): ResourceType | undefined {
  return resourceTypes.find((type) => type === name);
}

function formSpans(text: string, { pattern, type, isLowerCase }: ResourceForm): readonly Span[] {
  return [...text.matchAll(pattern)].map((match) => ({
    start: match.index,
    text: match[0],
    id: match.groups?.id ?? (isLowerCase ? match[0].toLowerCase() : match[0]),
    type: resourceTypeNamed(match.groups?.type) ?? type,
  }));
}

/** A known id is a separate word, perhaps with punctuation around it. */
function knownSpans(text: string, known: ReadonlyMap<string, ResourceType | undefined>): readonly Span[] {
  if (known.size === 0) return [];
  return [...text.matchAll(/[^\s,;"'`“”„‘’()[\]{}]+/g)].flatMap(({ index, 0: word }) => {
    const bare = withoutEnd(word);
    const inner = bare.replace(/^[*_~]+/, "");
    const id = [word, bare, inner].find((each) => known.has(each));
    return id === undefined ? [] : [{ start: index + word.indexOf(id), text: id, id, type: known.get(id) }];
  });
}

/** By hand, since a regular expression would try each place where these characters occur. */
function withoutEnd(word: string): string {
  let end = word.length;
  while (end > 0 && ".:!?*_~".includes(word[end - 1] ?? "")) end--;
  return word.slice(0, end);
}

const noneKnown = new Map<string, ResourceType>();

/**
 * The resources that one word names by its form alone: an id, or an ARN, path or web address that holds ids. Empty for any other
 * word.
 */
export function resourcesInWord(word: string): readonly FoundResource[] {
  if (!/[-/:]/.test(word)) return [];
  const found = resourcesIn(word, noneKnown);
  const isWhole = found.length === 1 && found[0]?.text === word;
  return isWhole || /^(?:https?:\/\/|arn:)/i.test(word) ? found : [];
}

/** The type that all these ids have by their form; undefined when one has none or they differ. */
export function resourceTypeOf(ids: readonly string[]): ResourceType | undefined {
  const types = new Set(ids.map((id) => resourcesIn(id, noneKnown).find((found) => found.text === id)?.type));
  const [type] = types;
  return types.size === 1 ? type : undefined;
}
