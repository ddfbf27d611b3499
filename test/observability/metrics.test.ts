import { createServer } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { commandOf } from "../../src/commands/catalogue.ts";
import { createHealth, type Health } from "../../src/observability/health.ts";
import { createMetrics } from "../../src/observability/metrics.ts";
import { createMetricsWhenReady } from "../../src/observability/metrics-when-ready.ts";
import { operationNames } from "../../src/service/operations.ts";
import type { Store } from "../../src/store/open-store.ts";
import { aChange, noon, quietLog } from "../changes/build.ts";
import { openTestStore } from "../store/open-test-store.ts";
import { askFor, press, usersNeedAnAdmin } from "../support/approval-journey.ts";
import { createClock } from "../support/clock.ts";
import { ask, cardOf, openForm, send } from "../support/journey.ts";
import { type Sample, samplesIn } from "../support/prometheus-samples.ts";
import { type Curfew, startCurfew } from "../support/start-curfew.ts";

const nothing: Awaited<ReturnType<Store["backlog"]>> = {
  announcements: 0,
  oldestAnnouncementAt: undefined,
  approvals: 0,
  overdueSince: undefined,
};

async function scrape({ url }: Curfew): Promise<readonly Sample[]> {
  const answer = await fetch(`${url}/metrics`);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, expect.stringContaining("text/plain")]);
  return samplesIn(await answer.text());
}

const valueIn = (samples: readonly Sample[], name: string, labels: Sample["labels"] = {}) =>
  samples.find((each) => each.name === name && Object.entries(labels).every(([key, of]) => each.labels[key] === of))
    ?.value;

async function started(options: Parameters<typeof startCurfew>[0] = {}) {
  const curfew = await startCurfew(options);
  onTestFinished(() => curfew.stop());
  return curfew;
}

describe.each(["http", "socket"] as const)("over %s", (mode) => {
  test("counts what people do, with no label for who, where or to what", async () => {
    const curfew = await started({ mode });
    const { changeId } = await ask(curfew, "alice", "exclude i-0a1 for 2h --reason secretly");
    await cardOf(curfew, changeId);
    await ask(curfew, "alice", "help");
    await ask(curfew, "alice", "user disable bob");
    await ask(curfew, "carol", "user email u-00000004 bob@example.com");
    await openForm(curfew, "carol", "user remove-mfa u-00000001");
    await send(curfew, "carol");
    await curfew.app.idle();
    const samples = await scrape(curfew);
    const count = (name: string, labels: Sample["labels"]) => valueIn(samples, name, labels);
    expect(count("curfew_commands_total", { command: "exclusion create", outcome: "settled" })).toBe(1);
    expect(count("curfew_commands_total", { command: "help", outcome: "answered" })).toBe(1);
    expect(count("curfew_commands_total", { command: "user disable", outcome: "refused" })).toBe(1);
    expect(count("curfew_changes_total", { operation: "CreateActionExclusion", outcome: "succeeded" })).toBe(1);
    expect(count("curfew_changes_total", { operation: "ModifyUser", outcome: "failed" })).toBe(1);
    expect(count("curfew_changes_total", { operation: "DeleteCredential", outcome: "unknown" })).toBe(0);
    expect(
      count("curfew_slack_request_duration_seconds_count", { method: "chat.postMessage", outcome: "ok" }),
    ).toBeGreaterThan(0);
    expect(count("curfew_slack_request_duration_seconds_count", { method: "response_url", outcome: "ok" })).toBe(1);
    expect(count("curfew_slack_ack_duration_seconds_count", { request: "command" })).toBe(5);
    expect(count("curfew_slack_ack_duration_seconds_count", { request: "view_submission" })).toBe(1);
    expect(
      count("curfew_database_query_duration_seconds_count", { statement: "insert", outcome: "ok" }),
    ).toBeGreaterThan(0);
    expect(count("curfew_announcements_waiting", {})).toBe(0);
    expect(
      count("curfew_build_info", { version: packageJson.version, commit: "unknown", node: process.versions.node }),
    ).toBe(1);
    expect(count("nodejs_eventloop_lag_p99_seconds", {})).toBeDefined();

    const ours = samples.filter(({ name }) => name.startsWith("curfew_"));
    expect(ours.flatMap(({ labels }) => Object.entries(labels)).filter(([key, of]) => !isOurWord(key, of))).toEqual([]);
  });
});

