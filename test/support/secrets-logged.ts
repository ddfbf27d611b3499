import { objectAt } from "../../src/sandbox/workspace/json-object.ts";
import type { Curfew } from "./start-curfew.ts";

/** The log lines that contain a secret: a token, a key, or a URL that lets others reply as Curfew. */
export function secretsLogged({ workspace, service, logged }: Pick<Curfew, "workspace" | "service" | "logged">) {
  const passing = workspace.appRequests.flatMap(({ payload }) => [
    ...[payload.response_url, payload.trigger_id],
    objectAt(payload.event).bot_access_token,
  ]);
  const directory = [workspace.botToken, workspace.signingSecret, workspace.appToken, service.apiKey, ...passing];
  const secrets = [...new Set(directory)].filter((secret) => typeof secret === "string" && secret !== "");
  return logged.filter((line) => secrets.some((secret) => line.includes(String(secret))));
}
