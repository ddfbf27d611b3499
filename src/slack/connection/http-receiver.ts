import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { parse } from "node:querystring";
import type { App, Receiver } from "@slack/bolt";
import type { Logger } from "../../observability/log.ts";
import { parseJson } from "../../service/read-answer.ts";
import { type BoundedServer, createBoundedServer, type Handler, type Hold } from "./bounded-server.ts";
import { eventsLeftOut, eventsLimited } from "./guard-messages.ts";
import { createRefusalLog, createUnverifiedBodies, refuse } from "./unverified-requests.ts";

export type Routes = Readonly<Record<string, Handler>>;

export interface HttpReceiverOptions {
  /** One, or two while it is changed. */
  readonly signingSecret: () => string;
  readonly host: string;
  readonly port: number;
  readonly endpoint: string;
  /** Paths served to GET, beside Slack's endpoint. */
  readonly routes: Routes;
  readonly api?: Api | undefined;
  readonly log: Logger;
}

/** Slack's largest payloads have some hundred kilobytes. */
const maxBodyBytes = 512 * 1024;
/** For requests without a signature, which can only be an `ssl_check`. */
const maxUnsignedBytes = 1024;

/**
 * Receives Slack's requests over HTTP (PLATFORM.md §1) in place of Bolt's own receiver. Anybody who reaches the port can
 * send anything. So a request whose headers are wrong is refused before its body is read, and all unverified bodies share
 * one budget.
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
    const serve = serveRoutes(options, (...held) => this.#server.holdForCaller(...held));
    this.#server = createBoundedServer((request, response) => {
      if (request.method === "POST" && pathOf(request) === options.endpoint) void this.#receive(request, response);
      else serve(request, response);
    });
  }

  init(app: App): void {
    this.#app = app;
  }

  /** Gives the port it listens on. */
  start(): Promise<number> {
    return this.#server.start(this.#options.port, this.#options.host);
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { headers } = request;
    // Always the real clock: Slack's signatures hold the real time, even when Curfew runs with a test clock.
    const signature = readSignature(headers, Date.now());
    const isForm = headers["content-type"]?.startsWith(formType) === true;
    // Slack sends a length. A proxy may send chunks instead; they are bounded as they are read.
    const length = Number(headers["content-length"] ?? 0);
    if (length > maxBodyBytes) return this.#refuse(request, response, tooLarge);
    const mayBeCheck = isForm && headers["content-length"] !== undefined && length <= maxUnsignedBytes;
    if (!signature && !mayBeCheck) return this.#refuse(request, response, unsigned);

    if (headers.expect) response.writeContinue();
    const bytes = await this.#bodies.read(request, signature ? maxBodyBytes : maxUnsignedBytes);
    if (!bytes) return this.#refuse(request, response, signature ? tooLarge : unsigned);
    const text = bytes.toString();
    if (isForm && isSslCheck(text)) return end(response, 200);
    if (!signature || !isSigned(signature, bytes, this.#options.signingSecret()))
      return this.#refuse(request, response, unsigned);

    const hold = this.#server.hold(request);
    response.once("close", () => hold.release());
    await this.#take(request, bodyOf(text, isForm), response);
  }

  #refuse(request: IncomingMessage, response: ServerResponse, { status, reason }: Refusal): void {
    this.#logRefusal(status, reason);
    refuse(request, response, { status });
  }

  async #take(request: IncomingMessage, body: Body | undefined, response: ServerResponse): Promise<void> {
    const { log } = this.#options;
    if (body === undefined) return end(response, 400);
    if (body.type === "url_verification") return answer(response, { challenge: body.challenge });
    if (body.type === eventsLimited) {
      log.warn({ type: body.type }, eventsLeftOut);
      return end(response, 200);
    }
    const retryNum = Number(request.headers["x-slack-retry-num"]);
    const retryReason = request.headers["x-slack-retry-reason"];
    try {
      await this.#app?.processEvent({
        body,
        ack: async (content) => {
          answer(response, content);
          if (isMessage(content)) await sent(response);
        },
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

/** Serves what is no request of Slack's and no route. False if it has nothing there. */
export type Api = (
  request: IncomingMessage,
  response: ServerResponse,
  hold: (caller: string) => Hold | undefined,
) => boolean;

/** Serves each route to GET at its path, and the API. */
export function serveRoutes(
  { routes, api, log }: { readonly routes: Routes; readonly api?: Api | undefined; readonly log: Logger },
  hold: BoundedServer["holdForCaller"],
): Handler {
  return (request, response) => {
    const path = pathOf(request);
    if (api?.(request, response, (caller) => hold(request, caller))) return;
    const route = request.method === "GET" && Object.hasOwn(routes, path) ? routes[path] : undefined;
    if (route) return route(request, response);
    log.debug({ method: request.method, path }, "a request for something that is not here");
    refuse(request, response, { status: 404 });
  };
}

export const pathOf = ({ url = "" }: IncomingMessage): string => url.split("?", 1)[0] ?? "";

interface Refusal {
  readonly status: number;
  readonly reason: string;
}

const unsigned: Refusal = { status: 401, reason: "its signature or its timestamp is not right" };
const tooLarge: Refusal = { status: 413, reason: "it is larger than anything that Slack sends" };

const formType = "application/x-www-form-urlencoded";

/** Slack sends it without a signature to test the address (PLATFORM.md §1.3). Nothing else in such a request is used. */
function isSslCheck(text: string): boolean {
  return text.includes("ssl_check") && parse(text).ssl_check === "1";
}

type Body = Readonly<Record<string, unknown>>;

/** Undefined if it is not an object, which Slack never sends. */
function bodyOf(text: string, isForm: boolean): Body | undefined {
  const fields = isForm ? parse(text) : undefined;
  const json = fields === undefined ? text : fields.payload;
  if (fields !== undefined && json === undefined) return fields;
  if (typeof json !== "string") return undefined;
  const read = parseJson(json);
  return typeof read === "object" && read !== null && !Array.isArray(read) ? { ...read } : undefined;
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

/** An acknowledgement that carries an answer, unlike one with the errors or options of a form. */
const isMessage = (content: unknown): boolean => typeof content === "object" && content !== null && "text" in content;

/** Resolves when the answer is handed to the system. Throws when the connection closed before that. */
function sent(response: ServerResponse): Promise<void> {
  return new Promise((resolve, reject) => {
    if (response.writableFinished) return resolve();
    const closed = () => reject(new Error("the connection closed before the acknowledgement was sent"));
    if (response.destroyed) return closed();
    response.once("finish", resolve).once("close", closed);
  });
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status, noContent).end();
}

const noContent = { "content-length": 0 };

const maxAgeSeconds = 5 * 60;

interface Signature {
  readonly timestamp: string;
  readonly signature: string;
}

/** The signature in a request's headers, if it is well-formed and recent (PLATFORM.md §1.1). `now`: in epoch ms. */
export function readSignature(headers: IncomingHttpHeaders, now: number): Signature | undefined {
  const { "x-slack-request-timestamp": timestamp, "x-slack-signature": signature } = headers;
  if (typeof timestamp !== "string" || typeof signature !== "string") return undefined;
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > maxAgeSeconds) return undefined;
  return /^v0=[0-9a-f]{64}$/.test(signature) ? { timestamp, signature } : undefined;
}

/** Whether Slack signed this body, with one of the secrets. */
export function isSigned({ timestamp, signature }: Signature, body: Buffer, signingSecrets: string): boolean {
  const given = Buffer.from(signature);
  return signingSecrets.split(/\s+/).some((secret) => {
    const hash = createHmac("sha256", secret).update(`v0:${timestamp}:`).update(body).digest("hex");
    const expected = Buffer.from(`v0=${hash}`);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
