import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "./log.ts";
import { createMetricsAccess, type MetricsSettings } from "./metrics-access.ts";
import type { MetricsWhenReady } from "./metrics-when-ready.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface Health {
  readonly routes: Readonly<Record<"/healthz" | "/readyz" | "/metrics", Handler>>;
  /** From now on requests are taken; what counts them is loaded. */
  open(): void;
  /** From now on none can be. */
  fail(): void;
  /** From now on none are. Resolves when nothing is being loaded. */
  close(): Promise<void>;
}

export interface HealthOptions {
  /** Whether what people ask for could be recorded. */
  readonly canWrite: () => Promise<boolean>;
  /** Who may read them, and where. */
  readonly metrics: MetricsSettings;
}

/**
 * `/healthz`: the process answers. `/readyz`: it takes requests; 503 while it starts or stops, and while its database cannot be written
 * to. `/metrics`: what Prometheus reads.
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
