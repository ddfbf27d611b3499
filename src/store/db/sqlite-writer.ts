import { setImmediate } from "node:timers";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { DatabaseSyncInstance, StatementSyncInstance } from "@photostructure/sqlite";
import { LockRetry } from "./lock-retry.ts";
import { DatabaseLockedError, isLocked, lockWaitMs } from "./lock-wait.ts";
import type { ToDisk } from "./log-to-disk.ts";
import type { StallMeter } from "./stall-meter.ts";
import { dropOverdue, type Waiting } from "./waiting.ts";

/** How many go on, or write, before the event loop goes round once. */
const atOnce = 2;

/** How many wait for each other at most: under a load that never ends, nobody would else come to the end of it. */
const mostTogether = 100;

/** Lets those who want to write do so one after the other, commits them together and has them brought to disk. */
export class SqliteWriter {
  readonly #file: DatabaseSyncInstance;
  readonly #toDisk: ToDisk;
  readonly #stalls: StallMeter;
  // Takes the lock before anything is written, so that a group is never refused in its midst.
  readonly #begin: StatementSyncInstance;
  readonly #save: StatementSyncInstance;
  readonly #release: StatementSyncInstance;
  readonly #commitAll: StatementSyncInstance;
  readonly #queue: Waiting[] = [];
  /** Those of the open transaction that are done and wait for the disk. */
  #group: Waiting[] | undefined;
  #isAtIt = false;
  #written = 0;
  readonly #lock: LockRetry;
  readonly #readers: (() => void)[] = [];

  constructor(file: DatabaseSyncInstance, toDisk: ToDisk, stalls: StallMeter) {
    this.#file = file;
    this.#toDisk = toDisk;
    this.#stalls = stalls;
    this.#lock = new LockRetry(stalls);
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
    const until = performance.now() + lockWaitMs;
    return new Promise((go, fail) => this.#queue.push({ go, fail, until }));
  }

  /** Resolves when it is on disk. */
  end(): Promise<void> {
    return new Promise((go, fail) => {
      this.#group?.push({ go, fail, until: performance.now() + lockWaitMs });
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
    this.#let(next);
  }

  #refuse(error: unknown): void {
    if (this.#group === undefined && isLocked(error)) {
      this.#waitToBegin(error);
      return;
    }
    for (const { fail } of this.#queue.splice(0)) fail(error);
    this.#commit();
  }

  /** Nobody has written anything yet, so they all wait on, but for those who have waited long enough. */
  #waitToBegin(error: unknown): void {
    dropOverdue(this.#queue, new DatabaseLockedError(error));
    if (this.#queue.length > 0) {
      this.#lock.later(() => this.#next());
      return;
    }
    this.#lock.end();
    this.#goOn();
  }

  #let({ go }: Waiting): void {
    this.#written += 1;
    if (this.#written % atOnce === 0) setImmediate(go);
    else go();
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
      void this.#bring(group);
    }
    this.#goOn();
  }

  /** Without a log a commit waits for those who read. The transaction is as it was, and another try can commit it. */
  #refuseCommit(error: unknown): void {
    if (isLocked(error) && this.#file.isTransaction && !this.#lock.isOverdue) {
      this.#lock.later(() => this.#commit());
      return;
    }
    this.#giveUp(error);
    this.#goOn();
  }

  #goOn(): void {
    this.#written = 0;
    this.#isAtIt = this.#queue.length > 0;
    if (this.#isAtIt) setImmediate(() => this.#next());
  }

  async #bring(group: readonly Waiting[]): Promise<void> {
    const flushed = this.#stalls.wait();
    try {
      await this.#toDisk.flush();
    } catch (error) {
      for (const { fail } of group) fail(error);
      return;
    } finally {
      flushed();
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
    this.#lock.end();
    this.#close();
    for (const { fail } of group) fail(error);
  }

  #close(): void {
    this.#group = undefined;
    for (const resolve of this.#readers.splice(0)) resolve();
  }
}
