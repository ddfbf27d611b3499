import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Agent, buildConnector } from "undici";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSignal } from "../support/signal.ts";
import { answers, hangs, startRecordingService } from "./recording-service.ts";
import { callWithSample } from "./sample-inputs.ts";
import { createTestClient } from "./test-client.ts";

const user = { userId: "u-1" };

describe("the delay before a retry", () => {
  it("doubles, with half of it random", async () => {
    const service = await startRecordingService(answers(503));
    const highest = createTestClient(service.url, { retries: 6 });
    await highest.client.call("ListActions", {});
    expect(highest.waits).toEqual([500, 1000, 2000, 4000, 8000, 8000]);
    const lowest = createTestClient(service.url, { random: () => 0 });
    await lowest.client.call("ListActions", {});
    expect(lowest.waits).toEqual([250, 500]);
  });

  it.each([
    ["seconds", "7", 7000],
    ["a date", "Fri, 20 Nov 2026 12:00:09 GMT", 9000],
    ["a date gone by", "Fri, 20 Nov 2026 11:00:00 GMT", 500],
    ["less than the usual wait", "0", 500],
    ["nonsense", "soon", 500],
  ])("follows a Retry-After of %s", async (_, retryAfter, waitMs) => {
    const service = await startRecordingService(answers(429, {}, { "retry-after": retryAfter }), answers(200, user));
    const now = () => Date.parse("2026-11-20T12:00:00Z");
    const { client, waits } = createTestClient(service.url, { now });
    expect(await callWithSample(client, "ModifyUser")).toEqual({ kind: "succeeded", answer: user });
    expect(waits).toEqual([waitMs]);
  });

  it("is skipped when it would outlast the call", async () => {
    const service = await startRecordingService(answers(429, {}, { "retry-after": "61" }));
    const { client, waits } = createTestClient(service.url);
    expect(await callWithSample(client, "CreateActionExclusion")).toMatchObject({
      kind: "failed",
      error: { code: "TooManyRequests", status: 429 },
    });
    expect(waits).toEqual([]);
    expect(service.requests.length).toBe(1);
  });
});

describe("time limits", () => {
  it("end a call without an answer, even with retries left", async () => {
    const service = await startRecordingService(hangs);
    const { client } = createTestClient(service.url, { attemptTimeoutMs: 60, callTimeoutMs: 100, retries: 99 });
    const [read, change] = await Promise.all([
      callWithSample(client, "GetAction"),
      callWithSample(client, "ModifyUser"),
    ]);
    expect(read).toMatchObject({ kind: "failed", error: { code: "TimedOut" } });
    expect(change).toMatchObject({ kind: "unknown", error: { code: "TimedOut" } });
    expect(service.requests.length).toBeLessThanOrEqual(4);
  });

  it("are reached although garbage is collected while they run", async () => {
    setFlagsFromString("--expose-gc");
    const collectGarbage: () => void = runInNewContext("gc");
    const service = await startRecordingService(hangs);
    const { client } = createTestClient(service.url, { attemptTimeoutMs: 200, retries: 0 });
    const collecting = setInterval(collectGarbage, 20);
    onTestFinished(() => clearInterval(collecting));
    const calls = await Promise.all(Array.from({ length: 6 }, () => callWithSample(client, "GetAction")));
    for (const each of calls) expect(each).toMatchObject({ kind: "failed", error: { code: "TimedOut" } });
  });

  it("count a failed connection as not sent, and an abandoned request is never sent later", async () => {
    const service = await startRecordingService(answers(200, user));
    const connect = buildConnector({});
    const held: (() => void)[] = [];
    let isOpen = false;
    const agent = new Agent({
      connections: 1,
      connect: (options, callback) => {
        if (isOpen) connect(options, callback);
        else held.push(() => connect(options, callback));
      },
    });
    onTestFinished(() => agent.close());
    const { client } = createTestClient(service.url, { dispatcher: agent, attemptTimeoutMs: 40, retries: 1 });
    expect(await callWithSample(client, "CreateActionExclusion")).toMatchObject({
      kind: "failed",
      error: { code: "TimedOut" },
    });

    const next = createTestClient(service.url, { dispatcher: agent }).client.call("DeleteCredential", { id: "c" });
    isOpen = true;
    for (const release of held) release();
    expect((await next).kind).toBe("succeeded");
    expect(service.requests.map(({ method }) => method)).toEqual(["DELETE"]);
  });
});

