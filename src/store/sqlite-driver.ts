import { setImmediate } from "node:timers";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { DatabaseSyncInstance, StatementSyncInstance } from "@photostructure/sqlite";
import { type CompiledQuery, type DatabaseConnection, type Driver, type QueryResult, SelectQueryNode } from "kysely";
import type { ToDisk } from "./log-to-disk.ts";
import { createStatements, type Statements } from "./sqlite-statements.ts";

/**
 * Kysely's driver for one SQLite file, with group commit: what waits to be written is written one after the other, each as a savepoint
 * of its own, a few in each turn of the event loop, and then committed together; commits that come while the disk is at work share its next
 * flush. Nobody is told that something is written before it is on disk; one that fails is taken back alone, and when the commit or the
 * flush fails, all of them have failed. Whoever reads meanwhile waits too, so that nothing is seen that may still be lost. (A second
 * connection to read with would wait for nobody, but lose all that it has in its cache by every commit of the first.)
 */
export class SqliteFileDriver implements Driver {
  readonly #open: () => Promise<OpenFile>;
  #opened: Opened | undefined;

  constructor(open: () => Promise<OpenFile>) {
    this.#open = open;
  }

  async init(): Promise<void> {
    const { file, toDisk } = await this.#open();
    this.#opened = { file, toDisk, statements: createStatements(file), writer: new Writer(file, toDisk) };
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
  readonly writer: Writer;
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
    const { statements, writer, toDisk } = this.#opened;
    if (this.#isWriting) return statements.execute(query);
    if (SelectQueryNode.is(query.query)) {
      while (writer.isOpen) await writer.closed();
      const result = statements.execute<R>(query);
      await toDisk.pending;
      return result;
    }
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

  // biome-ignore lint/correctness/useYield: no query here is streamed.
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error("queries are not streamed");
  }
}

/** How many go on, or write, before the event loop goes round once. */
const atOnce = 2;

/** How many wait for each other at most: under a load that never ends, nobody would else come to the end of it. */
const mostTogether = 100;

/** Someone who waits for their turn, or for the disk. */
interface Waiting {
  readonly go: () => void;
  readonly fail: (error: unknown) => void;
}

/** Lets those who want to write do so one after the other, commits them together and has them brought to disk. */
class Writer {
  readonly #file: DatabaseSyncInstance;
  readonly #toDisk: ToDisk;
  // A plain `begin` fails at once when another process holds the lock; this one waits its turn.
  readonly #begin: StatementSyncInstance;
  readonly #save: StatementSyncInstance;
  readonly #release: StatementSyncInstance;
  readonly #commitAll: StatementSyncInstance;
  readonly #queue: Waiting[] = [];
  /** Those of the open transaction that are done and wait for the disk. */
  #group: Waiting[] | undefined;
  #isAtIt = false;
  #written = 0;
  readonly #readers: (() => void)[] = [];

  constructor(file: DatabaseSyncInstance, toDisk: ToDisk) {
    this.#file = file;
    this.#toDisk = toDisk;
    this.#begin = file.prepare("begin immediate");
    this.#save = file.prepare("savepoint one");
    this.#release = file.prepare("release one");
    this.#commitAll = file.prepare("commit");
  }

  /** Whether something is written that is not committed yet. */
  get isOpen(): boolean {
    return this.#group !== undefined;
  }

  /** Resolves when what is being written is committed, or taken back. */
  closed(): Promise<void> {
    return new Promise((resolve) => this.#readers.push(resolve));
  }

  /** Resolves when it is this one's turn to write; it then ends with `end` or `takeBack`. */
  begin(): Promise<void> {
    if (!this.#isAtIt) {
      this.#isAtIt = true;
      setImmediate(() => this.#next());
    }
    return new Promise((go, fail) => this.#queue.push({ go, fail }));
  }

  /** Resolves when it is on disk. */
  end(): Promise<void> {
    return new Promise((go, fail) => {
      this.#group?.push({ go, fail });
      try {
        this.#release.run();
      } catch (error) {
        this.#giveUp(error);
      }
      this.#next();
    });
  }

  takeBack(): void {
    try {
      this.#file.exec("rollback to one; release one");
    } catch (error) {
      // SQLite gives up a whole transaction by itself when the disk is full or fails.
      this.#giveUp(error);
    }
    this.#next();
  }

  /** Whoever is next; when there is nobody, or enough are done, all goes to disk. */
  #next(): void {
    const isFull = this.#written >= mostTogether;
    const next = isFull ? undefined : this.#queue.shift();
    if (next === undefined) this.#commit();
    else if (this.#isOpenFor(next)) this.#let(next);
    else this.#commit();
  }

  #let({ go }: Waiting): void {
    this.#written += 1;
    if (this.#written % atOnce === 0) setImmediate(go);
    else go();
  }

  #isOpenFor(next: Waiting): boolean {
    try {
      if (this.#group === undefined) this.#begin.run();
      this.#group ??= [];
      this.#save.run();
      return true;
    } catch (error) {
      for (const { fail } of [next, ...this.#queue.splice(0)]) fail(error);
      return false;
    }
  }

  #commit(): void {
    this.#isAtIt = this.#queue.length > 0;
    if (this.#isAtIt) setImmediate(() => this.#next());
    this.#written = 0;
    const group = this.#group;
    if (group === undefined) return;
    try {
      this.#commitAll.run();
    } catch (error) {
      this.#giveUp(error);
      return;
    }
    this.#close();
    void this.#bring(group);
  }

  async #bring(group: readonly Waiting[]): Promise<void> {
    try {
      await this.#toDisk.flush();
    } catch (error) {
      for (const { fail } of group) fail(error);
      return;
    }
    // Not all in one turn of the event loop: what they do next would keep whoever asks meanwhile from being acknowledged.
    for (const [index, { go }] of group.entries()) {
      if (index % atOnce === 0 && index > 0) await nextTurn();
      go();
    }
  }

  #giveUp(error: unknown): void {
    const group = this.#group ?? [];
    if (this.#file.isTransaction) this.#file.exec("rollback");
    this.#close();
    for (const { fail } of group) fail(error);
  }

  #close(): void {
    this.#group = undefined;
    for (const resolve of this.#readers.splice(0)) resolve();
  }
}
