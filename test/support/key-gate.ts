import { createServer } from "node:http";
import { text } from "node:stream/consumers";

export interface KeyGate {
  /** The address of the real server's, behind this gate. */
  readonly url: string;
  /** The values of `Authorization` that are let through, each with the one that the server behind knows. */
  readonly keys: Map<string, string>;
  /** What came with any other. */
  readonly refused: string[];
  /** Nothing answers here. */
  isAway: boolean;
  close(): Promise<void>;
}

/** Stands before a server whose only key never changes, and lets several keys through, each until it is taken away. */
export async function startKeyGate(
  target: string,
  refusal: { readonly status: number; readonly body: object },
): Promise<KeyGate> {
  const keys = new Map<string, string>();
  const refused: string[] = [];
  const server = createServer(async (request, response) => {
    if (gate.isAway) return request.socket.destroy();
    const { authorization = "", "content-type": contentType = "" } = request.headers;
    const body = await text(request);
    const known = keys.get(authorization);
    const json = { "content-type": "application/json" };
    if (known === undefined) {
      refused.push(authorization);
      return response.writeHead(refusal.status, json).end(JSON.stringify(refusal.body));
    }
    const answer = await fetch(new URL(`.${request.url}`, target), {
      method: request.method ?? "GET",
      headers: { authorization: known, ...(contentType ? { "content-type": contentType } : {}) },
      ...(body ? { body } : {}),
    });
    const answered = await answer.text();
    return response.writeHead(answer.status, answer.status === 204 ? {} : json).end(answered);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const gate: KeyGate = {
    isAway: false,
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`,
    keys,
    refused,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return gate;
}
