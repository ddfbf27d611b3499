import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from "node:http";
import { parse } from "node:querystring";
import type { App, Receiver } from "@slack/bolt";
import type { Logger } from "../log.ts";
import { isSigned } from "./is-signed.ts";
import { stopServer } from "./stop-server.ts";

export type Routes = Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>>;

export interface HttpReceiverOptions {
  readonly signingSecret: string;
  readonly host: string;
  readonly port: number;
  readonly endpoint: string;
  /** In bytes. */
  readonly longestBody: number;
  readonly limits: ServerOptions;
  /** What is served beside Slack's address, to GET. */
  readonly routes: Routes;
  readonly log: Logger;
}

/**
 * Takes Slack's requests over HTTP (platform.md §1) in place of Bolt's own receiver: the signature is checked once and before
 * anything is read, the body is read once, and the answer is out as soon as a listener acknowledges.
 */
export class HttpReceiver implements Receiver {
  readonly #options: HttpReceiverOptions;
  readonly #server: Server;
  #app: App | undefined;

  constructor(options: HttpReceiverOptions) {
    this.#options = options;
    const { limits, endpoint, routes, log } = options;
    this.#server = createServer(limits, (request, response) => {
      const [path = ""] = (request.url ?? "").split("?", 1);
      if (path === endpoint && request.method === "POST") return this.#receive(request, response);
      const route = request.method === "GET" ? routes[path] : undefined;
      if (route) return route(request, response);
      log.debug({ method: request.method, path }, "a request for something that is not here");
      end(response, 404);
    });
  }

  init(app: App): void {
    this.#app = app;
  }

  /** Gives the port listened on. */
  async start(): Promise<number> {
    const { host, port } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject).listen(port, host, resolve);
    });
    const address = this.#server.address();
    return typeof address === "object" && address ? address.port : 0;
  }

  stop(): Promise<void> {
    return stopServer(this.#server);
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const { longestBody } = this.#options;
    if (Number(request.headers["content-length"]) > longestBody) {
      refuseLarge(request, response);
      return;
    }
    const chunks: Buffer[] = [];
    let length = 0;
    request.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length <= longestBody) chunks.push(chunk);
      else if (!response.headersSent) refuseLarge(request, response);
    });
    request.on("end", () => {
      if (length <= longestBody) void this.#take(request, Buffer.concat(chunks), response);
    });
    request.on("error", () => response.destroy());
  }

  async #take(request: IncomingMessage, bytes: Buffer, response: ServerResponse): Promise<void> {
    const { signingSecret, log } = this.#options;
    const text = bytes.toString();
    const isForm = request.headers["content-type"]?.startsWith(formType) === true;
    if (isForm && isSslCheck(text)) return end(response, 200);
    // By the machine's own clock: Slack's signatures are of this very moment, also where Curfew is shown another time.
    if (!isSigned(request.headers, bytes, { signingSecret, now: Date.now() })) {
      log.warn("a request was refused: its signature or its timestamp is not right");
      return end(response, 401);
    }
    const body = bodyOf(text, isForm);
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

/** Long enough for whoever still sends to read the answer; then they are cut off. */
const lingerMs = 500;

function refuseLarge(request: IncomingMessage, response: ServerResponse): void {
  end(response, 413);
  setTimeout(() => request.destroy(), lingerMs).unref();
}

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
