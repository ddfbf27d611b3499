import { listen, stopListening } from "../local-http.ts";
import type { AppManifest } from "./app-manifest.ts";
import type { WorkspaceSeed } from "./default-seed.ts";
import { createPerson, type Person } from "./driver/person.ts";
import type { DeliveryOutcome, Exchange } from "./interactions/exchange.ts";
import { deliverCommand } from "./interactions/run-command.ts";
import { runStep, type StepRun } from "./interactions/run-step.ts";
import { hearOwn } from "./interactions/say-in-channel.ts";
import { type JsonObject, stringAt } from "./json-object.ts";
import type { Execution } from "./state/executions.ts";
import type { StoredMessage } from "./state/messages.ts";
import { viewPayload } from "./state/views.ts";
import { createWorkspaceState, type WorkspaceState } from "./state/workspace-state.ts";
import { type AppRequest, createAppRequests } from "./transport/deliveries.ts";
import { createFaults, type Faults } from "./transport/faults.ts";
import { createHttpTransport } from "./transport/send-http.ts";
import { createSocketConnections, type SocketConnections } from "./transport/socket-connections.ts";
import { type ApiCall, createWorkspaceServer } from "./transport/workspace-server.ts";
import { type WaitOptions, waitFor } from "./wait-for.ts";
import { createWorkspaceChanges, type WorkspaceChanges } from "./workspace-changes.ts";

export interface WorkspaceOptions {
  /** The parsed app manifest. It decides commands, shortcuts, scopes, events, Home tab and transport. */
  readonly manifest: unknown;
  readonly seed?: WorkspaceSeed;
  readonly now?: () => number;
  readonly random?: () => number;
  readonly host?: string;
  /** Any free port by default. */
  readonly port?: number;
  /** HTTP mode: the app's URL. Can be set later with `connectHttp`. */
  readonly requestUrl?: string;
  readonly rateLimits?: "slack" | "off";
  /** The deadline for an acknowledgement. */
  readonly deadlineMs?: number;
  /** Schedules event retries. */
  readonly schedule?: (delayMs: number, run: () => void) => void;
  readonly fetch?: typeof globalThis.fetch;
}

export interface ChannelView {
  readonly id: string;
  /** The messages visible to all members, including thread replies. */
  readonly messages: readonly StoredMessage[];
}

/** A simulated Slack workspace with one installed app, as strict as Slack (PLATFORM.md §19). */
export interface Workspace {
  /** For `clientOptions.slackApiUrl`. */
  readonly apiUrl: string;
  readonly botToken: string;
  readonly appToken: string;
  readonly signingSecret: string;
  readonly teamId: string;
  readonly appId: string;
  readonly botId: string;
  readonly botUserId: string;
  readonly manifest: AppManifest;
  /** Calls the listener after every change in the workspace, until the returned function is called. */
  onChange(listener: () => void): () => void;
  /** From now on sends signed HTTP requests to this URL. */
  connectHttp(requestUrl: string): void;
  /** By handle or id. */
  as(person: string): Person;
  channel(nameOrId: string): ChannelView;
  homeOf(person: string): JsonObject | undefined;
  /** Runs a step of the app as Workflow Builder does. */
  runStep(callbackId: string, inputs: JsonObject): Promise<StepRun>;
  /** A run of a step as it is now. */
  execution(id: string): Execution | undefined;
  waitFor<T>(probe: () => T | undefined | false | null, options?: WaitOptions): Promise<T>;
  readonly calls: readonly ApiCall[];
  readonly appRequests: readonly AppRequest[];
  /** Sends the same payload again. The answer is checked but has no effect. */
  redeliver(delivery: AppRequest): Promise<DeliveryOutcome>;
  readonly faults: Faults;
  readonly changes: WorkspaceChanges;
  readonly sockets: Pick<SocketConnections, "count" | "disconnect" | "say" | "drop">;
  close(): Promise<void>;
}

