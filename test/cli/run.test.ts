import { readFileSync } from "node:fs";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import type { ProcessEnv } from "../../src/cli/process-env.ts";
import { run } from "../../src/cli/run.ts";
import { startSandboxService } from "../../src/sandbox/service/start-sandbox-service.ts";
import { createSignal } from "../support/signal.ts";
import { exampleConfig } from "../support/start-curfew.ts";

interface Ended {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** File contents by path. Files in `manifest/` are real. */
const filesWith =
  (files: Readonly<Record<string, string>>) =>
  (path: string): string => {
    const file = files[path];
    if (file !== undefined) return file;
    if (path.startsWith("manifest/")) return readFileSync(path, "utf8");
    throw Object.assign(new Error(`ENOENT: no such file, open '${path}'`), { code: "ENOENT" });
  };

async function runWith(changes: Partial<ProcessEnv> & { files?: Readonly<Record<string, string>> }): Promise<Ended> {
  const [output, errorOutput] = [new PassThrough(), new PassThrough()];
  const code = await run({
    args: [],
    env: { PORT: "0" },
    rootFolder: ".",
    readFile: filesWith(changes.files ?? {}),
    input: Readable.from([]),
    output,
    errorOutput,
    onReloadAsked: () => undefined,
    onUnhandled: () => undefined,
    stopAsked: Promise.resolve(),
    ...changes,
  });
  output.end();
  errorOutput.end();
  return { code, output: await text(output), errors: await text(errorOutput) };
}

const complete = {
  SLACK_BOT_TOKEN: "xoxb-1",
  SLACK_SIGNING_SECRET: "secret",
  SCHEDULER_BASE_URL: "http://127.0.0.1:9",
  SCHEDULER_API_KEY: "key-1",
};

describe("a failed start", () => {
  test.each([
    [["--company"], complete, "--company is only for the sandbox: unset the SLACK_… and SCHEDULER_… variables"],
    [["--company", "--config", "my.yaml"], { PORT: "0" }, "--company goes without --config: it has its own"],
  ])("of the large company says why: %j", async (args, env, why) => {
    const { code, errors } = await runWith({ args, env });
    expect([code, errors]).toEqual([1, expect.stringContaining(why)]);
  });

  test("reports every mistake in the config file with its line and column", async () => {
    const config = exampleConfig
      .replace("CreateActionExclusion, ModifyActionExclusion", "CreateActionExclusions, ModifyActionExclusion")
      .replace("channel: C0ADMINS", "channel: admins");
    const { code, output, errors } = await runWith({ args: ["--config", "my.yaml"], files: { "my.yaml": config } });
    expect(code).toBe(1);
    expect(errors.split("\n")).toEqual([
      "Curfew cannot start:",
      expect.stringMatching(/^my\.yaml:15:\d+ permissions\.roles\.engineer\.allow.*CreateActionExclusions/),
      expect.stringMatching(/^my\.yaml:\d+:\d+ admins\.channel/),
      "",
    ]);
    expect(output).toBe("");
  });

  test("names a missing config file", async () => {
    const { code, errors } = await runWith({ env: complete });
    expect(code).toBe(1);
    expect(errors).toMatch(/^curfew\.yaml does not exist\./m);
  });

  test("reports a misspelled option", async () => {
    expect(await runWith({ args: ["--confg", "my.yaml"] })).toMatchObject({
      code: 1,
      errors: expect.stringContaining("--confg"),
    });
  });

  test("lists missing variables in production, and starts no sandbox", async () => {
    const { code, errors } = await runWith({ env: { NODE_ENV: "production" } });
    expect(code).toBe(1);
    expect(errors).toMatch(/^SLACK_BOT_TOKEN is missing$/m);
  });

  test("reports an unreadable .env instead of ignoring it", async () => {
    const readFile = (path: string) => {
      if (path !== ".env") return filesWith({})(path);
      throw Object.assign(new Error("EACCES: permission denied, open '.env'"), { code: "EACCES" });
    };
    const { code, errors } = await runWith({ readFile });
    expect(code).toBe(1);
    expect(errors).toContain(".env cannot be read: EACCES");
  });

  test("reports a port in use in the sandbox, with the remedy", async () => {
    const service = await startSandboxService();
    const { code, errors } = await runWith({ env: { PORT: new URL(service.baseUrl).port } });
    await service.close();
    expect(code).toBe(1);
    expect(errors).toMatch(/EADDRINUSE.*\n.*PORT/);
  });
});

describe("reading the setup", () => {
  test(".env fills in unset variables", async () => {
    const files = { ".env": "SLACK_BOT_TOKEN=wrong\nSCHEDULER_API_KEY=key-1\n" };
    const { errors } = await runWith({ files, env: { SCHEDULER_BASE_URL: "http://127.0.0.1:9" } });
    expect(errors).toContain("SLACK_BOT_TOKEN must start with xoxb-");
    expect(errors).not.toContain("SCHEDULER_API_KEY");
  });

  test("--config overrides CURFEW_CONFIG and CURFEW_CONFIG_FILE", async () => {
    const env = { PORT: "0", CURFEW_CONFIG: "other.yaml", CURFEW_CONFIG_FILE: "named.txt" };
    const { code, output } = await runWith({ args: ["--config", "my.yaml"], env, files: { "my.yaml": exampleConfig } });
    expect(code).toBe(0);
    expect(output).toMatch(/config +my\.yaml/);
  });

  test("--help lists the options and starts nothing", async () => {
    expect(await runWith({ args: ["--help"] })).toMatchObject({ code: 0, output: expect.stringContaining("--config") });
  });

  test("--version says the version and the commit", async () => {
    const output = `Curfew ${packageJson.version} (unknown)\n`;
    expect(await runWith({ args: ["--version"] })).toMatchObject({ code: 0, output });
  });
});

test("the sandbox introduction takes at most twelve lines", async () => {
  const { output } = await runWith({});
  expect(output.trimEnd().split("\n").length).toBeLessThanOrEqual(12);
  expect(output).toMatch(
    /^ {2}service {4}curl -H "Authorization: AccessKey sk_sandbox\w+" http:\/\/127\.0\.0\.1:\d+\/api\/Actions {2}\(a made-up key\)$/m,
  );
});

test("the sandbox is the workspace and knows the projects that a config names", async () => {
  const config = `${exampleConfig.replace("projects: [p-dev]", "projects: [p-shop, eu/p-shop]")}
teams: [T0EAST]
accounts: { eu: { url: "https://eu.scheduler.example.com" } }
`.replace(
    "resourceGroups:\n",
    "$&  shop: { type: amazon-ec2-instance, project: p-shop, ids: [i-0e1] }\n  shop-eu: { type: amazon-ec2-instance, project: eu/p-shop, ids: [i-0e1] }\n",
  );
  const input = Readable.from(["/curfew keep shop up for 2h\n", "/curfew keep shop-eu up for 2h\n", "quit\n"]);
  const stopAsked = new Promise<void>(() => undefined);
  const files = { "my.yaml": config };
  const { output, errors } = await runWith({ args: ["--config", "my.yaml"], files, input, stopAsked });
  expect(errors).not.toContain("failed");
  expect(output).toContain("  config     my.yaml (this is its workspace T0EAST); database: temporary");
  expect(output.match(/✅ Done\./g)).toHaveLength(2);
});

test("the sandbox keeps serving the page with empty input, as in the background", async () => {
  const output = new PassThrough();
  let shown = "";
  const { given: stopAsked, give: stop } = createSignal();
  const pageUrl = new Promise<string>((resolve) => {
    output.on("data", (chunk: Buffer) => {
      shown += chunk.toString("utf8");
      const url = /^Open (http\S+) in/.exec(shown)?.[1];
      if (url) resolve(url);
    });
  });
  const ended = runWith({ output, stopAsked });
  const url = await pageUrl;
  const act = { kind: "type", text: "/curfew exclude i-0a1 for 2h", where: "ops" };
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ as: "alice", act });
  const answer = await fetch(`${url}/api/act`, { method: "POST", headers, body });
  expect(answer.status).toBe(200);
  stop();
  await ended;
});
