import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { listen, stopListening } from "../local-http.ts";
import type { Signal } from "../signal.ts";
import type { SeedPerson, WorkspaceSeed } from "./default-seed.ts";
import {
  type AppRequest,
  createSocketConnections,
  recordDeliveries,
  type SocketConnections,
  sendHttp,
  type Transport,
} from "./deliveries.ts";
import { type JsonObject, objectAt, parseJson, stringAt } from "./json-object.ts";
import { type DeliveryOutcome, type LiveWorkspace, sendEvent } from "./live-workspace.ts";
import { deliverCommand, hearOwn, respondToUrl, runStep } from "./messages.ts";
import { Person } from "./person.ts";
import { createWorkspaceState, messagesIn, viewOf, viewPayload } from "./state.ts";
import { callApi, userObject } from "./web-api.ts";

export interface WorkspaceOptions {
  /** The parsed app manifest. It decides commands, shortcuts, scopes, events, Home tab and transport. */
  readonly manifest: unknown;
  readonly seed?: WorkspaceSeed;
  readonly now?: () => number;
  /** HTTP mode: the app's URL. Can be set later with `connectHttp`. */
  readonly requestUrl?: string;
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
  const { now = Date.now, deadlineMs = 3000, fetch = globalThis.fetch } = options;
  let baseUrl = "";
  let requestUrl = options.requestUrl;
  const { manifest, seed, rateLimits = "slack" } = options;
  const state = createWorkspaceState({ manifest, seed, now, rateLimits, baseUrl: () => baseUrl });
  const { app, signal } = state;
  const sockets = createSocketConnections({ appId: app.appId, deadlineMs, signal });
  const target = { requestUrl: () => requestUrl, signingSecret: app.signingSecret, deadlineMs, fetch };
  const http: Transport = { name: "http", send: (outgoing) => sendHttp(target, outgoing) };
  const transport = () => (state.manifest.isSocketMode && requestUrl === undefined ? sockets : http);
  const faults = new Faults();
  const appRequests: AppRequest[] = [];
  const altered = (type: string, sent: JsonObject) => faults.altered(type, sent);
  const timers = createTimers();
  const workspace: LiveWorkspace = {
    ...state,
    send: recordDeliveries(appRequests, { transport, now, signal, altered }),
    schedule: options.schedule ?? timers.schedule,
    issueSocketUrl: () => sockets.issueUrl(baseUrl),
    hearOwn: (message) => void hearOwn(workspace, message),
  };
  const calls: ApiCall[] = [];
  const server = createWorkspaceServer({ workspace, sockets, faults, calls });
  const readers = readersOf(workspace);
  baseUrl = `http://127.0.0.1:${await listen(server, 0, "127.0.0.1")}`;
  return {
    /** For `clientOptions.slackApiUrl`. */
    apiUrl: `${baseUrl}/api/`,
    ...app,
    manifest: state.manifest,
    ...readers,
    /** Calls the listener after every change in the workspace, until the returned function is called. */
    onChange: signal.listen,
    /** From now on sends signed HTTP requests to this URL. */
    connectHttp: (url: string) => {
      requestUrl = url;
    },
    /** Runs a step of the app as Workflow Builder does. */
    runStep: (callbackId: string, inputs: JsonObject) => runStep(workspace, callbackId, inputs),
    waitFor: <T>(probe: () => T | undefined | false | null, waiting: WaitOptions = {}) =>
      waitFor(probe, waiting, signal, calls),
    calls: calls as readonly ApiCall[],
    appRequests: appRequests as readonly AppRequest[],
    /** Sends the same payload again. The answer is checked but has no effect. */
    redeliver: async ({ kind, payload, retry }: AppRequest): Promise<DeliveryOutcome> => {
      if (kind === "command")
        return deliverCommand(
          readers.as(stringAt(payload.user_id) ?? ""),
          payload,
          `${stringAt(payload.command)} ${stringAt(payload.text)}`,
        );
      const answer = await workspace.send({ kind, payload, ...(retry ? { retry } : {}) });
      return answer.kind === "acknowledged" ? { ok: true } : { ok: false, shown: answer.error };
    },
    faults,
    changes: createWorkspaceChanges(workspace),
    sockets,
    close: async () => {
      timers.clear();
      sockets.close();
      await stopListening(server);
    },
  };
}

