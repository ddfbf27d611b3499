import type { Slot } from "./frame.ts";
import { has, type Tag } from "./tag.ts";

interface NewName {
  readonly text: string;
  readonly tags: readonly Tag[];
}

const marks =
  /^(?:to|into|called|named|labelled|labeled|titled|call|name|label|title|relabel|rebrand|dub|as|under|=|becomes?|new name|new title|new label)$/;
const ofName =
  /^(?:to|into|be|the|a|an|that|this|it|its|new|is|name|title|label|project|credential|selector|group|now|simply|just)$/;
const ends = /^(?:from|please|pls|plz|thanks|thx|now|so|because|since|for|again|instead|with|okay|ok|henceforth)$/;

/** The new name: what is quoted, or stands behind the last "to", "called" or "as". */
export function newName(tags: readonly Tag[], wanted: ReadonlySet<Slot>): NewName | undefined {
  const isRename = tags.some(({ text }) => /^(?:re-?nam|relabel|retitl)/.test(text));
  if (wanted.has("thing") && isRename) return undefined;
  const quoted = tags.filter(({ kind }) => kind === "quoted");
  const [only] = quoted;
  if (only && quoted.length === 1) return { text: only.text.replace(/[,.;]+$/, ""), tags: quoted };
  for (let at = tags.length - 1; at >= 0; at--) {
    const found = marks.test(tags[at]?.text ?? "") ? nameAfter(tags, at, wanted) : undefined;
    if (found) return found;
  }
  return undefined;
}

function nameAfter(tags: readonly Tag[], at: number, wanted: ReadonlySet<Slot>): NewName | undefined {
  const after = tags.slice(at + 1);
  const entity = after.findIndex(({ kind }) => /^(?:project|credential|selector)$/.test(kind));
  // "call p-dev Playground", "call that credential AWS legacy"
  const isBetween =
    entity !== -1 &&
    after.slice(0, entity).every(({ text }) => ofName.test(text)) &&
    tags.slice(0, at).every(({ kind }) => !/^(?:project|credential|selector)$/.test(kind)) &&
    entity < after.length - 1;
  const skipped = isBetween ? entity + 1 : 0;
  const from = after.findIndex(
    ({ text, kind, senses }, index) =>
      index >= skipped && !(ofName.test(text) && kind !== "project") && !senses.has("fromNow"),
  );
  if (from === -1) return undefined;
  const end = after.findIndex(
    (tag, index) =>
      index > from && (ends.test(tag.text) || tag.senses.has("fromNow") || /[,;.!?]$/.test(lastWord(after[index - 1]))),
  );
  const name = after.slice(from, end === -1 ? undefined : end);
  if (wanted.has("thing") && name.some(({ kind }) => kind === "thing")) return undefined;
  // What is put back has a name already, as has a project that is called so.
  if (name.some((tag) => has(tag, "undo")) || name.every(({ kind }) => kind === "project")) return undefined;
  return named(name);
}

const lastWord = (tag: Tag | undefined): string => tag?.words.at(-1)?.value ?? "";

function named(tags: readonly Tag[]): NewName | undefined {
  const said = tags.flatMap(({ words }) => words.map(({ value }) => value)).join(" ");
  const text = said.replaceAll(/^['‘“]|[.,;:!?]+$/g, "").replace(/['’”]$/, "");
  return text === "" ? undefined : { text, tags };
}
