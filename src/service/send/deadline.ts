type GiveUp = (reason: unknown) => void;

/**
 * The time limit of one call, combined with its caller's signal. It ends the call's current wait; there is only one at a time.
 * `AbortSignal.any` with `AbortSignal.timeout` would do the same, but Node 20 collects such signals as garbage, and the limit is
 * then never reached.
 */
export class Deadline {
  readonly #endsAt: number;
  readonly #signal: AbortSignal | undefined;
  #giveUp: GiveUp | undefined;

  constructor(limitMs: number, signal: AbortSignal | undefined) {
    this.#endsAt = performance.now() + limitMs;
    this.#signal = signal;
    signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  /**
   * Calls `giveUp` with the reason after `limitMs`, at the end of the whole call's time, or on cancellation, whichever comes first.
   * Returns a function that stops waiting. Throws the reason if the call is already cancelled.
   */
  until(limitMs: number, giveUp: GiveUp): () => void {
    this.throwIfCancelled();
    const ms = Math.max(0, Math.min(limitMs, this.#endsAt - performance.now()));
    const timer = setTimeout(() => giveUp(timeLimitReason(ms)), ms);
    this.#giveUp = giveUp;
    return () => {
      clearTimeout(timer);
      this.#giveUp = undefined;
    };
  }

  throwIfCancelled(): void {
    if (this.isCancelled) throw this.#reason();
  }

  get leftMs(): number {
    return this.#endsAt - performance.now();
  }

  get isCancelled(): boolean {
    return this.#signal?.aborted ?? false;
  }

  /** Stops listening to the caller's signal. */
  close(): void {
    this.#signal?.removeEventListener("abort", this.#onAbort);
  }

  readonly #onAbort = () => this.#giveUp?.(this.#reason());

  /** Passes on a time limit only. Any other reason of the caller's signal becomes a plain AbortError. */
  #reason(): unknown {
    const reason: unknown = this.#signal?.reason;
    return isTimeLimit(reason) ? reason : new DOMException("the call was cancelled", "AbortError");
  }
}

/** The same kinds of reason as `AbortSignal.timeout` and `AbortSignal.abort` give. */
const timeLimitReason = (ms: number) => new DOMException(`no answer within ${Math.round(ms)} ms`, "TimeoutError");

export const isTimeLimit = (reason: unknown): boolean =>
  reason instanceof DOMException && reason.name === "TimeoutError";
export const isCancellation = (reason: unknown): boolean =>
  reason instanceof DOMException && reason.name === "AbortError";
