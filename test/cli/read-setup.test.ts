import { expect, test } from "vitest";
import { copyOf, createSecrets } from "../../src/app/secrets-in-force.ts";
import { readSetup } from "../../src/cli/read-setup.ts";
import { quietLog } from "../changes/build.ts";
import { exampleConfig } from "../support/start-curfew.ts";

/** Files that a test changes. The config is read after the secrets. */
function setupOf(files: Record<string, string>, onConfig: () => void) {
  const setup = readSetup({
    env: {
      SLACK_BOT_TOKEN: "xoxb-1-abc",
      SLACK_SIGNING_SECRET_FILE: "/secret",
      SCHEDULER_BASE_URL: "https://scheduler.example.com/",
      SCHEDULER_API_KEY: "key-0123456789",
      CURFEW_CONFIG: "curfew.yaml",
    },
    configFile: undefined,
    exampleConfigFile: "curfew.yaml",
    readFile: (path) => {
      if (path === ".env") return "";
      if (path === "curfew.yaml") onConfig();
      return files[path] ?? exampleConfig;
    },
  });
  if (setup.kind === "problems" || setup.environment.kind !== "slack") throw new Error("not set up");
  return { setup, environment: setup.environment };
}

test("uses a secret that changes while Curfew starts", async () => {
  const files = { "/secret": "old" };
  const { setup, environment } = setupOf(files, () => {
    files["/secret"] = "new";
  });
  const inForce = copyOf(environment);
  const overrides = { readSecrets: setup.readSecrets, secretsEveryMs: 1 };
  const core = { elapsedMs: () => 0, log: quietLog, overrides };
  const stop = createSecrets(core, { inForce, trials: {}, notices: () => undefined }).follow();
  await expect.poll(() => inForce.slack.receiver).toEqual({ kind: "http", signingSecret: "new" });
  await stop();
});
