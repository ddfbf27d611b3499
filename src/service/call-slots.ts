import { isTimeLimit, withSignal } from "../time/within.ts";
import type { OperationName } from "./operations.ts";

/** The requester and the operation of a call. Calls without a requester count as one person's. */
interface Caller {
  readonly operation: OperationName;
  readonly requesterId: string | undefined;
}

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

/** The calls of one operation in flight. */
interface Load {
  slotsTaken: number;
  late: number;
  wasLastSlow: boolean;
  readonly byRequester: Map<string | undefined, number>;
}

/**
 * Limits the calls in flight, so that a hanging endpoint delays only its own calls.
 *
 * Quick calls share `slots`. No operation may hold the last quarter of them. After a second, a call gives its slot back and counts
 * only for its operation. A slow operation may have a quarter of `slots` in flight, and one person a quarter of those. Calls start
 * in the order in which they came, but a call that may not start yet does not block those behind it.
 */
export class CallSlots {
  readonly #slots: number;
  readonly #loads = new Map<OperationName, Load>();
  readonly #waiting = new Set<Caller & { readonly start: () => void }>();
  #slotsTaken = 0;

  constructor(slots: number) {
    this.#slots = slots;
  }

  /** Runs the work when it may start. Throws a NoSlotError if that is too late, or the reason why the signal was aborted. */
  async run<T>(caller: Caller, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const leave = this.#mayStart(caller) ? this.#start(caller) : await this.#wait(caller, signal);
    try {
      if (signal.aborted) throw reasonFor(caller, signal);
      return await work();
    } finally {
      leave();
    }
  }

  /** Calls started before an operation became slow count as at most one person's share, so nobody else is shut out. */
  #mayStart({ operation, requesterId }: Caller): boolean {
    const { slotsTaken, late, wasLastSlow, byRequester } = this.#loadOf(operation);
    if (late === 0 && !wasLastSlow) return this.#slotsTaken < this.#slots && slotsTaken < Math.ceil(this.#slots * 0.75);
    const maxSlow = quarterOf(this.#slots);
    const maxPerRequester = quarterOf(maxSlow);
    const all = [...byRequester.values()].reduce((sum, count) => sum + Math.min(count, maxPerRequester), 0);
    return all < maxSlow && (byRequester.get(requesterId) ?? 0) < maxPerRequester;
  }

  /** Returns what ends the call, so that the next one can start. */
  #start({ operation, requesterId }: Caller): () => void {
    const load = this.#loadOf(operation);
    let held = load.late === 0 && !load.wasLastSlow ? 1 : 0;
    let isSlow = false;
    const takeSlots = (count: number) => {
      this.#slotsTaken += count;
      load.slotsTaken += count;
    };
    const giveBack = () => {
      takeSlots(-held);
      held = 0;
      this.#startWaiting();
    };
    takeSlots(held);
    load.byRequester.set(requesterId, (load.byRequester.get(requesterId) ?? 0) + 1);
    const timer = setTimeout(() => {
      isSlow = true;
      load.late += 1;
      giveBack();
    }, slowMs);
    return () => {
      clearTimeout(timer);
      if (isSlow) load.late -= 1;
      load.wasLastSlow = isSlow;
      const left = (load.byRequester.get(requesterId) ?? 1) - 1;
      if (left > 0) load.byRequester.set(requesterId, left);
      else load.byRequester.delete(requesterId);
      giveBack();
    };
  }

  #wait(caller: Caller, signal: AbortSignal): Promise<() => void> {
    return withSignal(maxWaitMs, [signal], (waiting) => {
      return new Promise((resolve, reject) => {
        const entry = {
          ...caller,
          start: () => {
            const leave = this.#start(caller);
            // When all of them run out of time together, none is started for the one before it.
            setImmediate(() => resolve(leave));
          },
        };
        this.#waiting.add(entry);
        waiting.addEventListener("abort", () => {
          if (this.#waiting.delete(entry)) reject(reasonFor(caller, waiting));
        });
      });
    });
  }

  #startWaiting(): void {
    for (const waiting of this.#waiting) {
      if (!this.#mayStart(waiting)) continue;
      this.#waiting.delete(waiting);
      waiting.start();
    }
  }

  #loadOf(operation: OperationName): Load {
    const load = this.#loads.get(operation) ?? { slotsTaken: 0, late: 0, wasLastSlow: false, byRequester: new Map() };
    this.#loads.set(operation, load);
    return load;
  }
}

const reasonFor = ({ operation }: Caller, { reason }: AbortSignal): unknown =>
  isTimeLimit(reason) ? new NoSlotError(operation) : reason;

const quarterOf = (count: number): number => Math.max(1, Math.floor(count / 4));
