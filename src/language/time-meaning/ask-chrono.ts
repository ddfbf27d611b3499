import { casual, type ParsedResult } from "chrono-node/en";
import { formatMoment } from "../../time/format-moment.ts";
import { type CalendarDay, instantOf, wallClockAt } from "../../time/wall-clock.ts";
import { ianaZone } from "../../time/zone.ts";
import { minutesOf } from "./team-day.ts";
import type { TimeContext, TimeOption } from "./time-reading.ts";

/**
 * What chrono makes of words that the grammar cannot read. It guesses, so its moment is only ever offered, and only when it starts
 * at the first word and explains every one that it takes.
 */
export function askChrono(
  words: readonly string[],
  context: TimeContext,
): { count: number; option: TimeOption } | undefined {
  const zone = ianaZone(context.zone);
  const text = words.join(" ");
  if (zone === undefined || text.length > longestText) return undefined;
  const today = wallClockAt(context.now, zone);
  const [found, ...others] = parseAt(text, today, 12);
  const count = found?.index === 0 && !found.end && others.length === 0 ? wordsIn(found.text, words) : undefined;
  if (!found || count === undefined) return undefined;
  const { start } = found;
  if (!start.isCertain("day") && !start.isCertain("weekday") && !start.isCertain("hour")) return undefined;
  // An hour that moves with the clock was counted from noon, not from now.
  if (start.isCertain("hour") && parseAt(text, today, 13)[0]?.start.get("hour") !== start.get("hour")) return undefined;
  const at = momentOf(start, zone, context);
  if (at === undefined || at <= context.now) return undefined;
  return { count, option: { at, label: formatMoment(at, zone) } };
}

/** chrono uses the process's own zone. Clock changes never skip noon, and only the day matters here. */
function parseAt(text: string, { year, month, day }: CalendarDay, hour: number): readonly ParsedResult[] {
  return casual.parse(text, new Date(year, month - 1, day, hour), { forwardDate: true });
}

/** The day alone is its start for the team. */
function momentOf(start: ParsedResult["start"], zone: string, { dayStarts }: TimeContext): number | undefined {
  if (start.isCertain("timezoneOffset")) return start.date().getTime();
  const said = (part: "year" | "month" | "day" | "hour" | "minute") => start.get(part) ?? 0;
  const time = start.isCertain("hour") ? said("hour") * 60 + said("minute") : minutesOf(dayStarts);
  const day = { year: said("year"), month: said("month"), day: said("day") };
  const found = instantOf({ ...day, hour: Math.floor(time / 60), minute: time % 60 }, zone);
  return found.kind === "skipped" ? undefined : found.at;
}

const longestText = 100;

/** How many whole words the text has; undefined when it ends within one. */
function wordsIn(text: string, words: readonly string[]): number | undefined {
  const count = text.trim().split(/\s+/).length;
  return words.slice(0, count).join(" ") === text.trim() ? count : undefined;
}
