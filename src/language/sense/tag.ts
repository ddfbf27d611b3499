import type { FindPeriod } from "../periods/find-period.ts";
import type { ReadTimeAt } from "../read-time.ts";
import { mayBeginTime } from "../time-words/words.ts";
import type { Word } from "../tokenize.ts";
import { isSmall, type Sense, sensesAt } from "./lexicon.ts";
import type { NameKind, Names } from "./names.ts";
import { writtenOut } from "./shorthand.ts";

/** What a word, or several together, were found to be. */
export interface Tag {
  readonly kind:
    | NameKind
    | "time"
    | "ticket"
    | "address"
    | "sense"
    | "self"
    | "pronoun"
    | "small"
    | "quoted"
    | "unknown";
  readonly words: readonly Word[];
  /** Its first word as it was typed, in lower case and without signs. */
  readonly said: string;
  /** As the grammar takes it: the name of a group, a time as it was typed; else the word in lower case. */
  readonly text: string;
  readonly senses: ReadonlySet<Sense>;
  /** It was mistyped. */
  readonly isCorrected?: true;
}

export const has = (tag: Tag | undefined, ...senses: readonly Sense[]): boolean =>
  tag !== undefined && senses.some((sense) => tag.senses.has(sense));
/** Whether it says anything. */
export const content = ({ kind }: Tag): boolean => kind !== "small";
/** Its last word as it was typed, with its marks. */
export const lastWord = (tag: Tag | undefined): string => tag?.words.at(-1)?.value ?? "";
export const endsClause = (tag: Tag | undefined): boolean => /[,;:.!?)…–—-]$/.test(lastWord(tag));

/** What is known where a line is read. */
export interface Known {
  readonly readTimeAt: ReadTimeAt;
  readonly findPeriod: FindPeriod;
  /** Whether these words as a whole are a time that a question about runs, or about what was, takes. */
  readonly isSpan: (words: readonly string[]) => boolean;
  readonly isPast: (words: readonly string[]) => boolean;
  readonly names: Names;
  /** What the thread is about in which the line was written. */
  readonly card?: "exclusion" | "request" | "other" | undefined;
  /** Whose account the card is about, as the grammar takes them. */
  readonly cardPerson?: string | undefined;
}

const none: Tag["senses"] = new Set();

