import type { IncomingMessage, Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Returns the port, which is any free one when `port` is 0. */
export async function listen(server: Server, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("The server is not listening on a TCP port.");
  return address.port;
}

/** Stops listening and drops every connection. */
export async function stopListening(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.once("close", () => resolve()));
  server.close();
  server.closeAllConnections();
  await closed;
}

const maxBodyLength = 100_000;

/** Undefined when the body is too long. Reads it to the end all the same, because the client must finish before it reads the answer. */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length <= maxBodyLength) chunks.push(Buffer.from(chunk));
  }
  return length > maxBodyLength ? undefined : Buffer.concat(chunks).toString("utf8");
}
