/** A transaction that waits to begin, or for the disk. */
export interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  /** The deadline for the lock, by `performance.now`. */
  readonly deadline: number;
}

/** Rejects those past their deadline. The oldest stand at the front. */
export function dropOverdue(queue: Waiting[], error: unknown): void {
  const now = performance.now();
  while (queue[0] && queue[0].deadline <= now) queue.shift()?.reject(error);
}
