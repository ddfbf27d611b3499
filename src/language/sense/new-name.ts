import type { Slot } from "./frame.ts";
import { has, lastWord, type Tag } from "./tag.ts";

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
  // "group smoke with …"
  const group = wanted.has("thing") ? tags.findIndex((tag) => has(tag, "group")) : -1;
  const next = group === -1 ? undefined : tags[group + 1];
  return next?.kind === "unknown" ? named([next]) : undefined;
}

const arrow = /^(?:[-=–]+>|→|=)$/;
const becoming = { text: "becomes", senses: new Set(["rename"] as const) };
const renamed = /^(?:project|credential|selector|plan)$/;

/** What a thing shall be called is one tag: "p-prod -> Production EU", "rename p-prod: Production EU". */
export function withNewName(tags: readonly Tag[]): readonly Tag[] {
  const at = tags.findIndex(({ kind }) => renamed.test(kind));
  const isArrow = at !== -1 && arrow.test(tags[at + 1]?.words[0]?.value ?? "");
  // "rename Dev sandbox: Sandbox" may say a name that it had before.
  const colon = tags.slice(0, at + 3).findIndex((tag, index) => index >= at && lastWord(tag).endsWith(":"));
  const isColon = at !== -1 && colon !== -1 && tags.slice(0, at).some((tag) => has(tag, "rename"));
  if (!isArrow && !isColon) return tags;
  const first = isArrow ? at + 2 : colon + 1;
  const from = tags.findIndex((tag, index) => index >= first && !has(tag, "rename") && !ofName.test(tag.text));
  if (from === -1 || tags[from]?.kind === "time") return tags;
  const end = tags.findIndex(
    ({ text }, index) => index > from && (ends.test(text) || /[,;.!?]$/.test(lastWord(tags[index - 1]))),
  );
  const value = named(tags.slice(from, end === -1 ? undefined : end));
  if (!value) return tags;
  const words = value.tags.flatMap((tag) => tag.words);
  const name: Tag = { said: "", words, kind: "quoted", text: value.text, senses: new Set() };
  const becomes = tags.slice(at + 1, first).map((tag): Tag => ({ ...tag, kind: "sense", ...becoming }));
  return [...tags.slice(0, at + 1), ...becomes, name, ...(end === -1 ? [] : tags.slice(end))];
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

function named(tags: readonly Tag[]): NewName | undefined {
  const said = tags.flatMap(({ words }) => words.map(({ value }) => value)).join(" ");
  const text = said.replaceAll(/^['‘“]|[.,;:!?]+$/g, "").replace(/['’”]$/, "");
  return text === "" ? undefined : { text, tags };
}
