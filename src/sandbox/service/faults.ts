import { type OperationName, operations } from "../../service/operations.ts";
import type { ServiceAnswer } from "./answer-request.ts";

/** A planned failure of the next requests: of one operation, of all changes, or of any request. Hits once, or `times` times. */
export type Fault = { readonly operation?: OperationName; readonly isForChanges?: true; readonly times?: number } & (
  | { readonly kind: "latency"; readonly ms: number }
  /** Answered when `until` resolves; performed before that, or after it. */
  | { readonly kind: "held"; readonly until: Promise<unknown>; readonly acts: "before" | "after" }
  /** Drops the connection and records nothing. The client sees a reset; for a refused connection use `down()`. */
  | { readonly kind: "refuse" }
  | { readonly kind: "reset-before" }
  /** Performs the request, then drops the connection instead of answering. */
  | { readonly kind: "reset-after" }
  /** Answers with this status and performs nothing. */
  | { readonly kind: "status"; readonly status: number; readonly retryAfterSeconds?: number | string }
  /** Answers with a body that is not JSON (HTML by default). Performed when the status, 200 by default, is a success. */
  | { readonly kind: "garbage"; readonly status?: number; readonly contentType?: string; readonly body?: string }
);

export interface PlannedFault {
  readonly fault: Fault;
  readonly left: number;
}

/** Stops and starts the server. */
interface Switch {
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
}

/** The faults to come. */
export class Faults {
  #queue: { -readonly [K in keyof PlannedFault]: PlannedFault[K] }[] = [];
  #isDown = false;
  readonly #server: Switch;

  constructor(server: Switch) {
    this.#server = server;
  }

  /** Those not yet used up, each with how often it still hits. */
  get planned(): readonly PlannedFault[] {
    return this.#queue;
  }

  get isDown(): boolean {
    return this.#isDown;
  }

  next(fault: Fault): void {
    this.#queue.push({ fault, left: fault.times ?? 1 });
  }

  clear(): void {
    this.#queue = [];
  }

  /** Stops listening and drops every connection. Connections are refused until `up()`. */
  async down(): Promise<void> {
    this.#isDown = true;
    await this.#server.stop();
  }

  async up(): Promise<void> {
    await this.#server.start();
    this.#isDown = false;
  }

  /** Uses up one hit of the first fault that matches this operation. */
  take(operation: OperationName | undefined): Fault | undefined {
    const entry = this.#queue.find(({ fault }) => matches(fault, operation));
    if (entry === undefined) return undefined;
    entry.left -= 1;
    if (entry.left <= 0) this.#queue = this.#queue.filter((other) => other !== entry);
    return entry.fault;
  }
}

function matches(fault: Fault, operation: OperationName | undefined): boolean {
  if (fault.operation !== undefined) return fault.operation === operation;
  return fault.isForChanges !== true || (operation !== undefined && operations[operation].effect !== "read");
}

/** Applies the fault to the answer; undefined when the connection must be dropped. */
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
