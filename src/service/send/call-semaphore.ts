import type { OperationName } from "../operations.ts";
import { type Deadline, isTimeLimit } from "./deadline.ts";

/** The requester and the operation of a call. Calls without a requester count as one person's. */
export interface Caller {
  readonly operation: OperationName;
  readonly requesterId: string | undefined;
}

/** Ends a call, so that the next one can start. */
export type Leave = () => void;

/** A call that takes longer is slow. Its operation stays slow until a call is quick again. */
const slowMs = 1000;
/** Long enough for a burst to pass, short enough for a person to wait. */
const maxWaitMs = 20_000;

/** The call could not start in time. Nothing was sent. */
export class NoSlotError extends Error {
  override readonly name = "NoSlotError";

  constructor(operation: OperationName) {
    super(`${operation} could not be called in time: too many calls are on their way`);
  }
}

/**
 * Limits the calls in flight, so that a hanging endpoint delays only its own calls.
 *
 * Quick calls share `slots`. No operation may hold the last quarter of them. After a second, a call gives its slot back and counts
 * only for its operation. A slow operation may have a quarter of `slots` in flight, and one person a quarter of those. Calls start
 * in the order in which they came, but a call that may not start yet does not block those behind it.
 */
export class CallSemaphore {
  readonly #slots: number;
  readonly #loads = new Map<OperationName, OperationLoad>();
  readonly #waiting = new Set<Caller & { readonly start: () => void }>();
  #slotsTaken = 0;

  constructor(slots: number) {
    this.#slots = slots;
  }

  /** Returns synchronously when the call may start now. Throws a NoSlotError, or the reason why the deadline was cancelled. */
  enter(caller: Caller, deadline: Deadline): Leave | Promise<Leave> {
    deadline.throwIfCancelled();
    return this.#mayStart(caller) ? this.#start(caller) : this.#wait(caller, deadline);
  }

  #mayStart({ operation, requesterId }: Caller): boolean {
    const load = this.#loadOf(operation);
    if (load.isSlow) return load.mayStartSlow(requesterId, quarterOf(this.#slots));
    return this.#slotsTaken < this.#slots && load.slotsTaken < Math.ceil(this.#slots * 0.75);
  }

  #start({ operation, requesterId }: Caller): Leave {
    const load = this.#loadOf(operation);
    const takeSlots = (count: 1 | -1) => {
      this.#slotsTaken += count;
      load.slotsTaken += count;
    };
    let hasSlot = !load.isSlow;
    if (hasSlot) takeSlots(1);
    const giveSlotBack = () => {
      if (hasSlot) takeSlots(-1);
      hasSlot = false;
    };
    load.started(requesterId);
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      load.isLate();
      giveSlotBack();
      this.#startWaiting();
    }, slowMs);
    return () => {
      clearTimeout(timer);
      load.ended(requesterId, isSlow);
      giveSlotBack();
      this.#startWaiting();
    };
  }

  #wait(caller: Caller, deadline: Deadline): Promise<Leave> {
    return new Promise((resolve, reject) => {
      const start = () => {
        stop();
        resolve(this.#start(caller));
      };
      const waiting = { ...caller, start };
      const stop = deadline.until(maxWaitMs, (reason) => {
        this.#waiting.delete(waiting);
        stop();
        reject(isTimeLimit(reason) ? new NoSlotError(caller.operation) : reason);
      });
      this.#waiting.add(waiting);
    });
  }

  #startWaiting(): void {
    for (const waiting of this.#waiting) {
      if (!this.#mayStart(waiting)) continue;
      this.#waiting.delete(waiting);
      waiting.start();
    }
  }

  #loadOf(operation: OperationName): OperationLoad {
    const load = this.#loads.get(operation) ?? new OperationLoad();
    this.#loads.set(operation, load);
    return load;
  }
}

const quarterOf = (count: number): number => Math.max(1, Math.floor(count / 4));

/** The calls of one operation in flight. */
class OperationLoad {
  slotsTaken = 0;
  readonly #byRequester = new Map<string | undefined, number>();
  #late = 0;
  #wasLastSlow = false;

  get isSlow(): boolean {
    return this.#late > 0 || this.#wasLastSlow;
  }

  /** Calls started before the operation became slow count as at most one person's share, so nobody else is shut out. */
  mayStartSlow(requesterId: string | undefined, maxCalls: number): boolean {
    const maxPerRequester = quarterOf(maxCalls);
    const counts = [...this.#byRequester.values()].map((count) => Math.min(count, maxPerRequester));
    const all = counts.reduce((sum, count) => sum + count, 0);
    return all < maxCalls && (this.#byRequester.get(requesterId) ?? 0) < maxPerRequester;
  }

  started(requesterId: string | undefined): void {
    this.#byRequester.set(requesterId, (this.#byRequester.get(requesterId) ?? 0) + 1);
  }

  isLate(): void {
    this.#late += 1;
  }

  ended(requesterId: string | undefined, isSlow: boolean): void {
    if (isSlow) this.#late -= 1;
    this.#wasLastSlow = isSlow;
    const left = (this.#byRequester.get(requesterId) ?? 1) - 1;
    if (left > 0) this.#byRequester.set(requesterId, left);
    else this.#byRequester.delete(requesterId);
  }
}
