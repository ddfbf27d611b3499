import type { IncomingMessage } from "node:http";

const ownNames: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

/**
 * Why a request is not answered. A page in a browser could otherwise drive the sandbox: directly, which sends an Origin, or under a
 * name of its own that leads to 127.0.0.1, which shows in the Host.
 */
export function objectionTo({ headers }: IncomingMessage): string | undefined {
  if (headers.origin !== undefined) return "Requests from web pages are not answered.";
  return isOwnHost(headers.host ?? "") ? undefined : "Only requests to 127.0.0.1 or localhost are answered.";
}

export function isOwnHost(host: string): boolean {
  return ownNames.has(host.replace(/:\d+$/, "").toLowerCase());
}
