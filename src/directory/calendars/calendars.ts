import { readFile as readFileFrom } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { CalendarSource } from "../../config/calendars-section.ts";
import type { Logger } from "../../observability/log.ts";
import { isoDay } from "../../time/recurrence.ts";
import { wallClockAt } from "../../time/wall-clock.ts";
import { type DaysOff, readCalendar } from "./days-off.ts";
import { type FetchCalendar, fetchCalendar, mostBytes } from "./fetch-calendar.ts";

export interface CalendarPorts {
  readonly sources: () => readonly CalendarSource[];
  /** Files are named from its folder. */
  readonly configFile: string;
  readonly fetch: FetchCalendar;
  readonly now: () => number;
  readonly log: Pick<Logger, "warn">;
}

interface Span {
  readonly from: number;
  readonly lastDay: string;
  readonly zone: string;
}

export interface Calendars {
  /** The days with an all-day event up to the last day, as `YYYY-MM-DD`; or why they are not known. */
  daysOff(name: string, span: Span): Promise<{ readonly days: readonly string[] } | { readonly problem: string }>;
  /** Reads all of them anew: at the start, and when the config changed. Gives why each unreadable one is. */
  load(): Promise<readonly { readonly name: string; readonly reason: string }[]>;
}

interface Kept {
  readonly daysOff: DaysOff;
  readonly at: number;
}

const dayMs = 86_400_000;

/** The calendars of the config. Each is read once a day at most; while it cannot be read again, what was read last counts. */
export function createCalendars(ports: CalendarPorts): Calendars {
  const { sources, now, log } = ports;
  const kept = new Map<string, Kept>();
  const read = async (source: CalendarSource): Promise<Kept> => {
    const fresh = { daysOff: await readCalendar(await textOf(ports, source)), at: now() };
    kept.set(keyOf(source), fresh);
    return fresh;
  };
  const present = async (source: CalendarSource): Promise<Kept> => {
    const known = kept.get(keyOf(source));
    if (known && now() - known.at < dayMs) return known;
    return read(source).catch((error: unknown) => {
      if (!known) throw error;
      log.warn({ err: error, calendar: source.name }, "a calendar could not be read again; what was read last counts");
      return known;
    });
  };
  return {
    daysOff: async (name, { from, lastDay, zone }) => {
      const source = sources().find((each) => each.name === name);
      if (!source) return { problem: unknownCalendar(name, sources()) };
      try {
        const { daysOff } = await present(source);
        return { days: daysOff(isoDay(wallClockAt(from, zone)), lastDay) };
      } catch (error) {
        log.warn({ err: error, calendar: name }, "a calendar could not be read");
        return {
          problem: `The calendar “${name}” can't be read just now: ${messageOf(error)}. Nothing was changed. Try again later, leave out “not on ${name}”, or ask the people who run Curfew.`,
        };
      }
    },
    load: async () => {
      const failed = sources().map((source) =>
        read(source).then(
          () => [],
          (error: unknown) => {
            log.warn({ err: error, calendar: source.name }, "a calendar could not be read");
            return [{ name: source.name, reason: messageOf(error) }];
          },
        ),
      );
      return (await Promise.all(failed)).flat();
    },
  };
}

const keyOf = ({ url, file }: CalendarSource): string => url ?? `file:${file}`;

async function textOf({ fetch, configFile }: CalendarPorts, { url, file = "" }: CalendarSource): Promise<string> {
  if (url !== undefined) return fetchCalendar(fetch, url);
  const text = await readFileFrom(resolve(dirname(configFile), file), "utf8");
  if (text.length > mostBytes) throw new Error(`it has more than ${mostBytes / 1_000_000} MB`);
  return text;
}

function unknownCalendar(name: string, sources: readonly CalendarSource[]): string {
  const known = sources.map((each) => each.name).join(", ");
  const next = known ? `There are: ${known}.` : "The people who run Curfew can add one.";
  return `There is no calendar “${name}”. Nothing was changed: leave out “not on ${name}”. ${next}`;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
