import type { Curfew } from "./start-curfew.ts";

/** The lines of a log in which something stands that must not: a token, a key, or what lets others answer in Curfew's name. */
export function secretsLogged({ workspace, service, logged }: Pick<Curfew, "workspace" | "service" | "logged">) {
  const passing = workspace.appRequests.flatMap(({ payload }) => [payload.response_url, payload.trigger_id]);
  const directory = [workspace.botToken, workspace.signingSecret, workspace.appToken, service.apiKey, ...passing];
  const secrets = [...new Set(directory)].filter((secret) => typeof secret === "string" && secret !== "");
  return logged.filter((line) => secrets.some((secret) => line.includes(String(secret))));
}
