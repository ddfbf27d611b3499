import { exclusionCreate } from "../../../commands/exclusion/exclusion.ts";
import { exclusionExtend } from "../../../commands/exclusion/exclusion-extend.ts";
import type { Word } from "../../../language/tokenize.ts";
import { readParts } from "../../fields/read-fields.ts";
import type { RequestContext } from "../request-context.ts";
import { readLine } from "./understand-line.ts";
import type { Understood } from "./without-trailing.ts";

const textOf = (words: readonly Word[] = []): string => words.map(({ value }) => value).join(" ");
const length =
  /^(?:by |for |another |an extra |extra |plus )?\+?\s*((?:\d[\d.,]*|half an?|an?|one|two|three|four|five|six|eight|ten|fifteen|twenty|thirty|forty-five|ninety)\s*(?:hours?|hrs?|h|minutes?|mins?|m))(?: more| longer| extra| on top)*$/i;

const sooner = /\b(?:end|ends|ended|finish|finishes|stop|stops|short|shorten|cut|earlier|sooner|back|normal)\b/i;

/**
 * Where nothing holds what is to last longer, "2 hours more on staging" lasts two hours beyond its next stop, and "staging until 22:00" is
 * a new hold. Anything else stays as it is.
 */
export async function pastItsStop(said: Understood, context: RequestContext): Promise<Understood> {
  const { split, read } = said;
  if (split.command.words !== exclusionExtend.words || !("exclusion" in read.problems)) return said;
  const typed = (context.typed ?? "extend").replace(/^\/\S+\s+/, "");
  // Whoever names the command means what there is.
  if (/^(?:exclusion extend|extend|prolong|shorten)\b/i.test(typed)) return said;
  const until = textOf(split.parts.get("until"));
  const more = length.exec(until)?.[1];
  // Who wants an end and not more of it keeps nothing up.
  if (until === "" || (more === undefined && sooner.test(typed))) return said;
  const end = more === undefined ? until : `${more} past its stop`;
  const kept = readLine(`keep ${textOf(split.parts.get("exclusion"))} up ${end}`, [exclusionCreate], context);
  if (kept.kind === "unclear" || kept.also || kept.problems.length + kept.unexplained.length > 0) return said;
  const reason = split.parts.get("reason");
  const parts = new Map([...kept.parts, ...(reason ? [["reason", reason] as const] : [])]);
  const found = await readParts(kept.command, parts, context, kept.sets);
  const isWhole = found.missing.length === 0 && Object.keys({ ...found.problems, ...found.choices }).length === 0;
  return isWhole ? { split: { ...kept, parts, note: split.note }, read: found } : said;
}
