import { setTimeout } from "node:timers/promises";
import { App, type Logger as BoltLogger, LogLevel, SocketModeReceiver } from "@slack/bolt";
import type { WebClient } from "@slack/web-api";
import type { Logger } from "../../observability/log.ts";
import { refusalText, slackRefusal } from "../checks/slack-refusal.ts";
import { installedIn } from "../people/actors.ts";
import { type BoundedServer, createBoundedServer } from "./bounded-server.ts";
import { guardMessages } from "./guard-messages.ts";
import { holdEvents } from "./held-events.ts";
import { type Api, HttpReceiver, type Routes, serveRoutes } from "./http-receiver.ts";
import { MeasuredClient, measureAcks, type OnAck, type OnCall } from "./measured-client.ts";
import type { SlackFetch } from "./slack-http.ts";

export interface SlackConnectionOptions {
  /** Its secrets may change, so they are read each time. */
  readonly slack: {
    readonly botToken: string;
    readonly apiUrl: string | undefined;
    readonly receiver: SlackReceiver;
  };
  readonly host: string;
  readonly port: number;
  /** Paths served beside Slack's, such as `/healthz`. */
  readonly routes: Routes;
  /** Serves programs beside Slack. */
  readonly api?: Api | undefined;
  readonly fetch: SlackFetch;
  readonly onCall: OnCall;
  readonly onAck: OnAck;
  /** Called with the workspace, or the organization, once Slack says it. What it throws stops the start. */
  readonly onInstalledIn?: (id: string) => Promise<void>;
  readonly log: Logger;
}

type SlackReceiver =
  | { readonly kind: "socket"; readonly appToken: string }
  | { readonly kind: "http"; readonly signingSecret: string };

export interface SlackConnection {
  readonly app: App;
  readonly client: WebClient;
  /** For user look-ups, with a separate queue, so that slow look-ups hold up no message. */
  readonly lookUpClient: WebClient;
  /** The workspace's id, or the organization's if the app is installed for all of it. Empty while Slack has not answered yet. */
  teamId(): string;
  /** Starts to listen, and connects, or does so later when Slack does not answer. Gives the port it listens on. */
  start(): Promise<number>;
  /** Accepts nothing new and lets started answers go out. */
  stop(): Promise<void>;
}

const webApiTimeoutMs = 10_000;
/** The caller gives up long before (look-up.ts); a later answer still serves their next try. */
const lookUpTimeoutMs = 5000;
/** Far fewer than the connections in the pool (slack-http.ts). */
const maxLookUps = 20;

const endpoint = "/slack/events";

/**
 * Connects to a workspace in Socket Mode or HTTP mode. Asks Slack for the bot's identity, again and again while Slack does not answer;
 * throws if the token is not valid.
 */
export async function connectSlack(options: SlackConnectionOptions): Promise<SlackConnection> {
  const { slack, onCall, onAck, log } = options;
  const { botToken, apiUrl } = slack;
  const fetch = withToken(options.fetch, () => slack.botToken);
  const clientOptions = webClientOptions({ apiUrl, fetch, log });
  const client = new MeasuredClient(botToken, clientOptions, onCall);
  const forLookUps = { ...clientOptions, timeout: lookUpTimeoutMs, maxRequestConcurrency: maxLookUps };
  const lookUpClient = new MeasuredClient(botToken, forLookUps, onCall);
  let identity: { readonly botId: string; readonly botUserId: string; readonly teamId: string } | undefined;
  /** Leaves it unknown when Slack does not answer. */
  const identify = async (): Promise<void> => {
    const bot = await client.auth.test().catch((error: unknown) => {
      const refusal = slackRefusal(error);
      if (refusal.kind === "refused") throw error;
      log.warn(
        { reason: refusalText(refusal) },
        "Slack does not answer: everything else works, and Curfew tries again",
      );
    });
    if (bot === undefined) return;
    const teamId = installedIn(bot);
    if (!teamId || !bot.bot_id || !bot.user_id)
      throw new Error("Slack did not say which bot SLACK_BOT_TOKEN belongs to");
    await options.onInstalledIn?.(teamId);
    identity = { botId: bot.bot_id, botUserId: bot.user_id, teamId };
  };
  await identify();
  const receiver = slack.receiver.kind === "socket" ? socketReceiver(options) : httpReceiver(options);
  const app = new App({
    receiver: receiver.receiver,
    // Bolt need not ask Slack for each request.
    authorize: async () => {
      if (identity === undefined) throw new Error("Slack has not said yet which bot this is");
      return { ...identity, botToken: slack.botToken };
    },
    convoStore: false,
    // Bolt would keep a client for each of these tokens. The end of a step is sent with the bot's own.
    attachFunctionToken: false,
    logger: boltLogger(log),
    clientOptions,
  });
  holdEvents(app);
  measureAcks(app, onAck);
  dropNulls(app);
  let isStopping = false;
  const connect = async (): Promise<void> => {
    for (; identity === undefined && !isStopping; await identify())
      await setTimeout(tryAgainMs, undefined, { ref: false });
    if (!isStopping) await receiver.connect();
  };
  return {
    ...{ app, client, lookUpClient },
    teamId: () => identity?.teamId ?? "",
    start: async () => {
      const port = await receiver.listen();
      if (identity) await connect();
      else
        void connect().then(
          () => isStopping || log.info("Slack answers now, and Curfew is connected"),
          (cause: unknown) => {
            if (!isStopping) endProcess(new Error("Slack accepts no connection, so Curfew ends", { cause }));
          },
        );
      return port;
    },
    stop: () => {
      isStopping = true;
      return receiver.stop();
    },
  };
}

