import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { listen, stopListening } from "../local-http.ts";
import { PlannedFaults } from "../planned-faults.ts";
import type { WorkspaceSeed } from "./default-seed.ts";
import { type AppAnswer, type AppRequest, type Outgoing, type Sockets, sendHttp } from "./deliveries.ts";
import { type JsonObject, objectAt, parseJson } from "./json-object.ts";
import type { LiveWorkspace } from "./live-workspace.ts";
import { hearOwn, respondToUrl } from "./messages.ts";
import { Person } from "./person.ts";
import { createWorkspaceState } from "./state.ts";
import { callApi, type Reply } from "./web-api.ts";

export interface WorkspaceOptions {
  /** The parsed app manifest. It decides commands, shortcuts, scopes, events, Home tab and transport. */
  readonly manifest: unknown;
  readonly seed?: WorkspaceSeed;
  readonly now?: () => number;
  /** HTTP mode: the app's URL. Can be set later with `connectHttp`. */
  readonly requestUrl?: string;
  readonly sockets?: Sockets;
  readonly rateLimits?: "slack" | "off";
  /** The deadline for an acknowledgement. */
  readonly deadlineMs?: number;
  /** Schedules event retries. */
  readonly schedule?: (delayMs: number, run: () => void) => void;
  readonly fetch?: typeof globalThis.fetch;
}

/** A simulated Slack workspace with one installed app, as strict as Slack (PLATFORM.md §19). */
export type Workspace = Awaited<ReturnType<typeof startWorkspace>>;

export async function startWorkspace(options: WorkspaceOptions) {
  const { now = Date.now, deadlineMs = 3000, fetch = globalThis.fetch, rateLimits = "slack", sockets } = options;
  let { requestUrl } = options;
  let baseUrl = "";
  const state = createWorkspaceState({ ...options, now, rateLimits, baseUrl: () => baseUrl });
  const { app, signal } = state;
  const { signingSecret } = app;
  const http = (outgoing: Outgoing) => sendHttp({ url: requestUrl, signingSecret, deadlineMs, fetch }, outgoing);
  const faults = new Faults();
  const appRequests: AppRequest[] = [];
  const calls: ApiCall[] = [];
  const closed = new AbortController();
  /** Sends a request to the app and keeps it with its answer. */
  const send = async (given: Outgoing): Promise<AppAnswer> => {
    const socket = state.manifest.isSocketMode && requestUrl === undefined ? sockets : undefined;
    const type =
      given.kind === "command" ? "command" : String(objectAt(given.payload.event).type ?? given.payload.type);
    const outgoing = { ...given, payload: faults.altered(type, given.payload) };
    const begun = { ...outgoing, id: randomUUID(), type, transport: socket?.name ?? "http", sentAt: now() } as const;
    const index = appRequests.push({ ...begun, answer: null, tookMs: null }) - 1;
    signal.changed();
    const startedAt = performance.now();
    const answer = await (socket ? socket.send(outgoing) : http(outgoing));
    appRequests[index] = { ...begun, answer, tookMs: performance.now() - startedAt };
    signal.changed();
    return answer;
  };
  /** Does not keep the process alive. */
  const later = (delayMs: number, run: () => void) =>
    void delay(delayMs, undefined, { ref: false, signal: closed.signal }).then(run, () => undefined);
  const workspace: LiveWorkspace = {
    ...state,
    send,
    schedule: options.schedule ?? later,
    issueSocketUrl: () => sockets?.issueUrl(baseUrl),
    hearOwn: (message) => void hearOwn(workspace, message),
  };
  const parts = { workspace, faults, calls };
  const server = createServer((request, response) => void answerCall(parts, request, response));
  if (sockets) server.on("upgrade", (request, socket, head) => sockets.upgrade(request, socket, head));
  baseUrl = `http://127.0.0.1:${await listen(server, 0, "127.0.0.1")}`;
  return {
    /** For `clientOptions.slackApiUrl`. */
    apiUrl: `${baseUrl}/api/`,
    ...app,
    manifest: state.manifest,
    live: workspace,
    /** By handle or id. */
    as: clientsOf(workspace),
    /** Calls the listener after every change in the workspace, until the returned function is called. */
    onChange: signal.listen,
    /** From now on sends signed HTTP requests to this URL. */
    connectHttp: (url: string) => {
      requestUrl = url;
    },
    calls: calls as readonly ApiCall[],
    appRequests: appRequests as readonly AppRequest[],
    faults,
    close: async () => {
      closed.abort();
      sockets?.close();
      await stopListening(server);
    },
  };
}

function clientsOf(workspace: LiveWorkspace) {
  const clients = new Map<string, Person>();
  return (name: string): Person => {
    const { id } = workspace.people.named(name);
    const person = clients.get(id) ?? new Person(workspace, id);
    clients.set(id, person);
    return person;
  };
}

/** One call by the app, to a Web API method or a `response_url`. */
export interface ApiCall {
  readonly method: string;
  readonly path: string;
  readonly arguments: JsonObject;
  /** Null when the connection was closed instead. */
  readonly answer: JsonObject | string | null;
  readonly status: number;
  readonly at: number;
}

interface ServerParts {
  readonly workspace: LiveWorkspace;
  readonly faults: Faults;
  /** Gets each call with its answer. */
  readonly calls: ApiCall[];
}

