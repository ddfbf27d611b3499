import type { FindPeriod } from "../periods/find-period.ts";
import type { FindTime } from "../take-times.ts";

/** What people say around a time that says the time in another way, or nothing. */

/** Hedges behind a time: an end is an end. */
const hedges =
  /^(?:max|maximum|tops|latest|at (?:the )?(?:latest|most|max)|or (?:so|thereabouts)|approx|approximately|roughly|give or take|inclusive|included|incl|including$)(?= |$)/;

/** How many words from this place only hedge the time in front of them. */
export const hedgeAt = (typed: readonly string[], at: number): number =>
  hedges.exec(typed.slice(at, at + 3).join(" "))?.[0].split(" ").length ?? 0;

const steady =
  /^(?:24\/7|24x7|nonstop|non-stop|continuously|uninterrupted|straight|(?:a)?round the clock|without (?:a |any )?(?:break|pause|interruption|stop)|in a row)(?= |$)/;

/** How many words from this place only say that it lasts without a break. */
export const steadyAt = (typed: readonly string[], at: number): number =>
  steady.exec(typed.slice(at, at + 4).join(" "))?.[0].split(" ").length ?? 0;

/** "past its 18:30 stop": how many words say only that it lasts longer. */
export function pastAt(typed: readonly string[], at: number, timeAt: (at: number) => number): number {
  if (!/^(?:past|beyond|over) (?:its|the|their)$/.test(typed.slice(at, at + 2).join(" "))) return 0;
  const time = timeAt(at + 2);
  return time > 0 && /^(?:stop|stops|shutdown|shut-down)$/.test(typed[at + 2 + time] ?? "") ? time + 3 : 0;
}

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
export function leadAt(
  typed: readonly string[],
  at: number,
): { readonly length: number; readonly means: string } | undefined {
  const ahead = typed.slice(at, at + 5).join(" ");
  for (const [said, means] of leads) {
    const found = said.exec(ahead)?.[0];
    if (found !== undefined) return { length: found.split(" ").length, means };
  }
  return undefined;
}

/** How many words say which end is no longer meant, behind the one that is: "until 23:30 not 22", "… instead of tomorrow". */
export function replacedAt(typed: readonly string[], at: number, timeAt: (at: number) => number): number {
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
