import type { IncomingHttpHeaders } from "node:http";
import type { FetchFunction } from "@slack/web-api";
import { Agent, type Dispatcher } from "undici";
import { readRetryAfter } from "../../time/retry-after.ts";

/** The part of `fetch` that Slack's client and the responder use. */
export type SlackFetch = FetchFunction;

export interface SlackHttp {
  readonly fetch: SlackFetch;
  /** Lets requests in flight finish, and closes the connections. */
  close(): Promise<void>;
}

type Answer = Awaited<ReturnType<SlackFetch>>;

/** The maximum to one host; further requests wait in a queue. */
const connections = 100;
const maxAnswerMs = 30_000;

/**
 * Calls Slack through one pool of keep-alive connections, with texts as bodies. Node's own `fetch` uses streams and takes
 * several times the processor time. Redirects are not followed.
 */
export function createSlackHttp(): SlackHttp {
  // Callers set their time limit by their signal; this is for those without one.
  const agent = new Agent({ connections, headersTimeout: maxAnswerMs, bodyTimeout: maxAnswerMs });
  return {
    fetch: (url, { method = "GET", headers = {}, body, signal } = {}) => {
      if (body !== undefined && typeof body !== "string") throw new TypeError("only texts are sent to Slack");
      const { origin, pathname, search } = new URL(url);
      const request = { origin, path: pathname + search, method: methodOf(method), headers, body: body ?? null };
      return new Promise((resolve, reject) => {
        agent.dispatch(request, new AnswerHandler(String(url), signal, resolve, reject));
      });
    },
    close: () => agent.close(),
  };
}

function methodOf(method: string): "GET" | "POST" {
  if (method === "GET" || method === "POST") return method;
  throw new TypeError(`Slack is not called by ${method}`);
}

interface Head {
  readonly status: number;
  readonly statusText: string;
  readonly headers: IncomingHttpHeaders;
}

class AnswerHandler implements Dispatcher.DispatchHandler {
  readonly #url: string;
  readonly #signal: AbortSignal | undefined;
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (error: unknown) => void;
  readonly #chunks: Buffer[] = [];
  #head: Head = { status: 0, statusText: "", headers: {} };
  #giveUp = () => this.#fail(this.#signal?.reason);
  readonly #onAbort = () => this.#giveUp();

  constructor(
    url: string,
    signal: AbortSignal | undefined,
    resolve: (answer: Answer) => void,
    reject: (error: unknown) => void,
  ) {
    this.#url = url;
    this.#signal = signal;
    this.#resolve = resolve;
    this.#reject = reject;
    // Also aborts while it waits for a connection.
    signal?.addEventListener("abort", this.#onAbort);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#giveUp = () => controller.abort(new Error("the call was given up", { cause: this.#signal?.reason }));
    if (this.#signal?.aborted) this.#giveUp();
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders, text = ""): void {
    this.#head = { status, statusText: text, headers: status === 429 ? withBoundedWait(headers) : headers };
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#leaveSignal();
    const { headers, ...head } = this.#head;
    const bytes = Buffer.concat(this.#chunks);
    const valuesOf = (name: string) => [headers[name.toLowerCase()] ?? []].flat();
    this.#resolve({
      ...head,
      ok: head.status >= 200 && head.status < 300,
      url: this.#url,
      headers: {
        get: (name) => valuesOf(name)[0] ?? null,
        entries: () => Object.keys(headers).map((name): [string, string] => [name, valuesOf(name).join(", ")]),
      },
      text: async () => bytes.toString(),
      json: async () => JSON.parse(bytes.toString()),
      arrayBuffer: async () => new Uint8Array(bytes).buffer,
    });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error);
  }

  #fail(error: unknown): void {
    this.#leaveSignal();
    this.#reject(error);
  }

  /** Without this, a timeout signal would keep this handler in memory until it fires. */
  #leaveSignal(): void {
    this.#signal?.removeEventListener("abort", this.#onAbort);
  }
}

/** For a 429 without a readable time. */
const unnamedWaitMs = 30_000;

/** Slack's client only reads whole seconds and has no upper limit, so the value is bounded here. */
function withBoundedWait(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const waitMs = readRetryAfter(headers["retry-after"], Date.now()) ?? unnamedWaitMs;
  return { ...headers, "retry-after": String(Math.max(1, Math.ceil(waitMs / 1000))) };
}
