import type { IncomingMessage } from "node:http";

const longestBody = 100_000;

/** Undefined when it is longer than anything meant. It is read to its end all the same, so that the answer can be. */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length <= longestBody) chunks.push(Buffer.from(chunk));
  }
  return length > longestBody ? undefined : Buffer.concat(chunks).toString("utf8");
}