export async function startWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const { host = "127.0.0.1", now = Date.now, random = Math.random, deadlineMs = 3000 } = options;
  let baseUrl = "";
  let requestUrl = options.requestUrl;
  let isHttpForced = requestUrl !== undefined;
  const state = createWorkspaceState({
    manifest: options.manifest,
    seed: options.seed,
    now,
    random,
    rateLimits: options.rateLimits ?? "slack",
    baseUrl: () => baseUrl,
  });
  const { app, signal } = state;
  const sockets = createSocketConnections({ appId: app.appId, deadlineMs, random, signal });
  const http = createHttpTransport({
    requestUrl: () => requestUrl,
    signingSecret: app.signingSecret,
    deadlineMs,
    // Real time, because the receiver compares the signature's timestamp with its own clock.
    now: Date.now,
    fetch: options.fetch ?? globalThis.fetch,
  });
  const usesSockets = (): boolean => state.manifest.isSocketMode && !isHttpForced;
  const faults = createFaults();
  const appRequests = createAppRequests(() => (usesSockets() ? sockets : http), now, signal, faults);
  const timers = createTimers();
  const exchange: Exchange = { workspace: state, appRequests, schedule: options.schedule ?? timers.schedule };
  const calls: ApiCall[] = [];
  const record = (call: ApiCall): void => {
    calls.push(call);
    signal.changed();
  };
  const api = {
    ...state,
    issueSocketUrl: () => sockets.issueUrl(baseUrl),
    hearOwn: (message: StoredMessage) => void hearOwn(exchange, message),
  };
  const server = createWorkspaceServer({ workspace: api, sockets, faults, record });
  baseUrl = `http://${host}:${await listen(server, options.port ?? 0, host)}`;
  return {
    apiUrl: `${baseUrl}/api/`,
    ...app,
    manifest: state.manifest,
    onChange: signal.listen,
    connectHttp: (url) => {
      requestUrl = url;
      isHttpForced = true;
    },
    ...readers(exchange),
    runStep: (callbackId, inputs) => runStep(exchange, callbackId, inputs),
    waitFor: (probe, waitOptions = {}) => waitFor(probe, waitOptions, signal, calls),
    calls,
    appRequests: appRequests.list,
    redeliver: async ({ kind, payload, retry }) => {
      if (kind === "command")
        return deliverCommand(exchange, payload, `${stringAt(payload.command)} ${stringAt(payload.text)}`);
      const answer = await appRequests.send({ kind, payload, ...(retry ? { retry } : {}) });
      return answer.kind === "acknowledged" ? { ok: true } : { ok: false, shown: answer.error };
    },
    faults,
    changes: createWorkspaceChanges(exchange),
    sockets,
    close: async () => {
      timers.clear();
      sockets.close();
      await stopListening(server);
    },
  };
}

function readers(exchange: Exchange): Pick<Workspace, "as" | "channel" | "homeOf" | "execution"> {
  const { workspace } = exchange;
  const people = new Map<string, Person>();
  return {
    as: (name) => {
      const { id } = workspace.people.named(name);
      const person = people.get(id) ?? createPerson(exchange, id);
      people.set(id, person);
      return person;
    },
    channel: (name) => {
      const { id } = workspace.channels.named(name);
      return { id, messages: workspace.messages.in(id).filter((message) => message.ephemeralTo === undefined) };
    },
    homeOf: (name) => homeOf(workspace, name),
    execution: (id) => workspace.executions.find(id),
  };
}

function homeOf(workspace: WorkspaceState, name: string): JsonObject | undefined {
  const view = workspace.views.homeOf(workspace.people.named(name).id);
  return view === undefined ? undefined : viewPayload(view, workspace.app);
}

/** Timers that do not keep the process alive. */
function createTimers(): { schedule(delayMs: number, run: () => void): void; clear(): void } {
  const timers = new Set<NodeJS.Timeout>();
  return {
    schedule: (delayMs, run) => {
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
