/** Someone who waits for their turn, or for the disk. */
export interface Waiting {
  readonly go: () => void;
  readonly fail: (error: unknown) => void;
  /** When it waits for a lock no longer, by `performance.now`. */
  readonly until: number;
}

/** Those who came first are at the front. */
export function dropOverdue(queue: Waiting[], error: unknown): void {
  const now = performance.now();
  while (queue[0] && queue[0].until <= now) queue.shift()?.fail(error);
}
