import type { Tag } from "./tag.ts";

const clock =
  /^(?:(?:at|by|around|about|until|till?|to)\s+)?(?:(?:half|quarter|ten|twenty|five|\d+)\s+(?:past|to)\s+)?(?:\d{1,2}(?:[:.h]?\d{2})?\s*(?:h|am|pm|o'clock|uhr)?|noon|midnight|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)$/i;
const withClock =
  /\d\s*(?:am|pm|h|uhr|o'clock)\b|\d[:.]\d\d|\b(?:noon|midnight|past|quarter|morning|afternoon|evening)\b|(?:until|till?|to|at|by)\s+\d/i;
const day = /\b(?:today|tomorrow|tonight|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?)\b/gi;
const isEnd = (text: string): boolean => /^(?:until|till?|to|through|by)\b/i.test(text);
const articles = /^(?:the|a|an|at|on|of|than|to|for|in|just|by|till?|until)$/;

/**
 * Tags without what is contrasted away: "until 23:30 not 22", "instead of noon tomorrow", "only i-0b2, the other two can go". It is taken
 * out only where what counts instead is certain; else it stays, and nothing is done.
 */
export function withoutContrasts(all: readonly Tag[]): readonly Tag[] {
  const tags = withoutWider(all);
  if (!tags.some(({ text }) => mayContrast.test(text))) return tags;
  return withoutOthers(withoutTimes(tags));
}

/** "for the weekend, sat 9:00 to sun 18:00": what is said of it more exactly counts. */
function withoutWider(tags: readonly Tag[]): readonly Tag[] {
  const times = tags.filter(({ kind }) => kind === "time");
  const wide = times.find(({ text }) => /^(?:for |over |on |this |the |all |whole )*weekend$/i.test(text));
  const isExact = times.some(({ text }) => /\b(?:fri|sat|sun|mon)/i.test(text) && /\d/.test(text));
  return wide && isExact && times.length === 2 ? tags.map((tag) => (tag === wide ? silent(tag) : tag)) : tags;
}

/** "sundays backup, only this sunday": it belongs to the one day. */
export function withoutSeriesOfOne(tags: readonly Tag[]): readonly Tag[] {
  const series = tags.find(({ kind, words }) => kind === "time" && /^\w+days$/i.test(words[0]?.value ?? ""));
  const isOne =
    series &&
    tags.some(
      ({ text }) =>
        text.toLowerCase().replace(/^this /, "") === series.text.toLowerCase().replace(/^(?:every|on) /, "") &&
        /^this /i.test(text),
    );
  return isOne ? tags.map((tag) => (tag === series ? silent(tag) : tag)) : tags;
}

const mayContrast = /^(?:not|instead|rather|others?|rest|remaining|replica|twin)$/;
const silent = (tag: Tag): Tag => ({ ...tag, kind: "small", text: "", senses: new Set() });

function withoutTimes(all: readonly Tag[]): readonly Tag[] {
  for (const [at, { text }] of all.entries()) {
    const of = /^(?:instead|rather)$/.test(text) && /^(?:of|than)\b/.test(all[at + 1]?.text ?? "");
    if (!of && text !== "not") continue;
    let end = at + 1;
    while (articles.test(all[end]?.text ?? "") && all[end]?.kind !== "time") end++;
    const gone = all[end];
    const others = all.filter((tag, index) => tag.kind === "time" && index !== end && tag.senses.size === 0);
    const [stays] = others;
    if (!gone || !stays || others.length !== 1 || figureOf(gone) === undefined) continue;
    // "tomorrow not 9am" could mean another hour of tomorrow.
    if (!of && !withClock.test(stays.text)) continue;
    const meant = replacing(stays.text, figureOf(gone) ?? "", of);
    if (meant === undefined) continue;
    return all.map((tag, index) => {
      if (tag === stays) return { ...tag, text: meant };
      if (index === at && of) return { ...tag, kind: "sense", senses: new Set(["extend"] as const) };
      return index >= at && index <= end ? silent(tag) : tag;
    });
  }
  return all;
}

/** A time, or the figure of an hour: "not 22". */
const figureOf = ({ kind, text, senses }: Tag): string | undefined =>
  (kind === "time" && senses.size === 0) || (kind === "unknown" && /^\d{1,2}$/.test(text))
    ? text.replace(/^(?:of|than) /, "")
    : undefined;

/** The time that counts, where one stands instead of another. */
function replacing(stays: string, gone: string, isInstead: boolean): string | undefined {
  if (!withClock.test(stays)) return isInstead && isEnd(stays) && !clock.test(gone) ? stays : undefined;
  const isClock = clock.test(gone);
  if (isClock) return stays;
  // "instead of noon tomorrow could it be 4 in the afternoon": the day stays.
  const days = gone.match(day) ?? [];
  const own = stays.match(day) ?? [];
  if (!isInstead || !withClock.test(gone) || days.length !== 1) return isInstead && isEnd(stays) ? stays : undefined;
  return own.length > 0 ? stays : `${stays} ${days[0]}`;
}

/** "…, the other thursdays stay" changes nothing. */
function withoutStaying(all: readonly Tag[]): readonly Tag[] {
  const at = all.findIndex(({ text }) => /^(?:others?|rest|remaining)$/.test(text));
  let from = at;
  while (from > 0 && !endsClause(all[from - 1])) from--;
  let to = at;
  while (to < all.length - 1 && !endsClause(all[to])) to++;
  const clause = at < 1 ? [] : all.slice(from, to + 1);
  const stays = clause.some(({ text }) => /^(?:stays?|remains?|unchanged|unaffected|untouched)$/.test(text));
  const isPlain = clause.every(
    ({ kind, text }) => kind !== "thing" && kind !== "person" && !/\d|^(?:not|only|up|off|on|if|until)$/.test(text),
  );
  return from > 0 && stays && isPlain
    ? all.map((tag, index) => (index >= from && index <= to ? silent(tag) : tag))
    : all;
}

const otherOnes = /^(?:others?|rest|remaining|replica|twin)$/;
const follows = new Set(["stop", "off", "turnOff", "end", "release", "go"]);

/** "…, the other two can go", "not the replica": beside single machines, the others are those that are not named. */
function withoutOthers(tags: readonly Tag[]): readonly Tag[] {
  const all = withoutStaying(tags);
  const things = all.filter(({ kind }) => kind === "thing");
  if (things.length === 0 || !things.every(({ text }) => /\d/.test(text) || text.includes("-"))) return all;
  const at = all.findIndex(({ text }) => otherOnes.test(text));
  let from = at;
  while (from > 0 && !endsClause(all[from - 1])) from--;
  let to = at;
  while (to < all.length - 1 && !endsClause(all[to])) to++;
  const clause = at === -1 ? [] : all.slice(from, to + 1);
  const isNot = clause.some(({ text }) => /^(?:not|don't|doesn't|won't|needn't|no)$/.test(text));
  const isLet = clause.some(({ senses }) => [...senses].some((sense) => follows.has(sense)));
  const isPlain = clause.every(
    ({ kind, senses, text }) =>
      kind !== "thing" && kind !== "time" && kind !== "person" && !senses.has("keep") && text !== "only",
  );
  const isStill =
    from > 0 &&
    isPlain &&
    isNot !== isLet &&
    !clause.some(({ text }) => /^(?:too|also|if|until|after|before|when|but|once)$/.test(text));
  return isStill ? all.map((tag, index) => (index >= from && index <= to ? silent(tag) : tag)) : all;
}

const endsClause = (tag: Tag | undefined): boolean => /[,;:.!?)–—-]$/.test(tag?.words.at(-1)?.value ?? "");
