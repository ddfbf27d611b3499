import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "./log.ts";
import { createMetricsAccess, type MetricsSettings } from "./metrics-access.ts";
import type { MetricsWhenReady } from "./metrics-when-ready.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface Health {
  readonly routes: Readonly<Record<"/healthz" | "/readyz" | "/metrics", Handler>>;
  /** Reports ready from now on, and loads the metrics. */
  open(): void;
  /** Reports not ready from now on, after a failure. */
  fail(): void;
  /** Reports not ready from now on. Resolves when no load is in progress. */
  close(): Promise<void>;
}

export interface HealthOptions {
  /** Whether the database accepts writes, so that changes can be recorded. */
  readonly canWrite: () => Promise<boolean>;
  /** The access to the metrics, and their port. */
  readonly metrics: MetricsSettings;
}

/**
 * `/healthz`: the process answers. `/readyz`: it accepts requests; 503 while it starts or stops, and while the database is not
 * writable. `/metrics`: for Prometheus.
 */
export function createHealth(
  { load }: Pick<MetricsWhenReady, "load">,
  { canWrite, metrics }: HealthOptions,
  log: Logger,
): Health {
  const mayReadMetrics = createMetricsAccess(metrics);
  let isReady = false;
  let loading: Promise<unknown> = Promise.resolve();
  const answer = (response: ServerResponse, status: number, text: string, headers = {}) => {
    response.writeHead(status, { "content-type": "text/plain; charset=utf-8", ...headers }).end(`${text}\n`);
  };
  const showReadiness = async (response: ServerResponse) => {
    const isWritable = isReady && (await canWrite().catch(() => false));
    if (isReady && isWritable) return answer(response, 200, "ready");
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
  return {
    routes: {
      "/healthz": (_request, response) => answer(response, 200, "ok"),
      "/readyz": (_request, response) => void showReadiness(response),
      "/metrics": (request, response) => void showMetrics(request, response),
    },
    open: () => {
      isReady = true;
      loading = load().catch((error: unknown) => log.error({ err: error }, "nothing can be measured"));
    },
    fail: () => {
      isReady = false;
    },
    close: async () => {
      isReady = false;
      await loading;
    },
  };
}