/** The word in lower case, without the signs around it. */
export const plain = (value: string): string => {
  const lower = value.toLowerCase().replaceAll(/[‘’`´]/g, "'");
  let [from, to] = [0, lower.length];
  while (from < to && "(\"'“”[*_-".includes(lower[from] ?? "")) from++;
  // "i-0b*" is no machine, "*web*" is.
  const isBold = /^[("'“”[]*[*_]/.test(lower);
  while (to > from && `)"'“”.,!?;:]…-–—${isBold ? "*_" : ""}`.includes(lower[to - 1] ?? "")) to--;
  return lower.slice(from, to);
};

/** Finds all that is known in a line, at each place the longest: names, times, ids of tickets, and words with a sense. */
export function tagged(asTyped: readonly Word[], known: Known): readonly Tag[] {
  const words = writtenOut(asTyped, known.names);
  const typed = words.map(({ value, isQuoted }) => (isQuoted ? "" : plain(value)));
  const tags: Tag[] = [];
  for (let at = 0; at < words.length; ) {
    const found = tagAt(words, typed, at, known);
    const isSurname =
      tags.at(-1)?.kind === "person" && found.kind === "unknown" && /^\p{Lu}/u.test(words[at]?.value ?? "");
    const tag = isSurname && !/[,.;:]$/.test(words[at - 1]?.value ?? "") ? { ...found, kind: "small" as const } : found;
    tags.push({ ...tag, said: typed[at] ?? "", words: asTyped.slice(at, at + Math.max(1, tag.words.length)) });
    at += Math.max(1, tag.words.length);
  }
  return withLengths(withEvents(tags), known);
}

const dayName =
  /^(?:the |this )?(?:christmas|xmas|easter|weekend|night|new year|(?:mon|tues|wednes|thurs|fri|satur|sun)day)$/i;

/** "black friday", and "christmas sale" where a clause begins: what happens, and no time. */
function withEvents(tags: readonly Tag[]): readonly Tag[] {
  const ends = (tag: Tag | undefined) => /[,;:.!?(–—-]$/.test(tag?.words.at(-1)?.value ?? "");
  return tags.map((tag, at) => {
    const [before, next] = [tags[at - 1], tags[at + 1]];
    if (tag.kind !== "time" || !dayName.test(tag.text)) return tag;
    const isNamed = /^(?:black|cyber|good)$/.test(before?.text ?? "") && before?.kind === "unknown";
    const begins = ends(before) || (/^(?:the|our|my|for|a|with)$/.test(before?.text ?? "") && ends(tags[at - 2]));
    const isCompound = begins && next?.kind === "unknown" && !ends(tag);
    return isNamed || isCompound ? { ...tag, kind: "unknown", senses: none } : tag;
  });
}

function tagAt(words: readonly Word[], typed: readonly string[], at: number, known: Known): Omit<Tag, "said"> {
  const word = words[at];
  const text = typed[at] ?? "";
  const of = (kind: Tag["kind"], length: number, said: string, senses = none) => ({
    ...{ kind, words: words.slice(at, at + length), text: said, senses },
  });
  if (!word) return of("small", 1, "");
  if (word.isQuoted) {
    const parts = plain(word.value).split(/\s+/);
    const name = known.names.at(parts, 0);
    return name?.length === parts.length ? of(name.kind, 1, name.text) : of("quoted", 1, word.value);
  }
  if (/^(?:[-=–]+>|→|=)$/.test(word.value)) return of("small", 1, "to");
  if (/^<@/.test(word.value)) return of("person", 1, word.value.replace(/>[,;:.!?]+$/, ">"));
  const ticket = ticketAt(typed, at, known);
  if (ticket > 0) return of("ticket", ticket, text);
  if (/^[^@\s]+@[^@\s]+\.[a-z]+$/.test(text)) return of("address", 1, text);
  const name = nameAt(typed, at, known);
  // "the two" in "the two staging boxes" says nothing.
  const isCount = /^(?:two|three|four|2|3|4)$/.test(text) && /^(?:the|both|all|our|my)$/.test(typed[at - 1] ?? "");
  if (isCount && nameAt(typed, at + 1, known)?.kind === "thing") return of("small", 1, "");
  const led = ledTimeAt(words, typed, at, known);
  if (led) return of(led.kind, led.length, led.said, new Set(led.senses));
  const isFactor = /^(?:the |a )?second factor/.test(typed.slice(at, at + 3).join(" "));
  const isMark = /^(?:over|above|past)$/.test(text) && sensesAt(typed, at + 1)?.senses.has("budget");
  const isOfWarning = text === "before" && typed.some(isWarning);
  const time = isFactor || isMark || isOfWarning ? 0 : timeAt(words, typed, at, known);
  if (name && name.length >= time) return of(name.kind, name.length, name.text);
  const found = sensesAt(typed, at, known.card === "request");
  // "can I hold machines" asks for a right.
  const isRight = found?.senses.has("owned") && /^(?:can|may|could|might|should)$/.test(typed[at - 1] ?? "");
  const sense = isRight ? undefined : found;
  if (time > 0 && time >= (sense?.length ?? 0) && !sense?.senses.has("budget")) {
    const typedTime = said(words.slice(at, at + time));
    const behind = hedgeAt(typed, at + time);
    const isWhole = behind > 0 && /^incl/.test(typed[at + time] ?? "");
    if (isWhole) return of("time", time + behind, typedTime.replace(/^(?:until|till?|to)\b/i, "through"));
    // "cancel the thursday series" is about all of them.
    const ofDay =
      /^series?$/.test(typed[at + time] ?? "") &&
      typed.some(isEnding) &&
      !typed.some(isNot) &&
      /^(?:the )?(\w+day)$/i.exec(typedTime)?.[1];
    if (ofDay) return of("time", time + 1, `every ${ofDay}`, ofWeek);
    if (weekdays.test(typedTime)) return of("time", time + behind, typedTime, ofWeek);
    if (isOfRun(words.slice(at, at + time), known)) return of("time", time + behind, typedTime, ofRun);
    const isMore = /^(?:another|extra|\+)|\b(?:more|longer|extra|additional)\b/i.test(typedTime);
    const senses = isMore ? extending : /\b(?:earlier|sooner)\b/i.test(typedTime) ? shortening : none;
    return of("time", time + behind, typedTime, senses);
  }
  const isBehind = whoever.test(typed[at - 1] ?? "") && !/[.!?,;:]$/.test(words[at - 1]?.value ?? "");
  const isInFront = isSomebody(typed, at + 1, known) && !/^(?:ask|know|please)$/.test(typed[at + 2] ?? "");
  if ((isBehind && /^(?:can|may|could|cn|might)$/.test(text)) || (isInFront && /^(?:can|may)$/.test(text)))
    return of("sense", 1, text, allowed);
  if (sense) return of("sense", sense.length, typed.slice(at, at + sense.length).join(" "), sense.senses);
  if (/^(?:me|my|mine|i|myself|i'm|im|i've|ive|i'll)$/.test(text)) return of("self", 1, "me", mine);
  if (/^(?:it|this|that|them|these|those|they)$/.test(text)) return of("pronoun", 1, text);
  if (text === "" || isSmall(text) || isPicture(word.value)) return of("small", 1, text);
  const near = known.names.corrected(text);
  if (near !== undefined && near !== text)
    return { ...tagAt(words, Object.assign([...typed], { [at]: near }), at, known), isCorrected: true };
  return of("unknown", 1, text);
}

interface Led {
  readonly kind: "time" | "sense" | "small";
  readonly length: number;
  readonly said: string;
  readonly senses?: readonly Sense[];
}

/** A time that begins with words of its own, what it stands instead of, or days that come again. */
function ledTimeAt(words: readonly Word[], typed: readonly string[], at: number, known: Known): Led | undefined {
  const text = typed[at] ?? "";
  const starts = /^(?:from|starting|beginning|since)$/.test(text) ? timeAt(words, typed, at + 1, known) : 0;
  if (
    starts > 0 &&
    timeAt(words, typed, at, known) === 0 &&
    !(text === "since" ? isPast : isGone).test(said(words.slice(at + 1, at + 1 + starts)))
  )
    return { kind: "time", length: starts + 1, said: `from ${said(words.slice(at + 1, at + 1 + starts))}` };
  // "ping me 10 before it stops"
  if (/^[1-9]\d?$/.test(text) && /^(?:before|prior|ahead)$/.test(typed[at + 1] ?? "") && typed.some(isWarning))
    return { kind: "time", length: 1, said: `${text} min` };
  const steadily = steadyAt(typed, at);
  if (steadily > 0) return { kind: "small", length: steadily, said: "" };
  const replaced = replacedAt(typed, at, (place) => timeAt(words, typed, place, known));
  if (replaced > 0) return { kind: "sense", length: replaced, said: "instead", senses: ["instead"] };
  const lead = leadAt(typed, at);
  const led = lead ? timeAt(words, typed, at + lead.length, known) : 0;
  if (lead && led > 0) {
    const time = said(words.slice(at + lead.length, at + lead.length + led)).replace(/^(?:on|is|the|at) /i, "");
    return { kind: "time", length: lead.length + led, said: `${lead.means} ${time}` };
  }
  const every = seriesAt(typed, at);
  // "skip sundays backup" is about one.
  if (every === 1 && nameAt(typed, at + 1, known)?.kind === "action" && text.endsWith("s"))
    return { kind: "time", length: 1, said: `on ${text.slice(0, -1)}` };
  if (every === 0) return undefined;
  const days = said(words.slice(at, at + every)).replace(/^(?:on |all )?(\w+day)s\b/i, "every $1");
  return { kind: "time", length: every, said: days, senses: ["series", "times"] };
}

/** How many words of a ticket stand at this place: "OPS-1234", "ticket 4471". */
function ticketAt(typed: readonly string[], at: number, { names }: Known): number {
  const text = typed[at] ?? "";
  if (/^(?:[a-z]{2,}-\d{2,}|[a-z]{2,6}\d{4,}|#?\d{5,})$/.test(text) && !names.at(typed, at)) return 1;
  const isNamed = /^(?:ticket|incident|case|req|request|change|no|number|nr)$/.test(text);
  return isNamed && /^#?(?:[a-z]+-)?\d{3,}$/.test(typed[at + 1] ?? "") ? 2 : 0;
}

/** "before qa stops" is about qa; "staging machines" are those of the group, unless the line speaks of selectors or plans. */
function nameAt(typed: readonly string[], at: number, { names }: Known): ReturnType<Names["at"]> {
  const found = names.at(typed, at);
  // "hours of Development" are no office hours.
  if (found?.kind === "plan" && /^(?:hours|hrs)$/.test(typed[at] ?? "")) return undefined;
  const isOfWarning = found?.kind === "action" && typed.some(isWarning);
  if (isOfWarning)
    for (const word of typed.slice(at, at + found.length)) {
      const thing = names.at([word], 0);
      if (thing?.kind === "thing") return { ...thing, length: found.length };
    }
  const before = typed.slice(Math.max(0, at - 3), at);
  const isVerb =
    before.some((word) => /^(?:let|lets|don't|dont|did|didn't)$/.test(word)) &&
    /^(?:stops?|starts?)$/.test(typed[at + (found?.length ?? 1) - 1] ?? "");
  if (found?.kind === "action" && (isVerb || before.some((word) => /^(?:before|prior|ahead)$/.test(word)))) {
    const alone = names.at(typed.slice(at, at + 1), 0);
    return alone?.kind === "thing" ? alone : found;
  }
  const isIn =
    /^(?:to|into|in|from|of)$/.test(typed[at - 1] ?? "") &&
    typed.some((word) => /^(?:add|adds|put|belongs?|remove|include|take)$/.test(word));
  // "frank's old account"
  if (found?.kind === "credential" && /'s$/.test(typed[at - 1] ?? "") && typed[at] === "old") return undefined;
  if (
    found?.kind !== "selector" ||
    isIn ||
    typed.some((word) => /^(?:selector|plan|rename|relabel|retitle)/.test(word))
  )
    return found;
  const inIt = typed.slice(at, at + found.length).map((word) => names.at([word], 0));
  const thing = inIt.find((each) => each?.kind === "thing");
  return thing ? { ...thing, length: found.length } : found;
}

const isEnding = (word: string): boolean => sensesAt([word], 0)?.senses.has("cancel") === true;
const isNot = (word: string): boolean => /^(?:not|never|don'?t)$/.test(word);
const isWarning = (word: string): boolean => sensesAt([word], 0)?.senses.has("warn") === true;

/** A picture says nothing, apart from those that answer or doubt. */
const isPicture = (value: string): boolean =>
  (/^:[a-z0-9_+-]+:[.!]*$/.test(value) && !/thumbs|[+-]1|think|question|check|cross|no_|stop|x:|shrug/.test(value)) ||
  /^(?:🙏|🎉|😀|😃|😄|😁|😅|😂|🙂|😉|😊|😇|😍|😎|🥳|🚀|🔥|❤️|❤|💪|✨|😬|😢|😭|😓|🤞|🥲|☺️|:-?[()dp]|;-?[)]|<3|\^\^)+$/iu.test(
    value.replace(/^;/, ";"),
  );

const allowed: Tag["senses"] = new Set(["allowed"]);
const whoever = /^(?:who|whom|us|here|whoever|else|colleagues|people|anyone|anybody|any1|nobody|everybody|everyone)$/;
const isSomebody = (typed: readonly string[], at: number, { names }: Known): boolean =>
  /^(?:i|we)$/.test(typed[at] ?? "") || names.at(typed, at)?.kind === "person" || /^<@/.test(typed[at] ?? "");
const isGone = /\b(?:yesterday|last|ago)\b/i;
const isPast = /\b(?:yesterday|last|ago|lunch|today|this morning)\b/i;
const mine: Tag["senses"] = new Set(["mine"]);
const extending: Tag["senses"] = new Set(["extend"]);
const shortening: Tag["senses"] = new Set(["shorten"]);
const said = (words: readonly Word[]): string =>
  words
    .map(({ value }) => value)
    .join(" ")
    .replace(/(?<!\d\.\d{1,2})[,;:.!?…)]+$|,$/, "")
    .replace(/^\(/, "");

const ofRun: Tag["senses"] = new Set(["ofRun"]);
const ofWeek: Tag["senses"] = new Set(["series", "times"]);
const weekdays = /^(?:on |to )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days(?: and | & |, ?|$))+$/i;
const ofSeries =
  /^(?:other|second|2nd|third|first|last|of|the|a|in|and|week|weeks|month|working|work|day|days|weekday|weekdays|workday|workdays|weekend|weekends|morning|evening|night|\d(?:st|nd|rd|th)|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|mon|tue|wed|thu|fri|sat|sun|january|february|march|april|june|july|august|september|october|november|december|dec|jan|feb)$/;

/** How many words from this place say that something repeats: "every tuesday and wednesday in december", "thursdays". */
function seriesAt(typed: readonly string[], at: number): number {
  const first = typed[at] ?? "";
  const isAll = first === "all" && /^(?:mon|tues|wednes|thurs|fri|satur|sun)days$/.test(typed[at + 1] ?? "");
  if (!isAll && !/^(?:every|each|daily|weekly|(?:mon|tues|wednes|thurs|fri|satur|sun)days)$/.test(first)) return 0;
  let end = at + 1;
  while (ofSeries.test(typed[end] ?? "")) end++;
  while (end > at + 1 && /^(?:of|the|a|in|and)$/.test(typed[end - 1] ?? "")) end--;
  return first === "weekly" || (/^(?:every|each)$/.test(first) && end === at + 1) ? 0 : end - at;
}

/** Whether a time counts from a run of the schedule: "2h longer than usual". */
const isOfRun = (words: readonly Word[], { findPeriod }: Known): boolean => {
  const reading = findPeriod(
    words.map(({ value }) => value),
    true,
  )?.reading;
  return reading?.kind === "invalid" && reading.run !== undefined;
};

/** No time has more words. */
const maxTimeWords = 12;
/** How many words from this place are a time. */
function timeAt(
  words: readonly Word[],
  typed: readonly string[],
  at: number,
  { readTimeAt, findPeriod }: Known,
): number {
  // "may" is a month beside a number only.
  if (!mayBeginTime(typed, at) || (typed[at] === "may" && !/^\d/.test(typed[at + 1] ?? ""))) return 0;
  // "we ship 4.2"
  const isVersion = /^(?:ship|release|version|deploy|roll|rollout|of|v|rc)$/.test(typed[at - 1] ?? "");
  if (isVersion && /^\d+\.\d+$/.test(typed[at] ?? "")) return 0;
  const said = words.slice(at, at + maxTimeWords).map(({ value, isQuoted }) => (isQuoted ? "" : value));
  const stop = said.findIndex((each) => /[,;!?:]$/.test(each));
  const no = said.findIndex((each, index) => index > 0 && /^no$/i.test(each));
  const ends = [stop === -1 ? said.length : stop + 1, no === -1 ? said.length : no];
  const within = said.slice(0, Math.min(...ends)).map((each) => each.replace(/:$/, ""));
  const period = findPeriod(within, true);
  let length = Math.max(period?.end ?? 0, readTimeAt(within)?.end ?? 0);
  // "friday's start of qa", "tomorrow's early start"
  if (length > 2 && typed[at + length - 1] === "of") length -= 2;
  if (length > 1 && /^(?:early|late)$/.test(typed[at + length - 1] ?? "")) length -= 1;
  // "nightly etl"
  return length === 1 && typed[at] === "nightly" ? 0 : length;
}

/** Hedges behind a time: an end is an end. */
const hedges =
  /^(?:max|maximum|tops|latest|at (?:the )?(?:latest|most|max)|or (?:so|thereabouts)|approx|approximately|roughly|give or take|inclusive|included|incl|including$)(?= |$)/;

/** How many words from this place only hedge the time in front of them. */
const hedgeAt = (typed: readonly string[], at: number): number =>
  hedges.exec(typed.slice(at, at + 3).join(" "))?.[0].split(" ").length ?? 0;

const steady =
  /^(?:24\/7|24x7|nonstop|non-stop|continuously|uninterrupted|straight(?! away| back| after| on)|(?:a)?round the clock|without (?:a |any )?(?:break|pause|interruption|stop)|in a row|(?:the )?(?:whole|entire|all) night(?= (?:un)?till? )|from (?:its|their|the) (?:usual |normal |regular |scheduled |planned )?(?:stop|shutdown)(?: time)?(?: (?:tonight|today|this evening))?(?= (?:un)?till? ))(?= |$)/;

/** How many words from this place only say that it lasts without a break. */
const steadyAt = (typed: readonly string[], at: number): number =>
  steady.exec(typed.slice(at, at + 9).join(" "))?.[0].split(" ").length ?? 0;

/** What stands in front of a time, and what the grammar says instead: "no later than 21:00", "till like 11", "last one dec 10". */
const leads: readonly (readonly [RegExp, string])[] = [
  [/^(?:no|not) later than(?= )/, "until"],
  [/^(?:until|till?|by) like(?= )/, "until"],
  [/^at like(?= )/, "at"],
  [/^(?:up )?(?:to|until|till) and including(?= )/, "through"],
  [/^up to(?= )/, "until"],
  [/^(?:the )?last (?:one|time|day|on)(?: is| on| being)?(?= )/, "until"],
  [/^(?:the )?first (?:one|time|day|on)(?: is| on| being)?(?= )/, "from"],
];

/** How many words lead to a time, and what they mean. */
function leadAt(typed: readonly string[], at: number): { readonly length: number; readonly means: string } | undefined {
  const ahead = typed.slice(at, at + 5).join(" ");
  for (const [said, means] of leads) {
    const found = said.exec(ahead)?.[0];
    if (found !== undefined) return { length: found.split(" ").length, means };
  }
  return undefined;
}

/** How many words say which end is no longer meant, behind the one that is: "until 23:30 not 22", "… instead of tomorrow". */
function replacedAt(typed: readonly string[], at: number, timeAt: (at: number) => number): number {
  const said = /^(?:instead of|rather than|in place of|and not|not)(?= )/.exec(typed.slice(at, at + 4).join(" "))?.[0];
  if (said === undefined) return 0;
  const isLed = typed.slice(Math.max(0, at - 6), at).some((text) => /^(?:until|till?|'till|to|-|ends?)$/.test(text));
  const isBehindClock = typed.slice(Math.max(0, at - 3), at).some((text) => /^\d|^(?:noon|midnight)$/.test(text));
  // "tomorrow not 9am" could mean another hour of tomorrow.
  if (said.endsWith("not") ? !(isLed && isBehindClock) : !(isLed || isBehindClock)) return 0;
  const first = at + said.split(" ").length;
  const isClock =
    /^\d{1,2}(?:[:.]\d\d)?(?:am|pm|h)?$|^(?:noon|midnight|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?!.))$/.test(
      typed[first] ?? "",
    );
  const length = Math.max(timeAt(first), isClock ? 1 : 0);
  return length > 0 && (isClock || !said.endsWith("not")) ? first - at + length : 0;
}

const bareLength =
  /^(?:\d[\d.,]*|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve) ?(?:h|hrs?|hours?|d|days?|w|wks?|weeks?|nights?)$/i;
const sides = /\s(?:to|until|till|til|through|thru|and|-|–)\s|\d[-–]\d/;

/** A length beside a start lasts from it: "from tomorrow 6:00, 10 days". Beside a period that is as long it says nothing more. */
function withLengths(tags: readonly Tag[], { readTimeAt, findPeriod }: Known): readonly Tag[] {
  const times = tags.filter(({ kind }) => kind === "time");
  const [length, ...others] = times.filter(({ text }) => bareLength.test(text));
  const [other] = times.filter((tag) => tag !== length);
  if (!length || !other || others.length > 0 || times.length !== 2) return tags;
  const put = (tag: Tag) => tags.map((each) => (each === length ? tag : each));
  if (/^(?:from|starting|beginning)\b/i.test(other.text) && !sides.test(other.text))
    return put({ ...length, text: `for ${length.text}` });
  const said = readTimeAt(length.text.split(" "))?.reading;
  const reading = findPeriod(other.text.split(" "), true)?.reading;
  if (said?.kind !== "length" || reading?.kind !== "period" || reading.period.startsAt === undefined) return tags;
  const differs = Math.abs(reading.period.endsAt - reading.period.startsAt - said.ms) > hourMs;
  return differs ? tags : put({ ...length, kind: "small", text: "" });
}

const hourMs = 3_600_000;