/** Slack's HTTP server: `/api/<method>` and the response URLs. */
async function answerCall(parts: ServerParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    await handle(parts, request, response);
  } catch (error) {
    const path = String(request.url);
    const answer = `sandbox error: ${String(error)}`;
    record(parts, { method: path, path, arguments: {}, answer, status: 500, at: parts.workspace.now() });
    response.destroy();
  }
}

function record({ calls, workspace }: ServerParts, call: ApiCall): void {
  calls.push(call);
  workspace.signal.changed();
}

async function handle(parts: ServerParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { workspace, faults } = parts;
  const { pathname: path, searchParams: query } = new URL(request.url ?? "/", "http://localhost");
  const body = await text(request);
  const [, method] = /^\/api\/([\w.]+)$/.exec(path) ?? [];
  const name = method ?? "response_url";
  const fault = faults.take(name);
  const { authorization, "content-type": contentType = "" } = request.headers;
  const perform = (): Reply => {
    if (method === undefined) return respondToUrl(path, contentType, body, workspace);
    const verb = request.method ?? "GET";
    return callApi({ method, verb, query, contentType, authorization, body }, workspace);
  };
  const reply = replyWith(fault, perform, body);
  if (fault?.delayMs !== undefined) await delay(fault.delayMs);
  await fault?.until;
  const isCut = fault?.reset === true;
  const { status, headers, sent } = reply;
  const answer = typeof reply.answer === "string" ? reply.answer : faults.altered(name, reply.answer);
  record(parts, { method: name, path, arguments: sent, answer: isCut ? null : answer, status, at: workspace.now() });
  if (isCut) response.destroy();
  else send(response, status, headers, answer);
}

/** A fault replaces the call, unless it comes `afterwards` or only delays it. */
function replyWith(fault: Fault | undefined, perform: () => Reply, body: string): Reply {
  const failure = fault === undefined ? undefined : failureOf(fault);
  if (failure === undefined) return perform();
  const { token: _token, ...form } = Object.fromEntries(new URLSearchParams(body));
  const sent = fault?.afterwards === true ? perform().sent : objectAt(parseJson(body) ?? form);
  return { headers: {}, ...failure, sent };
}

type Failure = Pick<Reply, "status" | "answer"> & Partial<Pick<Reply, "headers">>;

function failureOf({ error, messages, status, retryAfterSeconds, retryAfter, reset }: Fault): Failure | undefined {
  const wait = retryAfter ?? retryAfterSeconds;
  if (wait !== undefined)
    return { status: 429, headers: { "retry-after": String(wait) }, answer: { ok: false, error: "ratelimited" } };
  const details = messages === undefined ? {} : { response_metadata: { messages } };
  if (error !== undefined) return { status: 200, answer: { ok: false, error, ...details } };
  if (status === undefined && reset === undefined) return undefined;
  return { status: status ?? 503, answer: "upstream connect error" };
}

function send(response: ServerResponse, status: number, headers: Reply["headers"], answer: JsonObject | string): void {
  const isText = typeof answer === "string";
  response.writeHead(status, {
    "content-type": isText ? "text/html" : "application/json; charset=utf-8",
    "x-slack-req-id": crypto.randomUUID(),
    ...headers,
  });
  response.end(isText ? answer : JSON.stringify(answer));
}

interface Fault {
  /** Answers `{ok: false, error}`. */
  readonly error?: string;
  /** Details of the error, as in `response_metadata`. */
  readonly messages?: readonly string[];
  /** Answers with this HTTP status and no JSON. */
  readonly status?: number;
  /** Answers with 429 and this `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Answers 429 with this text as `Retry-After`. */
  readonly retryAfter?: string;
  /** Closes the connection instead of answering. */
  readonly reset?: boolean;
  /** Delays the answer, or the fault, by this long. */
  readonly delayMs?: number;
  /** Delays the answer, or the fault, until this resolves. */
  readonly until?: Promise<unknown>;
  /** Performs the call before its answer is lost. */
  readonly afterwards?: boolean;
  /** How many calls it hits; one by default. */
  readonly times?: number;
}

type Alteration = (sent: JsonObject) => JsonObject;

/** The faults to come, and changes of what Slack sends. */
class Faults extends PlannedFaults<Fault & { readonly method: string }> {
  readonly #alterations = new Map<string, Alteration>();

  /** `method`: of the Web API, `response_url`, or `*` for any. */
  failNext(method: string, fault: Fault): void {
    this.next({ ...fault, method });
  }

  /** Changes what Slack sends: a request to the app, by its type such as `block_actions`, or the answers of a Web API method. */
  alter(type: string, alteration: Alteration): void {
    this.#alterations.set(type, alteration);
  }

  altered(type: string, sent: JsonObject): JsonObject {
    return this.#alterations.get(type)?.(sent) ?? sent;
  }

  /** Closes the connection of every call until `up`. */
  down(): void {
    this.isDown = true;
  }

  up(): void {
    this.isDown = false;
  }

  override clear(): void {
    super.clear();
    this.#alterations.clear();
    this.isDown = false;
  }

  take(called: string): Fault | undefined {
    if (this.isDown) return { reset: true };
    return this.use(({ method }) => method === called || method === "*");
  }
}
