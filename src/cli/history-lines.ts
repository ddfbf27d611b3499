import { csvLine } from "../observability/csv-line.ts";
import { escapeUnsafe } from "../observability/unsafe-characters.ts";
import type { HistoryEntry } from "../store/history/verify-history.ts";

type Format = "jsonl" | "csv";

/** The history as text, one line per entry. CSV starts with the column names. */
export async function* historyLines(entries: AsyncIterable<HistoryEntry>, format: Format): AsyncGenerator<string> {
  if (format === "csv") yield csvLine(Object.keys(columns));
  for await (const entry of entries) yield format === "csv" ? csvLine(cellsOf(entry)) : jsonLine(entry);
}

/**
 * Keeps the content as it was hashed, so that anyone can verify the hash. Unsafe characters are escaped; parsing the line and writing
 * it as JSON again undoes that.
 */
function jsonLine({ sequence, previousHash, hash, content, contentJson }: HistoryEntry): string {
  const time = new Date(content.at).toISOString();
  const place = JSON.stringify({ sequence, time, previousHash, hash });
  return `${place.slice(0, -1)},"content":${escapeUnsafe(contentJson)}}\n`;
}

const columns: Readonly<Record<string, (entry: HistoryEntry) => unknown>> = {
  sequence: ({ sequence }) => sequence,
  time: ({ content }) => new Date(content.at).toISOString(),
  change: ({ content }) => content.changeId,
  state: ({ content }) => content.state,
  words: ({ content }) => content.change?.words,
  operation: ({ content }) => content.change?.operation,
  actor: ({ content }) => content.change?.actor,
  channel: ({ content }) => content.change?.channelId,
  reason: ({ content }) => content.change?.reason,
  role: ({ content }) => content.change?.role,
  rule: ({ content }) => content.change?.rule,
  undoes: ({ content }) => content.change?.undoes,
  parent: ({ content }) => content.change?.parent,
  approval: ({ content }) => content.change?.approval,
  request: ({ content }) => content.change?.request,
  before: ({ content }) => content.change?.before,
  decision: ({ content }) => content.decision,
  notified: ({ content }) => content.notified,
  subject: ({ content }) => content.outcome?.subjectId,
  answer: ({ content }) => content.outcome?.answer,
  error: ({ content }) => content.outcome?.error,
  note: ({ content }) => content.outcome?.note,
  previousHash: ({ previousHash }) => previousHash,
  hash: ({ hash }) => hash,
  ticket: ({ content }) => ticketIn(content.change?.input),
};

/** The ticket that was given with a request. */
const ticketIn = (input: unknown): unknown =>
  typeof input === "object" && input !== null && "ticket" in input ? input.ticket : undefined;

const cellsOf = (entry: HistoryEntry): unknown[] => Object.values(columns).map((read) => read(entry));
