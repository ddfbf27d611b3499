import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "./log.ts";
import type { MetricsWhenReady } from "./metrics-when-ready.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export type Health = ReturnType<typeof createHealth>;

/**
 * `/healthz`: the process answers. `/readyz`: it accepts requests; 503 while it starts or stops, and while the database is not
 * writable. `/metrics`: for Prometheus.
 */
export function createHealth(
  { load }: Pick<MetricsWhenReady, "load">,
  { canWrite, metrics, notes }: HealthSources,
  log: Logger,
) {
  const mayReadMetrics = createMetricsAccess(metrics);
  let isReady = false;
  let loading: Promise<unknown> = Promise.resolve();
  const answer = (response: ServerResponse, status: number, text: string, headers = {}) => {
    response.writeHead(status, { "content-type": "text/plain; charset=utf-8", ...headers }).end(`${text}\n`);
  };
  const showReadiness = async (request: IncomingMessage, response: ServerResponse) => {
    const isWritable = isReady && (await canWrite().catch(() => false));
    const shown = mayReadMetrics(request) ? [] : notes();
    if (isReady && isWritable) return answer(response, 200, ["ready", ...shown].join("\n"));
    answer(response, 503, isReady ? "not ready: the database cannot be written to" : "not ready");
  };
  const showMetrics = async (request: IncomingMessage, response: ServerResponse) => {
    const refusal = mayReadMetrics(request);
    if (refusal) return answer(response, refusal.status, refusal.text, refusal.headers);
    try {
      const { contentType, text } = await (await load()).scrape();
      response.writeHead(200, { "content-type": contentType }).end(text);
    } catch (error) {
      log.error({ err: error }, "the metrics could not be read");
      answer(response, 500, "the metrics could not be read");
    }
  };
  const routes: Readonly<Record<"/healthz" | "/readyz" | "/metrics", Handler>> = {
    "/healthz": (_request, response) => answer(response, 200, "ok"),
    "/readyz": (request, response) => void showReadiness(request, response),
    "/metrics": (request, response) => void showMetrics(request, response),
  };
  return {
    routes,
    /** Reports ready from now on, and loads the metrics. */
    open: () => {
      isReady = true;
      loading = load().catch((error: unknown) => log.error({ err: error }, "nothing can be measured"));
    },
    /** Reports not ready from now on, after a failure. */
    fail: () => {
      isReady = false;
    },
    /** Reports not ready from now on. Resolves when no load is in progress. */
    close: async () => {
      isReady = false;
      await loading;
    },
  };
}

interface HealthSources {
  /** Whether the database accepts writes, so that changes can be recorded. */
  readonly canWrite: () => Promise<boolean>;
  readonly metrics: MetricsSettings;
  /** For those who may read the metrics, a line each, although requests are accepted. */
  readonly notes: () => readonly string[];
}

/** The parts of a request that identify its sender. */
interface From {
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly headers: IncomingHttpHeaders;
}

interface Refusal {
  readonly status: 401 | 403;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface MetricsSettings {
  /** The port of a separate listener for the metrics. */
  readonly port: number | undefined;
  /** The bearer token, or two while it is changed. If set, every reader needs one. Read for each request. */
  readonly token: string | undefined;
}

/**
 * With a token: everyone who has it. With only a separate port: everyone who reaches that port. Otherwise only this machine, because
 * the port for Slack is open to the internet. Gives why a request may not read the metrics; undefined when it may.
 */
export function createMetricsAccess(metrics: MetricsSettings): (request: From) => Refusal | undefined {
  return (request) => {
    const { port, token } = metrics;
    if (token !== undefined) return hasToken(request, token) ? undefined : needsToken;
    return port !== undefined || isFromThisMachine(request) ? undefined : onlyHere;
  };
}

const needsToken: Refusal = {
  status: 401,
  text: "the metrics need METRICS_TOKEN as a bearer token",
  headers: { "www-authenticate": "Bearer" },
};
const onlyHere: Refusal = {
  status: 403,
  text: "the metrics are shown only on the machine that Curfew runs on: set METRICS_PORT or METRICS_TOKEN",
};

/** Compares hashes, so that timing reveals neither the token nor its length. */
function hasToken({ headers }: From, tokens: string): boolean {
  const given = /^bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
  return tokens.split(/\s+/).some((token) => timingSafeEqual(hashOf(given), hashOf(token)));
}

const hashOf = (text: string): Buffer => createHash("sha256").update(text).digest();

/** A proxy on this machine forwards requests from elsewhere, and marks them with one of these headers. */
const proxyHeaders = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"];

export function isFromThisMachine({ socket, headers }: From): boolean {
  const isLoopback = /^(?:::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? "");
  return isLoopback && !proxyHeaders.some((name) => headers[name] !== undefined);
}
