import { setImmediate } from "node:timers";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { DatabaseSyncInstance, StatementSyncInstance } from "@photostructure/sqlite";
import { DatabaseLockedError, isLocked, LockRetry, lockWaitMs } from "../lock-wait.ts";
import type { ToDisk } from "./log-to-disk.ts";

/** A transaction that waits to begin, or for the disk. */
interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  /** The deadline for the lock, by `performance.now`. */
  readonly deadline: number;
}

/** How many resume, or write, per turn of the event loop. */
const maxPerTurn = 2;

/** Group size. Without a limit a steady load would never commit. */
const maxGroupSize = 100;

/** Runs write transactions one after the other, commits them in groups and flushes each group. */
export class SqliteWriter {
  readonly #file: DatabaseSyncInstance;
  readonly #toDisk: ToDisk;
  // Takes the lock first, so a group never meets a lock midway.
  readonly #begin: StatementSyncInstance;
  readonly #save: StatementSyncInstance;
  readonly #release: StatementSyncInstance;
  readonly #commitAll: StatementSyncInstance;
  readonly #queue: Waiting[] = [];
  /** Finished transactions that wait for the commit; undefined while none is open. */
  #group: Waiting[] | undefined;
  #isActive = false;
  #written = 0;
  readonly #lock = new LockRetry();
  readonly #readers: (() => void)[] = [];

  constructor(file: DatabaseSyncInstance, toDisk: ToDisk) {
    this.#file = file;
    this.#toDisk = toDisk;
    this.#begin = file.prepare("begin immediate");
    this.#save = file.prepare("savepoint one");
    this.#release = file.prepare("release one");
    this.#commitAll = file.prepare("commit");
  }

  /** Whether there are uncommitted writes. */
  get isOpen(): boolean {
    return this.#group !== undefined;
  }

  /** Resolves when the open writes are committed or rolled back. */
  closed(): Promise<void> {
    return new Promise((resolve) => this.#readers.push(resolve));
  }

  /** Resolves when the caller may write. The caller then calls `end` or `rollback`. */
  begin(): Promise<void> {
    if (!this.#isActive) {
      this.#isActive = true;
      setImmediate(() => this.#next());
    }
    const deadline = performance.now() + lockWaitMs;
    return new Promise((resolve, reject) => this.#queue.push({ resolve, reject, deadline }));
  }

  /** Resolves when the transaction is on disk. */
  end(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#group?.push({ resolve, reject, deadline: performance.now() + lockWaitMs });
      try {
        this.#release.run();
      } catch (error) {
        this.#abort(error);
      }
      this.#next();
    });
  }

  rollback(): void {
    try {
      this.#file.exec("rollback to one; release one");
    } catch (error) {
      // SQLite rolls back a whole transaction by itself when the disk is full or fails.
      this.#abort(error);
    }
    this.#next();
  }

  /** Starts the next transaction; with none waiting, or a full group, commits. */
  #next(): void {
    const isFull = this.#written >= maxGroupSize;
    const [next] = isFull ? [] : this.#queue;
    if (next === undefined) {
      this.#commit();
      return;
    }
    try {
      if (this.#group === undefined) this.#begin.run();
      this.#lock.end();
      this.#group ??= [];
      this.#save.run();
    } catch (error) {
      this.#refuse(error);
      return;
    }
    this.#queue.shift();
    this.#start(next);
  }

  #refuse(error: unknown): void {
    if (this.#group === undefined && isLocked(error)) {
      this.#waitToBegin(error);
      return;
    }
    for (const { reject } of this.#queue.splice(0)) reject(error);
    this.#commit();
  }

  /** Nothing is written yet, so all wait on, except those past their deadline. */
  #waitToBegin(error: unknown): void {
    dropOverdue(this.#queue, new DatabaseLockedError(error));
    if (this.#queue.length > 0) {
      this.#lock.later(() => this.#next());
      return;
    }
    this.#lock.end();
    this.#continue();
  }

  #start({ resolve }: Waiting): void {
    this.#written += 1;
    if (this.#written % maxPerTurn === 0) setImmediate(resolve);
    else resolve();
  }

  #commit(): void {
    const group = this.#group;
    if (group !== undefined) {
      try {
        this.#commitAll.run();
      } catch (error) {
        this.#refuseCommit(error);
        return;
      }
      this.#lock.end();
      this.#close();
      void this.#flush(group);
    }
    this.#continue();
  }

  /** Without a log a commit waits for readers. The transaction is still open, so the commit can be retried. */
  #refuseCommit(error: unknown): void {
    if (isLocked(error) && this.#file.isTransaction && !this.#lock.isOverdue) {
      this.#lock.later(() => this.#commit());
      return;
    }
    this.#abort(error);
    this.#continue();
  }

  #continue(): void {
    this.#written = 0;
    this.#isActive = this.#queue.length > 0;
    if (this.#isActive) setImmediate(() => this.#next());
  }

  async #flush(group: readonly Waiting[]): Promise<void> {
    try {
      await this.#toDisk.flush();
    } catch (error) {
      for (const { reject } of group) reject(error);
      return;
    }
    // Spread over turns of the event loop, so that incoming requests are acknowledged in time.
    for (const [index, { resolve }] of group.entries()) {
      if (index % maxPerTurn === 0 && index > 0) await nextTurn();
      resolve();
    }
  }

  #abort(error: unknown): void {
    const group = this.#group ?? [];
    if (this.#file.isTransaction) this.#file.exec("rollback");
    this.#lock.end();
    this.#close();
    for (const { reject } of group) reject(error);
  }

  #close(): void {
    this.#group = undefined;
    for (const resolve of this.#readers.splice(0)) resolve();
  }
}

/** Rejects those past their deadline. The oldest stand at the front. */
function dropOverdue(queue: Waiting[], error: unknown): void {
  const now = performance.now();
  while (queue[0] && queue[0].deadline <= now) queue.shift()?.reject(error);
}
