import { isCommon } from "../../directory/common-words.ts";
import { isStatement } from "./clause-kind.ts";
import type { Clause } from "./clauses.ts";
import type { Sense } from "./lexicon.ts";
import { endsClause, has, type Known, lastWord, type Tag } from "./tag.ts";

/** Where a line names nobody and nothing known, who is meant by it though nobody is called so: "disable erin, she left". */
export function withStranger(tags: readonly Tag[]): readonly Tag[] {
  const isKnown = ({ kind }: Tag) => /^(?:person|thing|action|project|plan|credential|selector)$/.test(kind);
  if (tags.some((tag) => isKnown(tag) || has(tag, "everything"))) return tags;
  const at = tags.findIndex((tag, place) => tag.kind === "unknown" && !isCommon(tag.text) && isStranger(tags, place));
  return tags.map((tag, place) =>
    place === at ? { ...tag, kind: "person", text: tag.text.replace(/['’]?s$/, "") } : tag,
  );
}

function isStranger(tags: readonly Tag[], at: number): boolean {
  const [before, next, tag] = [tags[at - 1], tags[at + 1], tags[at]];
  // "erin's mfa"
  if (/s$/i.test(lastWord(tag)) && has(next, ...ownable, "phone")) return true;
  // "erin left the company", "erin lost her phone"
  const isOfMfa = has(next, "unlock") && tags.some((each) => has(each, "mfa"));
  if (at === 0 && (isOfMfa || has(next, "offboard", "lockedOut"))) return true;
  const isFirst = tags.slice(0, at).every(({ kind }) => kind !== "unknown");
  const isLast = next === undefined || endsClause(tag) || next.kind === "small" || next.text === "out";
  const isOrdered = isFirst && has(before, "disable", "enable", "offboard", "unlocking");
  const isOf = /^(?:of|from|for)$/.test(before?.text ?? "") && has(tags[at - 2], "mfa", "account", "login");
  return isLast && (isOrdered || isOf || /^(?:user|account)$/.test(before?.text ?? ""));
}

/**
 * Whose account is meant: those who are named where it is asked for, else the one who is named beside it: "Dave has a new phone, remove
 * his MFA". Of several, nobody knows which.
 */
export function peopleMeant(own: readonly Tag[], story: readonly Tag[], clauses: readonly Clause[]): readonly Tag[] {
  const told = clauses.filter(({ tags }) => isStatement(tags) && tags.some(({ kind }) => kind === "person"));
  const isTold = (tag: Tag) => told.some(({ tags }) => tags.includes(tag));
  const asked = own.filter((tag) => !isTold(tag));
  const beside = [...own.filter(isTold), ...story.filter(({ kind }) => kind === "person")];
  const isOther = (tag: Tag) => asked.every(({ text }) => text !== tag.text);
  const isPointedAt = clauses.some(
    ({ tags }) =>
      tags.some((tag) => asked.includes(tag)) && tags.some(({ text }) => /^(?:her|him|them|his|their)$/.test(text)),
  );
  if (asked.length > 0) return isPointedAt && beside.some(isOther) ? [] : asked;
  // "alice and dave left, lock both"
  const isOfAll = clauses.some(
    ({ tags }) => !isStatement(tags) && tags.some(({ text }) => /^(?:both|them)$/.test(text)),
  );
  return isOfAll || new Set(beside.map(({ text }) => text)).size === 1 ? beside : [];
}

/** "my second factor", or "her account" in the thread of a card about an account. */
export function whoElse(tags: readonly Tag[], { cardPerson }: Known): string {
  if (tags.some(({ kind }) => kind === "person")) return "";
  const isOwn = tags.some(
    ({ said }, at) => /^(?:my|mine)$/.test(said) && tags.slice(at + 1, at + 4).some((each) => has(each, ...ownable)),
  );
  const isTheirs = tags.some(({ said }) => /^(?:her|him|his|their|them|she|he)$/.test(said));
  if (isOwn && !isTheirs) return "me";
  return isTheirs && !isOwn ? (cardPerson ?? "") : "";
}

const ownable: readonly Sense[] = ["mfa", "account", "email", "login", "policy"];

/** "what carol did", "carol's rename". */
export function isDoer(tag: Tag, tags: readonly Tag[]): boolean {
  const after = tags[tags.indexOf(tag) + 1];
  const isOwner = /['’]?s$/i.test(tag.words.at(-1)?.value ?? "") && !/s$/i.test(tag.text);
  if (isOwner) return has(after, "rename", "change", "disable", "enable", "move");
  return /^(?:did|made|has|had|changed|does|just|renamed|disabled|enabled)$/.test(after?.text ?? "");
}

const corrects = /^(?:sorry|sry|no|oops|ups|wait|mean|meant|correction|actually|rather|better)$/;

/** The address that is given, not the one that it replaces: "from a@example.com to b@example.com". */
export function newAddress(found: readonly Tag[], tags: readonly Tag[]): string {
  const isOld = (tag: Tag) => /^(?:from|not|than|of|old|was)$/.test(tags[tags.indexOf(tag) - 1]?.text ?? "");
  const given = found.length > 1 ? found.filter((tag) => !isOld(tag)) : found;
  const [first, last] = [given[0], given.at(-1)];
  const between = first && last ? tags.slice(tags.indexOf(first) + 1, tags.indexOf(last)) : [];
  // "a@example.com, sorry, b@example.com"
  if (last && between.some(({ said }) => corrects.test(said))) return last.text;
  return given.map(({ text }) => text).join(" ");
}
