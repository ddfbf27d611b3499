import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { every } from "../../time/loop.ts";

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that strangers can reach. It bounds the number of connections and closes slow ones. */
export interface BoundedServer {
  /** Keeps the connection of this request open until `release`, even when others need room. */
  hold(request: IncomingMessage): Hold;
  /** The same for a caller whose request is whole. Undefined if this caller, or all together, have their share already. */
  holdForCaller(request: IncomingMessage, caller: string): Hold | undefined;
  /** Gives the port it listens on. */
  start(port: number, host: string): Promise<number>;
  /** Stops listening and lets started answers go out. */
  stop(): Promise<void>;
}

export interface Hold {
  release(): void;
}

/** Slack needs some tens. An idle connection costs about 10 KiB, one that sends much costs time. */
const maxConnections = 500;
/** The requests in progress of one caller, and of all together. */
const maxPerCaller = 8;
const maxOfCallers = maxConnections / 4;

/** Cuts off requests that arrive more slowly than Slack waits for an answer (PLATFORM.md §1.5). */
const limits = { headersTimeout: 4000, requestTimeout: 4000, connectionsCheckingInterval: 500 } as const;
/** Node's default, regardless of its command line. Proxies add headers; Slack's own are under 1 KiB. */
const maxHeaderSize = 16 * 1024;
/** For connections that neither send nor read. */
const silenceMs = 10_000;

export function createBoundedServer(handle: Handler): BoundedServer {
  const handleOne = oneAtATime(handle);
  const server = createServer({ ...limits, maxHeaderSize }, handleOne);
  server.timeout = silenceMs;
  // The headers are checked before the client may send the body.
  server.on("checkContinue", handleOne);
  const connections = boundConnections(server);
  return {
    hold: ({ socket }) => connections.hold(socket),
    holdForCaller: ({ socket }, caller) => connections.holdForCaller(socket, caller),
    start: async (port, host) => {
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject).listen(port, host, resolve);
      });
      const address = server.address();
      return typeof address === "object" && address ? address.port : 0;
    },
    stop: () => stopServer(server, connections.closeUnverified),
  };
}

/** Closes a connection that sends a request before the last one is answered. Neither Slack nor a proxy does that. */
function oneAtATime(handle: Handler): Handler {
  const busy = new WeakSet<Socket>();
  return (request, response) => {
    const { socket } = request;
    // Node still hands over requests that it has read already.
    if (socket.destroyed) return;
    if (busy.has(socket)) return void socket.destroy();
    busy.add(socket);
    response.once("close", () => busy.delete(socket));
    handle(request, response);
  };
}

/**
 * Over the limit, closes the oldest connection that never carried a verified request, else the one whose last verified
 * request is oldest. So strangers only push out each other. A connection with a verified request in flight stays.
 */
function boundConnections(server: Server) {
  const unverified = new Set<Socket>();
  const verified = new Set<Socket>();
  const held = new Map<Socket, number>();
  const callers = countCallers();
  const forget = (socket: Socket) => {
    for (const sockets of [unverified, verified]) sockets.delete(socket);
  };
  const drop = (socket: Socket) => {
    forget(socket);
    socket.destroy();
  };
  server.on("connection", (socket: Socket) => {
    unverified.add(socket);
    socket.once("close", () => {
      forget(socket);
      held.delete(socket);
    });
    if (unverified.size + verified.size <= maxConnections) return;
    const [oldest = socket] = unverified;
    drop(oldest === socket ? (idleOf(verified, held) ?? socket) : oldest);
  });
  const hold = (socket: Socket): Hold => {
    if (socket.destroyed) return { release: () => undefined };
    forget(socket);
    verified.add(socket);
    add(held, socket, 1);
    return { release: () => add(held, socket, -1) };
  };
  return {
    hold,
    holdForCaller: (socket: Socket, caller: string): Hold | undefined => {
      const counted = callers.count(caller);
      if (!counted) return undefined;
      const { release } = hold(socket);
      return {
        release: () => {
          counted.release();
          release();
          // Idle connections of callers push out none of Slack's.
          if (verified.delete(socket)) unverified.add(socket);
        },
      };
    },
    closeUnverified: () => {
      for (const socket of unverified) drop(socket);
    },
  };
}

function countCallers() {
  const callers = new Map<string, number>();
  return {
    count: (caller: string): Hold | undefined => {
      const all = [...callers.values()].reduce((sum, count) => sum + count, 0);
      if ((callers.get(caller) ?? 0) >= maxPerCaller || all >= maxOfCallers) return undefined;
      add(callers, caller, 1);
      return { release: () => add(callers, caller, -1) };
    },
  };
}

/** Keeps no count of 0. */
function add<K>(counts: Map<K, number>, key: K, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}

function idleOf(verified: ReadonlySet<Socket>, held: ReadonlyMap<Socket, number>): Socket | undefined {
  for (const socket of verified) if (!held.has(socket)) return socket;
  return undefined;
}

const idleCheckMs = 50;
/** The time for requests that are still arriving. */
const unverifiedMs = 1000;
/** Slack waits no longer for an answer (PLATFORM.md §1.5), and a caller finds the outcome by its key. A closing server no longer cuts off slow requests by itself. */
const closeAfterMs = 4000;

/** Stops listening and resolves when the last answer is out. Idle connections, and those that take too long, are closed. */
export function stopServer(server: Server, closeUnverified: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const closing = every(idleCheckMs, async () => server.closeIdleConnections(), reject);
    const grace = setTimeout(closeUnverified, unverifiedMs);
    const deadline = setTimeout(() => server.closeAllConnections(), closeAfterMs);
    server.close(() => {
      void closing.stop();
      clearTimeout(grace);
      clearTimeout(deadline);
      resolve();
    });
    server.closeIdleConnections();
  });
}
