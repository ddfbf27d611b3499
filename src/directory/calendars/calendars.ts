import { type ExecFileException, execFile } from "node:child_process";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import PQueue from "p-queue";
import { z } from "zod";
import type { CalendarSource } from "../../config/settings.ts";
import { formatDay } from "../../time/format-moment.ts";
import { calendarDay, isoDay } from "../../time/recurrence.ts";
import { addDays, wallClockAt } from "../../time/wall-clock.ts";
import type { DaysOff } from "./days-off.ts";
import { fetchCalendar, type Problem, readCalendarFile } from "./read-calendar.ts";

interface CalendarPorts {
  readonly sources: () => readonly CalendarSource[];
  /** Files are named from its folder. */
  readonly configFile: string;
  readonly now: () => number;
  /** Called when a calendar cannot be read, once while the reason is the same. */
  readonly onProblem: (text: string) => void;
  readonly fetch?: typeof fetchCalendar;
}

/** What is known of a calendar since it was read last. */
interface Reading {
  readonly at: number;
  /** The days off up to `lastDay`, of the last time that it could be read. */
  readonly known?: { readonly days: DaysOff; readonly lastDay: string } | undefined;
  /** Why it could not be read this time. */
  readonly problem?: string;
}

const dayMs = 86_400_000;
/** What cannot be read is tried again after this time. */
const retryMs = 60_000;
const daysAhead = 366;

/** The calendars of the config. Each is read once a day at most; while it cannot be read again, what was read last counts. */
export function createCalendars(ports: CalendarPorts) {
  const { sources, configFile, now, onProblem, fetch = fetchCalendar } = ports;
  const readings = new Map<string, Reading>();
  const underWay = new Map<string, Promise<Reading>>();
  // Each takes a process.
  const expanding = new PQueue({ concurrency: 1 });

  const read = async ({ url, file = "", private: isPrivateAllowed = false }: CalendarSource): Promise<Reading> => {
    const at = now();
    const today = wallClockAt(at, "UTC");
    // Elsewhere it may be a day earlier or later, and the days are used for a day.
    const [first, lastDay] = [isoDay(addDays(today, -1)), isoDay(addDays(today, daysAhead + 2))];
    const got = await (url === undefined ? readCalendarFile(configFile, file) : fetch({ url, isPrivateAllowed }));
    if ("problem" in got) return { at, ...got };
    const expanded = await expanding.add(() => expandCalendar(got.text, first, lastDay));
    return "problem" in expanded ? { at, ...expanded } : { at, known: { ...expanded, lastDay } };
  };
  const readAgain = async (source: CalendarSource): Promise<Reading> => {
    const fresh = await read(source);
    const before = readings.get(keyOf(source));
    const reading = { known: before?.known, ...fresh };
    readings.set(keyOf(source), reading);
    if (reading.problem !== undefined && reading.problem !== before?.problem) onProblem(lineOf(source, reading));
    return reading;
  };
  const readTogether = (source: CalendarSource): Promise<Reading> => {
    const reading = underWay.get(keyOf(source)) ?? readAgain(source).finally(() => underWay.delete(keyOf(source)));
    underWay.set(keyOf(source), reading);
    return reading;
  };
  const present = async (source: CalendarSource): Promise<Reading> => {
    const last = readings.get(keyOf(source));
    const isFresh = last && now() - last.at < (last.problem === undefined ? dayMs : retryMs);
    return isFresh ? last : readTogether(source);
  };
  const daysKnown = (source: CalendarSource): readonly DaysOff[] => {
    const known = readings.get(keyOf(source))?.known;
    return known ? [known.days] : [];
  };
  const named = rememberingNext();
  return {
    names: (): readonly string[] => sources().map(({ name }) => name),
    /** The next day of each name in lower case. */
    named: () => named(sources().flatMap(daysKnown), isoDay(wallClockAt(now(), "UTC"))),
    /** The days with an all-day event up to the last day, as `YYYY-MM-DD`, with their names; or why they are not known. */
    daysOff: async (
      name: string,
      { from, lastDay, zone }: { readonly from: number; readonly lastDay: string; readonly zone: string },
    ): Promise<{ readonly days: readonly string[]; readonly names: DaysOff } | Problem> => {
      const source = sources().find((each) => each.name === name);
      if (!source) return { problem: unknownCalendar(name, sources()) };
      const { known, problem } = await present(source);
      const first = isoDay(wallClockAt(from, zone));
      if (!known)
        return {
          problem: `The calendar “${name}” can't be read just now: ${problem}. Nothing was changed. Try again later, leave out “not on ${name}”, or ask the people who run Curfew.`,
        };
      if (lastDay > known.lastDay)
        return {
          problem: `The calendar “${name}” is known up to ${formatDay(calendarDay(known.lastDay))} only. Nothing was changed: give an earlier last day, or leave out “not on ${name}”.`,
        };
      const days = Object.keys(known.days).filter((day) => day >= first && day <= lastDay);
      return { days, names: known.days };
    },
    /** Reads all of them anew: at the start, and when the config changed. Gives a line for each that cannot be read. */
    load: async (): Promise<readonly string[]> => {
      const lines = sources().map(async (source) => {
        const reading = await readTogether(source);
        return reading.problem === undefined ? [] : [lineOf(source, reading)];
      });
      return (await Promise.all(lines)).flat();
    },
  };
}

