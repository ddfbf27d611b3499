import type { JsonObject } from "../json-object.ts";

export interface Fault {
  /** Answers `{ok: false, error}`. */
  readonly error?: string;
  /** Details of the error, as in `response_metadata`. */
  readonly messages?: readonly string[];
  /** Answers with this HTTP status and no JSON. */
  readonly status?: number;
  /** Answers with 429 and this `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Answers 429 with this text as `Retry-After`. */
  readonly retryAfter?: string;
  /** Closes the connection instead of answering. */
  readonly reset?: boolean;
  /** Delays the answer, or the fault, by this long. */
  readonly delayMs?: number;
  /** Delays the answer, or the fault, until this resolves. */
  readonly until?: Promise<unknown>;
  /** Performs the call before its answer is lost. */
  readonly afterwards?: boolean;
  /** How many calls it hits; one by default. */
  readonly times?: number;
}

export type Alteration = (sent: JsonObject) => JsonObject;

export interface PlannedFault {
  /** A Web API method, `response_url`, or `*` for any. */
  readonly method: string;
  readonly fault: Fault;
  /** How many more calls it hits. */
  readonly left: number;
}

/** The faults to come, and changes of what Slack sends. */
export class Faults {
  #planned: { -readonly [K in keyof PlannedFault]: PlannedFault[K] }[] = [];
  readonly #alterations = new Map<string, Alteration>();
  #isDown = false;

  failNext(method: string, fault: Fault): void {
    this.#planned.push({ method, fault, left: fault.times ?? 1 });
  }

  /** Changes what Slack sends: a request to the app, by its type such as `block_actions`, or the answers of a Web API method. */
  alter(type: string, alteration: Alteration): void {
    this.#alterations.set(type, alteration);
  }

  altered(type: string, sent: JsonObject): JsonObject {
    return this.#alterations.get(type)?.(sent) ?? sent;
  }

  /** Closes the connection of every call until `up`. */
  down(): void {
    this.#isDown = true;
  }

  up(): void {
    this.#isDown = false;
  }

  clear(): void {
    this.#planned = [];
    this.#alterations.clear();
    this.#isDown = false;
  }

  get isDown(): boolean {
    return this.#isDown;
  }

  /** The faults not yet used up. */
  get planned(): readonly PlannedFault[] {
    return this.#planned.filter(({ left }) => left > 0);
  }

  /** Uses up one hit of the first fault for this method. */
  next(method: string): Fault | undefined {
    if (this.#isDown) return { reset: true };
    const plan = this.#planned.find((each) => each.left > 0 && (each.method === method || each.method === "*"));
    if (plan === undefined) return undefined;
    plan.left -= 1;
    return plan.fault;
  }
}
