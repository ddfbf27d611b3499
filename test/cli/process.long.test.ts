import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import packageJson from "../../package.json" with { type: "json" };
import { type SandboxService, startSandboxService } from "../../src/sandbox/service/start-sandbox-service.ts";
import { followsText } from "../../src/slack/listeners/acknowledgement.ts";
import { watchPage } from "../page/watch-page.ts";
import { startWorkspace, type Workspace } from "../support/start-workspace.ts";
import { type Bundle, buildBundle } from "./bundle.ts";

let bundle: Bundle;
beforeAll(() => {
  bundle = buildBundle();
});
afterAll(() => bundle.remove());

/** The config watcher reads the file twice, a second apart. */
const twoLooks = { timeout: 15_000 };

const auditLine = z.looseObject({
  ...{ cursor: z.int(), hash: z.string(), previousHash: z.string(), state: z.string().optional() },
});
type AuditLine = z.output<typeof auditLine>;

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status;

describe("the process, on a Node that is too old", () => {
  test("says in one line which Node it needs, and starts nothing", async () => {
    const old = bundle.start({ preload: "test/support/node-18.mjs" });
    expect(await old.exited).toBe(1);
    expect([old.output, old.errors]).toEqual(["", "Curfew needs Node 20.19 or newer, and this is Node 18.20.8.\n"]);
  });

  test("has read only a few lines of plain code by then", () => {
    const dist = join(bundle.folder, "dist");
    const read = new Map<string, string>();
    const follow = (file: string) => {
      if (read.has(file)) return;
      const text = readFileSync(join(dist, file), "utf8");
      read.set(file, text);
      for (const [, next = ""] of text.matchAll(/\b(?:from|import)\s*"\.\/([^"]+)"/g)) follow(next);
    };
    follow("main.js");
    expect(read.size).toBeGreaterThan(1);
    expect([...read.values()].join("").length).toBeLessThan(10_000);
  });
});

