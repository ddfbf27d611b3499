import { closeSync, fdatasync, openSync, realpathSync } from "node:fs";
import { promisify } from "node:util";
import type { DatabaseSyncInstance, StatementSyncInstance } from "@photostructure/sqlite";
import { type CompiledQuery, type DatabaseConnection, type Driver, type QueryResult, SelectQueryNode } from "kysely";
import { giveWay } from "../../../time/slices.ts";
import { isLocked, whenUnlocked } from "../lock-wait.ts";
import { storable } from "../read-rows.ts";

export interface OpenFile {
  readonly file: DatabaseSyncInstance;
  readonly toDisk: ToDisk;
  /** Its transactions block no writer. */
  readonly isReadOnly?: boolean;
}

/**
 * Kysely's driver for one SQLite file. It differs from Kysely's own in three things. A transaction makes way for the next one
 * as soon as it is committed, so those that wait for the disk share a flush. While another program locks the file, the event loop and
 * readers go on. Statements are kept prepared.
 *
 * Nothing resolves before it is on disk, and reads wait for a flush under way too: nobody sees what may still be lost.
 */
export class SqliteFileDriver implements Driver {
  readonly #open: () => Promise<OpenFile>;
  #opened: OpenFile | undefined;
  readonly #statements = new Map<string, Prepared>();
  readonly #writers: (() => void)[] = [];
  readonly #readers: (() => void)[] = [];
  #isWriting = false;
  #written = 0;

  constructor(open: () => Promise<OpenFile>) {
    this.#open = open;
  }

  async init(): Promise<void> {
    this.#opened = await this.#open();
  }

  async acquireConnection(): Promise<FileConnection> {
    const connection: FileConnection = {
      isInTransaction: false,
      executeQuery: (query) => this.#execute(connection, query),
      streamQuery: () => {
        throw new Error("queries are not streamed");
      },
    };
    return connection;
  }

  async beginTransaction(connection: FileConnection): Promise<void> {
    const { file, isReadOnly } = this.#disk;
    // A writer takes the lock first, so that no later statement meets one.
    await this.#write(() => file.exec(isReadOnly ? "begin" : "begin immediate"));
    connection.isInTransaction = true;
  }

  async commitTransaction(connection: FileConnection): Promise<void> {
    const { file, toDisk } = this.#disk;
    // Without a log a commit waits for readers; the transaction is still open.
    await whenUnlocked(() => {
      file.exec("commit");
      this.#end(connection);
      return toDisk.flush();
    });
  }

  async rollbackTransaction(connection: FileConnection): Promise<void> {
    // After a commit whose flush failed nothing is left to roll back.
    if (!connection.isInTransaction) return;
    const { file } = this.#disk;
    // SQLite rolls back by itself when the disk is full or fails.
    if (file.isTransaction) file.exec("rollback");
    this.#end(connection);
  }

  async releaseConnection(): Promise<void> {}

