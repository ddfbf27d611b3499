import type { IncomingMessage } from "node:http";
import { isOwnHost } from "../control/guard-request.ts";

/**
 * Why a request to the page's server is not answered. Other pages in the same browser must be able neither to act nor to read: not
 * directly (Origin, Sec-Fetch-Site), not by a form (content type), and not under a name of theirs that leads here (Host).
 */
export function objectionToPage({ method, headers }: IncomingMessage): string | undefined {
  const { host = "", origin } = headers;
  if (!isOwnHost(host)) return "Only requests to 127.0.0.1 or localhost are answered.";
  if (origin !== undefined && origin !== `http://${host}`) return "Requests from other pages are not answered.";
  if (method === "GET") return undefined;
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none")
    return "Requests from other pages are not answered.";
  const isJson = /^application\/json\b/i.test(headers["content-type"] ?? "");
  return isJson ? undefined : "The content type must be application/json.";
}
