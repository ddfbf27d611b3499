import { createServer, connect as openConnection, type Server, type Socket } from "node:net";

/**
 * How the network treats data: pass; hold it until the mode changes, also for new connections; reset every connection; cut answers after this
 * many bytes; or corrupt them.
 */
export type Passage = "open" | "held" | "reset" | "garbled" | { readonly answerBytes: number };

/** A TCP proxy in front of a server that passes bytes through and can disturb them as a network does. */
export interface TcpGate {
  readonly port: number;
  /** The same URL with this gate as its host. */
  before(url: string): string;
  /** From now on, also for open connections. */
  set(passage: Passage): void;
  /** How often a client has sent something after everything before was answered, or for the first time. */
  readonly roundTrips: number;
  /** How many connections a client has open. */
  readonly connections: number;
  close(): Promise<void>;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

export async function openTcpGate(target: { readonly host: string; readonly port: number }): Promise<TcpGate> {
  const pairs = new Set<Pair>();
  let passage: Passage = "open";
  let roundTrips = 0;
  const settle = (pair: Pair): void => {
    if (passage === "reset") for (const socket of [pair.client, pair.server]) socket.resetAndDestroy();
    for (const socket of [pair.client, pair.server]) passage === "held" ? socket.pause() : socket.resume();
  };
  const gate = createServer((client) => {
    const pair = { client, server: openConnection(target) };
    pairs.add(pair);
    join(
      pair,
      () => passage,
      () => pairs.delete(pair),
    );
    let isAnswered = true;
    client.on("data", () => {
      if (isAnswered) roundTrips += 1;
      isAnswered = false;
    });
    pair.server.on("data", () => {
      isAnswered = true;
    });
    settle(pair);
  });
  const port = await listen(gate);
  return {
    port,
    before: (url) => {
      const through = new URL(url);
      through.host = `127.0.0.1:${port}`;
      return through.href.replace(/\/$/, "");
    },
    set: (next) => {
      passage = next;
      for (const pair of pairs) settle(pair);
    },
    get roundTrips() {
      return roundTrips;
    },
    get connections() {
      return pairs.size;
    },
    close: async () => {
      for (const { client, server } of pairs) for (const socket of [client, server]) socket.destroy();
      await new Promise((resolve) => gate.close(resolve));
    },
  };
}

/** Sends data and the end of one side to the other; data from a paused side stays unread. */
function join({ client, server }: Pair, passage: () => Passage, forget: () => void): void {
  let answered = 0;
  client.on("data", (bytes) => server.write(bytes));
  server.on("data", (bytes) => {
    const now = passage();
    const left = typeof now === "object" ? Math.max(0, now.answerBytes - answered) : bytes.length;
    answered += bytes.length;
    client.write(now === "garbled" ? bytes.map((byte) => byte ^ 0x55) : bytes.subarray(0, left));
    if (left < bytes.length) client.end();
  });
  for (const [socket, other] of [
    [client, server],
    [server, client],
  ] as const) {
    socket.on("error", () => other.destroy());
    socket.on("close", () => {
      forget();
      other.destroy();
    });
  }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}