/** Each typed line asks for them, so they are looked for once for each day and reading. */
function rememberingNext() {
  let last = { today: "", of: [] as readonly DaysOff[], next: nextOfEach([], "") };
  return (of: readonly DaysOff[], today: string): ReadonlyMap<string, string> => {
    const isSame = last.today === today && last.of.length === of.length && of.every((days, at) => days === last.of[at]);
    if (!isSame) last = { today, of, next: nextOfEach(of, today) };
    return last.next;
  };
}

function nextOfEach(calendars: readonly DaysOff[], today: string): ReadonlyMap<string, string> {
  const ahead = calendars.flatMap((days) => Object.entries(days).filter(([day, name]) => day >= today && name !== ""));
  const latestFirst = ahead.toSorted(([one], [other]) => other.localeCompare(one));
  return new Map(latestFirst.map(([day, name]) => [name.toLowerCase(), day]));
}

const keyOf = ({ url, file, private: isPrivate }: CalendarSource): string =>
  url === undefined ? `file:${file}` : `${isPrivate ? "private " : ""}${url}`;

function lineOf({ name }: CalendarSource, { problem, known }: Reading): string {
  const stays = known ? `. What was read before stays in use, up to ${formatDay(calendarDay(known.lastDay))}` : "";
  return `The calendar “${name}” can't be read: ${problem}${stays}.`;
}

function unknownCalendar(name: string, sources: readonly CalendarSource[]): string {
  const known = sources.map((each) => each.name).join(", ");
  const next = known ? `There are: ${known}.` : "The people who run Curfew can add one.";
  return `There is no calendar “${name}”. Nothing was changed: leave out “not on ${name}”. ${next}`;
}

interface Days {
  readonly days: DaysOff;
}

const run = promisify(execFile);

const mostMs = 2000;
const mostMegabytes = 128;
/** For the start of the process, which then watches the time itself. */
const startMs = 8000;

/** The days off of a calendar between two days, worked out by another process within a time and a memory. Never throws. */
export async function expandCalendar(
  text: string,
  first: string,
  last: string,
  withinMs = mostMs,
): Promise<Days | Problem> {
  try {
    const options = { timeout: startMs + withinMs, killSignal: "SIGKILL", env: { TZ: "UTC" } } as const;
    const running = run(process.execPath, [...program(), first, last, String(withinMs)], options);
    // It may end before it has read everything.
    running.child.stdin?.on("error", () => undefined).end(text);
    return answer.parse(JSON.parse((await running).stdout));
  } catch (error) {
    return { problem: reasonOf(Object(error)) };
  }
}

/** The program stands beside this file, in the bundle as in the source. */
function program(): readonly string[] {
  const here = fileURLToPath(import.meta.url);
  const path = fileURLToPath(new URL(`./calendar-process${extname(here)}`, import.meta.url));
  // Node 20 reads no TypeScript. Only tests run from the source.
  const loader = extname(here) === ".ts" ? ["--import", "tsx"] : [];
  return [`--max-old-space-size=${mostMegabytes}`, ...loader, path];
}

const slow = `its events take more than ${mostMs / 1000} seconds to work out`;

function reasonOf({ killed, signal, code }: ExecFileException): string {
  if (killed) return slow;
  if (signal) return `its events take more than ${mostMegabytes} MB of memory to work out`;
  return `the process that reads it failed (${code})`;
}

const answer = z.union([
  z.object({ days: z.record(z.string(), z.string()) }),
  z.object({ failed: z.literal("slow") }).transform(() => ({ problem: slow })),
  z.object({ failed: z.literal("unreadable") }).transform(() => ({ problem: "it is no valid calendar in iCal form" })),
]);
