import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from "node:http";
import { parse } from "node:querystring";
import type { App, Receiver } from "@slack/bolt";
import type { Logger } from "../../observability/log.ts";
import { type BoundedServer, createBoundedServer, type Handler } from "./bounded-server.ts";
import { createRefusalLog } from "./refusal-log.ts";
import { createUnverifiedBodies } from "./unverified-bodies.ts";

export type Routes = Readonly<Record<string, Handler>>;

export interface HttpReceiverOptions {
  readonly signingSecret: string;
  readonly host: string;
  readonly port: number;
  readonly endpoint: string;
  /** What is served beside Slack's address, to GET. */
  readonly routes: Routes;
  readonly log: Logger;
}

/** Slack's largest payloads are some hundred kilobytes. */
const longestBody = 512 * 1024;
/** Of what comes without a signature, which can only be an `ssl_check`. */
const longestUnsigned = 1024;

/**
 * Takes Slack's requests over HTTP (platform.md §1) in place of Bolt's own receiver. Whoever reaches the port can send anything, so
 * what the headers show to be wrong is refused before the body is read, and all that is not verified shares one budget.
 */
export class HttpReceiver implements Receiver {
  readonly #options: HttpReceiverOptions;
  readonly #server: BoundedServer;
  readonly #bodies = createUnverifiedBodies();
  readonly #logRefusal: ReturnType<typeof createRefusalLog>;
  #app: App | undefined;

  constructor(options: HttpReceiverOptions) {
    this.#options = options;
    this.#logRefusal = createRefusalLog(options.log);
    const serve = serveRoutes(options.routes, options.log);
    this.#server = createBoundedServer((request, response) => {
      if (request.method === "POST" && pathOf(request) === options.endpoint) void this.#receive(request, response);
      else serve(request, response);
    });
  }

  init(app: App): void {
    this.#app = app;
  }

  /** Gives the port listened on. */
  start(): Promise<number> {
    return this.#server.start(this.#options.port, this.#options.host);
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { headers } = request;
    // By the machine's own clock: Slack's signatures are of this very moment, also where Curfew is shown another time.
    const signature = readSignature(headers, Date.now());
    const isForm = headers["content-type"]?.startsWith(formType) === true;
    // Slack says how long its bodies are. Without a length, each byte could come as a chunk, which takes far longer to read.
    if (headers["transfer-encoding"] !== undefined) return this.#refuse(request, response, noLength);
    const length = Number(headers["content-length"] ?? 0);
    if (length > longestBody) return this.#refuse(request, response, tooLarge);
    const mayBeCheck = isForm && length <= longestUnsigned;
    if (!signature && !mayBeCheck) return this.#refuse(request, response, unsigned);

    if (headers.expect) response.writeContinue();
    const bytes = await this.#bodies.read(request, signature ? longestBody : longestUnsigned);
    if (!bytes) return this.#refuse(request, response, signature ? tooLarge : unsigned);
    const text = bytes.toString();
    if (isForm && isSslCheck(text)) return end(response, 200);
    if (!signature || !isSigned(signature, bytes, this.#options.signingSecret))
      return this.#refuse(request, response, unsigned);

    const hold = this.#server.hold(request);
    response.once("close", () => hold.release());
    await this.#take(request, bodyOf(text, isForm), response);
  }

  #refuse(request: IncomingMessage, response: ServerResponse, { status, reason }: Refusal): void {
    this.#logRefusal(status, reason);
    refuse(request, response, status);
  }

  async #take(request: IncomingMessage, body: Body | undefined, response: ServerResponse): Promise<void> {
    const { log } = this.#options;
    if (body === undefined) return end(response, 400);
    if (body.type === "url_verification") return answer(response, { challenge: body.challenge });
    const retryNum = Number(request.headers["x-slack-retry-num"]);
    const retryReason = request.headers["x-slack-retry-reason"];
    try {
      await this.#app?.processEvent({
        body,
        ack: async (content) => answer(response, content),
        ...(Number.isNaN(retryNum) ? {} : { retryNum }),
        ...(typeof retryReason === "string" ? { retryReason } : {}),
      });
      if (response.headersSent) return;
      log.warn({ type: body.type }, "nothing of Curfew's is there for this request of Slack's");
      end(response, 404);
    } catch (error) {
      log.error({ err: error }, "a request of Slack's could not be handled");
      if (!response.headersSent) end(response, 500);
    }
  }
}

