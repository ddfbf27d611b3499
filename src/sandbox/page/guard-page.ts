import type { IncomingMessage } from "node:http";
import { isLocalHost } from "../local-http.ts";

/**
 * Rejects requests from other pages in the same browser, which must neither act nor read. Checks direct requests (Origin,
 * Sec-Fetch-Site), forms (content type) and other DNS names that resolve to this machine (Host).
 */
export function pageRejectionReason({ method, headers }: IncomingMessage): string | undefined {
  const { host = "", origin } = headers;
  if (!isLocalHost(host)) return "Only requests to 127.0.0.1 or localhost are answered.";
  if (origin !== undefined && origin !== `http://${host}`) return "Requests from other pages are not answered.";
  if (method === "GET") return undefined;
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none")
    return "Requests from other pages are not answered.";
  const isJson = /^application\/json\b/i.test(headers["content-type"] ?? "");
  return isJson ? undefined : "The content type must be application/json.";
}
