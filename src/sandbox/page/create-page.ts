import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { z } from "zod";
import { createLoop } from "../../time/loop.ts";
import { createSignal } from "../clock.ts";
import { listen, readBody, stopListening } from "../local-http.ts";
import { type Sandbox, seedPerson } from "../sandbox.ts";
import { parseJson } from "../workspace/json-object.ts";
import { pageEvents, performPageAct, performPanelAct } from "./page-state.ts";
import { type ActAnswer, pageAct, panelAct } from "./wire.ts";

/** The only files served, by path. */
const files: Readonly<Record<string, { readonly name: string; readonly type: string }>> = {
  "/": { name: "page.html", type: "text/html; charset=utf-8" },
  "/page.js": { name: "page.js", type: "text/javascript; charset=utf-8" },
  "/page.css": { name: "page.css", type: "text/css; charset=utf-8" },
  "/emoji.woff2": { name: "emoji.woff2", type: "font/woff2" },
  "/icon.svg": { name: "icon.svg", type: "image/svg+xml" },
};

/** Protects against hostile message content: the page runs only its own script, connects only to its server, and cannot be framed. */
const pageHeaders: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

/** Serves the workspace as a local web page. `folder` contains the built client; port 0 is any free one. */
export async function servePage(sandbox: Sandbox, port: number, folder: string) {
  const routes = pageRoutes(sandbox);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [path = "", search = ""] = (request.url ?? "").split("?", 2);
    for (const [name, value] of Object.entries(pageHeaders)) response.setHeader(name, value);
    const reason = rejectionReason(request);
    if (reason !== undefined) return refuse(response, 403, reason);
    const file = request.method === "GET" && Object.hasOwn(files, path) ? files[path] : undefined;
    if (file !== undefined) {
      // Read on every request, because a new build may replace it.
      const content = await readFile(join(folder, file.name)).catch(() => undefined);
      if (content === undefined) return refuse(response, 404, "The page is not built. Run npm run build.");
      response.writeHead(200, { "content-type": file.type }).end(content);
      return;
    }
    const route = routes[`${request.method} ${path}`];
    if (route === undefined) return refuse(response, 404, "There is no such address.");
    const text = await readBody(request);
    if (text === undefined) return refuse(response, 413, "The body is too long; send at most 100,000 bytes.");
    await route(response, parseJson(text), new URLSearchParams(search));
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => refuse(response, 400, messageOf(error)));
  });
  const url = `http://127.0.0.1:${await listen(server, port, "127.0.0.1")}`;
  return { url, close: () => stopListening(server) };
}

const localHosts: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

/**
 * Rejects requests from other pages in the same browser, which must neither act nor read. Checks direct requests (Origin,
 * Sec-Fetch-Site), forms (content type) and other DNS names that resolve to this machine (Host).
 */
function rejectionReason({ method, headers }: IncomingMessage): string | undefined {
  const { host = "", origin } = headers;
  if (!localHosts.has(host.replace(/:\d+$/, "").toLowerCase()))
    return "Only requests to 127.0.0.1 or localhost are answered.";
  if (origin !== undefined && origin !== `http://${host}`) return "Requests from other pages are not answered.";
  if (method === "GET") return undefined;
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none")
    return "Requests from other pages are not answered.";
  const isJson = /^application\/json\b/i.test(headers["content-type"] ?? "");
  return isJson ? undefined : "The content type must be application/json.";
}

function refuse(response: ServerResponse, status: number, error: string): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ ok: false, error }));
}

function messageOf(error: unknown): string {
  if (error instanceof z.ZodError) return z.prettifyError(error);
  return error instanceof Error ? error.message : String(error);
}

type Route = (response: ServerResponse, body: unknown, query: URLSearchParams) => Promise<void>;

/** The page's API, by method and path. A route throws when a name in the request is unknown. */
function pageRoutes(sandbox: Sandbox): Readonly<Record<string, Route>> {
  const { workspace, service, clock } = sandbox;
  const panel = createSignal();
  const sources = [workspace.onChange, service.onChange, clock.onStep, panel.listen];
  const onChange = (listener: () => void) => {
    const stops = sources.map((listen) => listen(listener));
    return () => {
      for (const stop of stops) stop();
    };
  };
  const send = (response: ServerResponse, answer: ActAnswer): void =>
    void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  return {
    "GET /api/events": async (response, _body, query) => {
      const { handle } = seedPerson(sandbox, query.get("as") ?? "");
      streamEvents(response, () => pageEvents(sandbox, handle), onChange);
    },
    "POST /api/act": async (response, body) => {
      const { as, act } = pageAct.parse(body);
      const { handle } = seedPerson(sandbox, as);
      // The client shows why it rejects an act.
      const rejected = (error: unknown): ActAnswer => ({ ok: false, error: messageOf(error) });
      send(response, await performPageAct(sandbox, handle, act).catch(rejected));
    },
    "POST /api/panel": async (response, body) => {
      await performPanelAct(sandbox, panelAct.parse(body));
      panel.changed();
      send(response, { ok: true });
    },
  };
}

const debounceMs = 25;
const heartbeatMs = 15_000;

/**
 * Server-Sent Events: first the complete state, then every part that differs from what was sent. A client that reconnects gets the
 * complete state again, so it misses nothing.
 */
function streamEvents(
  response: ServerResponse,
  eventsNow: () => ReturnType<typeof pageEvents>,
  onChange: (listener: () => void) => () => void,
): void {
  const sent = new Map<string, string>();
  const send = (events: ReturnType<typeof pageEvents>): void => {
    for (const { name, key, data } of events) {
      const json = JSON.stringify(data);
      if (sent.get(key) === json) continue;
      sent.set(key, json);
      response.write(`event: ${name}\ndata: ${json}\n\n`);
    }
  };
  const compare = async (): Promise<number> => {
    send(eventsNow());
    // Detects changes that only time makes, for example the end of an exclusion.
    return heartbeatMs;
  };
  // The client reconnects and then gets the error.
  const loop = createLoop(compare, { onError: () => response.destroy(), retryMs: heartbeatMs });
  const first = eventsNow();
  // Changes come in bursts, so one comparison after each burst is enough.
  const stopListening = onChange(() => loop.wakeIn(debounceMs));
  loop.wakeIn(heartbeatMs);
  response.on("close", () => {
    stopListening();
    void loop.stop();
  });
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  send(first);
}
