import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Respond = (response: ServerResponse, request: RecordedRequest) => void;

export interface RecordingService {
  readonly url: string;
  /** The requests that arrived, fully read, in order. */
  readonly requests: readonly RecordedRequest[];
}

/** A real HTTP server that records requests. It answers the n-th with the n-th response, and all later ones with the last. */
export async function startRecordingService(...script: readonly Respond[]): Promise<RecordingService> {
  const requests: RecordedRequest[] = [];
  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const { method = "", url = "", headers } = incoming;
    const request = { method, url, headers, body: await text(incoming) };
    requests.push(request);
    const respond = script[requests.length - 1] ?? script.at(-1);
    respond?.(response, request);
  };
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return { url: `http://127.0.0.1:${portOf(server.address())}`, requests };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}

export const answers =
  (status: number, body: unknown = {}, headers: Readonly<Record<string, string>> = {}): Respond =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };

export const answersNothing: Respond = (response) => {
  response.writeHead(204);
  response.end();
};

/** Reads the request, so that it may have had an effect, and then breaks the connection. */
export const resets: Respond = (response) => {
  response.socket?.resetAndDestroy();
};

export const hangs: Respond = () => undefined;

/** Sends the head and part of the body, and then breaks the connection. */
export const breaksOff =
  (status: number): Respond =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", "content-length": "1000" });
    response.write('{"actionId":', () => response.socket?.destroy());
  };

/** Bytes that are not HTTP. */
export const sendsRaw =
  (bytes: string): Respond =>
  (response) => {
    response.socket?.end(bytes);
  };
