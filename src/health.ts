import type { IncomingMessage, ServerResponse } from "node:http";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface Health {
  readonly routes: Readonly<Record<"/healthz" | "/readyz" | "/metrics", Handler>>;
  setReady(isReady: boolean): void;
}

export interface Scraped {
  readonly contentType: string;
  readonly text: string;
}

/** `/healthz`: the process answers. `/readyz`: it takes requests; 503 while it starts or stops. `/metrics`: what Prometheus reads. */
export function createHealth(scrape: () => Promise<Scraped>): Health {
  let isReady = false;
  const answer = (response: ServerResponse, status: number, text: string) => {
    response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(`${text}\n`);
  };
  return {
    routes: {
      "/healthz": (_request, response) => answer(response, 200, "ok"),
      "/readyz": (_request, response) => answer(response, isReady ? 200 : 503, isReady ? "ready" : "not ready"),
      "/metrics": (_request, response) => {
        const failed = () => answer(response, 500, "the metrics could not be read");
        const show = ({ contentType, text }: Scraped) =>
          response.writeHead(200, { "content-type": contentType }).end(text);
        void scrape().then(show, failed);
      },
    },
    setReady: (ready) => {
      isReady = ready;
    },
  };
}
