import type { Sense } from "./lexicon.ts";
import { has, lastWord, type Tag } from "./tag.ts";

const noun = /^(?:reason|explanation|description|comment|note|justification|wording|purpose)$/;
const modal = /^(?:should|shd|shld|shud|must|shall|could|can|to|please|pls|needs|better)$/;
const reads = /^(?:read|reads|say|says|be|b|become|state)$/;
const wrong = /^(?:wrong|incorrect|outdated|bad|actually|really|mistyped|misleading)$/;
const arrow = /^(?:[-=–]+>|→|=|:)$/;
/** Begins what is said beside the new wording. */
const beside = /^(?:pls|please|plz|times?|same|so|thanks|thx|ty|rest|everything|keep|and|not|ok|end)$/;

const typed = (tag: Tag | undefined): string =>
  (tag?.words[0]?.value ?? "").toLowerCase().replaceAll(/^[(“"']+|[)”"'.,:;!?]+$/g, "");
const none: ReadonlySet<Sense> = new Set();

/** What a reason shall be is one tag: "the reason should read soak test". */
export function withWording(tags: readonly Tag[]): readonly Tag[] {
  const at = tags.findIndex((tag) => noun.test(tag.isCorrected ? tag.text : typed(tag)) && !tag.words[0]?.isQuoted);
  if (at === -1 || /^(?:what|what's|why|who|when|which|is|was|does|did)$/.test(typed(tags[0]))) return tags;
  const from = markerAt(tags, at);
  if (from === -1 || from >= tags.length) return tags;
  const end = endOf(tags, from);
  const value = tags.slice(from, end);
  const words = value.flatMap((tag) => tag.words);
  const text = words
    .map(({ value: each }) => each)
    .join(" ")
    .replaceAll(/^['‘“"]+|['’”"]?[.,;!?]*$/g, "");
  if (text === "") return tags;
  const before = tags.slice(0, from).map((tag, index): Tag => {
    if (index === at) return { ...tag, kind: "sense", text: "wording", senses: new Set(["wording"]) };
    const isMark = index > at && (modal.test(typed(tag)) || reads.test(typed(tag)) || wrong.test(typed(tag)));
    return isMark ? { ...tag, kind: "small", text: "", senses: none } : tag;
  });
  return [...before, { kind: "quoted", words, said: "", text, senses: none }, ...tags.slice(end)];
}

/** Where the new wording begins. */
function markerAt(tags: readonly Tag[], noun: number): number {
  const said = tags.map(typed);
  if (lastWord(tags[noun]).endsWith(":")) return noun + 1;
  if (arrow.test(tags[noun + 1]?.words[0]?.value ?? "")) return noun + 2;
  const isChanged = tags.slice(0, noun).some((tag) => has(tag, "move", "rename"));
  return (
    said.findIndex(
      (word, at) =>
        at > noun &&
        ((reads.test(word) && said.slice(0, at).some((each) => modal.test(each))) ||
          (isChanged && /^(?:to|into|as|=|->)$/.test(word))),
    ) + 1 || -1
  );
}

/** Up to what is said beside it, unless it is quoted. */
function endOf(tags: readonly Tag[], from: number): number {
  if (tags[from]?.kind === "quoted") return from + 1;
  const end = tags.findIndex(
    (tag, at) =>
      at > from &&
      /[,;.]$/.test(lastWord(tags[at - 1])) &&
      beside.test(typed(tag).replace(/^the$/, typed(tags[at + 1]))),
  );
  return end === -1 ? tags.length : end;
}