describe("a cancelled call", () => {
  it("is not sent when cancelled before the start", async () => {
    const service = await startRecordingService(answers(200, user));
    const { client, waits } = createTestClient(service.url);
    const signal = AbortSignal.abort(new Error("not wanted any more"));
    const result = await client.call("ModifyUser", { id: "u-1" }, { signal });
    expect(result).toMatchObject({ kind: "failed", error: { code: "Cancelled" } });
    expect(service.requests).toEqual([]);
    expect(waits).toEqual([]);
  });

  it("is unknown when in flight, unless it only reads", async () => {
    const cancel = new AbortController();
    let arrived = 0;
    const service = await startRecordingService(() => {
      arrived += 1;
      if (arrived === 3) cancel.abort();
    });
    const { client } = createTestClient(service.url);
    const { signal } = cancel;
    const results = await Promise.all([
      client.call("ModifyUser", { id: "u-1" }, { signal }),
      client.call("DeleteCredential", { id: "c-1" }, { signal }),
      client.call("ListActions", {}, { signal }),
    ]);
    expect(results.map(({ kind }) => kind)).toEqual(["unknown", "unknown", "failed"]);
    for (const result of results) expect(result).toMatchObject({ error: { code: "Cancelled" } });
    expect(service.requests.length).toBe(3);
  });

  it("is not sent when still waiting for a slot", async () => {
    const cancelQueued = new AbortController();
    const cancelFirst = new AbortController();
    const service = await startRecordingService(() => cancelQueued.abort());
    const { client } = createTestClient(service.url, { maxInFlight: 1 });
    const first = client.call("ListActions", {}, { signal: cancelFirst.signal });
    const queued = await client.call("ModifyUser", { id: "u-1" }, { signal: cancelQueued.signal });
    expect(queued).toMatchObject({ kind: "failed", error: { code: "Cancelled" } });
    cancelFirst.abort();
    await first;
    expect(service.requests.length).toBe(1);
  });
});

describe("many concurrent calls", () => {
  it("stay within maxInFlight, and all are answered", async () => {
    const held: (() => void)[] = [];
    let isOpen = false;
    const { given: threeArrived, give: onThreeArrived } = createSignal();
    const service = await startRecordingService((response, request) => {
      const answer = () => answers(200, user)(response, request);
      if (isOpen || request.method === "GET") return answer();
      held.push(answer);
      if (held.length === 3) onThreeArrived();
    });
    const { client } = createTestClient(service.url, { maxInFlight: 3 });
    const calls = Array.from({ length: 20 }, () => callWithSample(client, "ModifyUser"));
    await threeArrived;
    // Another client's calls reach the same server during this time, so a fourth call would have arrived too.
    const other = createTestClient(service.url).client;
    for (let probe = 0; probe < 5; probe += 1) await other.call("GetManagedPolicy", { id: "mp-1" });
    expect(held.length).toBe(3);

    isOpen = true;
    for (const answer of held) answer();
    const results = await Promise.all(calls);
    expect(results.every(({ kind }) => kind === "succeeded")).toBe(true);
  });
});

describe("closing", () => {
  it("ends the delay before a retry, and settles by the attempts so far", async () => {
    const service = await startRecordingService(answers(503));
    const { client } = createTestClient(service.url, {
      sleep: (_, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(new Error("woken")));
          void client.close();
        }),
    });
    expect(await callWithSample(client, "ModifyUser")).toMatchObject({ kind: "unknown", error: { status: 503 } });
    expect(service.requests.length).toBe(1);
  });

  it("lets a request in flight finish, and refuses later calls", async () => {
    const closing: Promise<void>[] = [];
    const service = await startRecordingService((response, request) => {
      closing.push(client.close());
      answers(200, user)(response, request);
    });
    const { client } = createTestClient(service.url);
    expect((await callWithSample(client, "ModifyUser")).kind).toBe("succeeded");
    await Promise.all(closing);
    expect(await callWithSample(client, "ModifyUser")).toMatchObject({
      kind: "failed",
      error: { code: "Unreachable" },
    });
    expect(service.requests.length).toBe(1);
  });
});
