import { listen, stopListening } from "../local-http.ts";
import type { Signal } from "../signal.ts";
import type { WorkspaceSeed } from "./default-seed.ts";
import { Person } from "./driver/person.ts";
import { deliverCommand } from "./interactions/commands.ts";
import { createWorkspaceChanges } from "./interactions/events.ts";
import { hearOwn } from "./interactions/messages.ts";
import { runStep } from "./interactions/steps.ts";
import { type JsonObject, stringAt } from "./json-object.ts";
import type { DeliveryOutcome, LiveWorkspace } from "./live-workspace.ts";
import { messagesIn } from "./state/messages.ts";
import { viewOf, viewPayload } from "./state/views.ts";
import { createWorkspaceState } from "./state/workspace-state.ts";
import { type AppRequest, recordDeliveries, type Transport } from "./transport/deliveries.ts";
import { Faults } from "./transport/faults.ts";
import { sendHttp } from "./transport/send-http.ts";
import { createSocketConnections } from "./transport/socket-connections.ts";
import { type ApiCall, createWorkspaceServer } from "./workspace-server.ts";

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
  baseUrl = `http://127.0.0.1:${await listen(server, 0, "127.0.0.1")}`;
  return {
    /** For `clientOptions.slackApiUrl`. */
    apiUrl: `${baseUrl}/api/`,
    ...app,
    manifest: state.manifest,
    ...readersOf(workspace),
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
        return deliverCommand(workspace, payload, `${stringAt(payload.command)} ${stringAt(payload.text)}`);
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
