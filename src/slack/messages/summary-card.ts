import type { SummedUp } from "../../changes/ports.ts";
import { formatDuration } from "../../time/duration.ts";
import type { Message } from "./message.ts";
import { clip, escapeMrkdwn, escapeWithin, limits, mention, mrkdwn } from "./message.ts";

/** How many people, states and commands are named each; the rest are counted together. */
const mostNamed = 20;

/** One card for many changes that came at once: how many, by whom, how they ended and what they did. Their own cards are in its thread. */
export function summaryCard(changes: readonly SummedUp[]): Message {
  const names = new Map(changes.map(({ actorId, actorName }) => [actorId, actorName]));
  const by = countsOf(changes.map(({ actorId }) => actorId));
  const ended = listed(countsOf(changes.map(({ state }) => state)), (state, count) => `${count} ${state}`);
  const done = listed(countsOf(changes.map(({ words }) => words)), (words, count) => `${count} × ${words}`);
  const people = (name: (id: string) => string) => listed(by, (id, count) => `${count} by ${name(id)}`);
  const headline = `${changes.length} changes within ${spanOf(changes)}`;
  const fallback = `${headline}: ${people((id) => names.get(id) ?? id)}; ${ended}`;
  return {
    text: escapeMrkdwn(clip(fallback, 1000)),
    blocks: [
      {
        type: "section",
        text: mrkdwn(`:card_index_dividers: *${headline}:* ${people(mention)}; ${escapeWithin(ended, 500)}`),
      },
      { type: "section", text: mrkdwn(escapeWithin(done, limits.fieldText)) },
      { type: "context", elements: [mrkdwn("Each of them has its card in this thread.")] },
    ],
  };
}

type Count = readonly [key: string, count: number];

/** Most frequent first. */
function countsOf(keys: readonly string[]): readonly Count[] {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one);
}

function listed(counts: readonly Count[], say: (key: string, count: number) => string): string {
  const rest = counts.slice(mostNamed).reduce((sum, [, count]) => sum + count, 0);
  const named = counts.slice(0, mostNamed).map(([key, count]) => say(key, count));
  return [...named, ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}

function spanOf(changes: readonly SummedUp[]): string {
  const times = changes.map(({ queuedAt }) => queuedAt);
  return formatDuration(Math.max(1000, Math.max(...times) - Math.min(...times)));
}
