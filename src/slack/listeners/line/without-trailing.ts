import type { CommandButton, Problem } from "../../../commands/answer.ts";
import { exclusionCreate } from "../../../commands/exclusion/exclusion.ts";
import { exclusionExtend } from "../../../commands/exclusion/exclusion-extend.ts";
import { findTime } from "../../../language/read-time.ts";
import type { SplitLine } from "../../../language/split-line.ts";
import type { Word } from "../../../language/tokenize.ts";
import { timeContextOf } from "../../fields/kinds/moment.ts";
import { type FieldsRead, readParts } from "../../fields/read-fields.ts";
import type { RequestContext } from "../request-context.ts";
import { formButton } from "./offer-readings.ts";
import { readLine } from "./understand-line.ts";

/** A line, as split and as read. */
export interface Understood {
  readonly split: SplitLine;
  readonly read: FieldsRead;
  /** It opens the form of the command, though nothing is missing. */
  readonly opensForm?: boolean | undefined;
}

/** A longer name is not tried word by word. */
const maxWords = 8;

/**
 * "disable dave tomorrow": where all words together name nothing and the first ones do, the others are not understood. They are never
 * taken for a part of the name.
 */
export async function withoutTrailing(understood: Understood, context: RequestContext): Promise<Understood> {
  const { split, read } = understood;
  const { command, parts } = split;
  for (const [name, field] of Object.entries(command.fields)) {
    const words = parts.get(name) ?? [];
    if (field.kind !== "reference" || field.multiple || !(name in read.problems)) continue;
    for (let count = Math.min(words.length - 1, maxWords); count > 0; count--) {
      const shorter = new Map(parts).set(name, words.slice(0, count));
      const again = await readParts(command, shorter, context, split.sets);
      if (name in again.problems || name in again.choices) continue;
      const trailing = words.slice(count);
      const isTime =
        findTime(
          trailing.map(({ value }) => value),
          timeContextOf(context),
        )?.start === 0;
      const problems = isTime && command.kind === "change" ? [...split.problems, notLater] : split.problems;
      return {
        split: { ...split, parts: shorter, problems, unexplained: [...split.unexplained, ...trailing] },
        read: again,
      };
    }
  }
  return understood;
}

const notLater = "This can't be planned for later: it is done when you ask.";

const textOf = (words: readonly Word[] = []): string => words.map(({ value }) => value).join(" ");
const length =
  /^(?:by |for |another |an extra |extra |plus )?\+?\s*((?:\d[\d.,]*|half an?|an?|one|two|three|four|five|six|eight|ten|fifteen|twenty|thirty|forty-five|ninety)\s*(?:hours?|hrs?|h|minutes?|mins?|m))(?: more| longer| extra| on top)*$/i;

const sooner = /\b(?:end|ends|ended|finish|finishes|stop|stops|short|shorten|cut|earlier|sooner|back|normal)\b/i;

/**
 * Where nothing holds what is to last longer, "2 hours more on staging" lasts two hours beyond its next stop, and "staging until 22:00" is
 * a new hold. Where the line says "extend", that is offered. Anything else stays as it is.
 */
export async function pastItsStop(said: Understood, context: RequestContext): Promise<Understood | Problem> {
  const { split, read } = said;
  const { exclusion } = read.choices;
  const isOnlyAsId = exclusion?.options.every(({ value }) => value === textOf(split.parts.get("exclusion")));
  const problem = read.problems.exclusion ?? (isOnlyAsId ? exclusion?.text : undefined);
  if (split.command.words !== exclusionExtend.words || problem === undefined) return said;
  const typed = (context.typed ?? "extend").replace(/^\/\S+\s+/, "");
  const until = textOf(split.parts.get("until"));
  const more = length.exec(until)?.[1];
  // Who wants an end and not more of it keeps nothing up.
  if (until === "" || split.sets.shorter || (more === undefined && sooner.test(typed))) return said;
  const end = more === undefined ? until : `${more} past its stop`;
  const kept = readLine(`keep ${textOf(split.parts.get("exclusion"))} up ${end}`, [exclusionCreate], context);
  if (kept.kind === "unclear" || kept.also || kept.problems.length + kept.unexplained.length > 0) return said;
  const reason = split.parts.get("reason");
  const parts = new Map([...kept.parts, ...(reason ? [["reason", reason] as const] : [])]);
  const found = await readParts(kept.command, parts, context, kept.sets);
  const isWhole = found.missing.length === 0 && Object.keys({ ...found.problems, ...found.choices }).length === 0;
  if (!isWhole) return said;
  // Whoever names the command means what there is, so this is only offered.
  const isNamed = /^(?:exclusion extend|extend|prolong)\b/i.test(typed);
  if (!isNamed) return { split: { ...kept, parts, note: split.note }, read: found };
  const { words } = exclusionCreate;
  const keep: CommandButton = { label: `Keep it up ${end}`, words, opens: "result", input: found.input };
  const form = formButton(split.command, read.input, read.typed);
  return { problem, buttons: [keep, ...(form ? [form] : [])] };
}
