import { formatInTimeZone } from "date-fns-tz";

/** The person for whom a text is rendered. */
export interface Viewer {
  /** The name of a person, channel or user group, without `@` or `#`. */
  readonly nameOf: (id: string) => string;
  /** The IANA zone in which dates are shown. */
  readonly zone: string;
  /** Epoch milliseconds. Without it, "today" and "3 minutes ago" become full dates. */
  readonly now?: number | undefined;
}

/** Formats a `<!date^…>` tag or a rich text date. Undefined when invalid, so that the fallback shows (PLATFORM.md §10). */
export function formatDate(
  seconds: number,
  format: string,
  viewer: Viewer,
  kind: "mrkdwn" | "rich_text",
): string | undefined {
  const at = new Date(seconds * 1000);
  const names = [...format.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name ?? "");
  const known = kind === "mrkdwn" ? tokens : { ...tokens, ...richTextTokens };
  if (Number.isNaN(at.getTime()) || !names.every((name) => Object.hasOwn(known, name))) return undefined;
  return format.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => known[name]?.(at, viewer) ?? "");
}

type Token = (at: Date, viewer: Viewer) => string;

const dayMs = 86_400_000;

const tokens: Readonly<Record<string, Token>> = {
  date_num: written("yyyy-MM-dd"),
  date: dateWithNeededYear,
  date_short: written("MMM d, yyyy"),
  date_long: written("EEEE, MMMM do, yyyy"),
  date_pretty: relativeOr(dateWithNeededYear),
  date_short_pretty: relativeOr(written("MMM d, yyyy")),
  date_long_pretty: relativeOr(written("EEEE, MMMM do, yyyy")),
  time: written("h:mm a"),
  time_secs: written("h:mm:ss a"),
  ago,
};

const richTextTokens: Readonly<Record<string, Token>> = {
  day_divider_pretty: relativeOr(written("EEEE, MMMM do, yyyy")),
  date_slash: written("dd/MM/yyyy"),
  date_long_full: written("MMMM d, yyyy"),
};

function written(pattern: string): Token {
  return (at, { zone }) => formatInTimeZone(at, zone, pattern);
}

/** Slack omits the year within six months. */
function dateWithNeededYear(at: Date, viewer: Viewer): string {
  const isNear = viewer.now !== undefined && Math.abs(at.getTime() - viewer.now) < 183 * dayMs;
  return written(isNear ? "MMMM do" : "MMMM do, yyyy")(at, viewer);
}

function relativeOr(token: Token): Token {
  return (at, viewer) => relativeDay(at, viewer) ?? token(at, viewer);
}

function relativeDay(at: Date, { now, zone }: Viewer): string | undefined {
  if (now === undefined) return undefined;
  const dayOf = (moment: Date): number => Date.parse(formatInTimeZone(moment, zone, "yyyy-MM-dd"));
  const days = Math.round((dayOf(at) - dayOf(new Date(now))) / dayMs);
  return new Map([
    [-1, "yesterday"],
    [0, "today"],
    [1, "tomorrow"],
  ]).get(days);
}

function ago(at: Date, viewer: Viewer): string {
  if (viewer.now === undefined) return written("MMM d, yyyy 'at' h:mm a")(at, viewer);
  const seconds = Math.round((at.getTime() - viewer.now) / 1000);
  const words = new Intl.RelativeTimeFormat("en");
  const size = Math.abs(seconds);
  if (size < 60) return words.format(seconds, "second");
  if (size < 3600) return words.format(Math.trunc(seconds / 60), "minute");
  return size < 86_400
    ? words.format(Math.trunc(seconds / 3600), "hour")
    : words.format(Math.trunc(seconds / 86_400), "day");
}

/** `2026-11-20 18:00`, for inputs of a day and a time. */
export function dateInZone(seconds: number, zone: string): string {
  return formatInTimeZone(new Date(seconds * 1000), zone, "yyyy-MM-dd HH:mm");
}