/** Whether a label can have this value: only a few values from the code are allowed. */
function isOurWord(label: string, value: string): boolean {
  switch (label) {
    case "command":
      return commandOf(value)?.words === value;
    case "operation":
      return operationNames.some((name) => name === value);
    case "outcome":
      return /^(?:answered|failed|invalid|ok|ratelimited|refused|repeated|settled|succeeded|unknown)$/.test(value);
    case "method":
      return value === "response_url" || /^(?:auth|chat|conversations|usergroups|users|views)\.[a-zA-Z.]+$/.test(value);
    case "request":
      return /^(?:command|view_submission|block_actions|event_callback)$/.test(value);
    case "variable":
      return /^(?:SCHEDULER|SLACK|METRICS|DATABASE|OTEL)_[A-Z_]+$/.test(value);
    case "account":
      return value === "main";
    case "statement":
      return /^(?:select|insert|update|delete|other)$/.test(value);
    case "hash":
      return /^[0-9a-f]{64}$/.test(value);
    case "by":
      return /^(?:admin|operator|curfew)$/.test(value);
    case "state":
      return /^(?:held|invalid)$/.test(value);
    case "le":
    case "version":
    case "commit":
    case "node":
      return true;
    default:
      return false;
  }
}

test("shows a change that waits for approvers, and counts it once done", async () => {
  const clock = createClock();
  const curfew = await started({ config: usersNeedAnAdmin, now: clock.now });
  const { card } = await askFor(curfew);
  expect(valueIn(await scrape(curfew), "curfew_approvals_waiting")).toBe(1);
  await press(curfew, "carol", "Approve", card);
  await curfew.app.idle();
  clock.advance(5001);
  const samples = await scrape(curfew);
  expect(valueIn(samples, "curfew_approvals_waiting")).toBe(0);
  expect(valueIn(samples, "curfew_changes_total", { operation: "ModifyUser", outcome: "succeeded" })).toBe(1);
});

test("shows when the service's actions were last read, and not when that failed", async () => {
  const clock = createClock();
  const curfew = await started({ now: clock.now });
  const age = async () => valueIn(await scrape(curfew), "curfew_watch_last_poll_age_seconds") ?? Number.NaN;
  expect(await age()).toBeLessThan(60);
  clock.advance(600_000);
  expect(await age()).toBeGreaterThan(590);
  await curfew.app.watch();
  expect(await age()).toBeLessThan(60);
  clock.advance(600_000);
  curfew.service.faults.next({ kind: "status", status: 500, times: Number.POSITIVE_INFINITY });
  await curfew.app.watch();
  expect(await age()).toBeGreaterThan(590);
});

test("counts an interrupted change as unknown", async () => {
  const curfew = await started();
  await curfew.app.stop();
  const store = await openTestStore(curfew.database);
  await store.begin(aChange());
  await curfew.restart();
  const unknown = { operation: "CreateActionExclusion", outcome: "unknown" };
  expect(valueIn(await scrape(curfew), "curfew_changes_total", unknown)).toBe(1);
});

test("shows the number and age of announcements that Slack does not accept", async () => {
  const clock = createClock();
  const curfew = await started({ now: clock.now });
  curfew.workspace.faults.failNext("chat.postMessage", { error: "fatal_error", times: 100 });
  const { changeId } = await ask(curfew, "alice", "exclude i-0a1 for 2h");
  await curfew.app.idle();
  clock.advance(600_000);
  const late = await scrape(curfew);
  expect(valueIn(late, "curfew_announcements_waiting")).toBe(1);
  expect(valueIn(late, "curfew_announcement_oldest_age_seconds")).toBeGreaterThanOrEqual(600);
  const failed = { method: "chat.postMessage", outcome: "failed" };
  expect(valueIn(late, "curfew_slack_request_duration_seconds_count", failed)).toBeGreaterThan(0);

  curfew.workspace.faults.clear();
  await curfew.restart();
  await cardOf(curfew, changeId);
  await curfew.app.idle();
  expect(valueIn(await scrape(curfew), "curfew_announcements_waiting")).toBe(0);
});

test.each([
  [{ retryAfterSeconds: 1 }, "ratelimited"],
  [{ status: 503 }, "failed"],
  [{ reset: true }, "failed"],
])("counts a Slack call answered with %o as %s", async (fault, outcome) => {
  const curfew = await started();
  curfew.workspace.faults.failNext("usergroups.list", fault);
  curfew.workspace.faults.failNext("response_url", fault);
  await openForm(curfew, "carol", "user remove-mfa u-00000001");
  await send(curfew, "carol");
  const samples = await scrape(curfew);
  for (const method of ["usergroups.list", "response_url"])
    expect(valueIn(samples, "curfew_slack_request_duration_seconds_count", { method, outcome }), method).toBe(1);
});

