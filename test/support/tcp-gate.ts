import { createServer, connect as openConnection, type Server, type Socket } from "node:net";

/**
 * How a network treats what passes: as it should; it is held until another way is set, also where a connection is only being made;
 * every connection is reset; the answers break off after so many bytes; or they arrive as something else.
 */
export type Passage = "open" | "held" | "reset" | "garbled" | { readonly answerBytes: number };

/** Stands before a server, byte for byte, and gets in the way as a network can. */
export interface TcpGate {
  readonly port: number;
  /** The same URL with this gate in the place of its host. */
  before(url: string): string;
  /** From now on, for connections that are open too. */
  set(passage: Passage): void;
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
    get connections() {
      return pairs.size;
    },
    close: async () => {
      for (const { client, server } of pairs) for (const socket of [client, server]) socket.destroy();
      await new Promise((resolve) => gate.close(resolve));
    },
  };
}

/** What one side sends goes to the other, and an end on one side is one on the other; what a paused side sent stays unread. */
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
