import { escapeUnsafe } from "../observability/unsafe-characters.ts";
import type { HistoryEntry } from "../store/history/open-history.ts";

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
  approval: ({ content }) => content.change?.approval,
  request: ({ content }) => content.change?.request,
  before: ({ content }) => content.change?.before,
  decision: ({ content }) => content.decision,
  subject: ({ content }) => content.outcome?.subjectId,
  answer: ({ content }) => content.outcome?.answer,
  error: ({ content }) => content.outcome?.error,
  note: ({ content }) => content.outcome?.note,
  previousHash: ({ previousHash }) => previousHash,
  hash: ({ hash }) => hash,
};

const cellsOf = (entry: HistoryEntry): unknown[] => Object.values(columns).map((read) => read(entry));

const csvLine = (cells: readonly unknown[]): string => `${cells.map(csvCell).join(",")}\r\n`;

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const visible = escapeUnsafe(text.replace(/\r\n?/g, "\n"));
  const harmless = formula.test(visible) ? `'${visible}` : visible;
  return /[",\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** A spreadsheet would run such text as a formula. Some also accept the full-width and small forms of a sign. */
const formula = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212]/u;
