export interface Redrawn {
  readonly viewId: string;
}

interface QueueOptions<R extends Redrawn, D> {
  /** Draws the form; `isOvertaken`: a newer request waits. */
  readonly draw: (redraw: R, last: D | undefined, isOvertaken: () => boolean) => Promise<D | undefined>;
  /** One request that stands for both. */
  readonly merge: (waiting: R, newer: R) => R;
}

/** How many forms are remembered; more are never open together. */
const maxViews = 1000;

/**
 * Redraws each form once at a time. Slack asks for it with every character (PLATFORM.md §6.3), so of what arrives while a form is drawn
 * only the newest is drawn next.
 */
export function createRedrawQueue<R extends Redrawn, D>({ draw, merge }: QueueOptions<R, D>) {
  const drawn = new Map<string, D>();
  const waiting = new Map<string, R | undefined>();
  const drawOnce = async (redraw: R): Promise<void> => {
    const { viewId } = redraw;
    const isOvertaken = () => waiting.get(viewId) !== undefined;
    const now = await draw(redraw, drawn.get(viewId), isOvertaken);
    drawn.delete(viewId);
    if (now !== undefined) drawn.set(viewId, now);
    const [oldest] = drawn.keys();
    if (oldest !== undefined && drawn.size > maxViews) drawn.delete(oldest);
  };
  return async (redraw: R): Promise<void> => {
    const { viewId } = redraw;
    if (waiting.has(viewId)) {
      const other = waiting.get(viewId);
      waiting.set(viewId, other === undefined ? redraw : merge(other, redraw));
      return;
    }
    waiting.set(viewId, undefined);
    try {
      for (let next: R | undefined = redraw; next !== undefined; next = waiting.get(viewId)) {
        waiting.set(viewId, undefined);
        await drawOnce(next).catch((error: unknown) => {
          if (waiting.get(viewId) === undefined) throw error;
        });
      }
    } finally {
      waiting.delete(viewId);
    }
  };
}
