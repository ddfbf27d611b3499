import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { stopServer } from "./http-receiver.ts";

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that strangers can reach: it never holds more than so many connections, and none that is too slow. */
export interface BoundedServer {
  /** From now until `release`, the connection of this request is not closed to make room for others. */
  hold(request: IncomingMessage): Hold;
  /** Gives the port listened on. */
  start(port: number, host: string): Promise<number>;
  /** Stops listening and lets answers under way go out. */
  stop(): Promise<void>;
}

export interface Hold {
  release(): void;
}

/** Slack needs some tens; those with a verified request go last. An idle one costs some 10 KiB, one that sends much costs time. */
const mostConnections = 500;

/** A request that comes more slowly than Slack waits for its answer is cut off (platform.md §1.5). */
const limits = { headersTimeout: 4000, requestTimeout: 4000, connectionsCheckingInterval: 500 } as const;
/** Node's own limit, whatever its command line says. Proxies add headers; Slack's own are under 1 KiB. */
const maxHeaderSize = 16 * 1024;
/** For who neither sends nor reads. */
const silenceMs = 10_000;

export function createBoundedServer(handle: Handler): BoundedServer {
  const handleOne = oneAtATime(handle);
  const server = createServer({ ...limits, maxHeaderSize }, handleOne);
  server.timeout = silenceMs;
  // Whether the body is wanted is seen from the headers first.
  server.on("checkContinue", handleOne);
  const connections = boundConnections(server);
  return {
    hold: ({ socket }) => connections.hold(socket),
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

/** Neither Slack nor a proxy sends a request before the last one on its connection is answered: whoever does only wants to make work. */
function oneAtATime(handle: Handler): Handler {
  const busy = new WeakSet<Socket>();
  return (request, response) => {
    const { socket } = request;
    // Node goes on through what it has read already.
    if (socket.destroyed) return;
    if (busy.has(socket)) return void socket.destroy();
    busy.add(socket);
    response.once("close", () => busy.delete(socket));
    handle(request, response);
  };
}

/**
 * When there are too many connections, the oldest goes that has never carried a verified request, then the one whose last verified
 * request was longest ago; so strangers push out each other. One with a verified request under way stays.
 */
function boundConnections(server: Server) {
  const unverified = new Set<Socket>();
  const verified = new Set<Socket>();
  const held = new Map<Socket, number>();
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
    if (unverified.size + verified.size <= mostConnections) return;
    const [oldest = socket] = unverified;
    drop(oldest === socket ? (idleOf(verified, held) ?? socket) : oldest);
  });
  return {
    hold: (socket: Socket): Hold => {
      if (socket.destroyed) return { release: () => undefined };
      forget(socket);
      verified.add(socket);
      held.set(socket, (held.get(socket) ?? 0) + 1);
      return {
        release: () => {
          const others = (held.get(socket) ?? 1) - 1;
          if (others > 0) held.set(socket, others);
          else held.delete(socket);
        },
      };
    },
    closeUnverified: () => {
      for (const socket of unverified) drop(socket);
    },
  };
}

function idleOf(verified: ReadonlySet<Socket>, held: ReadonlyMap<Socket, number>): Socket | undefined {
  for (const socket of verified) if (!held.has(socket)) return socket;
  return undefined;
}
