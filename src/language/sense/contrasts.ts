import { isOrdering } from "./clause-kind.ts";
import { endsClause, has, type Tag } from "./tag.ts";

const mayContrast =
  /^(?:not|for|than|no longer than|not longer than|instead|rather|others?|rest|remaining|replica|twin|excluding|like|one|time|friends?|buddy|mate|team-?mate|team|pal|colleagues?)$/;

const silent = (tag: Tag): Tag => ({ ...tag, kind: "small", text: "", senses: new Set() });
const isNamed = ({ kind }: Tag): boolean => /^(?:thing|person|action)$/.test(kind);

/**
 * Tags without what is contrasted away: "only i-0b2, the other two can go". It is taken out only
 * where what counts instead is certain; else it stays, and nothing is done.
 */
export function withoutWhatDoesNotCount(all: readonly Tag[], isOnHold: boolean): readonly Tag[] {
  const tags = withoutOrigin(withoutWider(all));
  if (!tags.some(({ text }) => mayContrast.test(text))) return tags;
  // In the thread of a hold, the others are held too.
  const rest = withoutOthers(tags, isOnHold);
  return rest.map((tag, at) => (isReserved(rest, at) ? { ...tag, kind: "unknown", senses: new Set() } : tag));
}

/** "for the weekend, sat 9:00 to sun 18:00", "sundays backup, only this sunday": what is said more exactly counts. */
function withoutWider(tags: readonly Tag[]): readonly Tag[] {
  const times = tags.filter(({ kind }) => kind === "time");
  const isExact =
    times.length === 2 && times.some(({ text }) => /\b(?:fri|sat|sun|mon)/i.test(text) && /\d/.test(text));
  const wide = times.find(
    ({ text, words }) =>
      (isExact && /^(?:for |over |on |this |the |all |whole )*weekend$/i.test(text)) ||
      (/^\w+days$/i.test(words[0]?.value ?? "") &&
        times.some((other) => other.text.toLowerCase() === `this ${text.toLowerCase().replace(/^(?:on|every) /, "")}`)),
  );
  return wide ? tags.map((tag) => (tag === wide ? silent(tag) : tag)) : tags;
}

