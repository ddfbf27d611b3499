import type { IncomingMessage, ServerResponse } from "node:http";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface Health {
  readonly routes: Readonly<Record<"/healthz" | "/readyz", Handler>>;
  setReady(isReady: boolean): void;
}

/** `/healthz`: the process answers. `/readyz`: it takes requests; 503 while it starts or stops. */
export function createHealth(): Health {
  let isReady = false;
  const answer = (response: ServerResponse, status: number, text: string) => {
    response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(`${text}\n`);
  };
  return {
    routes: {
      "/healthz": (_request, response) => answer(response, 200, "ok"),
      "/readyz": (_request, response) => answer(response, isReady ? 200 : 503, isReady ? "ready" : "not ready"),
    },
    setReady: (ready) => {
      isReady = ready;
    },
  };
}
