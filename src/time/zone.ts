import { distance } from "fastest-levenshtein";
import { findWindows, WINDOWS_TO_IANA_MAP } from "windows-iana";

/**
 * The IANA zone for an IANA or Windows id in any case; `undefined` for anything else (API.md, "Observed": Time zone ids).
 * Ambiguous abbreviations such as PST or IST are not accepted, although Intl knows them.
 */
export function ianaZone(id: string): string | undefined {
  if (known.has(id)) return known.get(id);
  // People may type anything, so the cache needs a limit.
  if (known.size >= maxCached) known.clear();
  const zone = findZone(id);
  known.set(id, zone);
  return zone;
}

const known = new Map<string, string | undefined>();
const maxCached = 1000;

function findZone(id: string): string | undefined {
  const wanted = id.trim();
  const name = windowsZones().get(wanted.toLowerCase()) ?? wanted;
  if (!/^[a-z][a-z0-9_/+-]*$/i.test(name) || isAbbreviation(name)) return undefined;
  const called = intlName(name);
  // Intl may answer with an older alias (Europe/Kiev for Europe/Kyiv), so a well-formed name stays as typed.
  return called !== undefined && /^[A-Z][a-z]+(?:[/_-][A-Z]?[a-z]+)+$/.test(name) ? name : called;
}

/** The zone that a person most likely meant by a misspelled id or a city name. */
export function nearestZone(text: string): string | undefined {
  const wanted = text.trim().replaceAll(" ", "_").toLowerCase();
  if (wanted.length > maxMisspelledLength) return undefined;
  let nearest: string | undefined;
  let fewest = Math.floor(wanted.length / 4) + 1;
  for (const zone of Intl.supportedValuesOf("timeZone")) {
    const name = zone.toLowerCase();
    const errors = Math.min(distance(wanted, name), distance(wanted, name.slice(name.lastIndexOf("/") + 1)));
    if (errors >= fewest) continue;
    nearest = zone;
    fewest = errors;
  }
  return nearest;
}

/** Zones have up to 32 characters. A longer text than this differs from each in more than a quarter of its length. */
const maxMisspelledLength = 60;

/** Minutes east of UTC in an IANA zone at an instant. */
export function offsetAt(zone: string, at: number): number {
  const second = `${zone} ${Math.floor(at / 1000)}`;
  const kept = offsets.get(second);
  if (kept !== undefined) return kept;
  if (offsets.size >= maxCached) offsets.clear();
  const offset = calculatedOffset(zone, at);
  offsets.set(second, offset);
  return offset;
}

/** Cached by zone and second, within which no clock changes. A message shows the same few moments repeatedly. */
const offsets = new Map<string, number>();

function calculatedOffset(zone: string, at: number): number {
  // `11/25/2026, 10:40:00`. Its parts would take several times as long.
  const shown = formatterOf(zone).format(at).match(/\d+/g)?.map(Number) ?? [];
  const [month = 1, day = 1, year = 0, hour = 0, minute = 0, second = 0] = shown;
  const wall = Date.UTC(year, month - 1, day, hour, minute, second);
  return Math.round((wall - Math.floor(at / 1000) * 1000) / 60_000);
}

/** The zone in words, with its offset at an instant: `Europe/Berlin, UTC+01:00`. */
export function describeZone(zone: string, at: number): string {
  if (zone === "UTC") return zone;
  const offset = offsetAt(zone, at);
  const hours = String(Math.floor(Math.abs(offset) / 60)).padStart(2, "0");
  const minutes = String(Math.abs(offset) % 60).padStart(2, "0");
  return `${zone}, UTC${offset < 0 ? "-" : "+"}${hours}:${minutes}`;
}

/** A zone's id unchanged, with its IANA id if that differs, and its offset if an instant is given. */
export function describeZoneId(id: string, at?: number): string {
  const zone = ianaZone(id);
  if (zone === undefined) return id;
  const words = at === undefined ? zone : describeZone(zone, at);
  return id === zone ? words : `${id} (${words})`;
}

/** The only IANA ids of two to four letters without digits. All others that Intl accepts are its own old abbreviations. */
const SHORT_IDS = new Set("CET CUBA EET EIRE EST GMT HST IRAN MET MST NZ PRC ROC ROK UCT UTC WET ZULU".split(" "));

function isAbbreviation(name: string): boolean {
  return /^[a-z]{2,4}$/i.test(name) && !SHORT_IDS.has(name.toUpperCase());
}

function intlName(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

let windowsIds: ReadonlyMap<string, string> | undefined;

/** Lower-case Windows ids with CLDR's zone for no particular territory ("001"). */
function windowsZones(): ReadonlyMap<string, string> {
  windowsIds ??= new Map(
    WINDOWS_TO_IANA_MAP.filter(({ territory }) => territory === "001").map(({ windowsName, iana }) => [
      windowsName.toLowerCase(),
      iana[0],
    ]),
  );
  return windowsIds;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  const cached = formatters.get(zone);
  if (cached) return cached;
  const formatter = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formatters.set(zone, formatter);
  return formatter;
}

/** The Windows id for an IANA zone; undefined if Windows has none. */
export function windowsZone(iana: string): string | undefined {
  // The table may have only an older alias of a zone, the one that Intl resolves to.
  const [name] = [iana, new Intl.DateTimeFormat("en-US", { timeZone: iana }).resolvedOptions().timeZone].flatMap((id) =>
    findWindows(id),
  );
  return name;
}

/** Whether an id is a Windows id, in any case. `UTC` is both a Windows and an IANA id. */
export function isWindowsZone(id: string): boolean {
  return windowsZones().has(id.trim().toLowerCase());
}