/** While Slack is away at the start. */
const tryAgainMs = 3000;

/** The client itself does not retry. What must not be lost is retried from the database, at our own rate. */
export function webClientOptions({
  apiUrl,
  fetch,
  log,
}: Pick<SlackConnectionOptions, "log"> & { readonly apiUrl: string | undefined; readonly fetch?: SlackFetch }) {
  return {
    ...(fetch ? { fetch } : {}),
    ...(apiUrl ? { slackApiUrl: apiUrl } : {}),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: webApiTimeoutMs,
    logger: boltLogger(log),
  };
}

/**
 * For reconnects in Socket Mode: without a limit the pauses would grow to hours, and Curfew would stay away long after
 * Slack is back.
 */
const reconnecting = { forever: true, factor: 1.3, maxTimeout: 60_000 } as const;

interface Wiring {
  readonly receiver: HttpReceiver | SocketModeReceiver;
  /** Gives the port it listens on. */
  listen(): Promise<number>;
  connect(): Promise<void>;
  stop(): Promise<void>;
}

/** Sends the token in force in place of the one that the client was made with. */
const withToken =
  (fetch: SlackFetch, token: () => string): SlackFetch =>
  (url, init) =>
    fetch(url, { ...init, headers: { ...init?.headers, Authorization: `Bearer ${token()}` } });

const secretOf = (receiver: SlackReceiver): string =>
  receiver.kind === "http" ? receiver.signingSecret : receiver.appToken;

function httpReceiver({ slack, host, port, routes, api, log }: SlackConnectionOptions): Wiring {
  const signingSecret = () => secretOf(slack.receiver);
  const receiver = new HttpReceiver({ signingSecret, host, port, endpoint, routes, api, log });
  return { receiver, listen: () => receiver.start(), connect: async () => undefined, stop: () => receiver.stop() };
}

function socketReceiver(options: SlackConnectionOptions): Wiring {
  const { slack, host, port, log } = options;
  const { apiUrl } = slack;
  const appToken = () => secretOf(slack.receiver);
  const fetch = withToken(options.fetch, appToken);
  // A separate object, since the receiver writes its retry settings into it (PLATFORM.md §16.8).
  const installerOptions = {
    clientOptions: {
      fetch,
      timeout: webApiTimeoutMs,
      retryConfig: reconnecting,
      ...(apiUrl ? { slackApiUrl: apiUrl } : {}),
    },
  };
  const receiver = new SocketModeReceiver({ appToken: appToken(), installerOptions, logger: boltLogger(log) });
  const { client: socket } = receiver;
  guardMessages(socket, log);
  const connect = socket.start.bind(socket);
  let isStopping = false;
  const server: BoundedServer = createBoundedServer(serveRoutes(options, (...held) => server.holdForCaller(...held)));
  return {
    receiver,
    listen: () => server.start(port, host),
    connect: async () => {
      await receiver.start();
      // Called from a timer whenever the connection is lost; nobody handles its failure (PLATFORM.md §16.8).
      socket.start = () =>
        connect().catch((cause: unknown) => {
          if (!isStopping) endProcess(new Error("Slack accepts no new connection, so Curfew ends", { cause }));
          return new Promise(() => undefined);
        });
    },
    stop: async () => {
      isStopping = true;
      await socket.disconnect();
      await server.stop();
    },
  };
}

/** By an exception that nobody handles. */
const endProcess = (error: Error): void =>
  void setImmediate(() => {
    throw error;
  });

/** Writes Bolt's log lines to our log. Debug lines are left out, since they hold whole payloads. */
export function boltLogger(log: Logger): BoltLogger {
  const line = (parts: unknown[]) => parts.map(String).join(" ");
  return {
    debug: () => undefined,
    info: (...parts) => log.debug(line(parts)),
    warn: (...parts) => log.warn(line(parts)),
    error: (...parts) => log.error(line(parts)),
    setLevel: () => undefined,
    getLevel: () => LogLevel.INFO,
    setName: () => undefined,
  };
}

/** Slack may send null for an optional field, such as a channel, and Bolt fails on it. Works for both receivers, since both call `processEvent`. */
function dropNulls(app: App): void {
  const process = app.processEvent.bind(app);
  app.processEvent = (event) => process({ ...event, body: withoutNulls(event.body, maxDepth) });
}

/** As deep as a field is read. What people wrote may be nested deeper. */
const maxDepth = 4;

function withoutNulls(fields: object, depth: number): Record<string, unknown> {
  const given = Object.entries(fields).filter(([, value]) => value !== null);
  return Object.fromEntries(
    given.map(([key, value]) => [key, isObject(value) && depth > 1 ? withoutNulls(value, depth - 1) : value]),
  );
}

const isObject = (value: unknown): value is object => typeof value === "object" && !Array.isArray(value);
