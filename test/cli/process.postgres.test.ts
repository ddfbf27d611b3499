import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startSandboxService } from "../../src/sandbox/service/start-sandbox-service.ts";
import { execute } from "../support/execute.ts";
import { newDatabase } from "../support/new-database.ts";
import { startWorkspace } from "../support/start-workspace.ts";
import { type Bundle, buildBundle } from "./bundle.ts";

let bundle: Bundle;
beforeAll(() => {
  bundle = buildBundle();
});
afterAll(() => bundle.remove());

test("another process settles a killed process's changes as unknown and notifies the requester", async () => {
  const service = await startSandboxService();
  onTestFinished(() => service.close());
  const manifest: unknown = JSON.parse(readFileSync("manifest/slack-app.http.json", "utf8"));
  const workspace = await startWorkspace({ manifest, rateLimits: "off" });
  onTestFinished(() => workspace.close());
  const database = (await newDatabase("empty")).replace("curfew@", "curfew:s3cr%65t@");
  const env = {
    NODE_ENV: "production",
    SLACK_API_URL: workspace.apiUrl,
    SLACK_BOT_TOKEN: workspace.botToken,
    SLACK_SIGNING_SECRET: workspace.signingSecret,
    SCHEDULER_BASE_URL: service.baseUrl,
    SCHEDULER_API_KEY: service.apiKey,
    DRAIN_SECONDS: "0",
    DATABASE_URL: database,
    CURFEW_CONFIG: "manifest/curfew.example.yaml",
    HOST: "127.0.0.1",
    LOG_LEVEL: "debug",
  };
  const killed = bundle.start({ env });
  workspace.connectHttp(`http://127.0.0.1:${await killed.sees(/"port":(\d+)/)}/slack/events`);
  service.faults.next({ kind: "latency", operation: "CreateActionExclusion", ms: 20_000 });
  await workspace.as("alice").type("/curfew exclude i-0a1 for 2h", "ops");
  await workspace.waitFor(() => service.requests.some(({ operation }) => operation === "CreateActionExclusion"));
  killed.signal("SIGKILL");
  expect(await killed.exited).toBe("SIGKILL");
  await execute(database, "update instance set seen_at = seen_at - 30001");

  const other = bundle.start({ env });
  const { text } = await workspace.waitFor(
    () =>
      workspace
        .as("alice")
        .messages("dm")
        .find((message) => message.isFromApp),
    { timeoutMs: 15_000 },
  );
  expect(text).toContain("Curfew does not know whether");
  other.signal("SIGTERM");
  expect(await other.exited).toBe(0);
  for (const said of [killed.output, killed.errors, other.output, other.errors])
    for (const secret of ["s3cr%65t", "s3cret"]) expect(said).not.toContain(secret);
});
