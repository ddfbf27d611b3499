import { distance } from "fastest-levenshtein";
import { isCommon } from "../../directory/common-words.ts";
import { resourcesInWord } from "../../directory/resources.ts";
import { isSwapOf } from "../nearest-word.ts";
import { isSmall, lexicon } from "./lexicon.ts";

export type NameKind = "thing" | "person" | "action" | "project" | "plan" | "policy" | "credential" | "selector";

export interface Name {
  readonly kind: NameKind;
  /** As people call it. */
  readonly name: string;
  /** It is an id, known only as a whole. */
  readonly isId?: true;
}

/** The names that are known where a line is read. */
export interface Names {
  /** The longest name that begins at this place of a line in lower case, and how many words it has. */
  at(
    typed: readonly string[],
    at: number,
  ): { readonly kind: NameKind; readonly text: string; readonly length: number } | undefined;
  /** The word of a name that is said in short here: its consonants, or its beginning in front of "servers" and the like. */
  short(typed: readonly string[], at: number): string | undefined;
  /** The word that a mistyped one stands for: two letters turned, one missing or one too many. */
  corrected(word: string): string | undefined;
}

interface Found {
  readonly kind: NameKind;
  readonly text: string;
  readonly length: number;
}

interface Entry extends Name {
  readonly words: readonly string[];
}

