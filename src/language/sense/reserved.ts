import type { Tag } from "./tag.ts";

/**
 * Words that hold something back from what is asked for, though they mean nothing elsewhere: "staging excluding i-0a1", "like web", "one
 * machine of staging", "22 their time", "bob's friend". They are left unexplained, so that nothing is done.
 */
export function withReservations(tags: readonly Tag[]): readonly Tag[] {
  return tags.some(({ text }) => mayReserve.test(text))
    ? tags.map((tag, at) => (isReserved(tags, at) ? { ...tag, kind: "unknown", senses: new Set() } : tag))
    : tags;
}

const mayReserve =
  /^(?:excluding|like|one|time|friends?|buddy|mate|team-mate|teammate|team|pal|colleagues?|instead|rather)$/;
const owned = /^(?:friends?|buddy|mate|team-mate|teammate|team|pal|colleagues?)$/;
const oneOf = /^(?:machine|server|box|instance|node|host|vm|database)s?$/i;
const isNamed = ({ kind }: Tag): boolean => kind === "thing" || kind === "person" || kind === "action";

function isReserved(tags: readonly Tag[], at: number): boolean {
  const tag = tags[at];
  const text = tag?.text ?? "";
  const [before, after] = [tags[at - 1], tags[at + 1]];
  const behind = tags.slice(at + 1).filter((each) => !/^(?:the|a|an|of|for|than|with)$/.test(each.text));
  const isBeforeName = behind[0] !== undefined && isNamed(behind[0]);
  if (text === "excluding") return tags.slice(0, at).some(isNamed);
  if (text === "like") return isBeforeName && tags.slice(0, at).some(isNamed);
  if (text === "one") return oneOf.test(after?.words[0]?.value ?? "") || (after?.text === "of" && isBeforeName);
  if (text === "time") return /^(?:their|his|her)$/.test(before?.words[0]?.value.toLowerCase() ?? "");
  if (/^(?:instead|rather)$/.test(text))
    return /^(?:of|than)\b/.test(after?.text ?? "") && isBeforeName && !tags.slice(0, at).some(isNamed);
  const isOwner = before?.kind === "person" && /['’]s$/i.test(before.words.at(-1)?.value ?? "");
  return owned.test(text) && (isOwner || (after?.text === "of" && behind[0]?.kind === "person"));
}