function readersOf(workspace: LiveWorkspace) {
  const { people, channels, executions, app } = workspace;
  const clients = new Map<string, Person>();
  return {
    /** By handle or id. */
    as: (name: string): Person => {
      const { id } = people.named(name);
      const person = clients.get(id) ?? new Person(workspace, id);
      clients.set(id, person);
      return person;
    },
    /** The messages visible to all members, including thread replies. */
    channel: (name: string) => {
      const { id } = channels.named(name);
      return { id, messages: messagesIn(workspace, id).filter((message) => message.ephemeralTo === undefined) };
    },
    /** What the app posted, as it stands now, private messages too. */
    posted: () => workspace.messages.all.filter(({ isFromApp }) => isFromApp),
    homeOf: (name: string): JsonObject | undefined => {
      const view = viewOf(workspace, people.named(name).id, "home");
      return view && viewPayload(view, app);
    },
    /** A run of a step as it is now. */
    execution: (id: string) => executions.get(id),
  };
}

/** Timers that do not keep the process alive. */
function createTimers() {
  const timers = new Set<NodeJS.Timeout>();
  return {
    schedule: (delayMs: number, run: () => void) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        run();
      }, delayMs);
      timers.add(timer.unref());
    },
    clear: () => {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

interface WaitOptions {
  readonly timeoutMs?: number;
  /** Names the awaited condition in the error. */
  readonly what?: string;
}

const maxShownCalls = 12;

/** Resolves when the probe finds something. Probes after every change in the workspace. */
function waitFor<T>(
  probe: () => T | undefined | false | null,
  { timeoutMs = 15_000, what = "the awaited condition" }: WaitOptions,
  signal: Signal,
  calls: readonly ApiCall[],
): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(deadline);
      unlisten();
    };
    const check = (isLast: boolean): void => {
      try {
        const found = probe();
        if (found !== undefined && found !== false && found !== null) {
          stop();
          resolve(found);
        } else if (isLast) {
          stop();
          reject(new Error(`${what} did not happen within ${timeoutMs} ms. Recent calls:\n${describeCalls(calls)}`));
        }
      } catch (error) {
        stop();
        reject(error);
      }
    };
    const unlisten = signal.listen(() => check(false));
    const deadline = setTimeout(() => check(true), timeoutMs);
    check(false);
  });
}

function describeCalls(calls: readonly ApiCall[]): string {
  const lines = calls.slice(-maxShownCalls).map(({ method, status, arguments: sent, answer }) => {
    return `  ${method} ${status} ${cut(JSON.stringify(sent), 200)} -> ${cut(JSON.stringify(answer), 200)}`;
  });
  return lines.join("\n") || "  none";
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
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
  readonly sockets: SocketConnections;
  readonly faults: Faults;
  /** Gets each call with its answer. */
  readonly calls: ApiCall[];
}

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly answer: JsonObject | string;
  readonly sent: JsonObject;
}

