import type { ExtensionField, MomentField } from "../../../commands/field.ts";
import type { Word } from "../../../language/tokenize.ts";
import { parseDuration } from "../../../time/duration.ts";
import { parseMoment } from "../../../time/moment.ts";
import {
  type FieldKind,
  inputActionId,
  missing,
  problem,
  type Reading,
  type ReadingContext,
  type StateValue,
  value,
} from "../field-kind.ts";

/** A moment: `for` a length from now, or `until` a time in the requester's Slack time zone. Its value is epoch ms. */
export const momentKind: FieldKind<MomentField> = {
  usage: () => "for …|until …",
  example: () => "for 2h",
  fromLine: async (_field, words, context) => {
    const read = readTime(words, context);
    if (read.kind !== "length") return read;
    return value(context.now + read.ms);
  },
  draw: async (_field, { value: at }) => picker(at),
  fromState: async (_field, state, context) => {
    const at = picked(state);
    return at === undefined ? missing : notPast(at, context.now, at);
  },
};

/** The same, but a length is added to the present end rather than to now. */
export const extensionKind: FieldKind<ExtensionField> = {
  usage: () => "for …|until …",
  example: () => "for 2h",
  fromLine: async (_field, words, context) => {
    const read = readTime(words, context);
    if (read.kind === "length") return value({ forMs: read.ms });
    return read.kind === "value" ? value({ until: read.value }) : read;
  },
  draw: async (_field, { value: end }) => picker(end),
  fromState: async (_field, state, context) => {
    const at = picked(state);
    return at === undefined ? missing : notPast(at, context.now, { until: at });
  },
};

/** The words start with `for` or `until`; the value of a flag may leave that out. */
function readTime(words: readonly Word[], { now, actor }: ReadingContext): Reading | { kind: "length"; ms: number } {
  const [first = "", ...rest] = words.map((word) => word.value);
  const keyword = first.toLowerCase();
  const text = keyword === "for" || keyword === "until" ? rest.join(" ") : [first, ...rest].join(" ");
  if (text.trim() === "") return missing;
  if (rest.some((word) => /^(?:for|until)$/i.test(word))) return problem(twoEnds([first, ...rest].join(" ")));
  const length = parseDuration(text);
  if (length.kind === "duration") return { kind: "length", ms: length.ms };
  if (keyword === "for") return problem(length.reason);
  const moment = parseMoment(text, { now, zone: actor.timeZone });
  return moment.kind === "moment" ? value(moment.at) : problem(moment.reason);
}

const twoEnds = (typed: string): string =>
  `“${typed}” gives two ends. Give only one: a length such as “for 2h”, or a time such as “until 18:00”.`;

function picker(shown: unknown) {
  const element = { type: "datetimepicker", action_id: inputActionId } as const;
  const seconds = Math.ceil((instantOf(shown) ?? 0) / 60_000) * 60;
  // Slack refuses a form with a moment of fewer or more digits, such as one in the year 2300 (PLATFORM.md §8.4).
  return String(seconds).length === 10 ? { ...element, initial_date_time: seconds } : element;
}

function instantOf(shown: unknown): number | undefined {
  if (typeof shown === "number") return shown;
  if (typeof shown !== "object" || shown === null || !("until" in shown)) return undefined;
  return typeof shown.until === "number" ? shown.until : undefined;
}

/** Slack gives whole seconds (PLATFORM.md §7.6). */
function picked({ selected_date_time }: StateValue): number | undefined {
  return selected_date_time ? selected_date_time * 1000 : undefined;
}

function notPast(at: number, now: number, read: unknown): Reading {
  return at > now ? value(read) : problem("That moment has already passed. Choose a later one.");
}
