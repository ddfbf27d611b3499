import { isStatement } from "./clause-kind.ts";
import type { Tag } from "./tag.ts";

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
  /** It is set off by a mark: a comma, a dash, a bracket or, for the first one, a colon. */
  readonly isSetOff: boolean;
}

/** Whether an order may end here, and a sentence follow without a mark: "wipe her 2fa pls she got a new phone". */
const endsOrder = (tag: Tag | undefined): boolean =>
  tag !== undefined &&
  (tag.kind === "time" ||
    /^(?:policy|address)$/.test(tag.kind) ||
    /^(?:please|pls|plz|asap|thx|thanks|urgently|immediately)$/.test(tag.text) ||
    ["mfa", "account", "login", "email"].some((sense) => [...tag.senses].some((each) => each === sense)));

const text = (tag: Tag | undefined): string => tag?.text ?? "";
const lastOf = (tag: Tag | undefined): string => tag?.words.at(-1)?.value ?? "";

/** Cuts a line at commas, dashes, brackets and full stops, and before words that join clauses. */
export function clausesOf(tags: readonly Tag[]): readonly Clause[] {
  const known = cut.get(tags);
  const clauses = known ?? clausesIn(tags);
  if (!known) cut.set(tags, clauses);
  return clauses;
}

/** Each command that competes for a line asks for its clauses. */
const cut = new WeakMap<readonly Tag[], readonly Clause[]>();

function clausesIn(tags: readonly Tag[]): readonly Clause[] {
  const clauses: { tags: Tag[]; isSetOff: boolean }[] = [{ tags: [], isSetOff: false }];
  const cut = (isSetOff: boolean) => {
    if (clauses.at(-1)?.tags.length) clauses.push({ tags: [], isSetOff });
  };
  for (const [at, tag] of tags.entries()) {
    const first = tag.words[0];
    const isDash =
      first !== undefined && /^(?:[-–—]+|\.\.+|…|\+|&|\/)$/.test(first.value) && !/^[+&/]$/.test(first.value);
    const opens = first !== undefined && !first.isQuoted && /^\(/.test(first.value);
    const isJoin = tag.kind !== "time" && joins.test(tag.text) && begins(tags, at);
    const isNewSubject =
      endsOrder(tags[at - 1]) &&
      (subject.test(first?.value.toLowerCase() ?? "") || (tags[at - 1]?.kind === "time" && isTold(tags, at)));
    if (isDash || opens || isJoin || isNewSubject) cut(isDash || opens);
    if (!isDash) clauses.at(-1)?.tags.push(tag);
    const last = lastOf(tag);
    if (/[,;:.!?)…]$/.test(last) && !/^\d+\.$/.test(last)) {
      const [only] = clauses;
      if (only && clauses.length === 1 && last.endsWith(":")) only.isSetOff = true;
      cut(true);
    }
  }
  return clauses.filter(({ tags: each }) => each.length > 0).map((each) => ({ ...each, reason: reasonOf(each.tags) }));
}

/** "qa till friday regression is not done yet": a sentence up to the next mark. */
function isTold(tags: readonly Tag[], at: number): boolean {
  if (tags[at]?.kind !== "unknown") return false;
  const end = tags.findIndex((tag, index) => index >= at && /[,;:.!?)…]$/.test(lastOf(tag)));
  return isStatement(tags.slice(at, end === -1 ? undefined : end + 1));
}

function reasonOf([first, second]: readonly Tag[]): Clause["reason"] {
  const said = text(first);
  if (!reasons.test(said) || first?.kind === "time") return undefined;
  if (said === "due" && text(second) !== "to") return undefined;
  return /^(?:because|bc|cause|cuz|cos|coz|reason|due)$/.test(said) ? "always" : "maybe";
}

/** Whether the word joins clauses here: "and" between two names does not, nor does "for" in front of a name. */
function begins(tags: readonly Tag[], at: number): boolean {
  const [before, tag, after] = [tags[at - 1], tags[at], tags[at + 1]];
  if (!tag || !before || !after) return false;
  if (/^(?:that|which|who|where)$/.test(tag.text)) {
    const rest = tags.slice(at + 1);
    const end = rest.findIndex((each) => /[,;:.!?)…]$/.test(lastOf(each)));
    return isStatement(end === -1 ? rest : rest.slice(0, end + 1));
  }
  const isName = (each: Tag | undefined) =>
    each !== undefined && !/^(?:small|sense|unknown|pronoun|self)$/.test(each.kind);
  if (tag.text === "and" || tag.text === "plus" || tag.text === "also")
    return !(isName(before) && isName(tags.slice(at + 1).find(({ kind }) => kind !== "small")));
  if (/^(?:for|as|to|so|since|that|who|which|until|or)$/.test(tag.text)) {
    const next = tags
      .slice(at + 1)
      .find(
        (each) =>
          !/^(?:the|a|an|my|our|his|her|this|that|both|all|group)$/.test(each.text) &&
          !(tag.text === "for" && each.kind === "small"),
      );
    if (next === undefined || isName(next)) return false;
    if (tag.text === "to") return at > 1 && before.kind !== "sense" && next.kind === "unknown";
    if (tag.text === "for") return next.kind === "unknown" || next.kind === "pronoun" || next.senses.size > 0;
    if (tag.text === "as") return next.kind !== "sense" || next.text !== "soon";
    return tag.text !== "until" || /^(?:we|she|he|they|hr)$/.test(next.words[0]?.value.toLowerCase() ?? "");
  }
  return true;
}
