/** Failures of the next requests, in the order they were planned. */
export class PlannedFaults<F extends { readonly times?: number }> {
  /** Nothing answers. */
  isDown = false;
  #queue: { readonly fault: F; left: number }[] = [];

  /** Those not yet used up, each with how often it still hits. */
  get planned(): readonly { readonly fault: F; readonly left: number }[] {
    return this.#queue;
  }

  /** Hits once, or `times` times. */
  next(fault: F): void {
    this.#queue.push({ fault, left: fault.times ?? 1 });
  }

  clear(): void {
    this.#queue = [];
  }

  /** Uses up one hit of the first fault that matches. */
  protected use(matches: (fault: F) => boolean): F | undefined {
    const entry = this.#queue.find(({ fault }) => matches(fault));
    if (entry === undefined) return undefined;
    entry.left -= 1;
    if (entry.left <= 0) this.#queue = this.#queue.filter((other) => other !== entry);
    return entry.fault;
  }
}
