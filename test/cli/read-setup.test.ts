import { expect, test } from "vitest";
import { copyOf, createSecrets } from "../../src/app/secrets-in-force.ts";
import { readSetup } from "../../src/cli/read-setup.ts";
import { quietLog } from "../changes/build.ts";
import { exampleConfig } from "../support/start-curfew.ts";
import { runWithArgs } from "./run-with-args.ts";

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

test("refuses two accounts with one address and one key, at the start and in check", async () => {
  const config = `${exampleConfig}\naccounts:
  eu: { url: "https://scheduler.example.com" }
  us: { url: "https://scheduler.example.com" }
`;
  const env = {
    SLACK_BOT_TOKEN: "xoxb-1-abc",
    SLACK_SIGNING_SECRET: "secret",
    SCHEDULER_BASE_URL: "https://scheduler.example.com/",
    SCHEDULER_API_KEY: "key-0123456789",
    SCHEDULER_API_KEY_EU: "key-0123456789",
    SCHEDULER_API_KEY_US: "key-of-another",
    CURFEW_CONFIG: "c.yaml",
  };
  const problem = "The accounts “main” and “eu” have the same address and key: name each account once.";
  const readFile = (path: string) => (path === ".env" ? "" : config);
  expect(readSetup({ env, configFile: undefined, exampleConfigFile: "c.yaml", readFile })).toEqual({
    kind: "problems",
    problems: [problem],
  });
  const checked = await runWithArgs(["check"], { env, files: { "c.yaml": config } });
  expect(checked).toMatchObject({ code: 1, errors: `${problem}\n` });
  const other = { ...env, SCHEDULER_API_KEY_EU: "key-of-its-own" };
  expect(await runWithArgs(["check"], { env: other, files: { "c.yaml": config } })).toMatchObject({ code: 0 });
});
