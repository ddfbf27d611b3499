import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { printCheckResults } from "../../src/cli/doctor.ts";
import { nodeResult } from "../../src/cli/doctor-here.ts";
import type { CheckResult } from "../../src/observability/check-result.ts";
import { openSqlite } from "../../src/store/db/sqlite/open-sqlite.ts";
import { openStore } from "../../src/store/open-store.ts";
import { newDatabaseFile } from "../store/open-test-store.ts";
import { exampleConfig } from "../support/start-curfew.ts";
import { aHealthyPlace, complaints, examineWith, failed, type Place, withConfig } from "./doctor-place.ts";
import { runWithArgs } from "./run-with-args.ts";

describe("where all is well", () => {
  test.each([
    ["http", "signing secret", "not checked"],
    ["socket", "app token", "ok"],
  ] as const)(
    "every check over %s passes in a fixed order, and nobody in Slack notices",
    async (mode, name, verdict) => {
      const place = await aHealthyPlace({ mode });
      const { code, output } = await runWithArgs(["doctor"], place);
      const lines = output.split("\n").filter((line) => /^\S/.test(line));
      expect(lines.slice(0, -1).map((line) => line.split(/ {2,}/).slice(0, 2))).toEqual([
        ["ok", "node"],
        ["ok", "environment"],
        ["ok", "config"],
        ["ok", "callers"],
        ["ok", "database"],
        [expect.stringMatching(/ok|warning/), "disk space"],
        ["ok", "bot token"],
        ["ok", "scopes"],
        [verdict, name],
        ["ok", "channel C0OPS"],
        ["ok", "channel C0SEC"],
        ["ok", "channel C0ADMINS"],
        ["ok", "user groups"],
        ["ok", "people"],
        ["ok", "service"],
        ["ok", "group actions"],
        ["ok", "clock (Slack's)"],
        ["ok", "clock (the service's)"],
      ]);
      expect([code, lines.at(-1)]).toEqual([
        0,
        expect.stringMatching(/^1\d ok, \d warning, 0 failed, [01] not checked\.$/),
      ]);
      for (const channel of ["ops", "security", "admins"])
        expect(place.workspace.channel(channel).messages).toEqual([]);
      expect(place.service.requests.map(({ operation }) => operation)).toEqual(["ListActions"]);
      for (const secret of [
        place.workspace.botToken,
        place.workspace.appToken,
        place.workspace.signingSecret,
        place.service.apiKey,
      ])
        expect(output).not.toContain(secret);
    },
  );

  test("the database of a running Curfew stays unchanged", async () => {
    const place = await aHealthyPlace();
    const running = await openStore(place.databaseFile);
    onTestFinished(() => running.close());
    expect(await complaints(place)).toEqual([]);
    const db = openSqlite(place.databaseFile);
    const tables = (await db.introspection.getTables()).map(({ name }) => name);
    await db.destroy();
    expect(tables).toContain("change");
    expect(tables).not.toContain("curfew_doctor");
  });
});

describe("in the sandbox", () => {
  test("the doctor checks only the config and the database", async () => {
    const { code, output } = await runWithArgs(["doctor"], { env: { NODE_ENV: "test" } });
    expect(code).toBe(0);
    expect(output).toMatch(/^ok +environment .*sandbox: there is nothing to check but the config and the database$/m);
    expect(output).toMatch(/^ok +config +manifest\/curfew\.example\.yaml is fine$/m);
    expect(output).toMatch(/^not checked +database +the sandbox makes one/m);
    expect(output).not.toMatch(/service +|bot token/);
  });

  test("the doctor checks the named config and database", async () => {
    const env = { NODE_ENV: "test", DATABASE_URL: `sqlite:${newDatabaseFile()}` };
    const { code, output } = await runWithArgs(["doctor", "--config", "my.yaml"], {
      env,
      files: { "my.yaml": "x: 1" },
    });
    expect(code).toBe(1);
    expect(output).toMatch(/^failed +config +my\.yaml:1:1 /m);
    expect(output).toMatch(/^warning +database .* does not exist$/m);
  });
});

