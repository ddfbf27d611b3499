import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "../../observability/log.ts";

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

const intervalMs = 60_000;
/** The number of refusals logged one by one in each minute; a flood must not fill the disk. */
const maxLogged = 20;

/** Logs refused requests: the first ones of each minute one by one, the others as a count. */
export function createRefusalLog(log: Logger): (status: number, reason: string) => void {
  let count = 0;
  const summarize = () => {
    if (count > maxLogged) log.warn({ more: count - maxLogged }, "more requests were refused within a minute");
    count = 0;
  };
  return (status, reason) => {
    count += 1;
    if (count === 1) setTimeout(summarize, intervalMs).unref();
    if (count <= maxLogged) log.warn({ status }, `a request was refused: ${reason}`);
  };
}

/** For all bodies together whose signature is not checked yet; Slack's are some kilobytes, and whole within moments. */
const budget = 4 * 1024 * 1024;
/** The memory that even a chunk of one byte takes. */
const minChunkCost = 1024;

/** Reads bodies within one shared budget. When it is used up, closes the connection whose body has been arriving for longest. */
export function createUnverifiedBodies() {
  const costs = createCosts();
  const read = (request: IncomingMessage, maxBytes: number) =>
    new Promise<Buffer | undefined>((resolve) => {
      let chunks: Buffer[] = [];
      let length = 0;
      let cost = 0;
      const settle = (body: Buffer | undefined) => {
        stop();
        resolve(body);
      };
      const stop = () => {
        request.off("data", take).off("end", finish).off("close", stop);
        chunks = [];
        costs.forget(request);
      };
      const take = (chunk: Buffer) => {
        const more = Math.max(chunk.length, minChunkCost);
        length += chunk.length;
        cost += more;
        if (length > maxBytes || cost > maxBytes + minChunkCost) return settle(undefined);
        chunks.push(chunk);
        costs.add(request, more);
      };
      const finish = () => settle(Buffer.concat(chunks));
      request.on("data", take).on("end", finish).on("close", stop);
    });
  return {
    /** Reads a body; undefined if it has more than `maxBytes`. Never resolves for one that breaks off. */
    read,
  };
}

function createCosts() {
  const costs = new Map<IncomingMessage, number>();
  let total = 0;
  const forget = (request: IncomingMessage): void => {
    total -= costs.get(request) ?? 0;
    costs.delete(request);
  };
  return {
    forget,
    add: (request: IncomingMessage, cost: number): void => {
      costs.set(request, (costs.get(request) ?? 0) + cost);
      total += cost;
      for (const oldest of costs.keys()) {
        if (total <= budget) return;
        forget(oldest);
        oldest.socket.destroy();
      }
    },
  };
}
