import { has, lastWord, type Tag } from "./tag.ts";

const day =
  /^(?:on |the |this |next |coming )*(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day(?: (?:the )?\d{1,2}(?:st|nd|rd|th)?)?|tomorrow|today|\d{4}-\d\d-\d\d|\d{1,2}\.\d{1,2}\.|(?:the )?(?:\d{1,2}(?:st|nd|rd|th)?|[a-z]+(?:st|nd|rd|th))(?: of)?(?: [a-z]{3,9})?|[a-z]{3,9} (?:the )?\d{1,2}(?:st|nd|rd|th)?)(?= (?:morning|afternoon|evening|night)$|$)/i;
const part = /^(?:morning|afternoon|evening|night|nite|day)$/;
const weekday = /^((?:mon|tues|wednes|thurs|fri|satur|sun)day)(?: (morning|afternoon|evening|night))?$/i;

/** "The demo is on friday, keep qa up that evening": which day is meant is said once, in front. */
export function withThatDay(tags: readonly Tag[]): readonly Tag[] {
  const that = tags.findIndex(
    ({ said }, at) =>
      said === "that" && (part.test(tags[at + 1]?.said ?? "") || weekday.test(tags[at + 1]?.text ?? "")),
  );
  const said = tags[that + 1];
  const days = tags.slice(0, Math.max(that, 0)).filter(({ kind, text }) => kind === "time" && day.test(text));
  const [only, ...others] = days;
  // "that thursday" is hardly the next one.
  if (said && weekday.test(said.text) && (!only || others.length > 0))
    return tags.map((tag, at) => (at === that ? { ...tag, kind: "unknown" } : tag));
  if (!said || !only || others.length > 0) return tags;
  const clauseOf = (place: number) => tags.filter((_, at) => isSameClause(tags, at, place));
  const isNamed = (place: number) => clauseOf(place).some(({ kind }) => /^(?:thing|action)$/.test(kind));
  const silent = { kind: "small", text: "", senses: new Set<never>() } as const;
  // "web stays up on friday, we have a party that day"
  if (isNamed(tags.indexOf(only)) && !isNamed(that))
    return tags.map((tag, at) => (at === that || tag === said ? { ...tag, ...silent } : tag));
  const date = day.exec(only.text)?.[0].replace(/^on /i, "");
  const name = weekday.exec(said.text)?.[2] ?? said.said;
  const isPart = part.test(name) && name !== "day";
  const until = tags.find(
    (tag, at) => at > that + 1 - 3 && at !== that + 1 && isUntil(tag) && isSameClause(tags, at, that),
  );
  return tags.map((tag, at) => {
    if (tag === only || at === that) return { ...tag, ...silent };
    if (tag === until) return { ...tag, text: `on ${date} ${tag.text}` };
    if (tag !== said) return tag;
    if (until) return { ...tag, ...silent };
    return { ...tag, kind: "time", text: `on ${date}${isPart ? ` ${name}` : ""}`, senses: new Set() };
  });
}

const isUntil = ({ kind, text }: Tag): boolean => kind === "time" && /^(?:until|till?|from|between|at|\d)/i.test(text);

const isSameClause = (tags: readonly Tag[], one: number, other: number): boolean =>
  tags
    .slice(Math.min(one, other), Math.max(one, other))
    .every((tag) => !/[,;.!?]$/.test(lastWord(tag)) && !has(tag, "why"));
