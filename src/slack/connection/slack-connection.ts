import { App, SocketModeReceiver } from "@slack/bolt";
import type { WebClient } from "@slack/web-api";
import type { Logger } from "../../observability/log.ts";
import { installedIn } from "../installed-in.ts";
import { boltLogger } from "./bolt-logger.ts";
import { createBoundedServer } from "./bounded-server.ts";
import { HttpReceiver, type Routes, serveRoutes } from "./http-receiver.ts";
import { MeasuredClient, measureAcks, type OnAck, type OnCall } from "./measured-client.ts";
import type { SlackFetch } from "./slack-http.ts";

export interface SlackConnectionOptions {
  readonly botToken: string;
  readonly apiUrl: string | undefined;
  readonly receiver:
    | { readonly kind: "socket"; readonly appToken: string }
    | { readonly kind: "http"; readonly signingSecret: string };
  readonly host: string;
  readonly port: number;
  /** Paths served beside Slack's, such as `/healthz`. */
  readonly routes: Routes;
  readonly fetch: SlackFetch;
  readonly onCall: OnCall;
  readonly onAck: OnAck;
  readonly log: Logger;
}

export interface SlackConnection {
  readonly app: App;
  readonly client: WebClient;
  /** For asking who somebody is: with a queue of its own, so that look-ups that hang hold up no message. */
  readonly lookUpClient: WebClient;
  /** Of the workspace, or of the organisation when the app is installed for all of it. */
  readonly teamId: string;
  /** Listens, or connects. Gives the port listened on. */
  start(): Promise<number>;
  /** Takes nothing more and lets answers under way go out. */
  stop(): Promise<void>;
}

const webApiTimeoutMs = 10_000;
/** Whoever asked has given up long before (look-up.ts); an answer until then serves their next try. */
const lookUpTimeoutMs = 5000;
/** Far fewer than the connections that there are (slack-http.ts). */
const mostLookUps = 20;

const endpoint = "/slack/events";

/** Connects with a workspace in Socket Mode or HTTP mode. Asks Slack who the bot is; throws when it does not know the token. */
export async function connectSlack(options: SlackConnectionOptions): Promise<SlackConnection> {
  const { botToken, onCall, onAck, log } = options;
  const client = new MeasuredClient(botToken, webClientOptions(options), onCall);
  const forLookUps = { ...webClientOptions(options), timeout: lookUpTimeoutMs, maxRequestConcurrency: mostLookUps };
  const lookUpClient = new MeasuredClient(botToken, forLookUps, onCall);
  const bot = await client.auth.test();
  const teamId = installedIn(bot);
  if (!teamId || !bot.bot_id || !bot.user_id) throw new Error("Slack did not say which bot SLACK_BOT_TOKEN belongs to");
  const identity = { botToken, botId: bot.bot_id, botUserId: bot.user_id, teamId };
  const receiver =
    options.receiver.kind === "socket"
      ? socketReceiver(options, options.receiver)
      : httpReceiver(options, options.receiver);
  const app = new App({
    receiver: receiver.receiver,
    // The identity is known, so Bolt asks Slack nothing on the way in.
    authorize: async () => identity,
    convoStore: false,
    logger: boltLogger(log),
    clientOptions: webClientOptions(options),
  });
  measureAcks(app, onAck);
  return { app, client, lookUpClient, teamId, start: receiver.start, stop: receiver.stop };
}

/** Nothing is repeated behind our back: what must not be lost is repeated from the database, at our own pace. */
export function webClientOptions({
  apiUrl,
  fetch,
  log,
}: Pick<SlackConnectionOptions, "apiUrl" | "log"> & { readonly fetch?: SlackFetch }) {
  return {
    ...(fetch ? { fetch } : {}),
    ...(apiUrl ? { slackApiUrl: apiUrl } : {}),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: webApiTimeoutMs,
    logger: boltLogger(log),
  };
}

/** For a new connection in Socket Mode: without a limit the pauses would grow to hours, and Curfew would be away long after Slack is back. */
const reconnecting = { forever: true, factor: 1.3, maxTimeout: 60_000 } as const;

interface Wiring {
  readonly receiver: HttpReceiver | SocketModeReceiver;
  start(): Promise<number>;
  stop(): Promise<void>;
}

function httpReceiver(
  { host, port, routes, log }: SlackConnectionOptions,
  { signingSecret }: { signingSecret: string },
): Wiring {
  const receiver = new HttpReceiver({ signingSecret, host, port, endpoint, routes, log });
  return { receiver, start: () => receiver.start(), stop: () => receiver.stop() };
}

function socketReceiver(options: SlackConnectionOptions, { appToken }: { appToken: string }): Wiring {
  const { apiUrl, host, port, routes, fetch, log } = options;
  // Options of its own: the receiver writes its retry settings into the object it is given (platform.md §16.8).
  const installerOptions = {
    clientOptions: {
      fetch,
      timeout: webApiTimeoutMs,
      retryConfig: reconnecting,
      ...(apiUrl ? { slackApiUrl: apiUrl } : {}),
    },
  };
  const receiver = new SocketModeReceiver({ appToken, installerOptions, logger: boltLogger(log) });
  const server = createBoundedServer(serveRoutes(routes, log));
  return {
    receiver,
    start: async () => {
      const portInUse = await server.start(port, host);
      await receiver.start();
      return portInUse;
    },
    stop: async () => {
      await receiver.client.disconnect();
      await server.stop();
    },
  };
}
