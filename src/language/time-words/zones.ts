import { ianaZone } from "../../time/zone.ts";
import type { SaidZone } from "./parts.ts";
import { once } from "./words.ts";

export interface ZoneRead {
  readonly end: number;
  readonly zones: readonly SaidZone[];
}

type Typed = readonly string[];

/** Reads a time zone behind a time: an IANA or Windows id, `UTC+2`, `CET`, `IST` (several zones), `London time`. */
export const readZone = once(({ typed }, start): ZoneRead | undefined => {
  const at = typed[start]?.toLowerCase() === "in" ? start + 1 : start;
  const short = readAbbreviation(typed, at, at > start) ?? readDistance(typed, at);
  if (short) return isTime(typed[short.end]) ? { ...short, end: short.end + 1 } : short;
  return readZoneId(typed, at) ?? readCity(typed, at);
});

/** `z`, `+02:00`, `-0530`, `+2` */
export function readOffset(text: string): SaidZone | undefined {
  if (/^z$/i.test(text)) return { name: "UTC", zone: "UTC", aheadMs: 0 };
  const [, sign, hours, minutes = "0"] = /^([+-])(\d{1,2})(?::?([0-5]\d))?$/.exec(text) ?? [];
  if (hours === undefined || Number(hours) > 14) return undefined;
  const distance = Number(hours) * 60 + Number(minutes);
  const shown = `${hours.padStart(2, "0")}:${minutes.padStart(2, "0")}`;
  return {
    name: distance === 0 ? "UTC" : `UTC${sign}${shown}`,
    zone: "UTC",
    aheadMs: (sign === "-" ? -1 : 1) * distance * 60_000,
  };
}

const bare = (word = ""): string => word.replace(/[.,;!?)]+$/, "").replace(/^\(/, "");
const isTime = (word = ""): boolean => /^time[.,]?$/i.test(word);
const placed = (zone: string): SaidZone => ({ name: zone, zone, aheadMs: 0 });

/** `UTC`, `GMT+2`, `UTC +5:30`, `+02:00` */
function readDistance(typed: Typed, at: number): ZoneRead | undefined {
  const [matched, name, glued = ""] = /^(utc|gmt|z)?([+-][\d:]+)?$/i.exec(bare(typed[at])) ?? [];
  if (!matched) return undefined;
  const second = bare(typed[at + 1]);
  const next = name && glued === "" && /^[+-]\d/.test(second) ? second : undefined;
  const zone = readOffset(glued || next || "z");
  return zone && { end: at + (next === undefined ? 1 : 2), zones: [zone] };
}

/**
 * Abbreviations people use, each with the zones that it can mean. A place is named beside a fixed distance where people write the
 * winter name all year: the two differ only in summer, and then one has to be chosen.
 */
const abbreviations: ReadonlyMap<string, string> = new Map(
  [
    "CET: Europe/Berlin +1, CEST: Europe/Berlin +2, MEZ: Europe/Berlin +1, MESZ: Europe/Berlin +2, WET: Europe/Lisbon +0",
    "WEST: Europe/Lisbon +1, EET: Europe/Athens +2, EEST: Europe/Athens +3, MSK: Europe/Moscow",
    "BST: Europe/London +1 Asia/Dhaka, IST: Asia/Kolkata Europe/Dublin Asia/Jerusalem",
    "ET: America/New_York, EST: America/New_York -5, EDT: America/New_York -4",
    "CT: America/Chicago, CST: America/Chicago -6 Asia/Shanghai America/Havana, CDT: America/Chicago -5 America/Havana",
    "MT: America/Denver, MST: America/Denver -7 Asia/Kuala_Lumpur, MDT: America/Denver -6",
    "PT: America/Los_Angeles, PST: America/Los_Angeles -8, PDT: America/Los_Angeles -7",
    "AKST: America/Anchorage -9, HST: Pacific/Honolulu, AST: America/Halifax -4 Asia/Riyadh",
    "BRT: America/Sao_Paulo, ART: America/Argentina/Buenos_Aires",
    "GST: Asia/Dubai Atlantic/South_Georgia, PKT: Asia/Karachi, ICT: Asia/Bangkok, WIB: Asia/Jakarta",
    "SGT: Asia/Singapore, HKT: Asia/Hong_Kong, JST: Asia/Tokyo, KST: Asia/Seoul",
    "AWST: Australia/Perth, ACST: Australia/Adelaide +9:30, AEST: Australia/Sydney Australia/Brisbane",
    "AEDT: Australia/Sydney +11, NZST: Pacific/Auckland +12, NZDT: Pacific/Auckland +13",
    "SAST: Africa/Johannesburg, CAT: Africa/Maputo, EAT: Africa/Nairobi, WAT: Africa/Lagos",
  ].flatMap((line) => line.split(", ").map((each) => [each.replace(/:.*/, ""), each.replace(/^\w+: /, "")] as const)),
);

/** In small letters these are words. */
const wordsToo = new Set("et ct mt pt cat eat art wat wet west ict".split(" "));

function readAbbreviation(words: Typed, at: number, isSaidInWords: boolean): ZoneRead | undefined {
  const typed = bare(words[at]);
  const zones = abbreviations.get(typed.toUpperCase());
  if (zones === undefined || (wordsToo.has(typed) && !isSaidInWords)) return undefined;
  const said = zones.split(" ").flatMap((zone) => (/^[+-]/.test(zone) ? (readOffset(zone) ?? []) : placed(zone)));
  return { end: at + 1, zones: said };
}

/** The longest Windows id is `Aus Central W. Standard Time`. */
const mostWords = 5;

function readZoneId(typed: Typed, at: number): ZoneRead | undefined {
  for (let count = Math.min(mostWords, typed.length - at); count > 0; count--) {
    const id = count > 1 ? typed.slice(at, at + count).join(" ") : bare(typed[at]);
    // Windows ids end so. A word by itself is a zone only with a slash: Japan, Cuba and others are ids too.
    const zone = (count > 1 ? /\btime$|\)$/i : /\//).test(id) ? ianaZone(id) : undefined;
    if (zone !== undefined) return { end: at + count, zones: [placed(zone)] };
  }
  return undefined;
}

let cities: ReadonlyMap<string, string> | undefined;

/** `London time`, `New York time`, `Pacific time` */
function readCity(typed: Typed, at: number): ZoneRead | undefined {
  const words = typed.slice(at + 1, at + 4).findIndex(isTime) + 1;
  if (words === 0) return undefined;
  cities ??= new Map([
    ...Intl.supportedValuesOf("timeZone").map((id) => [id.slice(id.lastIndexOf("/") + 1).toLowerCase(), id] as const),
    ...regions,
  ]);
  const name = typed
    .slice(at, at + words)
    .join("_")
    .toLowerCase();
  const zone = cities.get(name);
  return zone === undefined ? undefined : { end: at + words + 1, zones: [placed(zone)] };
}

const regions = [
  ["eastern", "America/New_York"],
  ["central", "America/Chicago"],
  ["mountain", "America/Denver"],
  ["pacific", "America/Los_Angeles"],
  ["central_european", "Europe/Berlin"],
  ["uk", "Europe/London"],
] as const;
