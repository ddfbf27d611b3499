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

export interface Faults {
  /** `method` is a Web API method, `response_url`, or `*` for any. */
  failNext(method: string, fault: Fault): void;
  /** Changes what Slack sends: a request to the app, by its type such as `block_actions`, or the answers of a Web API method. */
  alter(type: string, alteration: Alteration): void;
  /** Closes the connection of every call until `up`. */
  down(): void;
  up(): void;
  clear(): void;
  /** The faults not yet used up. */
  readonly planned: readonly PlannedFault[];
  readonly isDown: boolean;
}

export type Alteration = (sent: JsonObject) => JsonObject;

export interface PlannedFault {
  readonly method: string;
  readonly fault: Fault;
  /** How many more calls it hits. */
  readonly left: number;
}

export interface FaultPlan extends Faults {
  /** Uses up one hit of the first fault for this method. */
  next(method: string): Fault | undefined;
  altered(type: string, sent: JsonObject): JsonObject;
}

export function createFaults(): FaultPlan {
  let planned: { -readonly [K in keyof PlannedFault]: PlannedFault[K] }[] = [];
  const alterations = new Map<string, Alteration>();
  let isDown = false;
  return {
    alter: (type, alteration) => void alterations.set(type, alteration),
    altered: (type, sent) => alterations.get(type)?.(sent) ?? sent,
    failNext: (method, fault) => {
      planned.push({ method, fault, left: fault.times ?? 1 });
    },
    down: () => {
      isDown = true;
    },
    up: () => {
      isDown = false;
    },
    clear: () => {
      planned = [];
      alterations.clear();
      isDown = false;
    },
    get planned() {
      return planned.filter(({ left }) => left > 0);
    },
    get isDown() {
      return isDown;
    },
    next: (method) => {
      if (isDown) return { reset: true };
      const plan = planned.find((each) => each.left > 0 && (each.method === method || each.method === "*"));
      if (plan === undefined) return undefined;
      plan.left -= 1;
      return plan.fault;
    },
  };
}
