/** Slack waits 3 s for its answer. */
const limitMs = 2500;
/** A database that stood still for less is not why a record is late. */
const stallMs = 1000;
const lookEveryMs = 100;

/** The database did not take a command's record in time. It takes none later, and nothing is done. */
export class RecordTooLateError extends Error {
  readonly code = "RecordTooLate";
  constructor() {
    super("the database did not take the record of a command in time, so nothing was done");
    this.name = "RecordTooLateError";
  }
}

export interface RecordDeadlineOptions {
  /** When the request was read, by `performance.now`. */
  readonly arrivedAt: number;
  /** How long the database has kept callers waiting in all. */
  readonly stalledMs: () => number;
}

/**
 * Until when a command must be recorded: 2.5 s after it arrived. Only the database can make it late: a command that waits for
 * another change of the same thing, or for Slack or the service, has been acknowledged and is still done.
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

  /** Throws a RecordTooLateError when it is missed. */
  readonly check = (): void => {
    const isLate = performance.now() >= this.#endsAt && this.#stalledMs() - this.#stalledBefore >= stallMs;
    if (this.#state === "open" && isLate) this.#state = "missed";
    if (this.#state === "missed") throw new RecordTooLateError();
  };

  /** The record is there. Throws a RecordTooLateError when it came too late. */
  readonly meet = (): void => {
    this.check();
    this.#state = "met";
  };

  /** What the work gives, or a RecordTooLateError as soon as the deadline is missed. The work goes on, and must look for itself. */
  async orMiss<T>(work: () => Promise<T>): Promise<T> {
    this.check();
    let timer: NodeJS.Timeout | undefined;
    const missed = new Promise<never>((_resolve, reject) => {
      const look = () => {
        if (this.#state === "met") return;
        try {
          this.check();
          timer = setTimeout(look, lookEveryMs);
        } catch (error) {
          reject(error);
        }
      };
      timer = setTimeout(look, Math.max(0, this.#endsAt - performance.now()));
    });
    try {
      return await Promise.race([work(), missed]);
    } finally {
      clearTimeout(timer);
    }
  }
}