describe("the surroundings", () => {
  test("reports every problem of the environment, and still runs the independent checks", async () => {
    const { env, files } = await aHealthyPlace();
    const some = { ...env, SCHEDULER_API_KEY: "", SLACK_SIGNING_SECRET: "", PORT: "x" };
    expect(await complaints({ env: some, files })).toEqual([
      failed(
        "environment",
        expect.stringMatching(/^SCHEDULER_API_KEY is missing\nPORT must be a number.*\nSLACK_APP_TOKEN .* is missing$/),
      ),
      { name: "slack", verdict: "not checked", what: "the environment is not complete" },
      { name: "service", verdict: "not checked", what: "the environment is not complete" },
    ]);
  });

  test("config lint is a warning where it may be intended, and otherwise a failure", async () => {
    const place = await aHealthyPlace();
    const warned = exampleConfig.replace("warn: 30m", "warn: 6h");
    expect(await complaints(withConfig(place, warned))).toEqual([
      { ...failed("config", expect.stringContaining("exclusions.warn")), verdict: "warning" },
    ]);
    const dead = `${warned}\napprovals: [{ operations: [reads], approvers: [admin] }]\n`;
    expect(await complaints(withConfig(place, dead))).toEqual([
      failed("config", expect.stringMatching(/approvals\.0\.operations.*\n.*exclusions\.warn/)),
    ]);
  });

  test("reports every config problem with its place, and skips checks that need the config", async () => {
    const place = await aHealthyPlace();
    const config = exampleConfig.replace("channel: C0ADMINS", "channel: admins").replace("[reads,", "[read,");
    expect(await complaints(withConfig(place, config))).toEqual([
      failed(
        "config",
        expect.stringMatching(/^curfew\.yaml:\d+:\d+ permissions[^\n]*\ncurfew\.yaml:\d+:\d+ admins\.channel/),
      ),
      ...["channels", "user groups", "people"].map((name) => ({
        name,
        verdict: "not checked",
        what: "the config cannot be used as it is",
      })),
    ]);
  });

  test("reports a missing config", async () => {
    const { env } = await aHealthyPlace();
    expect(await complaints({ env, files: {} as Place["files"] })).toContainEqual(
      failed("config", expect.stringMatching(/^curfew\.yaml does not exist/)),
    );
  });

  test("reports an unreadable secrets folder, and accepts a readable one", async () => {
    const { env, files } = await aHealthyPlace();
    expect(await complaints({ env: { ...env, CURFEW_SECRETS_DIR: "/nowhere" }, files })).toEqual([
      failed("secrets folder", expect.stringContaining("ENOENT")),
    ]);
    const folder = mkdtempSync(join(tmpdir(), "curfew-keys-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, "cred-00000002"));
    writeFileSync(join(folder, "cred-00000002", "key.json"), "{}");
    symlinkSync("cred-00000002", join(folder, "cred-00000003"));
    expect(await complaints({ env: { ...env, CURFEW_SECRETS_DIR: folder }, files })).toEqual([]);
    writeFileSync(join(folder, "access.json"), "{}");
    expect(await complaints({ env: { ...env, CURFEW_SECRETS_DIR: folder }, files })).toEqual([
      expect.objectContaining({
        name: "secrets folder",
        verdict: "warning",
        what: expect.stringMatching(/^access\.json /),
      }),
    ]);
  });

  test.each([
    ["20.19.0", "ok"],
    ["20.18.9", "failed"],
    ["18.20.4", "failed"],
    ["22.0.0", "ok"],
  ])("Node %s is %s", (version, verdict) => {
    expect(nodeResult(version)).toMatchObject({ name: "node", verdict });
  });
});

test("reports a check that does not end, without delaying others", async () => {
  const place = await aHealthyPlace();
  place.service.faults.next({ kind: "latency", ms: 5000 });
  const found = await examineWith(place, { timeoutMs: 1000 });
  expect(found.filter(({ verdict }) => verdict === "failed")).toEqual([
    failed("service", "the check did not end within 1 s"),
  ]);
});

test("scopes are not compared without the app's manifest", async () => {
  const found = await examineWith(await aHealthyPlace(), { rootFolder: "/nowhere" });
  const what = "the app's manifest, /nowhere/manifest/slack-app.http.json, cannot be read";
  expect(found).toContainEqual({ name: "scopes", verdict: "not checked", what });
});

test("names from Slack and the service cannot control the terminal", () => {
  const result: CheckResult = { name: "bot token", verdict: "ok", what: "in \u001b[2J\u0007Evil" };
  expect(printCheckResults([result])).toContain("in �[2J�Evil");
});

test("the doctor stops on a stop request", async () => {
  const place = await aHealthyPlace();
  expect(await runWithArgs(["doctor"], { ...place, stopAsked: Promise.resolve() })).toMatchObject({ code: 130 });
});