/** Slack's HTTP server: `/api/<method>`, the response URLs, and Socket Mode's `/link/`. */
function createWorkspaceServer(parts: ServerParts): Server {
  const server = createServer((request, response) => {
    handle(parts, request, response).catch((error: unknown) => {
      const path = String(request.url);
      const answer = `sandbox error: ${String(error)}`;
      record(parts, { method: path, path, arguments: {}, answer, status: 500, at: parts.workspace.now() });
      response.destroy();
    });
  });
  server.on("upgrade", (request, socket, head) => parts.sockets.upgrade(request, socket, head));
  return server;
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
  const fault = faults.next(name);
  const { authorization, "content-type": contentType = "" } = request.headers;
  const perform = (): Reply => {
    if (method !== undefined) {
      const verb = request.method ?? "GET";
      return callApi({ method, verb, query, contentType, authorization, body }, workspace);
    }
    const answer = respondToUrl(path, contentType, body, workspace);
    return { status: answer.status, headers: {}, answer: answer.body, sent: objectAt(parseJson(body)) };
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

interface PlannedFault {
  /** A Web API method, `response_url`, or `*` for any. */
  readonly method: string;
  readonly fault: Fault;
  /** How many more calls it hits. */
  readonly left: number;
}

/** The faults to come, and changes of what Slack sends. */
class Faults {
  #planned: { -readonly [K in keyof PlannedFault]: PlannedFault[K] }[] = [];
  readonly #alterations = new Map<string, Alteration>();
  #isDown = false;

  failNext(method: string, fault: Fault): void {
    this.#planned.push({ method, fault, left: fault.times ?? 1 });
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
    this.#isDown = true;
  }

  up(): void {
    this.#isDown = false;
  }

  clear(): void {
    this.#planned = [];
    this.#alterations.clear();
    this.#isDown = false;
  }

  get isDown(): boolean {
    return this.#isDown;
  }

  /** The faults not yet used up. */
  get planned(): readonly PlannedFault[] {
    return this.#planned.filter(({ left }) => left > 0);
  }

  /** Uses up one hit of the first fault for this method. */
  next(method: string): Fault | undefined {
    if (this.#isDown) return { reset: true };
    const plan = this.#planned.find((each) => each.left > 0 && (each.method === method || each.method === "*"));
    if (plan === undefined) return undefined;
    plan.left -= 1;
    return plan.fault;
  }
}

/** Changes that people make in the workspace. Sends the subscribed events. */
function createWorkspaceChanges(workspace: LiveWorkspace) {
  const { people, channels, groups, app, team, now } = workspace;
  const idOf = (person: string): string => (person === "bot" ? app.botUserId : people.named(person).id);
  const setMember = (person: string, name: string, isMember: boolean): Promise<DeliveryOutcome> => {
    const { id: channel, memberIds } = channels.named(name);
    const user = idOf(person);
    const others = memberIds.filter((id) => id !== user);
    channels.change(channel, { memberIds: isMember ? [...others, user] : others });
    const type = isMember ? "member_joined_channel" : "member_left_channel";
    return sendEvent(workspace, { type, user, channel, channel_type: "C", team: team.id });
  };
  return {
    /** `person` may be "bot". */
    join: (person: string, channel: string) => setMember(person, channel, true),
    leave: (person: string, channel: string) => setMember(person, channel, false),
    archive: (name: string) => {
      const { id: channel } = channels.change(name, { isArchived: true });
      return sendEvent(workspace, { type: "channel_archive", channel, user: "USLACKBOT" });
    },
    setGroup: (name: string, members: readonly string[]) => {
      const before = groups.named(name);
      const memberIds = members.map(idOf);
      groups.change(before.id, { memberIds, updatedAt: now() });
      return sendEvent(workspace, {
        type: "subteam_members_changed",
        subteam_id: before.id,
        team_id: team.id,
        added_users: memberIds.filter((id) => !before.memberIds.includes(id)),
        removed_users: before.memberIds.filter((id) => !memberIds.includes(id)),
      });
    },
    disableGroup: (name: string) => {
      const { id, handle, memberIds } = groups.change(name, { isDisabled: true, updatedAt: now() });
      return sendEvent(workspace, { type: "subteam_updated", subteam: { id, handle, users: memberIds } });
    },
    changePerson: (person: string, changes: Partial<SeedPerson>) => {
      const user = people.change(idOf(person), { ...changes, updatedAt: now() });
      return sendEvent(workspace, { type: "user_change", user: userObject(user, workspace) });
    },
  };
}
