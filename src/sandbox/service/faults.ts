import { type OperationName, operations } from "../../service/operations.ts";
import type { ServiceAnswer } from "./answer-request.ts";

/** What goes wrong with the next requests: those of one operation, those that change something, or any; once, or as often as said. */
export type Fault = { readonly operation?: OperationName; readonly isForChanges?: true; readonly times?: number } & (
  | { readonly kind: "latency"; readonly ms: number }
  /** Answered only when `until` resolves; acted on before that, or after it. */
  | { readonly kind: "held"; readonly until: Promise<unknown>; readonly acts: "before" | "after" }
  /** The connection is dropped and the request not even recorded. A client sees a reset; a refused connection needs `down()`. */
  | { readonly kind: "refuse" }
  | { readonly kind: "reset-before" }
  /** The request is acted on, and its connection dropped instead of an answer. */
  | { readonly kind: "reset-after" }
  /** Answered with this status; not acted on. */
  | { readonly kind: "status"; readonly status: number; readonly retryAfterSeconds?: number | string }
  /** Answered with a body that is not JSON, as HTML unless told; acted on when the status (200 unless told) is a success. */
  | { readonly kind: "garbage"; readonly status?: number; readonly contentType?: string; readonly body?: string }
);

export interface Faults {
  next(fault: Fault): void;
  clear(): void;
  /** What is still to go wrong, and how often at most. */
  readonly planned: readonly PlannedFault[];
  readonly isDown: boolean;
  /** Stops listening and drops every connection: connecting is refused until `up()`. */
  down(): Promise<void>;
  up(): Promise<void>;
}

export interface PlannedFault {
  readonly fault: Fault;
  readonly left: number;
}

export interface FaultQueue extends Pick<Faults, "next" | "clear" | "planned"> {
  /** The fault, if any, that a request of this operation meets. */
  take(operation: OperationName | undefined): Fault | undefined;
}

export function createFaultQueue(): FaultQueue {
  let queue: { -readonly [K in keyof PlannedFault]: PlannedFault[K] }[] = [];
  return {
    get planned() {
      return queue;
    },
    next: (fault) => void queue.push({ fault, left: fault.times ?? 1 }),
    clear: () => {
      queue = [];
    },
    take: (operation) => {
      const entry = queue.find(({ fault }) => meets(fault, operation));
      if (entry === undefined) return undefined;
      entry.left -= 1;
      if (entry.left <= 0) queue = queue.filter((other) => other !== entry);
      return entry.fault;
    },
  };
}

function meets(fault: Fault, operation: OperationName | undefined): boolean {
  if (fault.operation !== undefined) return fault.operation === operation;
  return fault.isForChanges !== true || (operation !== undefined && operations[operation].effect !== "read");
}

/** The answer as the fault leaves it; none when the connection is to be dropped. */
export function faultedAnswer(fault: Fault | undefined, answer: () => ServiceAnswer): ServiceAnswer | undefined {
  if (fault === undefined) return answer();
  switch (fault.kind) {
    case "latency":
    case "held":
      return answer();
    case "refuse":
    case "reset-before":
      return undefined;
    case "reset-after":
      answer();
      return undefined;
    case "status":
      return failure(fault.status, fault.retryAfterSeconds);
    case "garbage":
      return garbage(fault, answer);
    default:
      return fault satisfies never;
  }
}

function failure(status: number, retryAfterSeconds: number | string | undefined): ServiceAnswer {
  const body = { errorCode: status === 429 ? "TooManyRequests" : "ServiceUnavailable", message: "Try again later." };
  const headers = retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) };
  return { status, body, headers };
}

const errorPage = "<html><body><h1>Something went wrong</h1></body></html>";

function garbage(
  { status = 200, contentType = "text/html", body = errorPage }: Extract<Fault, { kind: "garbage" }>,
  answer: () => ServiceAnswer,
): ServiceAnswer {
  if (status < 300) answer();
  return {
    status,
    headers: { "content-type": contentType },
    body,
  };
}
