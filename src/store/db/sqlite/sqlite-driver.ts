import type { DatabaseSyncInstance, StatementSyncInstance } from "@photostructure/sqlite";
import { type CompiledQuery, type DatabaseConnection, type Driver, type QueryResult, SelectQueryNode } from "kysely";
import { createLockWait, isLocked } from "../lock-wait.ts";
import { storable } from "../read-rows.ts";
import type { ToDisk } from "./log-to-disk.ts";
import { SqliteWriter } from "./sqlite-writer.ts";

/**
 * Kysely's driver for one SQLite file, with group commit. Waiting transactions run one after the other, each in its own savepoint,
 * a few per turn of the event loop, and then commit together. Commits during a flush share the next flush.
 *
 * Nothing resolves before it is on disk. A transaction that fails rolls back alone; when the commit or the flush fails, all of
 * the group fail. It waits off the event loop for a lock that another program holds. Readers wait for the flush too, so nobody
 * sees what may still be lost. (A second connection for reads would not wait, but would lose its cache on every commit.)
 */
export class SqliteFileDriver implements Driver {
  readonly #open: () => Promise<OpenFile>;
  #opened: Opened | undefined;

  constructor(open: () => Promise<OpenFile>) {
    this.#open = open;
  }

  async init(): Promise<void> {
    const { file, toDisk } = await this.#open();
    const writer = new SqliteWriter(file, toDisk);
    this.#opened = { file, toDisk, statements: createStatements(file), writer };
  }

  async acquireConnection(): Promise<FileConnection> {
    return new FileConnection(this.#openedFile());
  }

  /** Runs one statement, in the open transaction or on its own. */
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
    const file = this.#opened?.file;
    // An open transaction would hold its lock beyond the close.
    if (file?.isTransaction) file.exec("rollback");
    file?.close();
  }
}

export interface OpenFile {
  readonly file: DatabaseSyncInstance;
  readonly toDisk: ToDisk;
}

interface Opened extends OpenFile {
  readonly statements: Statements;
  readonly writer: SqliteWriter;
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
    // After a failed commit nothing is left to roll back.
    if (!this.#isWriting) return;
    this.#isWriting = false;
    this.#opened.writer.rollback();
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
    const { statements, writer, toDisk } = this.#opened;
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
        await wait(error);
      }
    }
  }

  // biome-ignore lint/correctness/useYield: no query here is streamed.
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error("queries are not streamed");
  }
}

export interface Statements {
  execute<R>(query: CompiledQuery): QueryResult<R>;
}

interface Prepared {
  readonly statement: StatementSyncInstance;
  readonly givesRows: boolean;
}

/** Far more than there are queries. Bounds those with lists of varying length. */
const maxKept = 200;

/** Runs queries on one connection; keeps prepared statements, least recently used out first. */
export function createStatements(file: DatabaseSyncInstance): Statements {
  const kept = new Map<string, Prepared>();
  const prepare = (sql: string): Prepared => {
    const statement = file.prepare(sql);
    return { statement, givesRows: statement.columns().length > 0 };
  };
  const preparedFor = (sql: string): Prepared => {
    const prepared = kept.get(sql) ?? prepare(sql);
    kept.delete(sql);
    kept.set(sql, prepared);
    const [oldest] = kept.keys();
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
    return prepared;
  };
  return {
    execute: <R>({ sql, parameters }: CompiledQuery): QueryResult<R> => {
      const { statement, givesRows } = preparedFor(sql);
      // Kysely infers the row type from the query; the driver cannot know it.
      if (givesRows) return { rows: statement.all(...storable(parameters)) as R[] };
      const { changes } = statement.run(...storable(parameters));
      return { numAffectedRows: BigInt(changes), rows: [] };
    },
  };
}
