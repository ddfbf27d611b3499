import type { Selectable } from "kysely";
import type { Db, TransitionTable } from "../db/database.ts";
import { openExisting } from "../db/open-existing.ts";
import { type HistoryContent, historyContent } from "./history-chain.ts";
import { transitionCount, transitionsAfter } from "./transition-table.ts";
import { type Head, type HistoryCheck, type OnProgress, verifyHistory } from "./verify-history.ts";

/** Read-only access to the history, also beside a running Curfew. */
export interface History {
  /** `earlier`: an earlier head of this history, kept elsewhere. */
  verify(earlier?: Head, onProgress?: OnProgress): Promise<HistoryCheck>;
  /** Oldest first, read lazily. `since`: in epoch ms. */
  entries(since?: number, onProgress?: OnProgress): AsyncIterable<HistoryEntry>;
  close(): Promise<void>;
}

export interface HistoryEntry {
  readonly sequence: number;
  readonly previousHash: string;
  readonly hash: string;
  readonly content: HistoryContent;
  /** The exact text that the hash covers. */
  readonly contentJson: string;
}

const batchSize = 500;

/** Opens the history. Refuses a database with another version's schema. */
export async function openHistory(database: string): Promise<History> {
  const db = await openExisting(database, "read");
  return {
    // One snapshot, so that a concurrent append does not look like a break.
    verify: (earlier, onProgress) =>
      db
        .transaction()
        .setIsolationLevel("repeatable read")
        .setAccessMode("read only")
        .execute((trx) => verifyHistory(trx, earlier, onProgress)),
    // No snapshot needed: rows are never altered, and new ones come last.
    entries: (since, onProgress) => entries(db, since, onProgress),
    close: () => db.destroy(),
  };
}

async function* entries(db: Db, since = 0, onProgress?: OnProgress): AsyncGenerator<HistoryEntry> {
  const total = onProgress === undefined ? 0 : await transitionCount(db, since);
  let [sequence, done] = [0, 0];
  for (;;) {
    const batch = await transitionsAfter(db, { sequence, since, limit: batchSize });
    yield* batch.map(entryOf);
    done += batch.length;
    onProgress?.("Transitions exported", done, total);
    if (batch.length < batchSize) return;
    sequence = batch.at(-1)?.sequence ?? sequence;
  }
}

function entryOf({ sequence, previous_hash, hash, content_json }: Selectable<TransitionTable>): HistoryEntry {
  try {
    const content = historyContent.parse(JSON.parse(content_json));
    return { sequence, previousHash: previous_hash, hash, content, contentJson: content_json };
  } catch (error) {
    throw new Error(`could not read transition ${sequence} of the history: run "audit verify"`, {
      cause: error,
    });
  }
}
