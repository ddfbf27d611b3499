/** When something is due next, as far as one process knows. */
export interface NextDue {
  /** Undefined when it must be looked up: it is not known, or was looked up too long ago. */
  readonly at: number | undefined;
  /** Something else is due then. */
  note(at: number): void;
  look(read: () => Promise<number | undefined>): Promise<number>;
  forget(): void;
}

/** A mistake here, or a clock that was set, delays nothing for longer. */
const maxAgeMs = 60_000;

export function createNextDue(now: () => number): NextDue {
  let at: number | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let events = 0;
  return {
    get at() {
      return Math.abs(now() - lookedAt) < maxAgeMs ? at : undefined;
    },
    note: (due) => {
      events += 1;
      if (at !== undefined) at = Math.min(at, due);
    },
    look: async (read) => {
      const before = events;
      const lookAt = now();
      const found = (await read()) ?? Number.POSITIVE_INFINITY;
      lookedAt = lookAt;
      // What was noted in the meantime may not be in it.
      at = events === before ? found : undefined;
      return found;
    },
    forget: () => {
      events += 1;
      at = undefined;
    },
  };
}