  /** Changes with every commit of another connection (sqlite.org/pragma.html#pragma_data_version); NaN while that is not known. */
  othersVersion(): number {
    if (this.#opened === undefined) return Number.NaN;
    try {
      const row = this.#prepared("pragma data_version").statement.get();
      return Number(row?.data_version);
    } catch (error) {
      if (isLocked(error)) return Number.NaN;
      throw error;
    }
  }

  async destroy(): Promise<void> {
    if (this.#opened === undefined) return;
    const { file, toDisk } = this.#opened;
    await toDisk.close();
    // An open transaction would hold its lock beyond the close.
    if (file.isTransaction) file.exec("rollback");
    file.close();
  }

  get #disk(): OpenFile {
    if (this.#opened === undefined) throw new Error("the database is not open");
    return this.#opened;
  }

  async #execute<R>({ isInTransaction }: FileConnection, query: CompiledQuery): Promise<QueryResult<R>> {
    if (isInTransaction) return this.#run(query);
    if (SelectQueryNode.is(query.query)) return this.#read(query);
    return this.#write(() => {
      const result = this.#run<R>(query);
      this.#stopWriting();
      // Begun immediately: whoever reads from now on waits for it.
      return this.#disk.toDisk.flush().then(() => result);
    });
  }

  async #read<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { file, toDisk } = this.#disk;
    // SQLite answers within the same turn of the event loop, so a request with many reads would let nothing else run.
    await giveWay();
    const result = await whenUnlocked(async () => {
      // Until nobody has uncommitted writes.
      while (file.isTransaction) await new Promise<void>((resolve) => this.#readers.push(resolve));
      return this.#run<R>(query);
    });
    await toDisk.pending;
    return result;
  }

  /** Nobody else writes until `#stopWriting`, except while this waits for a lock of another program. */
  #write<T>(work: () => T | Promise<T>): Promise<T> {
    return whenUnlocked(async () => {
      if (this.#isWriting) await new Promise<void>((resolve) => this.#writers.push(resolve));
      this.#isWriting = true;
      try {
        return work();
      } catch (error) {
        this.#stopWriting();
        throw error;
      }
    });
  }

  #end(connection: FileConnection): void {
    connection.isInTransaction = false;
    this.#stopWriting();
  }

  /** The event loop runs between every few, so that incoming requests are acknowledged in time. */
  #stopWriting(): void {
    for (const resume of this.#readers.splice(0)) resume();
    const next = this.#writers.shift();
    this.#isWriting = next !== undefined;
    this.#written += 1;
    if (next && this.#written % maxPerTurn === 0) setImmediate(next);
    else next?.();
  }

  #run<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    const { statement, givesRows } = this.#prepared(sql);
    // Kysely infers the row type from the query; the driver cannot know it.
    if (givesRows) return { rows: statement.all(...storable(parameters)) as R[] };
    const { changes } = statement.run(...storable(parameters));
    return { numAffectedRows: BigInt(changes), rows: [] };
  }

  /** The least recently used go first. */
  #prepared(sql: string): Prepared {
    let prepared = this.#statements.get(sql);
    if (prepared === undefined) {
      const statement = this.#disk.file.prepare(sql);
      prepared = { statement, givesRows: statement.columns().length > 0 };
    }
    this.#statements.delete(sql);
    this.#statements.set(sql, prepared);
    const [oldest] = this.#statements.keys();
    if (this.#statements.size > maxKept && oldest !== undefined) this.#statements.delete(oldest);
    return prepared;
  }
}

interface FileConnection extends DatabaseConnection {
  isInTransaction: boolean;
}

interface Prepared {
  readonly statement: StatementSyncInstance;
  readonly givesRows: boolean;
}

/** How many write in one turn of the event loop. */
const maxPerTurn = 4;

/** Far more than there are queries. Bounds those with lists of varying length. */
const maxKept = 200;

/** Called when a commit may not be on disk. Nothing more can be written until the file is reopened. */
export type OnDiskFailed = (error: unknown) => void;

/** Flushes commits to disk. */
type ToDisk = ReturnType<typeof createToDisk>;

/** The file to flush. Flushes do not overlap. */
interface Flushed {
  flushOnce(): Promise<void>;
  close(): Promise<void>;
}

/**
 * One flush at a time; commits during a flush share the next one. After a failed flush the data on disk is unknown,
 * so every later flush fails the same way.
 */
export function createToDisk({ flushOnce, close }: Flushed) {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const run = async (before: Promise<void> | undefined): Promise<void> => {
    await before;
    running = next;
    next = undefined;
    await flushOnce();
    running = undefined;
  };
  return {
    /** Resolves when everything committed so far is on disk. */
    flush: () => {
      next ??= run(running);
      return next;
    },
    /** The flush under way, if any. */
    get pending() {
      return next ?? running;
    },
    close: async () => {
      // Its caller gets the error.
      await (next ?? running)?.catch(() => undefined);
      await close();
    },
  };
}

/**
 * Flushes SQLite's write-ahead log off the event loop. With `synchronous = normal` SQLite writes each commit to the log and
 * leaves the flush to us; `synchronous = full` would flush during the commit and block the event loop.
 * (sqlite.org/wal.html; the log stays the same file while a connection is open.)
 */
export function logToDisk(databaseFile: string, onFailed: OnDiskFailed): ToDisk {
  // SQLite keeps the log beside the file that a link points to.
  const log = openSync(`${realpathSync(databaseFile)}-wal`, "r+");
  return createToDisk({
    flushOnce: () =>
      datasync(log).catch((error: unknown) => {
        onFailed(error);
        throw error;
      }),
    close: async () => closeSync(log),
  });
}

const datasync = promisify(fdatasync);

/** Without a log (some file systems, in memory) SQLite itself flushes on every commit. */
export const alreadyOnDisk = createToDisk({ flushOnce: async () => undefined, close: async () => undefined });
