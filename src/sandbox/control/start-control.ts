import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import PQueue from "p-queue";
import { listen, readBody, rejectionReason, stopListening } from "../local-http.ts";
import type { Page } from "../page/create-page.ts";
import type { Sandbox } from "../sandbox.ts";
import { parseJson } from "../workspace/json-object.ts";
import { controlHelp } from "./control-help.ts";
import { type ControlAnswer, controlRoutes } from "./control-routes.ts";

export interface Control {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * A local HTTP endpoint through which scripts act as people. Handles one request at a time, so that each sees its own effects.
 * Also serves the page, if there is one.
 */
export async function startControl(sandbox: Sandbox, port: number, page: Page = () => false): Promise<Control> {
  const queue = new PQueue({ concurrency: 1 });
  const server = createServer((request, response) => {
    if (page(request, response)) return;
    answer(sandbox, request, queue)
      .catch((error: unknown) => refusal(400, error instanceof Error ? error.message : String(error)))
      .then((reply) => send(response, reply))
      .catch(() => response.destroy());
  });
  const url = `http://127.0.0.1:${await listen(server, port, "127.0.0.1")}`;
  return { url, close: () => stopListening(server) };
}

async function answer(sandbox: Sandbox, request: IncomingMessage, queue: PQueue): Promise<ControlAnswer> {
  const reason = rejectionReason(request);
  if (reason !== undefined) return refusal(403, reason);
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
  const name = `${request.method} ${pathname}`;
  if (name === "GET /help") return { status: 200, body: controlHelp };
  const route = Object.hasOwn(controlRoutes, name) ? controlRoutes[name] : undefined;
  if (route === undefined) return refusal(404, `There is no ${name}. See GET /help.`);
  const text = await readBody(request);
  if (text === undefined) return refusal(413, "The body is too long; send at most 100,000 bytes.");
  const body = text === "" ? undefined : parseJson(text);
  if (text !== "" && body === undefined) return refusal(400, "The body is not JSON.");
  return queue.add(async () => route(sandbox, { query: searchParams, body }));
}

function refusal(status: number, error: string): ControlAnswer {
  return { status, body: { error } };
}

function send(response: ServerResponse, { status, body }: ControlAnswer): void {
  const isText = typeof body === "string";
  response
    .writeHead(status, { "content-type": isText ? "text/plain; charset=utf-8" : "application/json; charset=utf-8" })
    .end(isText ? body : `${JSON.stringify(body, null, 2)}\n`);
}
