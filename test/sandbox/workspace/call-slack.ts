import { isJsonObject, type JsonObject } from "../../../src/sandbox/workspace/json-object.ts";
import type { Workspace } from "../../support/start-workspace.ts";

export interface CallOptions {
  /** The bot's by default; null for none. */
  readonly token?: string | null;
  readonly contentType?: string;
  readonly verb?: "GET" | "POST";
}

export interface SlackAnswer extends JsonObject {
  readonly status: number;
  readonly retryAfter: string | null;
}

/** One raw Web API call. Nested arguments become JSON strings in a form, and stay as they are in JSON. */
export async function callSlack(
  workspace: Workspace,
  method: string,
  args: JsonObject = {},
  { token = workspace.botToken, contentType = "application/x-www-form-urlencoded", verb = "POST" }: CallOptions = {},
): Promise<SlackAnswer> {
  const headers = { "content-type": contentType, ...(token === null ? {} : { authorization: `Bearer ${token}` }) };
  const body = contentType.startsWith("application/json") ? JSON.stringify(args) : formBody(args);
  const request = verb === "GET" ? { headers } : { method: verb, headers, body };
  const response = await fetch(`${workspace.apiUrl}${method}`, request);
  const answer: unknown = await response.json();
  if (!isJsonObject(answer)) throw new Error(`${method} answered no object`);
  return { ...answer, status: response.status, retryAfter: response.headers.get("retry-after") };
}

export async function postTo(url: string, message: JsonObject): Promise<{ status: number; body: string }> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(message) });
  return { status: response.status, body: await response.text() };
}

function formBody(args: JsonObject): string {
  const entries = Object.entries(args).map(([name, value]): [string, string] => {
    return [name, typeof value === "string" ? value : JSON.stringify(value)];
  });
  return new URLSearchParams(entries).toString();
}
