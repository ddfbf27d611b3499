import { existsSync } from "node:fs";
import type { Selectable } from "kysely";
import type { Db, TransitionTable } from "../db/database.ts";
import { requireSchema } from "../db/migrate.ts";
import { isPostgresUrl, NoDatabaseError } from "../db/open-database.ts";
import { openPostgres } from "../db/open-postgres.ts";
import { openSqliteToRead } from "../db/open-sqlite.ts";
import { type HistoryContent, historyContent } from "./history-chain.ts";
import { transitionsAfter } from "./transition-table.ts";
import { type Head, type HistoryCheck, verifyHistory } from "./verify-history.ts";

/** The history as those who run Curfew look at it: beside a running Curfew, and without altering anything. */
export interface History {
  /** `earlier`: a head that it once had, as was kept elsewhere. */
  verify(earlier?: Head): Promise<HistoryCheck>;
  /** Oldest first, read as they are taken. `since`: in epoch ms. */
  entries(since?: number): AsyncIterable<HistoryEntry>;
  close(): Promise<void>;
}

export interface HistoryEntry {
  readonly sequence: number;
  readonly previousHash: string;
  readonly hash: string;
  readonly content: HistoryContent;
  /** The content as the hash covers it. */
  readonly contentJson: string;
}

const batchSize = 500;

/** Opens the history of a database of this version's schema; any other is refused. */
export async function openHistory(database: string): Promise<History> {
  if (!isPostgresUrl(database) && !existsSync(database)) throw new NoDatabaseError(database);
  const db = isPostgresUrl(database) ? openPostgres(database) : openSqliteToRead(database);
  try {
    await requireSchema(db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return {
    // At one moment, so that what is appended meanwhile is not taken for a break.
    verify: (earlier) =>
      db
        .transaction()
        .setIsolationLevel("repeatable read")
        .setAccessMode("read only")
        .execute((trx) => verifyHistory(trx, earlier)),
    // Needs no such moment: what stands in the history is never altered, and what is appended comes last.
    entries: (since) => entries(db, since),
    close: () => db.destroy(),
  };
}

async function* entries(db: Db, since = 0): AsyncGenerator<HistoryEntry> {
  let sequence = 0;
  for (;;) {
    const batch = await transitionsAfter(db, { sequence, since, limit: batchSize });
    yield* batch.map(entryOf);
    if (batch.length < batchSize) return;
    sequence = batch.at(-1)?.sequence ?? sequence;
  }
}

function entryOf({ sequence, previous_hash, hash, content_json }: Selectable<TransitionTable>): HistoryEntry {
  try {
    const content = historyContent.parse(JSON.parse(content_json));
    return { sequence, previousHash: previous_hash, hash, content, contentJson: content_json };
  } catch (error) {
    throw new Error(`transition ${sequence} of the history cannot be read: "audit verify" tells more`, {
      cause: error,
    });
  }
}
