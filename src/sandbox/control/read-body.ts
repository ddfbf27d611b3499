import type { IncomingMessage } from "node:http";

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
