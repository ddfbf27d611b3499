import type { FindPeriod } from "../periods/find-period.ts";
import type { FindTime } from "../take-times.ts";
import type { Word } from "../tokenize.ts";
import type { Names } from "./names.ts";

/** What people say around a time that says the time in another way, or nothing. */

/** Hedges behind a time: an end is an end. */
const hedges =
  /^(?:max|maximum|tops|latest|at (?:the )?(?:latest|most|max)|or (?:so|thereabouts)|approx|approximately|roughly|give or take|inclusive|including|included|incl)(?= |$)/;

/** How many words from this place only hedge the time in front of them. */
export function hedgeAt(typed: readonly string[], at: number): number {
  const found = hedges.exec(typed.slice(at, at + 3).join(" "))?.[0];
  const isEnd =
    found !== "including" || at + 1 === typed.length || /^(?:for|because|pl[sz]|please)$/.test(typed[at + 1] ?? "");
  return found !== undefined && isEnd ? found.split(" ").length : 0;
}

const run = "(?:start|starts|boot|startup|stop|stops|shutdown|shut-down)";
const steady =
  /^(?:24\/7|24x7|nonstop|non-stop|continuously|uninterrupted|straight|(?:a)?round the clock|without (?:a |any )?(?:break|pause|interruption|stop)|in a row)(?= |$)/;
const day = /^(?:today|tomorrow|tomorrows|tonight|tonights|(?:mon|tues|wednes|thurs|fri|satur|sun)day)'?s?$/;

interface Beside {
  readonly kind: "time" | "small" | "instead";
  readonly length: number;
  readonly text: string;
}

/** A time that is said in a way of its own: "no later than 21:00", "until its 6:30 start", "last one dec 10", "tomorrow's". */
export function besideTime(
  words: readonly Word[],
  typed: readonly string[],
  at: number,
  { names }: { readonly names: Names },
  timeAt: (at: number) => number,
): Beside | undefined {
  const ahead = typed.slice(at, at + 4).join(" ");
  const text = typed[at] ?? "";
  const steadily = steady.exec(ahead)?.[0];
  if (steadily !== undefined) return { kind: "small", length: steadily.split(" ").length, text: "" };
  if (day.test(text) && /'s$|(?:morrow|night)s$/.test(text) && !names.at(typed, at))
    return { kind: "time", length: 1, text: text.replace(/'?s$/, "") };
  const replaced = replacedAt(typed, at, timeAt);
  if (replaced > 0) return { kind: "instead", length: replaced, text: "instead" };
  const lead = leads.find(([said]) => said.test(ahead));
  const count = lead ? (lead[0].exec(ahead)?.[0].split(" ").length ?? 0) : 0;
  const length = lead ? timeAt(at + count) : 0;
  if (!lead || length === 0) return undefined;
  const behind = typed[at + count + length] ?? "";
  const said = words
    .slice(at + count, at + count + length)
    .map(({ value }) => value)
    .join(" ")
    .replace(/(?<!\d\.\d{1,2})[,;.!?…)]+$|,$/, "");
  if (lead[1] === "run")
    // A machine starts in the morning.
    return new RegExp(`^${run}$`).test(behind)
      ? {
          ...{ kind: "time", length: count + length + 1 },
          text: `until ${/^(?:start|boot)/.test(behind) ? said.replace(/^(?=\d:\d\d$)/, "0") : said}`,
        }
      : undefined;
  if (lead[1] === "past")
    return new RegExp(`^${run}$`).test(behind) ? { kind: "small", length: count + length + 1, text: "" } : undefined;
  return { kind: "time", length: count + length, text: `${lead[1]} ${said.replace(/^(?:on|is|the|at) /i, "")}` };
}

/** How many words say which end is no longer meant, behind the one that is: "until 23:30 not 22", "… instead of tomorrow". */
function replacedAt(typed: readonly string[], at: number, timeAt: (at: number) => number): number {
  const said = /^(?:instead of|rather than|in place of|and not|not)(?= )/.exec(typed.slice(at, at + 4).join(" "))?.[0];
  if (
    said === undefined ||
    !typed.slice(Math.max(0, at - 6), at).some((text) => /^(?:until|till?|'till|to|-)$/.test(text))
  )
    return 0;
  // "tomorrow not 9am" could mean another hour of tomorrow.
  if (
    said.endsWith("not") &&
    !typed.slice(Math.max(0, at - 3), at).some((text) => /^\d|^(?:noon|midnight)$/.test(text))
  )
    return 0;
  const first = at + said.split(" ").length;
  const isClock = /^\d{1,2}(?:[:.]\d\d)?(?:am|pm|h)?$|^(?:noon|midnight)$/.test(typed[first] ?? "");
  const length = Math.max(timeAt(first), isClock ? 1 : 0);
  return length > 0 && (isClock || !said.endsWith("not")) ? first - at + length : 0;
}

/** What stands in front of a time, and what the grammar says instead. */
const leads: readonly (readonly [RegExp, string])[] = [
  [/^(?:no|not) later than(?= )/, "until"],
  [/^(?:up )?(?:to|until|till) and including(?= )/, "through"],
  [/^(?:the )?last (?:one|time|day|on)(?: is| on| being)?(?= )/, "until"],
  [/^(?:the )?first (?:one|time|day|on)(?: is| on| being)?(?= )/, "from"],
  [/^(?:until|till|til) (?:its|the|their)(?= )/, "run"],
  [/^(?:past|beyond|over) (?:its|the|their)(?= )/, "past"],
];

const bareLength =
  /^(?:\d[\d.,]*|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve) ?(?:h|hrs?|hours?|d|days?|w|wks?|weeks?|nights?)$/i;
const sides = /\s(?:to|until|till|til|through|thru|and|-|–)\s|\d[-–]\d/;

interface Times {
  readonly findTime: FindTime;
  readonly findPeriod: FindPeriod;
}

/** A length beside a start lasts from it: "from tomorrow 6:00, 10 days". Beside a period that is as long it says nothing more. */
export function withLengths<T extends { readonly kind: string; readonly text: string }>(
  tags: readonly T[],
  small: T["kind"],
  { findTime, findPeriod }: Times,
): readonly T[] {
  const times = tags.filter(({ kind }) => kind === "time");
  const [length, ...others] = times.filter(({ text }) => bareLength.test(text));
  const [other] = times.filter((tag) => tag !== length);
  if (!length || !other || others.length > 0 || times.length !== 2) return tags;
  const put = (tag: T) => tags.map((each) => (each === length ? tag : each));
  if (/^(?:from|starting|beginning)\b/i.test(other.text) && !sides.test(other.text))
    return put({ ...length, text: `for ${length.text}` });
  const said = findTime(length.text.split(" "))?.reading;
  const reading = findPeriod(other.text.split(" "), true)?.reading;
  if (said?.kind !== "length" || reading?.kind !== "period" || reading.period.startsAt === undefined) return tags;
  const differs = Math.abs(reading.period.endsAt - reading.period.startsAt - said.ms) > hourMs;
  return differs ? tags : put({ ...length, kind: small, text: "" });
}

const hourMs = 3_600_000;
