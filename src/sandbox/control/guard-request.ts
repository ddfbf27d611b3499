import type { IncomingMessage } from "node:http";

const localHosts: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

/**
 * Rejects requests from web pages, which could otherwise drive the sandbox. A direct request sends an Origin; a request under a DNS
 * name that resolves to 127.0.0.1 (DNS rebinding) shows that name in the Host.
 */
export function rejectionReason({ headers }: IncomingMessage): string | undefined {
  if (headers.origin !== undefined) return "Requests from web pages are not answered.";
  return isLocalHost(headers.host ?? "") ? undefined : "Only requests to 127.0.0.1 or localhost are answered.";
}

export function isLocalHost(host: string): boolean {
  return localHosts.has(host.replace(/:\d+$/, "").toLowerCase());
}