/** Generic words beside a name: "the reports databases", "plan nightly backups". */
const kinds = /^(?:the|of|and|-|old|\(old\)|nightly|weekly|daily|morning|evening|office|hours)$/;
const wordsOf = (name: string): readonly string[] =>
  name.toLowerCase().match(/[\p{L}\p{N}](?:[\p{L}\p{N}.:@'-]*[\p{L}\p{N}])?/gu) ?? [];

/** Names by their first word, by each word of their parts, and by each word of those with several. */
function indexed(names: readonly Name[]) {
  const byFirst = new Map<string, Entry[]>();
  const byWords: Step = { next: undefined, entry: undefined };
  const parts = new Map<string, Name | "several">();
  const byWord = new Map<string, Entry[]>();
  for (const { kind, name, isId } of names) {
    const words = wordsOf(name);
    const [first] = words;
    if (first === undefined) continue;
    const entry: Entry = { kind, name, words };
    addTo(byFirst, first, entry);
    addStep(byWords, words, entry);
    // "0b2" for i-0b2.
    const short = isId && kind === "thing" ? /^(?:i|vol|fs)-0*(\w{2,})$/.exec(first)?.[1] : undefined;
    for (const each of short === undefined ? [] : [short, `0${short}`, first.replace("-", "")])
      if (/\d/.test(each)) {
        addTo(byFirst, each, { kind, name, words: [each] });
        addStep(byWords, [each], { kind, name, words: [each] });
      }
    if (isId && kind !== "project") continue;
    const stems = words.filter((word) => !between.test(word)).map(stem);
    const apart: Entry = { kind, name, words: stems };
    if (words.length > 1) for (const word of new Set(stems)) addTo(byWord, word, apart);
    if (kind === "action") continue;
    for (const part of new Set([...words, ...words.flatMap((word) => word.split("-"))]))
      if (part.length > 2 && !kinds.test(part) && !isSaid(part))
        parts.set(part, parts.has(part) ? "several" : { kind, name });
  }
  const sets = new Map(Array.from(byWord, ([word, entries]) => [word, new Set(entries)] as const));
  return { byFirst, byWords, parts, byWord: sets };
}

/** An index of names. `groups`: also known by the part of their name before a hyphen, if no other has it. */
export function namesFrom(names: readonly Name[]): Names {
  const { byFirst, byWords, parts, byWord } = indexed(names);
  let near: ReadonlyMap<string, readonly string[]> | undefined;
  let short: ReadonlyMap<string, readonly string[]> | undefined;
  // A part that several names have is none of theirs, but hides what else might be meant.
  const isOfMachines = (part: string) => {
    const of = byFirst.get(part)?.find(({ words }) => words.length === 1) ?? parts.get(part);
    return !part.includes("-") && (of === "several" || of?.kind === "thing" || of?.kind === "project");
  };
  return {
    at: (typed, at) => {
      const word = typed[at] ?? "";
      const owner = word.replace(/'?s$/, "");
      const said =
        byFirst.has(word) || !byFirst.get(owner)?.some(({ kind }) => kind === "person")
          ? word.replace(/'s?$/, "")
          : owner;
      // "the reports copy" is reports-copy, but "a 10 day hold" is no a-10.
      const hyphened = isSmall(word)
        ? undefined
        : byFirst.get(`${word}-${typed[at + 1] ?? ""}`)?.find(({ words }) => words.length === 1);
      if (hyphened) return { kind: hyphened.kind, text: hyphened.name, length: 2 };
      const exact = exactly(byWords, said, typed, at);
      const partly = byParts(byWord, typed, at);
      if (partly && partly.length > (exact?.length ?? 0)) return partly;
      if (exact) return exact;
      const isBeside = ofMachines.test(typed[at + 1] ?? "");
      const part =
        parts.get(said) ?? parts.get(said.replace(/s$/, "")) ?? (isBeside ? parts.get(`${said}s`) : undefined);
      if (part && part !== "several") return { kind: part.kind, text: part.name, length: 1 };
      // A machine may have its account's name before it.
      if ([said, said.slice(said.indexOf("/") + 1)].some((each) => resourcesInWord(each).length > 0))
        return { kind: "thing", text: said, length: 1 };
      return undefined;
    },
    short: (typed, at) => {
      const word = typed[at] ?? "";
      if (isSaid(word) || !mayBeShort(word)) return undefined;
      short ??= byLetter([...parts.keys()].filter(isOfMachines));
      return saidInShort(word, ofMachines.test(typed[at + 1] ?? ""), short.get(word[0] ?? "") ?? []);
    },
    corrected: (word) => {
      if (word.length < 4 || word.length > longestWord) return undefined;
      near ??= byLetter([
        ...[...byFirst.keys()].filter((each) => /^[a-z]{4,}$/.test(each)),
        ...slips,
        ...[...lexicon().senses.keys(), ...lexicon().small, ...timeWords].filter((each) => /^[a-z]{5,}$/.test(each)),
      ]);
      const known = near.get(word[0] ?? "") ?? [];
      return known.includes(word) ? undefined : known.find((each) => isSlipOf(word, each));
    },
  };
}

function byLetter(words: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const word of words) {
    const list = found.get(word[0] ?? "");
    if (list) list.push(word);
    else found.set(word[0] ?? "", [word]);
  }
  return found;
}

/** Of longer words, nobody mistypes one letter. */
const longestWord = 40;
/** Names by their words, one after the other. */
interface Step {
  /** Of most names nothing. */
  next: Map<string, Step> | undefined;
  entry: Entry | undefined;
}

function addStep(root: Step, words: readonly string[], entry: Entry): void {
  let step = root;
  for (const word of words) {
    const next: Step = step.next?.get(word) ?? { next: undefined, entry: undefined };
    step.next ??= new Map();
    step.next.set(word, next);
    step = next;
  }
  step.entry ??= entry;
}

/** The longest name whose words all stand here. */
function exactly(root: Step, first: string, typed: readonly string[], at: number): Found | undefined {
  let found: Entry | undefined;
  let step = root.next?.get(first);
  for (let place = at + 1; step; place++) {
    found = step.entry ?? found;
    const word = typed[place] ?? "";
    step = step.next?.get(word.replace(/'s?$/, "")) ?? step.next?.get(word.replace(/^\((.*)\)$/, "$1"));
  }
  return found && { kind: found.kind, text: found.name, length: found.words.length };
}

/** In place: thousands of names may share a word. */
function addTo(lists: Map<string, Entry[]>, word: string, entry: Entry): void {
  const list = lists.get(word);
  if (list) list.push(entry);
  else lists.set(word, [entry]);
}

/** They say nothing of which name is meant. */
const between = /^(?:of|the|for)$/;

const stem = (word: string): string => word.replace(/(?<=...)s$/, "");

/** No name is looked for in more words of a line. */
const mostWords = 12;

/** A name by at least two of its words, side by side in any order: "the volumes backup", "old build aws key". */
function byParts(
  byWord: ReadonlyMap<string, ReadonlySet<Entry>>,
  typed: readonly string[],
  at: number,
): Found | undefined {
  const chain = chainFrom(byWord, typed, at);
  for (let count = chain.length; count > 1; count--) {
    const words = chain.slice(0, count);
    const length = (words.at(-1)?.place ?? 0) + 1;
    const [rarest, ...others] = words.map(({ entries }) => entries).toSorted((one, other) => one.size - other.size);
    let first: Entry | undefined;
    let isOnly = true;
    // Of thousands that share these words, two are enough to know that none of them is meant, unless one has no other words.
    for (const entry of rarest ?? []) {
      if (!others.every((entries) => entries.has(entry))) continue;
      if (entry.words.length === length) return { kind: entry.kind, text: entry.name, length };
      isOnly &&= first === undefined;
      first ??= entry;
    }
    if (first) return isOnly ? { kind: first.kind, text: first.name, length } : undefined;
  }
  return undefined;
}

/** The words of names that stand side by side from here, each once, and where. */
function chainFrom(byWord: ReadonlyMap<string, ReadonlySet<Entry>>, typed: readonly string[], at: number) {
  const chain: { readonly word: string; readonly place: number; readonly entries: ReadonlySet<Entry> }[] = [];
  for (let place = 0; place < mostWords; place++) {
    const said = typed[at + place] ?? "";
    if (place > 0 && between.test(said) && chain.at(-1)?.place === place - 1) continue;
    const word = stem(said.replace(/[()]/g, ""));
    const entries = byWord.get(place === 0 ? stem(said) : word);
    if (!entries || chain.some((each) => each.word === word)) break;
    chain.push({ word, place, entries });
  }
  return chain;
}

const timeWords = [
  ..."monday tuesday wednesday thursday friday saturday sunday tonight today tomorrow yesterday weekend christmas".split(
    " ",
  ),
  ..."midnight morning evening afternoon until minutes hours three seven eight".split(" "),
];

const isSaid = (word: string): boolean => lexicon().senses.has(word) || lexicon().small.has(word);

/** Whether a word differs by one letter more or less, or by two neighbours that are turned. A plural is no mistake. */
const isSlipOf = (typed: string, known: string): boolean =>
  typed.length === known.length
    ? isSwapOf(typed, known)
    : typed.length > 4 &&
      known.length > 4 &&
      Math.abs(typed.length - known.length) === 1 &&
      `${typed}s` !== known &&
      `${known}s` !== typed &&
      distance(typed, known) === 1;

/** Short words that are mistyped often. */
const slips = new Set(["keep", "stop", "skip", "need", "hold", "warn", "lock", "undo", "show", "when", "what", "with"]);

/** What stands behind the name of a group of machines. */
const ofMachines =
  /^(?:databases?|dbs?|machines?|servers?|boxe?s?|instances?|nodes?|vms?|hosts?|env|environments?|systems?|clusters?|group|project)$/;
/** Nobody means anything else by these. */
const abbreviations = /^(?:stag|prod|devel)$/;
/** Words without a vowel that are no names. */
const others = new Set(
  (
    "hmm mhm pfft brb tbh fyi btw nvm mfa ssh ssl tls sql dns vpn http https html css xml npm pdf csv tcp udp ssd hdd nfs rdp sdk cdn " +
    "vpc rds llm cfg pkg str ptr gmbh ltd hrs mins wks mths mon tmr why shy try dry cry fly sky spy rhythm gym gbp jpg png mp3 lts "
  ).split(" "),
);
const mayBeShort = (word: string): boolean =>
  /^[a-z]{3,12}$/.test(word) && !lexicon().longest.has(word) && !isCommon(word) && !others.has(word);

/** The word of a name that is said in short, of all such words. `isBesideMachines`: "servers" or the like follows. */
function saidInShort(word: string, isBesideMachines: boolean, parts: readonly string[]): string | undefined {
  const begin = isBesideMachines || abbreviations.test(word) ? word.replace(/(?<=...)(?:ing|s)$/, "") : undefined;
  const isBare = /^[^aeiou]+$/.test(word);
  if (begin === undefined && !isBare) return undefined;
  const found = parts.filter(
    (part) =>
      (begin !== undefined && part.startsWith(begin)) ||
      (isBare && part.length > word.length && hasInOrder(part, word)),
  );
  const [first, ...more] = found.toSorted((one, other) => one.length - other.length);
  return first !== undefined && more.every((part) => part.startsWith(first)) ? first : undefined;
}

/** "staging" has the letters of "stg" in this order. */
function hasInOrder(word: string, letters: string): boolean {
  let at = 0;
  for (const letter of word) if (letter === letters[at]) at++;
  return at === letters.length;
}
