import { isMomentWord } from "./read-moment.ts";
import { ianaZone, nearestZone } from "./zone.ts";

export type ZoneSplit =
  | { kind: "split"; words: readonly string[]; zone: string }
  | { kind: "unknown zone"; reason: string };

/** Splits the time zone off the end of a moment (`18:00 Europe/Berlin`, `18:00 Eastern Standard Time`). Default: the person's own. */
export function splitZone(words: readonly string[], ownZone: string): ZoneSplit {
  for (let count = Math.min(words.length, MAX_ZONE_WORDS); count > 0; count--) {
    const zone = ianaZone(words.slice(-count).join(" "));
    if (zone !== undefined) return { kind: "split", words: words.slice(0, wordsBefore(words, count)), zone };
  }
  const tail = words
    .slice(words.findLastIndex(isMomentWord) + 1)
    .join(" ")
    .replace(/^in /i, "");
  const nearest = tail === "" ? undefined : nearestZone(tail);
  if (nearest !== undefined || looksLikeZone(tail)) return unknown(tail, nearest);
  const zone = ianaZone(ownZone);
  return zone === undefined ? unknown(ownZone, nearestZone(ownZone)) : { kind: "split", words, zone };
}

/** The longest Windows id is `Aus Central W. Standard Time`. */
const MAX_ZONE_WORDS = 5;

function wordsBefore(words: readonly string[], zoneWords: number): number {
  const end = words.length - zoneWords;
  return words[end - 1]?.toLowerCase() === "in" ? end - 1 : end;
}

function looksLikeZone(text: string): boolean {
  return /^[a-z_]+\/[a-z_/+-]+$|\btime$|^(?:utc|gmt)\b/i.test(text) || /^[A-Z]{2,5}$/.test(text);
}

function unknown(name: string, nearest: string | undefined): ZoneSplit {
  const advice =
    nearest === undefined ? "Use a name such as Europe/Berlin, America/New_York or UTC." : `Did you mean ${nearest}?`;
  return { kind: "unknown zone", reason: `I do not know the time zone "${name}". ${advice}` };
}
