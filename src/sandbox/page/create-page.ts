import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { readBody } from "../control/read-body.ts";
import type { Sandbox } from "../sandbox.ts";
import { parseJson } from "../workspace/json-object.ts";
import { objectionToPage } from "./guard-page.ts";
import { isPageFile, pageHeaders, readPageFile } from "./page-files.ts";
import { type Call, pageRoutes } from "./page-routes.ts";

/** Answers what is the page's to answer, and tells whether it was. */
export type Page = (request: IncomingMessage, response: ServerResponse) => boolean;

/** The workspace as a page for browsers on this machine, and beside it what happens behind it. `folder` holds the client. */
export function createPage(sandbox: Sandbox, folder: string): Page {
  const routes = pageRoutes(sandbox);
  return (request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const isFile = request.method === "GET" && isPageFile(url.pathname);
    if (!isFile && !url.pathname.startsWith("/api/")) return false;
    for (const [name, value] of Object.entries(pageHeaders)) response.setHeader(name, value);
    const answer = isFile ? sendFile(folder, url.pathname, request, response) : route(routes, url, request, response);
    answer.catch((error: unknown) => refuse(response, 400, messageOf(error)));
    return true;
  };
}

async function sendFile(
  folder: string,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const objection = objectionToPage(request);
  if (objection !== undefined) return refuse(response, 403, objection);
  const file = await readPageFile(folder, path);
  if (file === undefined) return refuse(response, 404, "The page is not built: npm run build makes it.");
  response.writeHead(200, { "content-type": file.type }).end(file.content);
}

async function route(
  routes: Readonly<Record<string, (call: Call) => Promise<void>>>,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const objection = objectionToPage(request);
  if (objection !== undefined) return refuse(response, 403, objection);
  const name = `${request.method} ${url.pathname}`;
  const handle = Object.hasOwn(routes, name) ? routes[name] : undefined;
  if (handle === undefined) return refuse(response, 404, `There is no ${name}.`);
  const text = await readBody(request);
  if (text === undefined) return refuse(response, 413, "The body is too long.");
  await handle({ url, response, body: parseJson(text) });
}

function refuse(response: ServerResponse, status: number, error: string): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ ok: false, error }));
}

function messageOf(error: unknown): string {
  if (error instanceof z.ZodError) return z.prettifyError(error);
  return error instanceof Error ? error.message : String(error);
}
