export interface Fault {
  /** Answered as `{ok: false, error}`. */
  readonly error?: string;
  /** Answered with this HTTP status and no JSON. */
  readonly status?: number;
  /** Answered with 429 and this `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Answered with 429 and this text as its `Retry-After`. */
  readonly retryAfter?: string;
  /** The connection is cut instead of answered. */
  readonly reset?: boolean;
  /** The answer, or the fault, comes this much later. */
  readonly delayMs?: number;
  /** The answer, or the fault, comes when this resolves. */
  readonly until?: Promise<unknown>;
  /** The call is carried out before its answer is lost. */
  readonly afterwards?: boolean;
  /** How many calls it hits; one when not given. */
  readonly times?: number;
}

export interface Faults {
  /** `method` is a Web API method, `response_url`, or `*` for any. */
  failNext(method: string, fault: Fault): void;
  /** Every call to Slack is cut off until `up`. */
  down(): void;
  up(): void;
  clear(): void;
  /** What is still to go wrong. */
  readonly planned: readonly PlannedFault[];
  readonly isDown: boolean;
}

export interface PlannedFault {
  readonly method: string;
  readonly fault: Fault;
  /** How many calls it will still hit. */
  readonly left: number;
}

export interface FaultPlan extends Faults {
  /** What is to go wrong with this call. */
  next(method: string): Fault | undefined;
}

export function createFaults(): FaultPlan {
  let planned: { -readonly [K in keyof PlannedFault]: PlannedFault[K] }[] = [];
  let isDown = false;
  return {
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
