import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import { type CompiledQuery, type DatabaseConnection, type Driver, type QueryResult, SelectQueryNode } from "kysely";
import { createLockWait, isLocked } from "./lock-wait.ts";
import type { ToDisk } from "./log-to-disk.ts";
import { createStatements, type Statements } from "./sqlite-statements.ts";
import { SqliteWriter } from "./sqlite-writer.ts";
import { createStallMeter, type StallMeter } from "./stall-meter.ts";

/**
 * Kysely's driver for one SQLite file, with group commit: what waits to be written is written one after the other, each as a savepoint
 * of its own, a few in each turn of the event loop, and then committed together; commits that come while the disk is at work share its next
 * flush. Nobody is told that something is written before it is on disk; one that fails is taken back alone, and when the commit or the
 * flush fails, all of them have failed. A lock that another program holds is waited for beside the event loop. Whoever reads meanwhile waits too, so that nothing is seen that may still be lost. (A second
 * connection to read with would wait for nobody, but lose all that it has in its cache by every commit of the first.)
 */
export class SqliteFileDriver implements Driver {
  readonly #open: () => Promise<OpenFile>;
  readonly #stalls: StallMeter;
  #opened: Opened | undefined;

  constructor(open: () => Promise<OpenFile>, stalls = createStallMeter()) {
    this.#open = open;
    this.#stalls = stalls;
  }

  async init(): Promise<void> {
    const { file, toDisk } = await this.#open();
    const writer = new SqliteWriter(file, toDisk, this.#stalls);
    this.#opened = { file, toDisk, statements: createStatements(file), writer, stalls: this.#stalls };
  }

  async acquireConnection(): Promise<FileConnection> {
    return new FileConnection(this.#openedFile());
  }

  /** Runs one statement, of the transaction that is being written or alone. */
  run<R>(query: CompiledQuery, isInTransaction: boolean): Promise<QueryResult<R>> {
    return new FileConnection(this.#openedFile(), isInTransaction).executeQuery<R>(query);
  }

  #openedFile(): Opened {
    if (this.#opened === undefined) throw new Error("the database is not open");
    return this.#opened;
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

  async destroy(): Promise<void> {
    await this.#opened?.toDisk.close();
    this.#opened?.file.close();
  }
}

export interface OpenFile {
  readonly file: DatabaseSyncInstance;
  readonly toDisk: ToDisk;
}

interface Opened extends OpenFile {
  readonly statements: Statements;
  readonly writer: SqliteWriter;
  readonly stalls: StallMeter;
}

class FileConnection implements DatabaseConnection {
  readonly #opened: Opened;
  #isWriting: boolean;

  constructor(opened: Opened, isWriting = false) {
    this.#opened = opened;
    this.#isWriting = isWriting;
  }

  async begin(): Promise<void> {
    await this.#opened.writer.begin();
    this.#isWriting = true;
  }

  async commit(): Promise<void> {
    this.#isWriting = false;
    await this.#opened.writer.end();
  }

  rollback(): void {
    // After a commit that failed, nothing is left to take back.
    if (!this.#isWriting) return;
    this.#isWriting = false;
    this.#opened.writer.takeBack();
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { statements } = this.#opened;
    if (this.#isWriting) return statements.execute(query);
    if (SelectQueryNode.is(query.query)) return this.#read<R>(query);
    await this.begin();
    try {
      const result = statements.execute<R>(query);
      await this.commit();
      return result;
    } catch (error) {
      this.rollback();
      throw error;
    }
  }

  async #read<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { statements, writer, toDisk, stalls } = this.#opened;
    let wait: ReturnType<typeof createLockWait> | undefined;
    for (;;) {
      while (writer.isOpen) await writer.closed();
      try {
        const result = statements.execute<R>(query);
        await toDisk.pending;
        return result;
      } catch (error) {
        if (!isLocked(error)) throw error;
        wait ??= createLockWait();
        const unlocked = stalls.wait();
        await wait(error).finally(unlocked);
      }
    }
  }

  // biome-ignore lint/correctness/useYield: no query here is streamed.
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error("queries are not streamed");
  }
}
