import type { DatabaseSyncInstance, StatementSyncInstance } from "@photostructure/sqlite";
import { type CompiledQuery, type DatabaseConnection, type Driver, type QueryResult, SelectQueryNode } from "kysely";
import { isLocked, whenUnlocked } from "../lock-wait.ts";
import { storable } from "../read-rows.ts";
import type { ToDisk } from "./log-to-disk.ts";

export interface OpenFile {
  readonly file: DatabaseSyncInstance;
  readonly toDisk: ToDisk;
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
  #shared: SharedFile | undefined;

  constructor(open: () => Promise<OpenFile>) {
    this.#open = open;
  }

  async init(): Promise<void> {
    this.#shared = new SharedFile(await this.#open());
  }

  async acquireConnection(): Promise<FileConnection> {
    if (this.#shared === undefined) throw new Error("the database is not open");
    return new FileConnection(this.#shared);
  }

  beginTransaction(connection: FileConnection): Promise<void> {
    return connection.begin();
  }

  commitTransaction(connection: FileConnection): Promise<void> {
    return connection.commit();
  }

  async rollbackTransaction(connection: FileConnection): Promise<void> {
    connection.rollback();
  }

  async releaseConnection(): Promise<void> {}

  /** Changes with every commit of another connection; NaN while that is not known. */
  othersVersion(): number {
    return this.#shared?.othersVersion() ?? Number.NaN;
  }

  async destroy(): Promise<void> {
    await this.#shared?.close();
  }
}

/** The open file with its kept statements, and who writes to it. */
class SharedFile {
  readonly file: DatabaseSyncInstance;
  readonly toDisk: ToDisk;
  readonly #statements = new Map<string, Prepared>();
  readonly #writers: (() => void)[] = [];
  readonly #readers: (() => void)[] = [];
  #isWriting = false;
  #written = 0;

  constructor({ file, toDisk }: OpenFile) {
    this.file = file;
    this.toDisk = toDisk;
  }

  /** Resolves when the caller alone may write. */
  async startWriting(): Promise<void> {
    if (this.#isWriting) await new Promise<void>((resolve) => this.#writers.push(resolve));
    this.#isWriting = true;
  }

  /** The event loop runs between every few, so that incoming requests are acknowledged in time. */
  stopWriting(): void {
    for (const resume of this.#readers.splice(0)) resume();
    const next = this.#writers.shift();
    this.#isWriting = next !== undefined;
    this.#written += 1;
    if (next && this.#written % maxPerTurn === 0) setImmediate(next);
    else next?.();
  }

  /** Resolves when nobody has uncommitted writes. */
  async committed(): Promise<void> {
    while (this.file.isTransaction) await new Promise<void>((resolve) => this.#readers.push(resolve));
  }

  execute<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    const { statement, givesRows } = this.#prepared(sql);
    // Kysely infers the row type from the query; the driver cannot know it.
    if (givesRows) return { rows: statement.all(...storable(parameters)) as R[] };
    const { changes } = statement.run(...storable(parameters));
    return { numAffectedRows: BigInt(changes), rows: [] };
  }

  /** sqlite.org/pragma.html#pragma_data_version */
  othersVersion(): number {
    try {
      const row = this.#prepared("pragma data_version").statement.get();
      return Number(row?.data_version);
    } catch (error) {
      if (isLocked(error)) return Number.NaN;
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.toDisk.close();
    // An open transaction would hold its lock beyond the close.
    if (this.file.isTransaction) this.file.exec("rollback");
    this.file.close();
  }

  /** The least recently used go first. */
  #prepared(sql: string): Prepared {
    let prepared = this.#statements.get(sql);
    if (prepared === undefined) {
      const statement = this.file.prepare(sql);
      prepared = { statement, givesRows: statement.columns().length > 0 };
    }
    this.#statements.delete(sql);
    this.#statements.set(sql, prepared);
    const [oldest] = this.#statements.keys();
    if (this.#statements.size > maxKept && oldest !== undefined) this.#statements.delete(oldest);
    return prepared;
  }
}

interface Prepared {
  readonly statement: StatementSyncInstance;
  readonly givesRows: boolean;
}

/** How many write in one turn of the event loop. */
const maxPerTurn = 4;

/** Far more than there are queries. Bounds those with lists of varying length. */
const maxKept = 200;

class FileConnection implements DatabaseConnection {
  readonly #shared: SharedFile;
  #isInTransaction = false;

  constructor(shared: SharedFile) {
    this.#shared = shared;
  }

  async begin(): Promise<void> {
    // Takes the lock first, so that no later statement meets one.
    await this.#write(() => this.#shared.file.exec("begin immediate"));
    this.#isInTransaction = true;
  }

  async commit(): Promise<void> {
    const { file, toDisk } = this.#shared;
    // Without a log a commit waits for readers; the transaction is still open.
    await whenUnlocked(() => {
      file.exec("commit");
      this.#end();
      return toDisk.flush();
    });
  }

  rollback(): void {
    // After a commit whose flush failed nothing is left to roll back.
    if (!this.#isInTransaction) return;
    // SQLite rolls back by itself when the disk is full or fails.
    if (this.#shared.file.isTransaction) this.#shared.file.exec("rollback");
    this.#end();
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const shared = this.#shared;
    if (this.#isInTransaction) return shared.execute(query);
    if (SelectQueryNode.is(query.query)) return this.#read<R>(query);
    return this.#write(() => {
      const result = shared.execute<R>(query);
      shared.stopWriting();
      // Begun immediately: whoever reads from now on waits for it.
      return shared.toDisk.flush().then(() => result);
    });
  }

  // biome-ignore lint/correctness/useYield: no query here is streamed.
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error("queries are not streamed");
  }

  #end(): void {
    this.#isInTransaction = false;
    this.#shared.stopWriting();
  }

  /** Nobody else writes until `stopWriting`, except while this waits for a lock of another program. */
  #write<T>(work: () => T | Promise<T>): Promise<T> {
    return whenUnlocked(async () => {
      await this.#shared.startWriting();
      try {
        return work();
      } catch (error) {
        this.#shared.stopWriting();
        throw error;
      }
    });
  }

  async #read<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const result = await whenUnlocked(async () => {
      await this.#shared.committed();
      return this.#shared.execute<R>(query);
    });
    await this.#shared.toDisk.pending;
    return result;
  }
}
