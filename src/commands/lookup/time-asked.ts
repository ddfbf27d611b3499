import { shortMoment } from "../../time/format-moment.ts";
import type { Interval } from "../../time/intervals.ts";
import type { QueryContext } from "../command.ts";
import type { Span } from "../field.ts";
import { longestMs } from "./due-runs.ts";
import { spanWords } from "./next.ts";

const hourMs = 3_600_000;

/** The time that a question is about. */
export interface Asked {
  readonly spans: readonly Interval[];
  /** A moment rather than a time. */
  readonly isMoment: boolean;
  readonly inWords: string;
}

/** “At 20:00”, “after 20:00” and “in 2 hours” ask about that moment; a day and a night about all of it. */
export function timeAsked(when: Span | undefined, context: QueryContext): Asked {
  const { now, actor } = context;
  const [first, ...others] = when?.spans ?? [];
  if (!when || !first) return { spans: [{ from: now, to: now + 1 }], isMoment: true, inWords: "now" };
  const { from, to } = first;
  const isOpen = /^(?:after|from)\b/i.test(when.said) && to - from === 12 * hourMs;
  const isAhead = /^in (?!the\b)/i.test(when.said) && from === now;
  if (others.length === 0 && (isOpen || isAhead || (to - from === hourMs && from !== now))) {
    const at = isAhead ? to : from;
    return { spans: [{ from: at, to: at + 1 }], isMoment: true, inWords: shortMoment(at, actor.timeZone, now) };
  }
  const spans = when.spans.map((each) => ({ ...each, to: Math.min(each.to, each.from + longestMs) }));
  return { spans, isMoment: false, inWords: spans.map((each) => spanWords(each, context)).join(", ") };
}
