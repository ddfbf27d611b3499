import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "./log.ts";
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

/** `/healthz`: the process answers. `/readyz`: it takes requests; 503 while it starts or stops. `/metrics`: what Prometheus reads. */
export function createHealth({ load }: Pick<MetricsWhenReady, "load">, log: Logger): Health {
  let isReady = false;
  let loading: Promise<unknown> = Promise.resolve();
  const answer = (response: ServerResponse, status: number, text: string) => {
    response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(`${text}\n`);
  };
  const showMetrics = async (response: ServerResponse) => {
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
      "/readyz": (_request, response) => answer(response, isReady ? 200 : 503, isReady ? "ready" : "not ready"),
      "/metrics": (_request, response) => void showMetrics(response),
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