const config = () => ({ inForce: undefined, newer: undefined });
const noTroubles = { troubles: new Map<string, string>(), silentAccounts: new Map<string, string>() };

describe("the backlog", () => {
  test("is queried once in five seconds, with any number of scrapes", async () => {
    let now = noon;
    let asked = 0;
    const backlog = async () => {
      asked += 1;
      return {
        ...nothing,
        announcements: asked,
        oldestAnnouncementAt: noon - 60_000,
        approvals: 3,
        overdueSince: noon - 1500,
      };
    };
    const { scrape } = createMetrics({ backlog, config, ...noTroubles, now: () => now });
    const first = samplesIn((await scrape()).text);
    expect(valueIn(first, "curfew_announcement_oldest_age_seconds")).toBe(60);
    expect(valueIn(first, "curfew_approvals_waiting")).toBe(3);
    expect(valueIn(first, "curfew_job_lag_seconds")).toBe(1.5);
    now += 5000;
    expect(valueIn(samplesIn((await scrape()).text), "curfew_announcements_waiting")).toBe(1);
    now += 1;
    expect(valueIn(samplesIn((await scrape()).text), "curfew_announcements_waiting")).toBe(2);
  });

  test("is left out while the database fails, and all other metrics remain", async () => {
    const { scrape, commands } = createMetrics({
      backlog: () => Promise.reject(new Error("locked")),
      config,
      ...noTroubles,
      now: () => noon,
    });
    commands.inc({ command: "help", outcome: "answered" });
    const samples = samplesIn((await scrape()).text);
    expect(samples.filter(({ name }) => /waiting|oldest_age_seconds|job_lag/.test(name))).toEqual([]);
    expect(valueIn(samples, "curfew_commands_total")).toBe(1);
  });
});

test("a silent account and a secret that does not work are different metrics", async () => {
  const silentAccounts = new Map([["eu", "silent"]]);
  const troubles = new Map([["SLACK_BOT_TOKEN", "refused"]]);
  const options = { backlog: async () => nothing, config, now: () => noon };
  const samples = samplesIn((await createMetrics({ ...options, troubles, silentAccounts }).scrape()).text);
  const labelled = (metric: string) =>
    samples.filter(({ name }) => name === metric).map(({ labels, value }) => ({ ...labels, value }));
  expect(labelled("curfew_account_silent")).toEqual([
    { account: "main", value: 0 },
    { account: "eu", value: 1 },
  ]);
  expect(labelled("curfew_secret_refused")).toEqual([
    { variable: "SCHEDULER_API_KEY", value: 0 },
    { variable: "SLACK_BOT_TOKEN", value: 1 },
  ]);
});

test("counts measurements taken before the metrics are loaded", async () => {
  const { measure, load } = createMetricsWhenReady({
    backlog: async () => nothing,
    config,
    ...noTroubles,
    now: () => noon,
  });
  measure.onCommand("help", "answered");
  measure.onExchange({ operation: "GetAction" }, { kind: "answered", status: 200 }, 80);
  const metrics = await load();
  measure.onCommand("help", "answered");
  measure.onExchange({ operation: "GetAction" }, { kind: "lost" }, 15_000);
  expect(await load()).toBe(metrics);
  const samples = samplesIn((await metrics.scrape()).text);
  expect(valueIn(samples, "curfew_commands_total", { command: "help" })).toBe(2);
  const took = (status: string) =>
    valueIn(samples, "curfew_service_request_duration_seconds_sum", { operation: "GetAction", status });
  expect([took("200"), took("lost")]).toEqual([0.08, 15]);
});

/** The body and the status of a path. */
async function served({ routes }: Health, path: keyof Health["routes"]) {
  const server = createServer((request, response) => routes[path](request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const answer = await fetch(`http://127.0.0.1:${typeof address === "object" ? address?.port : 0}${path}`);
  return [answer.status, await answer.text()];
}

const writable = { notes: () => [], canWrite: async () => true, metrics: { port: undefined, token: undefined } };

test("answers 500 without the reason when the metrics are unreadable", async () => {
  const health = createHealth({ load: () => Promise.reject(new Error("secretly")) }, writable, quietLog);
  expect(await served(health, "/metrics")).toEqual([500, "the metrics could not be read\n"]);
});

test("stays healthy but not ready after a disk failure", async () => {
  const health = createHealth({ load: () => Promise.reject(new Error("nothing counts")) }, writable, quietLog);
  health.open();
  expect(await served(health, "/readyz")).toEqual([200, "ready\n"]);
  health.fail();
  expect(await served(health, "/readyz")).toEqual([503, "not ready\n"]);
  expect(await served(health, "/healthz")).toEqual([200, "ok\n"]);
});
