import type { IncomingMessage } from "node:http";

const longestBody = 100_000;

/** Undefined when it is longer than anything meant. */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    chunks.push(Buffer.from(chunk));
    length += chunk.length;
    if (length > longestBody) return undefined;
  }
  return Buffer.concat(chunks).toString("utf8");
}
