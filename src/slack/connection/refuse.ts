import type { IncomingMessage, ServerResponse } from "node:http";

/** Leaves a client that still sends time to read the answer before its connection is closed. */
const lingerMs = 500;

export interface Refused {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly text?: string | undefined;
}

/** Leaves the rest of the body unread: a stranger's data are not worth the time. */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, text = "" }: Refused,
): void {
  const all = { ...headers, "content-length": Buffer.byteLength(text) };
  if (request.complete || !hasBody(request)) {
    response.writeHead(status, all).end(text);
    return;
  }
  response.writeHead(status, { ...all, connection: "close" });
  if (text === "") response.flushHeaders();
  else response.write(text);
  request.resume();
  setImmediate(() => {
    if (request.complete) return void response.end();
    request.socket.pause();
    setTimeout(() => request.socket.destroy(), lingerMs).unref();
  });
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
