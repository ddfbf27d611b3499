import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";

/** The result of sending one request once. */
export type Exchange =
  /** No byte was sent, so the service cannot have acted on it. */
  | { readonly kind: "not-sent"; readonly cause: unknown }
  /** It was sent, wholly or in part, and no answer came. */
  | { readonly kind: "lost"; readonly cause: unknown }
  | Answered;

export interface Answered {
  readonly kind: "answered";
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The part that was read. */
  readonly text: string;
  readonly body: "whole" | "cut-off" | "too-large";
}

const maxAnswerBytes = 20 * 1024 * 1024;
const maxErrorBytes = 32 * 1024;

/**
 * Sends one request once. Never throws and never follows a redirect. It uses undici's dispatch interface, which reports when a
 * request is about to be written. Nothing else proves that a failed request was never sent.
 */
export function dispatchOnce(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  signal: AbortSignal,
): Promise<Exchange> {
  return new Promise((resolve) => {
    const handler = new ExchangeHandler(resolve);
    signal.addEventListener("abort", () => handler.abort(signal.reason));
    try {
      signal.throwIfAborted();
      dispatcher.dispatch(request, handler);
    } catch (error) {
      handler.abort(error);
    }
  });
}

class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly #resolve: (result: Exchange) => void;
  #isSettled = false;
  #controller: Dispatcher.DispatchController | undefined;
  #head: { status: number; headers: IncomingHttpHeaders; maxBytes: number } | undefined;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(resolve: (result: Exchange) => void) {
    this.#resolve = resolve;
  }

  abort(reason: unknown): void {
    this.#fail(reason);
    this.#controller?.abort(new Error("the exchange was given up"));
  }

  /** Called just before the request is written. Aborting here prevents the write. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#isSettled) controller.abort(new Error("the exchange was given up before it was sent"));
    else this.#controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.#head = { status, headers, maxBytes: status < 300 ? maxAnswerBytes : maxErrorBytes };
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes <= (this.#head?.maxBytes ?? 0)) return;
    this.#answer("too-large");
    controller.abort(new Error("the answer is too large"));
  }

  onResponseEnd(): void {
    this.#answer("whole");
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error);
  }

  #fail(cause: unknown): void {
    if (this.#head) this.#answer("cut-off");
    else this.#settle(this.#controller ? { kind: "lost", cause } : { kind: "not-sent", cause });
  }

  #answer(body: Answered["body"]): void {
    if (!this.#head) return;
    const { status, headers, maxBytes } = this.#head;
    const [first = Buffer.alloc(0)] = this.#chunks;
    const bytes = this.#chunks.length <= 1 ? first : Buffer.concat(this.#chunks);
    // JSON allows no byte order mark.
    const text = bytes.toString("utf8", 0, maxBytes).replace(/^\ufeff/, "");
    this.#settle({ kind: "answered", status, headers, text, body });
  }

  #settle(result: Exchange): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#resolve(result);
  }
}

/** Whether the service may have acted on a request that did not succeed. */
export function mayHaveActed(exchange: Exchange): boolean {
  switch (exchange.kind) {
    case "not-sent":
      return false;
    case "lost":
      return true;
    case "answered":
      return !isRefusal(exchange) && exchange.status !== 429 && !sentElsewhere.includes(exchange.status);
  }
}

/** A 4xx refuses before acting. The exceptions: 408 comes from time-outs along the way, and 429 only means "not now". */
export const isRefusal = (exchange: Exchange): boolean =>
  exchange.kind === "answered" &&
  exchange.status >= 400 &&
  exchange.status < 500 &&
  exchange.status !== 408 &&
  exchange.status !== 429;

/** These redirects ask for the same request at another address. Servers use 302 and 303 also after acting. */
const sentElsewhere: readonly number[] = [301, 307, 308];