/** In "the reminder that I asked for on Monday" the day is none of what is asked for now. */
function withoutOrigin(tags: readonly Tag[]): readonly Tag[] {
  if (!tags.some((tag) => has(tag, "warn", "mute"))) return tags;
  const from = tags.findIndex(
    ({ text }, at) =>
      /^(?:that|which)$/.test(text) &&
      /^(?:i|i'd|we)$/.test(tags[at + 1]?.said ?? "") &&
      tags.slice(at + 2, at + 5).some((tag) => has(tag, "request", "need", "move")),
  );
  if (from === -1) return tags;
  const to = tags.findIndex((tag, at) => at > from && (endsClause(tag) || tag.kind === "time"));
  return to === -1 ? tags : tags.map((tag, at) => (at >= from && at <= to ? silent(tag) : tag));
}

const otherOnes = /^(?:others?|rest|remaining|replica|twin)$/;

/**
 * "…, the other thursdays stay" changes nothing, and in "…, the other two can go" and "not the replica" the others are those that are not
 * named, beside single machines.
 */
function withoutOthers(all: readonly Tag[], isOnHold: boolean): readonly Tag[] {
  const at = all.findIndex(({ text }) => otherOnes.test(text));
  let [from, to] = [at, at];
  while (from > 0 && !endsClause(all[from - 1])) from--;
  while (to < all.length - 1 && !endsClause(all[to])) to++;
  const clause = from < 1 ? [] : all.slice(from, to + 1);
  const is = (words: RegExp) => clause.some(({ text }) => words.test(text));
  if (clause.some(({ kind }) => kind === "thing" || kind === "person")) return all;
  const isLeftOut = all.slice(0, from).some((tag) => has(tag, "skip", "cancel", "withdraw", "move", "instead"));
  const isKept = isLeftOut && clause.some((tag) => has(tag, "keep"));
  const isUnchanged = isKept || is(/^(?:stays?|remains?|unchanged|unaffected|untouched|usual|normal|normally)$/);
  const stays = isUnchanged && !is(/\d|^(?:not|only|up|off|on|if|until)$/);
  const things = all.filter(({ kind }) => kind === "thing");
  const isOfMachines = things.length > 0 && things.every(({ text }) => /\d|-/.test(text));
  const isNot = is(/^(?:not|don't|doesn't|won't|needn't|no)$/);
  const isLet = clause.some((tag) => has(tag, "stop", "off", "turnOff", "end", "release", "go"));
  const goes =
    isOfMachines &&
    isNot !== isLet &&
    !clause.some((tag) => tag.kind === "time" || has(tag, "keep")) &&
    !is(/^(?:only|too|also|if|until|after|before|when|but|once)$/);
  // In the thread of a hold, or as an order, it asks for more: what is held of the others is to end.
  const isAsked = goes && !stays && (isOnHold || isOrdering(clause, ["end", "release", "turnOff", "stop"]));
  if (isAsked) return all.map((tag, index) => (index === at ? { ...tag, text: "except" } : tag));
  return stays || goes ? all.map((tag, index) => (index >= from && index <= to ? silent(tag) : tag)) : all;
}

/**
 * Words that hold something back from what is asked for, though they mean nothing elsewhere: "staging excluding i-0a1", "like web", "one
 * machine of staging", "22 their time", "bob's friend". They are left unexplained, so that nothing is done.
 */
function isReserved(tags: readonly Tag[], at: number): boolean {
  const [before, tag, after] = [tags[at - 1], tags[at], tags[at + 1]];
  const [next] = tags.slice(at + 1).filter(({ text }) => !/^(?:the|a|an|of|for|than|with)$/.test(text));
  const isBehindName = tags.slice(0, at).some(isNamed);
  const isBeforeName = next !== undefined && isNamed(next);
  switch (tag?.text) {
    case "excluding":
      return isBehindName;
    case "like":
      return isBeforeName && isBehindName;
    // "staging for qa", "less than qa", "more than 2 hours", whereas "no longer than 18:00" is an end
    case "for":
      return next?.kind === "thing" && tags.slice(0, at).some(({ kind }) => kind === "thing");
    case "than":
      return has(before, "shorten") || (has(before, "extend") && (isBeforeName || next?.kind === "time"));
    case "no longer than":
    case "not longer than":
      return /(?:hour|hr|min|day|week)s?$|\dh$/.test(next?.text ?? "");
    case "one":
      return (
        /^(?:machine|server|box|instance|node|host|vm|database)s?$/.test(after?.said ?? "") ||
        (after?.text === "of" && isBeforeName)
      );
    case "time":
      return /^(?:their|his|her)$/.test(before?.said ?? "");
    case "instead":
    case "rather":
      return /^(?:of|than)\b/.test(after?.text ?? "") && isBeforeName;
    default:
      return (
        /^(?:friends?|buddy|mate|team-?mate|team|pal|colleagues?)$/.test(tag?.text ?? "") &&
        ((before?.kind === "person" && /['’]s$/i.test(before.words.at(-1)?.value ?? "")) ||
          (after?.text === "of" && next?.kind === "person"))
      );
  }
}

const several =
  /\b(?:every|each|daily|weekly|week|weekends?|weekdays?|workdays?|\w+days|days)\b|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]* ?(?:-|–|\+|to|through|till|until) ?(?:mon|tue|wed|thu|fri|sat|sun)/i;
const excepting = /^(?:not|except|excluding|without|bar|minus|skipping|leaving out|no)$/;
const aDay = /^(?!.*\d(?::|[ap]m|h\b|-))(?!.*\b(?:until|till?|from|to|for|at|morning|evening|afternoon|night)\b)/i;

/** "qa every evening …, not on holidays", "…, only on friday not": days that are left out of those that were said. */
export function withExceptions(tags: readonly Tag[]): readonly Tag[] {
  const lead = tags.findIndex(({ text, said }) => excepting.test(text) || excepting.test(said));
  if (lead === -1) return tags;
  const isOut = (tag: Tag | undefined) =>
    has(tag, "holiday") ||
    (tag?.kind === "time" && !has(tag, "times") && aDay.test(tag.text.replace(/\d{4}-\d\d-\d\d/, "day")));
  const isSmall = (tag: Tag | undefined) => tag?.kind === "small" || (tag?.said === "on" && tag.kind !== "time");
  let at = lead + 1;
  while (isSmall(tags[at]) && at < tags.length) at++;
  let from = lead;
  if (!isOut(tags[at])) {
    // "on friday not"
    at = lead - 1;
    from = at;
    while (from > 0 && isSmall(tags[from - 1]) && !endsClause(tags[from - 1])) from--;
    if (tags[lead]?.said !== "not" || !(lead + 1 === tags.length || endsClause(tags[lead]))) return tags;
  }
  const [out, end] = [tags[at], Math.max(at, lead)];
  let last = end;
  while (!endsClause(tags[last]) && (tags[last + 1]?.kind === "small" || has(tags[last + 1], "polite"))) last++;
  const isWhole = isOut(out) && (last + 1 === tags.length || endsClause(tags[last]));
  const others = tags.filter((tag, place) => tag.kind === "time" && (place < from || place > end));
  // "my weekly build not on december 3"
  const isOfSeries = isWhole && others.length === 0 && tags.some((tag) => has(tag, "series"));
  if (isOfSeries && out?.kind === "time" && tags[lead]?.said === "not")
    return tags.map((tag, place) =>
      place === lead ? { ...tag, kind: "sense", text: "skip", senses: new Set(["skip"] as const) } : tag,
    );
  if (!out || !isWhole || !others.some((tag) => has(tag, "times") || several.test(tag.text))) return tags;
  const text = has(out, "holiday") ? "not on holidays" : `not on ${out.text.replace(/^(?:on|the) /i, "")}`;
  const isBut = /^(?:but|and)$/.test(tags[from - 1]?.text ?? "");
  return tags.map((tag, place) => {
    if (place === at) return { ...tag, kind: "time", text, senses: new Set() };
    return place >= from - (isBut ? 1 : 0) && place <= end ? silent(tag) : tag;
  });
}
