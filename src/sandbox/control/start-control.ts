import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import PQueue from "p-queue";
import type { Sandbox } from "../sandbox.ts";
import { listen, stopListening } from "../service/listen.ts";
import { parseJson } from "../workspace/json-object.ts";
import { controlHelp } from "./control-help.ts";
import { type ControlAnswer, controlRoutes } from "./control-routes.ts";
import { objectionTo } from "./guard-request.ts";

export interface Control {
  readonly url: string;
  close(): Promise<void>;
}

const longestBody = 100_000;

/** An HTTP endpoint on this machine through which scripts act as people do. One request at a time, so that each sees its own effects. */
export async function startControl(sandbox: Sandbox, port: number): Promise<Control> {
  const queue = new PQueue({ concurrency: 1 });
  const server = createServer((request, response) => {
    answer(sandbox, request, queue)
      .catch((error: unknown) => refusal(400, error instanceof Error ? error.message : String(error)))
      .then((reply) => send(response, reply))
      .catch(() => response.destroy());
  });
  const url = `http://127.0.0.1:${await listen(server, port, "127.0.0.1")}`;
  return { url, close: () => stopListening(server) };
}

async function answer(sandbox: Sandbox, request: IncomingMessage, queue: PQueue): Promise<ControlAnswer> {
  const objection = objectionTo(request);
  if (objection !== undefined) return refusal(403, objection);
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
  const name = `${request.method} ${pathname}`;
  if (name === "GET /") return { status: 200, body: controlHelp };
  const route = Object.hasOwn(controlRoutes, name) ? controlRoutes[name] : undefined;
  if (route === undefined) return refusal(404, `There is no ${name}. GET / tells what there is.`);
  const text = await readBody(request);
  if (text === undefined) return refusal(413, "The body is too long.");
  const body = text === "" ? undefined : parseJson(text);
  if (text !== "" && body === undefined) return refusal(400, "The body is not JSON.");
  return queue.add(async () => route(sandbox, { query: searchParams, body }));
}

/** Undefined when it is longer than anything meant. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    chunks.push(Buffer.from(chunk));
    length += chunk.length;
    if (length > longestBody) return undefined;
  }
  return Buffer.concat(chunks).toString("utf8");
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
