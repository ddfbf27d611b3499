type GiveUp = (reason: unknown) => void;

/**
 * How long one call may take, and whether its caller still wants it. It ends whatever the call waits for, which is one thing at a time.
 * An AbortSignal for each call and another for each try would do the same, and cost half of what a whole request does.
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
   * Has `giveUp` called with the reason when `limitMs` have passed, when the time for the whole call is over, or when it is cancelled,
   * whichever comes first. Gives what ends that. Throws the reason when the call is cancelled already.
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

  /** Lets go of the caller's signal. */
  close(): void {
    this.#signal?.removeEventListener("abort", this.#onAbort);
  }

  readonly #onAbort = () => this.#giveUp?.(this.#reason());

  /** Whatever else a caller's signal carries stays out. */
  #reason(): unknown {
    const reason: unknown = this.#signal?.reason;
    return isTimeLimit(reason) ? reason : new DOMException("the call was cancelled", "AbortError");
  }
}

/** The same kinds of reason that `AbortSignal.timeout` and `AbortSignal.abort` give. */
const timeLimitReason = (ms: number) => new DOMException(`no answer within ${Math.round(ms)} ms`, "TimeoutError");

export const isTimeLimit = (reason: unknown): boolean =>
  reason instanceof DOMException && reason.name === "TimeoutError";
export const isCancellation = (reason: unknown): boolean =>
  reason instanceof DOMException && reason.name === "AbortError";
