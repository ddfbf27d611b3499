import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { readBody } from "../local-http.ts";
import type { Sandbox } from "../sandbox.ts";
import { parseJson } from "../workspace/json-object.ts";
import { pageRejectionReason } from "./guard-page.ts";
import { isPageFile, pageHeaders, readPageFile } from "./page-files.ts";
import { type PageRoute, pageRoutes } from "./page-routes.ts";

/** Handles the page's requests. Returns whether the request was one of them. */
export type Page = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Serves the workspace as a local web page. `folder` contains the built client. */
export function createPage(sandbox: Sandbox, folder: string): Page {
  const routes = pageRoutes(sandbox);
  return (request, response) => {
    const [path = "", search = ""] = (request.url ?? "").split("?", 2);
    const isFile = request.method === "GET" && isPageFile(path);
    if (!isFile && !path.startsWith("/api/")) return false;
    for (const [name, value] of Object.entries(pageHeaders)) response.setHeader(name, value);
    const reason = pageRejectionReason(request);
    if (reason !== undefined) {
      refuse(response, 403, reason);
      return true;
    }
    const route = routes.get(`${request.method} ${path}`);
    const answer = isFile
      ? sendFile(folder, path, response)
      : call(route, new URLSearchParams(search), request, response);
    answer.catch((error: unknown) => refuse(response, 400, messageOf(error)));
    return true;
  };
}

async function sendFile(folder: string, path: string, response: ServerResponse): Promise<void> {
  const file = await readPageFile(folder, path);
  if (file === undefined) return refuse(response, 404, "The page is not built. Run npm run build.");
  response.writeHead(200, { "content-type": file.type }).end(file.content);
}

async function call(
  route: PageRoute | undefined,
  query: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (route === undefined) return refuse(response, 404, "There is no such address.");
  const text = await readBody(request);
  if (text === undefined) return refuse(response, 413, "The body is too long; send at most 100,000 bytes.");
  await route({ query, response, body: parseJson(text) });
}

function refuse(response: ServerResponse, status: number, error: string): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ ok: false, error }));
}

function messageOf(error: unknown): string {
  if (error instanceof z.ZodError) return z.prettifyError(error);
  return error instanceof Error ? error.message : String(error);
}
