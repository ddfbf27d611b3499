import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildApp } from "../../src/app.ts";
import { readEnvironment, readSecretFiles } from "../../src/config/environment.ts";
import { createLogger } from "../../src/observability/log.ts";
import { startSandboxService } from "../../src/sandbox/service/start-sandbox-service.ts";
import { someSettings } from "../changes/build.ts";
import { unhurried } from "../store/next-due.ts";
import { callLine } from "./as-caller.ts";
import { startKeyGate } from "./key-gate.ts";
import { makeFolder } from "./memory-folder.ts";
import { makeDatabase, urlOf } from "./new-database.ts";
import { type Mode, unlimitedConfig } from "./start-curfew.ts";
import { startWorkspace } from "./start-workspace.ts";

export type WithKeyFiles = Awaited<ReturnType<typeof startWithKeyFiles>>;

/** The whole bot with all its secrets in files, and servers whose keys can be changed. `databaseOf` may change the database's URL. */
export async function startWithKeyFiles(
  mode: Mode = "http",
  { databaseOf = urlOf, isSlackAway = false, now = Date.now, collector = "" } = {},
) {
  const manifest: unknown = JSON.parse(readFileSync(`manifest/slack-app.${mode}.json`, "utf8"));
  const service = await startSandboxService({ now });
  const workspace = await startWorkspace({ manifest, rateLimits: "off", now, deadlineMs: 15_000 });
  const { database, remove } = await makeDatabase();
  const invalid = {
    status: 401,
    body: { errorCode: "InvalidAccessKey", message: "The access key is missing or invalid." },
  };
  const serviceGate = await startKeyGate(service.baseUrl, invalid);
  const slackGate = await startKeyGate(workspace.apiUrl, { status: 200, body: { ok: false, error: "token_revoked" } });
  slackGate.isAway = isSlackAway;
  const allow = {
    service: (key: string) => serviceGate.keys.set(`AccessKey ${key}`, `AccessKey ${service.apiKey}`),
    bot: (token: string) => slackGate.keys.set(`Bearer ${token}`, `Bearer ${workspace.botToken}`),
    app: (token: string) => slackGate.keys.set(`Bearer ${token}`, `Bearer ${workspace.appToken}`),
  };
  const folder = makeFolder("curfew-secrets");
  const change = (name: string, value: string) => writeFileSync(join(folder, name), `${value}\n`);
  const first = {
    SCHEDULER_API_KEY: service.apiKey,
    SLACK_BOT_TOKEN: workspace.botToken,
    METRICS_TOKEN: "metrics-token-number-1",
    ...(collector ? { OTEL_EXPORTER_OTLP_HEADERS: "api-key=first-collector-key" } : {}),
    DATABASE_URL: databaseOf(database),
    ...(mode === "http" ? { SLACK_SIGNING_SECRET: workspace.signingSecret } : { SLACK_APP_TOKEN: workspace.appToken }),
  };
  for (const [name, value] of Object.entries(first)) change(name, value);
  allow.service(service.apiKey);
  allow.bot(workspace.botToken);
  allow.app(workspace.appToken);

  const env = {
    ...Object.fromEntries(Object.keys(first).map((name) => [`${name}_FILE`, join(folder, name)])),
    ...{ SCHEDULER_BASE_URL: serviceGate.url, SLACK_API_URL: slackGate.url },
    ...(collector ? { OTEL_EXPORTER_OTLP_ENDPOINT: collector } : {}),
    ...{ HOST: "127.0.0.1", PORT: "0", DRAIN_SECONDS: "0" },
  };
  const readFile = (path: string) => readFileSync(path, "utf8");
  const environment = readEnvironment(env, readFile);
  if (environment.kind !== "slack") throw new Error(JSON.stringify(environment));
  const logged: string[] = [];
  const log = createLogger({ level: "debug", destination: { write: (line: string) => void logged.push(line) } });
  const app = buildApp(environment, someSettings(unlimitedConfig), log, {
    readSecrets: () => readSecretFiles(env, readFile),
    secretsEveryMs: 25,
    now,
    outbox: { pace: unhurried },
  });
  const { port } = await app.start();
  const url = `http://127.0.0.1:${port}`;
  if (mode === "http") workspace.connectHttp(`${url}/slack/events`);
  let machine = 0;
  return {
    ...{ url, service, workspace, serviceGate, slackGate, allow, change, logged, app, database },
    fileOf: (name: string) => join(folder, name),
    /** A change of the service that a pipeline asks for. Resolves with what is wrong with its answer. */
    callOnce: async (): Promise<string[]> => {
      machine += 1;
      const { status, body } = await callLine({ url }, `keep i-0e${machine} up for 1h because of load`);
      return status === 200 ? [] : [`${status} ${JSON.stringify(body)}`];
    },
    /** A change that a person asks for in Slack. */
    askOnce: async (): Promise<string[]> => {
      machine += 1;
      const before = service.account.exclusions.size;
      const outcome = await workspace.as("alice").type(`/curfew exclude i-0d${machine} for 1h --project p-dev`, "ops");
      await workspace.waitFor(() => service.account.exclusions.size > before, { what: "its exclusion" });
      return outcome.ok ? [] : [outcome.shown];
    },
    /** Keeps asking until `until` is done, and some more. Resolves with everything that was not done. */
    underLoad: async (asks: readonly (() => Promise<string[]>)[], until: () => Promise<unknown>): Promise<string[]> => {
      let isDone = false;
      const problems: string[] = [];
      const keepAsking = async (ask: () => Promise<string[]>): Promise<void> => {
        for (let more = 3; more > 0; more -= isDone ? 1 : 0)
          problems.push(...(await ask().catch((error) => [String(error)])));
      };
      const load = Promise.all(asks.map(keepAsking));
      await until().finally(() => {
        isDone = true;
      });
      await load;
      await app.idle();
      return problems;
    },
    taken: (name: string): number =>
      logged.filter((line) => line.includes("is used from now on") && line.includes(`"${name}"`)).length,
    readiness: async () => {
      const answer = await fetch(`${url}/readyz`, {
        headers: { authorization: `Bearer ${readFileSync(join(folder, "METRICS_TOKEN"), "utf8").split(/\s/)[0]}` },
      });
      return { status: answer.status, text: await answer.text() };
    },
    metrics: (token: string) => fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } }),
    stop: async () => {
      await app.stop();
      for (const each of [serviceGate, slackGate, workspace, service]) await each.close();
      await remove();
      rmSync(folder, { recursive: true });
      const keys = [...serviceGate.keys.keys(), ...slackGate.keys.keys(), ...slackGate.refused, ...serviceGate.refused];
      const secrets = [...keys.map((key) => key.replace(/^\S+ /, "")), "metrics-token-number", workspace.signingSecret];
      const leaked = logged.find((line) => secrets.some((secret) => line.includes(secret)));
      if (leaked !== undefined) throw new Error(`a secret was logged: ${leaked}`);
    },
  };
}
