/** Slack waits 3 s for its answer. */
const limitMs = 2500;
/** A database that stalled for less than this is not the reason for a late record. */
const stallMs = 1000;
const checkEveryMs = 100;

/** The database did not store a command's record in time. Nothing is recorded later, and nothing is done. */
export class RecordTooLateError extends Error {
  readonly code = "RecordTooLate";
  constructor() {
    super("the database did not take the record of a command in time, so nothing was done");
    this.name = "RecordTooLateError";
  }
}

export interface RecordDeadlineOptions {
  /** When the request was read, from `performance.now`. */
  readonly arrivedAt: number;
  /** The total time for which the database has stalled its callers. */
  readonly stalledMs: () => number;
}

/**
 * The deadline for recording a command: 2.5 s after it arrived. Only a stalled database can miss it. A command that waits for
 * another change of the same entity, for Slack or for the service is already acknowledged and still runs.
 */
export class RecordDeadline {
  readonly #endsAt: number;
  readonly #stalledMs: () => number;
  readonly #stalledBefore: number;
  #state: "open" | "met" | "missed" = "open";

  constructor({ arrivedAt, stalledMs }: RecordDeadlineOptions) {
    this.#endsAt = arrivedAt + limitMs;
    this.#stalledMs = stalledMs;
    this.#stalledBefore = stalledMs();
  }

  /** Throws a RecordTooLateError if the deadline is missed. */
  readonly check = (): void => {
    const isLate = performance.now() >= this.#endsAt && this.#stalledMs() - this.#stalledBefore >= stallMs;
    if (this.#state === "open" && isLate) this.#state = "missed";
    if (this.#state === "missed") throw new RecordTooLateError();
  };

  /** Marks the record as stored. Throws a RecordTooLateError if it came too late. */
  readonly meet = (): void => {
    this.check();
    this.#state = "met";
  };

  /** Returns the work's result, or throws a RecordTooLateError when the deadline is missed. The work goes on and must `check` itself. */
  async orMiss<T>(work: () => Promise<T>): Promise<T> {
    this.check();
    let timer: NodeJS.Timeout | undefined;
    const missed = new Promise<never>((_resolve, reject) => {
      const poll = () => {
        if (this.#state === "met") return;
        try {
          this.check();
          timer = setTimeout(poll, checkEveryMs);
        } catch (error) {
          reject(error);
        }
      };
      timer = setTimeout(poll, Math.max(0, this.#endsAt - performance.now()));
    });
    try {
      return await Promise.race([work(), missed]);
    } finally {
      clearTimeout(timer);
    }
  }
}