/** What is served to GET at its path. */
export function serveRoutes(routes: Routes, log: Logger): Handler {
  return (request, response) => {
    const path = pathOf(request);
    const route = request.method === "GET" && Object.hasOwn(routes, path) ? routes[path] : undefined;
    if (route) return route(request, response);
    log.debug({ method: request.method, path }, "a request for something that is not here");
    refuse(request, response, 404);
  };
}

const pathOf = ({ url = "" }: IncomingMessage): string => url.split("?", 1)[0] ?? "";

interface Refusal {
  readonly status: number;
  readonly reason: string;
}

const unsigned: Refusal = { status: 401, reason: "its signature or its timestamp is not right" };
const noLength: Refusal = { status: 411, reason: "it does not say how long it is" };
const tooLarge: Refusal = { status: 413, reason: "it is larger than anything that Slack sends" };

/** Long enough for whoever still sends to read the answer; then they are cut off. */
const lingerMs = 500;

/** What has not come of the body is not read: a stranger's data are not worth the time. */
function refuse(request: IncomingMessage, response: ServerResponse, status: number): void {
  if (request.complete || !hasBody(request)) {
    end(response, status);
    return;
  }
  response.writeHead(status, { ...noContent, connection: "close" }).flushHeaders();
  request.resume();
  setImmediate(() => {
    if (request.complete) return void response.end();
    request.socket.pause();
    setTimeout(() => request.socket.destroy(), lingerMs).unref();
  });
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

const formType = "application/x-www-form-urlencoded";

/** Sent without a signature, to try the address (platform.md §1.3); nothing else of such a request counts. */
function isSslCheck(text: string): boolean {
  return text.includes("ssl_check") && parse(text).ssl_check === "1";
}

type Body = Readonly<Record<string, unknown>>;

/** Undefined for what is no object, which Slack does not send. */
function bodyOf(text: string, isForm: boolean): Body | undefined {
  const fields = isForm ? parse(text) : undefined;
  const json = fields === undefined ? text : fields.payload;
  if (fields !== undefined && json === undefined) return fields;
  if (typeof json !== "string") return undefined;
  try {
    const read: unknown = JSON.parse(json);
    return typeof read === "object" && read !== null && !Array.isArray(read) ? { ...read } : undefined;
  } catch {
    return undefined;
  }
}

function answer(response: ServerResponse, content: unknown): void {
  if (response.headersSent) throw new Error("a request is acknowledged once");
  const isText = typeof content === "string";
  if (content === undefined || content === "") end(response, 200);
  else
    response
      .writeHead(200, { "content-type": isText ? "text/plain; charset=utf-8" : "application/json; charset=utf-8" })
      .end(isText ? content : JSON.stringify(content));
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status, noContent).end();
}

const noContent = { "content-length": 0 };

const longestAgoSeconds = 5 * 60;

export interface Signature {
  readonly timestamp: string;
  readonly signature: string;
}

/** The signature that a request's headers carry, when it has the right form and is of these minutes (platform.md §1.1). `now`: in epoch ms. */
export function readSignature(headers: IncomingHttpHeaders, now: number): Signature | undefined {
  const { "x-slack-request-timestamp": timestamp, "x-slack-signature": signature } = headers;
  if (typeof timestamp !== "string" || typeof signature !== "string") return undefined;
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > longestAgoSeconds) return undefined;
  return /^v0=[0-9a-f]{64}$/.test(signature) ? { timestamp, signature } : undefined;
}

/** Whether a body is the one that Slack signed. */
export function isSigned({ timestamp, signature }: Signature, body: Buffer, signingSecret: string): boolean {
  const hash = createHmac("sha256", signingSecret).update(`v0:${timestamp}:`).update(body).digest("hex");
  const expected = Buffer.from(`v0=${hash}`);
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const idleCheckMs = 50;
/** For requests that are still on their way in. */
const unverifiedMs = 1000;
/** Slack waits no longer for an answer (platform.md §1.5); a server that is closing ends slow requests no more by itself. */
const longestAnswerMs = 4000;

/** Stops listening and resolves when the last answer is out; connections with nothing under way, or with no end, are closed. */
export function stopServer(server: Server, closeUnverified: () => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setInterval(() => server.closeIdleConnections(), idleCheckMs);
    const grace = setTimeout(closeUnverified, unverifiedMs);
    const deadline = setTimeout(() => server.closeAllConnections(), longestAnswerMs);
    server.close(() => {
      clearInterval(timer);
      clearTimeout(grace);
      clearTimeout(deadline);
      resolve();
    });
    server.closeIdleConnections();
  });
}
