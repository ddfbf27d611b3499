import { createServer, type Server } from "node:http";
import { App, SocketModeReceiver } from "@slack/bolt";
import type { WebClient } from "@slack/web-api";
import type { Logger } from "../log.ts";
import { boltLogger } from "./bolt-logger.ts";
import { HttpReceiver, type Routes } from "./http-receiver.ts";
import { measureAcks, type OnAck } from "./measure-acks.ts";
import { MeasuredClient, type OnCall } from "./measured-client.ts";
import type { SlackFetch } from "./slack-http.ts";
import { stopServer } from "./stop-server.ts";

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
  readonly teamId: string;
  /** Listens, or connects. Gives the port listened on. */
  start(): Promise<number>;
  /** Takes nothing more and lets answers under way go out. */
  stop(): Promise<void>;
}

const webApiTimeoutMs = 10_000;

const endpoint = "/slack/events";
/** Slack's largest payloads are some hundred kilobytes. */
const longestBody = 2 * 1024 * 1024;
/** A request that comes more slowly than Slack waits for its answer is cut off (platform.md §1.5). */
const serverLimits = { headersTimeout: 4000, requestTimeout: 4000, connectionsCheckingInterval: 500 } as const;

/** Connects with a workspace in Socket Mode or HTTP mode. Asks Slack who the bot is; throws when it does not know the token. */
export async function connectSlack(options: SlackConnectionOptions): Promise<SlackConnection> {
  const { botToken, onCall, onAck, log } = options;
  const client = new MeasuredClient(botToken, webClientOptions(options), onCall);
  const bot = await client.auth.test();
  if (!bot.team_id || !bot.bot_id || !bot.user_id)
    throw new Error("Slack did not say which bot SLACK_BOT_TOKEN belongs to");
  const identity = { botToken, botId: bot.bot_id, botUserId: bot.user_id, teamId: bot.team_id };
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
  return { app, client, teamId: bot.team_id, start: receiver.start, stop: receiver.stop };
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

interface Wiring {
  readonly receiver: HttpReceiver | SocketModeReceiver;
  start(): Promise<number>;
  stop(): Promise<void>;
}

function httpReceiver(
  { host, port, routes, log }: SlackConnectionOptions,
  { signingSecret }: { signingSecret: string },
): Wiring {
  const limits = serverLimits;
  const receiver = new HttpReceiver({ signingSecret, host, port, endpoint, longestBody, limits, routes, log });
  return { receiver, start: () => receiver.start(), stop: () => receiver.stop() };
}

function socketReceiver(options: SlackConnectionOptions, { appToken }: { appToken: string }): Wiring {
  const { apiUrl, host, port, routes, fetch, log } = options;
  // Options of its own: the receiver writes its retry settings into the object it is given (platform.md §16.8).
  const installerOptions = {
    clientOptions: { fetch, timeout: webApiTimeoutMs, ...(apiUrl ? { slackApiUrl: apiUrl } : {}) },
  };
  const receiver = new SocketModeReceiver({ appToken, installerOptions, logger: boltLogger(log) });
  const server = createServer(serverLimits, (request, response) => {
    const route = request.method === "GET" ? routes[(request.url ?? "").split("?")[0] ?? ""] : undefined;
    if (route) route(request, response);
    else response.writeHead(404).end();
  });
  return {
    receiver,
    start: async () => {
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject).listen(port, host, resolve);
      });
      await receiver.start();
      return portOf(server);
    },
    stop: async () => {
      await receiver.client.disconnect();
      await stopServer(server);
    },
  };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}
