import { acting, isStatement, isVerb } from "./clause-kind.ts";
import { content, has, lastWord, type Tag } from "./tag.ts";

/** Words that begin another clause. */
const joins =
  /^(?:because|bc|cause|cuz|cos|coz|since|as|so|while|but|and|for|to|until|where|which|that|who|due|otherwise|or|if|unless|when|plus|then|also|reason)$/;
const reasons = /^(?:because|bc|cause|cuz|cos|coz|since|reason|due|as|so|for|to|while|otherwise)$/;

/** Begins another sentence behind a time. */
const subject =
  /^(?:i|we|he|she|they|i'm|im|i'll|i've|we're|we'll|it's|its|he's|she's|they're|theyre|there|my|our|customer|client)$/;

export interface Clause {
  readonly tags: readonly Tag[];
  /** It begins with a word that a reason follows. `always`: nothing else can follow that word. */
  readonly reason: "always" | "maybe" | undefined;
  /** It is set off by a mark: a comma, a dash, a bracket or, for the first one, a colon or the end of its sentence. */
  readonly isSetOff: boolean;
  /** It is a sentence that tells something, or goes on with one: "she is ill and asks me to wait". */
  readonly isTelling: boolean;
}

/** Whether an order may end here, and a sentence follow without a mark: "wipe her 2fa pls she got a new phone". */
const endsOrder = (tag: Tag | undefined): boolean =>
  /^(?:time|policy|address)$/.test(tag?.kind ?? "") ||
  /^(?:please|pls|plz|asap|thx|thanks|urgently|immediately)$/.test(tag?.text ?? "") ||
  has(tag, "mfa", "account", "login", "email");

/** Each command that competes for a line asks for its clauses. */
const known = new WeakMap<readonly Tag[], readonly Clause[]>();

/** Cuts a line at commas, dashes, brackets and full stops, and before words that join clauses. */
export function clausesOf(tags: readonly Tag[]): readonly Clause[] {
  const clauses = known.get(tags) ?? clausesIn(tags);
  known.set(tags, clauses);
  return clauses;
}

const mark = /[,;:.!?)…]$/;

function clausesIn(tags: readonly Tag[]): readonly Clause[] {
  const clauses: { tags: Tag[]; isSetOff: boolean }[] = [{ tags: [], isSetOff: false }];
  const cut = (isSetOff: boolean) => {
    if (clauses.at(-1)?.tags.length) clauses.push({ tags: [], isSetOff });
  };
  for (const [at, tag] of tags.entries()) {
    const [first] = tag.words;
    const before = tags[at - 1];
    const isDash = /^(?:[-–—]+|\.\.+|…)$/.test(first?.value ?? "");
    const opens = first?.isQuoted === false && first.value.startsWith("(");
    const isJoin = tag.kind !== "time" && joins.test(tag.text) && begins(tags, at);
    const isNewSubject =
      subject.test(first?.value.toLowerCase() ?? "") &&
      (endsOrder(before) ||
        (before?.kind === "thing" &&
          tags.some((each) => has(each, "warn", "mute")) &&
          isStatement(sentenceFrom(tags, at))));
    // "for the fair until 21:00"
    const isEnd = clauses.at(-1)?.tags[0]?.text === "for" && /^(?:for|until|till?) /i.test(tag.text);
    // "since I may be late please keep qa up"
    const isPlease = /^(?:please|pls|plz|kindly)$/.test(tag.text) && (clauses.at(-1)?.tags.length ?? 0) > 3;
    const isAsked = isPlease && reasons.test(clauses.at(-1)?.tags[0]?.text ?? "");
    if (opens || isJoin || isNewSubject || isEnd || isAsked) cut(opens);
    // A dash stays: who reads the tags again cuts there too.
    if (!isDash || clauses.at(-1)?.tags.length) clauses.at(-1)?.tags.push(tag);
    if (isDash) cut(true);
    const last = lastWord(tag);
    if (!mark.test(last) || /^\d+\.$/.test(last)) continue;
    const [only] = clauses;
    if (only && clauses.length === 1 && /[:.!]$/.test(last)) only.isSetOff = true;
    cut(true);
  }
  let isTelling = false;
  return clauses
    .filter(({ tags: each }) => each.length > 0)
    .map((each) => {
      isTelling =
        isStatement(each.tags) ||
        (isTelling &&
          !each.isSetOff &&
          !isVerb(
            each.tags,
            each.tags.findIndex((tag) => has(tag, ...acting)),
          ));
      return { ...each, isTelling, reason: reasonOf(each.tags) };
    });
}

/** Up to the next mark. */
const sentenceFrom = (tags: readonly Tag[], from: number): readonly Tag[] => {
  const end = tags.findIndex((tag, at) => at >= from && mark.test(lastWord(tag)));
  return tags.slice(from, end === -1 ? undefined : end + 1);
};

function reasonOf([first, second]: readonly Tag[]): Clause["reason"] {
  const said = first?.text ?? "";
  if (!reasons.test(said) || first?.kind === "time" || (said === "due" && second?.text !== "to")) return undefined;
  return /^(?:because|bc|cause|cuz|cos|coz|reason|due)$/.test(said) ? "always" : "maybe";
}

/** Whether the word joins clauses here: "and" between two names does not, nor does "for" in front of a name. */
function begins(tags: readonly Tag[], at: number): boolean {
  const [before, tag, ...after] = tags.slice(Math.max(at - 1, 0));
  if (at === 0 || !tag || !before || after.length === 0) return false;
  const isName = (each: Tag | undefined) =>
    each !== undefined && !/^(?:small|sense|unknown|pronoun|self)$/.test(each.kind);
  if (/^(?:that|which|who|where)$/.test(tag.text)) return isStatement(sentenceFrom(tags, at + 1));
  if (/^(?:and|plus|also)$/.test(tag.text)) {
    const [other, next] = after.filter((each) => content(each) || mark.test(lastWord(each)));
    // "staging till 8 and build till 9"
    const isOfTwo = before.kind === "time" && other?.kind === "thing" && next?.kind === "time";
    return isOfTwo || !(isName(before) && isName(after.find(content)));
  }
  if (!/^(?:for|as|to|so|since|until|or)$/.test(tag.text)) return true;
  const next = after.find(
    (each) =>
      !/^(?:the|a|an|my|our|his|her|this|that|both|all|group)$/.test(each.text) &&
      (tag.text !== "for" || content(each)),
  );
  if (next === undefined || isName(next)) return false;
  if (tag.text === "to") return at > 1 && before.kind !== "sense" && next.kind === "unknown";
  if (tag.text === "for") return /^(?:unknown|pronoun)$/.test(next.kind) || next.senses.size > 0;
  if (tag.text === "as") return next.kind !== "sense" || next.text !== "soon";
  return tag.text !== "until" || /^(?:we|she|he|they|hr)$/.test(next.said);
}