describe("the process, with nothing set", () => {
  test("runs the sandbox, answers the prompt, health checks and browsers, and exits cleanly on SIGTERM", async () => {
    const curfew = bundle.start();
    const url = await curfew.sees(/Curfew +(http:\/\/127\.0\.0\.1:\d+)/);
    const page = await curfew.sees(/^Open (http:\/\/127\.0\.0\.1:\d+) in a browser/);
    for (const path of ["/", "/page.js", "/page.css"]) expect(await statusOf(`${page}${path}`)).toBe(200);
    expect([await statusOf(`${url}/healthz`), await statusOf(`${url}/readyz`)]).toEqual([200, 200]);

    curfew.type("/curfew exclude i-0a1 for 2h");
    await curfew.sees(/Done\./);
    await curfew.sees(/@alice is keeping \*i-0a1\* running until/);
    const watched = await watchPage(page, "alice");
    await watched.until(() => watched.parts.tables !== undefined);
    await watched.close();
    const exclusions = watched.parts.tables?.find(({ name }) => name === "Exclusions");
    expect(exclusions?.rows.map(({ cells: [, ids, , , state] }) => [ids, state])).toContainEqual(["i-0a1", "in force"]);

    curfew.signal("SIGTERM");
    expect(await curfew.exited).toBe(0);
    expect(curfew.errors).toBe("");
    expect(readdirSync(join(bundle.folder, "tmp"))).toEqual([]);
  });

  test("applies the config on SIGHUP and on file changes, and says why it does not", async () => {
    const file = join(bundle.folder, "my.yaml");
    const example = readFileSync("manifest/curfew.example.yaml", "utf8");
    writeFileSync(file, example);
    const curfew = bundle.start({ args: ["--config", "my.yaml"] });
    await curfew.sees(/Curfew +http/);
    curfew.signal("SIGHUP");
    await curfew.sees(/my\.yaml was read again\.\n/);

    writeFileSync(file, example.replace("RemoveUserMfa]", "RemoveUserMfaa]"));
    curfew.signal("SIGHUP");
    await vi.waitFor(() => expect(curfew.errors).toMatch(/The config stays as it was:.*my\.yaml:\d+:\d+/), twoLooks);

    writeFileSync(
      file,
      example.replace("members: [S0ENGINEERS]", "members: [U04DAVE]").replace("warn: 30m", "warn: 6h"),
    );
    await curfew.sees(/(my\.yaml was read again\.\n[\s\S]*){2}/);
    curfew.type("/curfew exclude i-0a1 for 2h");
    await curfew.sees(/You can't /);
    expect(curfew.errors).toMatch(/my\.yaml:\d+:\d+ exclusions\.warn: .*to no effect/);
    curfew.signal("SIGTERM");
    expect(await curfew.exited).toBe(0);
  });

  test("keeps running when SIGHUP finds no config, and reports it", async () => {
    const file = join(bundle.folder, "gone.yaml");
    writeFileSync(file, readFileSync("manifest/curfew.example.yaml", "utf8"));
    const curfew = bundle.start({ args: ["--config", "gone.yaml"] });
    const url = await curfew.sees(/Curfew +(http:\/\/127\.0\.0\.1:\d+)/);
    rmSync(file);
    curfew.signal("SIGHUP");
    await vi.waitFor(() => expect(curfew.errors).toMatch(/stays as it was:.*gone\.yaml cannot be read/), twoLooks);
    expect(await statusOf(`${url}/readyz`)).toBe(200);
    curfew.signal("SIGTERM");
    expect(await curfew.exited).toBe(0);
  });

  test("settles everything and exits when piped input ends", async () => {
    const curfew = bundle.start();
    curfew.type("/curfew exclude i-0a1 for 2h");
    curfew.type("messages");
    curfew.endInput();
    expect(await curfew.exited).toBe(0);
    expect(curfew.output).toMatch(/alice> messages\n[\s\S]*Done\.[\s\S]*@alice is keeping \*i-0a1\* running until/);
    expect(curfew.errors).toBe("");
  });
});

test("the process lists all missing variables, starts nothing, and exits with 1", async () => {
  const curfew = bundle.start({ env: { SLACK_BOT_TOKEN: "xoxb-1" } });
  expect(await curfew.exited).toBe(1);
  expect(curfew.errors.split("\n")).toEqual([
    "Curfew cannot start:",
    "SCHEDULER_BASE_URL is missing",
    "SCHEDULER_API_KEY is missing",
    "SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET (HTTP mode) is missing",
    "",
  ]);
  expect(curfew.output).toBe("");
});

describe("the process, in a workspace", () => {
  let service: SandboxService;
  let workspace: Workspace;
  let env: Readonly<Record<string, string>>;
  const open = async (mode: "http" | "socket"): Promise<void> => {
    const manifest: unknown = JSON.parse(readFileSync(`manifest/slack-app.${mode}.json`, "utf8"));
    service = await startSandboxService();
    workspace = await startWorkspace({ manifest, rateLimits: "off" });
    env = {
      NODE_ENV: "production",
      SLACK_API_URL: workspace.apiUrl,
      SLACK_BOT_TOKEN: workspace.botToken,
      ...(mode === "http"
        ? { SLACK_SIGNING_SECRET: workspace.signingSecret }
        : { SLACK_APP_TOKEN: workspace.appToken }),
      SCHEDULER_BASE_URL: service.baseUrl,
      SCHEDULER_API_KEY: service.apiKey,
      DRAIN_SECONDS: "0",
      DATABASE_URL: `sqlite:data/${mode}.db`,
      CURFEW_CONFIG: "manifest/curfew.example.yaml",
      HOST: "127.0.0.1",
    };
  };
  afterEach(async () => {
    await workspace.close();
    await service.close();
  });

  test("answers people and health checks in Socket Mode without a prompt, and exits cleanly on SIGINT", async () => {
    await open("socket");
    const curfew = bundle.start({ env });
    const url = `http://127.0.0.1:${await curfew.sees(/"port":(\d+)/)}`;
    expect([await statusOf(`${url}/healthz`), await statusOf(`${url}/readyz`)]).toEqual([200, 200]);
    await workspace.as("alice").type("/curfew help", "ops");
    await workspace.waitFor(() => workspace.as("alice").messages("ops").length > 0, { what: "the help" });
    curfew.signal("SIGINT");
    expect(await curfew.exited).toBe(0);
    expect(curfew.output).not.toContain("alice>");
    const [first = ""] = curfew.output.split("\n");
    expect(JSON.parse(first)).toMatchObject({ msg: "Curfew starts", version: packageJson.version, commit: "c0ffee1" });
  });

  test("ends when Slack refuses a new connection, so that somebody looks at it", async () => {
    await open("socket");
    const curfew = bundle.start({ env });
    await curfew.sees(/"port":(\d+)/);
    workspace.faults.failNext("apps.connections.open", { error: "account_inactive", times: 9 });
    workspace.sockets.drop();
    expect(await curfew.exited).toBe(1);
    expect(curfew.output).toMatch(/"level":60.*account_inactive/);
    expect(curfew.errors).toBe("");
  }, 20_000);

  test("passes every check of the doctor", async () => {
    await open("socket");
    const doctor = bundle.start({ env, args: ["doctor"] });
    expect(await doctor.exited).toBe(0);
    expect(doctor.output).toMatch(/^ok +scopes /m);
    expect([doctor.output, doctor.errors]).toEqual([expect.stringMatching(/, 0 failed, 0 not checked\.\n$/), ""]);
  });

  test("counts each attempt of a service request", async () => {
    await open("http");
    const curfew = bundle.start({ env });
    const url = `http://127.0.0.1:${await curfew.sees(/"port":(\d+)/)}`;
    workspace.connectHttp(`${url}/slack/events`);
    service.faults.next({ kind: "status", status: 503 });
    await workspace.as("carol").type("/curfew action list", "ops");
    await workspace.waitFor(() => workspace.as("carol").messages("ops").length > 0, { what: "the list" });
    const metrics = await (await fetch(`${url}/metrics`)).text();
    for (const status of [503, 200])
      expect(metrics).toContain(
        `curfew_service_request_duration_seconds_count{operation="ListActions",status="${status}"} 1\n`,
      );
    curfew.signal("SIGTERM");
    expect(await curfew.exited).toBe(0);
  });

  test("says on SIGTERM that it is not ready, and serves what still arrives for DRAIN_SECONDS", async () => {
    await open("http");
    const curfew = bundle.start({ env: { ...env, DRAIN_SECONDS: "2" } });
    const url = `http://127.0.0.1:${await curfew.sees(/"port":(\d+)/)}`;
    workspace.connectHttp(`${url}/slack/events`);
    await vi.waitUntil(async () => (await statusOf(`${url}/readyz`)) === 200);
    const stoppedAt = performance.now();
    curfew.signal("SIGTERM");
    await vi.waitUntil(async () => (await statusOf(`${url}/readyz`)) === 503);
    while (performance.now() - stoppedAt < 1500)
      expect(await workspace.as("carol").type("/curfew whoami", "ops")).toEqual({ ok: true });
    expect(await statusOf(`${url}/readyz`)).toBe(503);
    expect(await curfew.exited).toBe(0);
    expect(performance.now() - stoppedAt).toBeGreaterThan(2000);
  });

  test("finishes changes in progress on SIGTERM, and announces each once, even across a restart", async () => {
    await open("http");
    const first = bundle.start({ env });
    workspace.connectHttp(`http://127.0.0.1:${await first.sees(/"port":(\d+)/)}/slack/events`);
    service.faults.next({ kind: "latency", ms: 300 });
    const typed = workspace.as("alice").type("/curfew exclude i-0a1 for 2h", "ops");
    await vi.waitUntil(() => service.requests.some(({ operation }) => operation === "CreateActionExclusion"), twoLooks);
    first.signal("SIGTERM");
    expect(await first.exited).toBe(0);
    expect(await typed).toEqual({ ok: true });
    const notices = workspace
      .as("alice")
      .messages("ops")
      // On a busy machine the acknowledgement only says that an answer follows.
      .filter(({ ephemeralTo, text }) => ephemeralTo !== undefined && !text.includes(followsText));
    expect(notices.map((message) => message.text)).toEqual([expect.stringContaining("Keeping i-0a1 running until ")]);

    const second = bundle.start({ env });
    await second.sees(/"port":\d+/);
    await workspace.waitFor(() => workspace.channel("ops").messages.length > 0, { what: "the card" });
    second.signal("SIGTERM");
    expect(await second.exited).toBe(0);
    expect(workspace.channel("ops").messages).toHaveLength(1);
    for (const secret of [workspace.botToken, workspace.signingSecret, service.apiKey])
      expect(first.output + first.errors + second.output + second.errors).not.toContain(secret);
  });

  test("a collector that was killed while Curfew was, too, finds its gaps by the cursors and fetches what it missed", async () => {
    await open("http");
    env = { ...env, DATABASE_URL: "sqlite:data/collected.db" };
    const collected = new Map<number, AuditLine>();
    const collect = (lines: string) => {
      for (const line of lines.split("\n").filter((each) => each.includes('"audit":true'))) {
        const { level, time, pid, hostname, msg, ...event } = auditLine.parse(
          JSON.parse(line.slice(line.indexOf("{"))),
        );
        collected.set(event.cursor, event);
      }
    };
    const asked = async (machines: readonly string[]) => {
      for (const machine of machines)
        expect(await workspace.as("alice").type(`/curfew exclude ${machine} for 2h`, "ops")).toEqual({ ok: true });
    };
    const first = bundle.start({ env });
    workspace.connectHttp(`http://127.0.0.1:${await first.sees(/"port":(\d+)/)}/slack/events`);
    await asked(["i-0a1", "i-0a2"]);
    await first.sees(/("state":"succeeded"[\s\S]*){2}/);
    // The collector is killed here, and Curfew in the middle of the next change.
    collect(first.output);
    service.faults.next({ kind: "latency", operation: "CreateActionExclusion", ms: 20_000 });
    await asked(["i-0a3"]);
    await vi.waitUntil(() => service.requests.length >= 3, twoLooks);
    first.signal("SIGKILL");
    await first.exited;

    const second = bundle.start({ env });
    workspace.connectHttp(`http://127.0.0.1:${await second.sees(/"port":(\d+)/)}/slack/events`);
    await asked(["i-0a4", "i-0a5"]);
    await second.sees(/("state":"succeeded"[\s\S]*){2}/);
    // It comes back late, and reads the newest lines alone.
    collect(second.output.split("\n").slice(-4).join("\n"));
    second.signal("SIGTERM");
    expect(await second.exited).toBe(0);
    const cursors = [...collected.keys()].sort((one, other) => one - other);
    const last = cursors.find((cursor) => !collected.has(cursor + 1)) ?? 0;
    expect(last).toBeLessThan(cursors.at(-1) ?? 0);
    const missed = bundle.start({ env, args: ["audit", "export", "--after", String(last)] });
    expect([await missed.exited, missed.errors]).toEqual([0, ""]);
    collect(missed.output);

    const events = [...collected.values()].sort((one, other) => one.cursor - other.cursor);
    expect(events.map(({ cursor }) => cursor)).toEqual(events.map((_event, index) => index + 1));
    for (const [index, { previousHash }] of events.entries())
      expect(previousHash).toBe(events[index - 1]?.hash ?? "0".repeat(64));
    const outcomes = events
      .filter(({ state }) => state === "succeeded" || state === "unknown")
      .map(({ state }) => state);
    expect(outcomes.sort()).toEqual(["succeeded", "succeeded", "succeeded", "succeeded", "unknown"]);
    const { cursor, hash } = events.at(-1) ?? {};
    const verified = bundle.start({ env, args: ["audit", "verify", "--expect", `${cursor}:${hash}`] });
    expect([await verified.exited, verified.errors]).toEqual([0, ""]);
  });
});
