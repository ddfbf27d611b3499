import { expect, test } from "vitest";
import { startService } from "./start-service.ts";

const rename = { body: { name: "Dev" } };
const nameOf = (account: Awaited<ReturnType<typeof startService>>["account"]) => account.projects.get("p-dev")?.name;

test("a status fault answers with Retry-After and performs nothing", async () => {
  const { service, account, send } = await startService();
  service.faults.next({ kind: "status", status: 429, retryAfterSeconds: 7 });

  const limited = await send("PUT", "/api/Projects/p-dev", rename);
  const good = await send("GET", "/api/Actions");

  expect(limited.status).toBe(429);
  expect(limited.headers.get("retry-after")).toBe("7");
  expect(await limited.json()).toEqual({ errorCode: expect.any(String), message: expect.any(String) });
  expect(nameOf(account)).toBe("Development");
  expect(good.status).toBe(200);
});

test("a fault hits as often as planned, and only its operation", async () => {
  const { service, call } = await startService();
  service.faults.next({ kind: "status", status: 503, operation: "GetAction", times: 2 });

  const statuses: number[] = [];
  for (const path of [
    "/api/Actions",
    "/api/Actions/a-00000001",
    "/api/Actions",
    "/api/Actions/a-00000001",
    "/api/Actions/a-00000001",
  ]) {
    statuses.push((await call("GET", path)).status);
  }

  expect(statuses).toEqual([200, 503, 200, 503, 200]);
});

test("faults apply in order until cleared", async () => {
  const { service, call } = await startService();
  for (const status of [500, 502, 503]) service.faults.next({ kind: "status", status });

  expect((await call("GET", "/api/Actions")).status).toBe(500);
  expect((await call("GET", "/api/Actions")).status).toBe(502);
  service.faults.clear();
  expect((await call("GET", "/api/Actions")).status).toBe(200);
});

test("drops the connection after performing the request", async () => {
  const { service, account, send } = await startService();
  service.faults.next({ kind: "reset-after" });

  await expect(send("PUT", "/api/Projects/p-dev", rename)).rejects.toThrow();

  expect(nameOf(account)).toBe("Dev");
  expect(service.requests).toMatchObject([{ operation: "ModifyProject", status: undefined }]);
});

test("drops the connection before performing the request", async () => {
  const { service, account, send } = await startService();
  service.faults.next({ kind: "reset-before" });

  await expect(send("PUT", "/api/Projects/p-dev", rename)).rejects.toThrow();

  expect(nameOf(account)).toBe("Development");
  expect(service.requests).toMatchObject([{ operation: "ModifyProject", status: undefined }]);
});

test("does not record a refused request", async () => {
  const { service, account, send } = await startService();
  service.faults.next({ kind: "refuse" });

  await expect(send("PUT", "/api/Projects/p-dev", rename)).rejects.toThrow();

  expect(nameOf(account)).toBe("Development");
  expect(service.requests).toEqual([]);
});

test("refuses connections while down and keeps its account", async () => {
  const { service, account, send, call } = await startService();
  await send("PUT", "/api/Projects/p-dev", rename);

  await service.faults.down();
  await expect(call("GET", "/api/Actions")).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } });
  await service.faults.up();

  expect((await call("GET", "/api/Actions")).status).toBe(200);
  expect(nameOf(account)).toBe("Dev");
});

test("a service that is down can be closed", async () => {
  const { service } = await startService();

  await service.faults.down();
  await expect(service.close()).resolves.toBeUndefined();
});

test("performs a request with a garbage success, but not with a garbage error", async () => {
  const { service, account, send } = await startService();
  service.faults.next({ kind: "garbage", status: 502 });
  service.faults.next({ kind: "garbage" });

  const failed = await send("PUT", "/api/Projects/p-dev", rename);
  expect(failed.status).toBe(502);
  expect(nameOf(account)).toBe("Development");

  const done = await send("PUT", "/api/Projects/p-dev", rename);
  expect(done.status).toBe(200);
  await expect(done.json()).rejects.toThrow(SyntaxError);
  expect(nameOf(account)).toBe("Dev");
});

test("delays a slow answer", async () => {
  const { service, send } = await startService();
  service.faults.next({ kind: "latency", ms: 30 });
  const startedAt = performance.now();

  const response = await send("GET", "/api/Actions");

  expect(response.status).toBe(200);
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(29);
});

test("performs a request even when the client gave up waiting", async () => {
  const { service, account, send } = await startService();
  service.faults.next({ kind: "latency", ms: 60_000 });

  const waiting = new AbortController();
  service.onChange(() => waiting.abort());
  await expect(send("PUT", "/api/Projects/p-dev", { ...rename, signal: waiting.signal })).rejects.toThrow("abort");

  expect(nameOf(account)).toBe("Dev");
  expect(service.requests).toMatchObject([{ status: undefined }]);
});

test("does not record an answer that the client never received", async () => {
  const { service, send } = await startService();
  service.faults.next({ kind: "latency", ms: 600, operation: "GetAction" });
  service.faults.next({ kind: "latency", ms: 700, operation: "ListActions" });

  await expect(send("GET", "/api/Actions/a-00000001", { signal: AbortSignal.timeout(200) })).rejects.toThrow();
  await send("GET", "/api/Actions");

  expect(service.requests).toMatchObject([
    { operation: "GetAction", status: undefined },
    { operation: "ListActions", status: 200 },
  ]);
});
