import { type AppRequest, sign } from "../../src/sandbox/workspace/deliveries.ts";
import { isJsonObject, type JsonObject } from "../../src/sandbox/workspace/json-object.ts";
import type { Curfew } from "./start-curfew.ts";

export const formType = "application/x-www-form-urlencoded";

/** Headers with Slack's signature for a body, now or some seconds ago. */
export function signedHeaders({ workspace }: Curfew, body: string, contentType = formType, secondsAgo = 0) {
  const timestamp = String(Math.floor(Date.now() / 1000) - secondsAgo);
  return {
    "content-type": contentType,
    "x-slack-request-timestamp": timestamp,
    "x-slack-signature": sign(workspace.signingSecret, timestamp, body),
  };
}

/** Posts a body to the URL for Slack's requests. */
export function post({ url }: Curfew, body: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(`${url}/slack/events`, { method: "POST", headers, body, signal: AbortSignal.timeout(10_000) });
}

/** The latest delivery of a type, such as `view_submission`. */
export function lastDelivery({ workspace }: Curfew, type: string): AppRequest {
  const found = workspace.appRequests.findLast((appRequest) => appRequest.type === type);
  if (found === undefined) throw new Error(`Nothing of type ${type} was delivered.`);
  return found;
}

/** Sends a Slack payload again in Slack's name, with some parts replaced; resolves when all its effects are done. */
export async function sendCrafted(curfew: Curfew, appRequest: AppRequest, changes: JsonObject): Promise<void> {
  await curfew.workspace.redeliver({ ...appRequest, payload: merge(appRequest.payload, changes) });
  await curfew.app.idle();
}

/** Merges objects and replaces anything else. */
export function merge(original: JsonObject, changes: JsonObject): JsonObject {
  const changed = Object.entries(changes).map(([key, value]) => {
    const before = original[key];
    return [key, isJsonObject(before) && isJsonObject(value) ? merge(before, value) : value];
  });
  return { ...original, ...Object.fromEntries(changed) };
}
