import { expect, test } from "vitest";
import { startSandboxService } from "../../../src/sandbox/service/start-sandbox-service.ts";
import { startService } from "./start-service.ts";

test.each([
  ["/api/actions/A-none", 404],
  ["/API/ACTIONS", 200],
  ["/api/Actions/", 200],
  ["/api/managedpolicies/mp-00000001/", 200],
  ["/api/managedservices/plans/plan-00000001/selectors/sel-00000001/?isIncludeDeleted=true", 200],
  ["/api/Actions/a%2D00000001", 200],
])("matches the path %s in any case, with or without a trailing slash", async (path, status) => {
  const { call } = await startService();

  expect((await call("GET", path)).status).toBe(status);
});

test("creates a plan without the trailing slash too", async () => {
  const { service, send } = await startService();

  await send("POST", "/api/managedservices/plans", { body: {} });

  expect(service.requests).toMatchObject([{ operation: "CreateManagedServicesPlan", status: 403 }]);
});

test("matches ids exactly", async () => {
  const { call } = await startService();

  expect(await call("GET", "/api/Actions/A-00000001")).toMatchObject({
    status: 404,
    body: { errorCode: "ActionNotFound" },
  });
});

test.each([
  ["GET", "/"],
  ["GET", "/api/Users/u-00000001"],
  ["GET", "/api/Projects"],
  ["DELETE", "/api/Actions/a-00000001"],
  ["GET", "/api/Actions/%E0%A4%A"],
  ["GET", "/api/Actions//"],
  ["PUT", "/api/ManagedServices/Plans/plan-00000001/Selectors/"],
])("%s %s is not an operation", async (method, path) => {
  const { service, call } = await startService();

  expect(await call(method, path)).toMatchObject({ status: 404, body: { errorCode: "InvalidRequest" } });
  expect(service.requests).toMatchObject([{ operation: undefined, method, path, status: 404 }]);
});

test.each(["AccessKey wrong", "AccessKey", "Bearer KEY", "KEY", "AccessKey KEY extra"])(
  "rejects the authorization %j",
  async (authorization) => {
    const { service, send } = await startService();

    const response = await send("GET", "/api/Actions", {
      headers: { authorization: authorization.replace("KEY", service.apiKey) },
    });

    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ errorCode: "InvalidAccessKey", message: expect.any(String) });
  },
);

test("records requests as they arrived, without the key", async () => {
  const { service, clock, call, send } = await startService();

  await call("GET", "/api/actions/a-00000001?include=parameters");
  clock.now += 1000;
  await send("PUT", "/api/Projects/p-dev", { body: "{not json" });

  expect(service.requests).toEqual([
    {
      operation: "GetAction",
      method: "GET",
      path: "/api/actions/a-00000001",
      query: { include: "parameters" },
      body: undefined,
      status: 200,
      at: clock.now - 1000,
    },
    {
      operation: "ModifyProject",
      method: "PUT",
      path: "/api/Projects/p-dev",
      query: {},
      body: "{not json",
      status: 400,
      at: clock.now,
    },
  ]);
  expect(JSON.stringify(service.requests)).not.toContain(service.apiKey);
});

test("uses a key of the observed shape, or the given one", async () => {
  const { service } = await startService();
  const other = await startService({ apiKey: "sk_other" });

  expect(service.apiKey).toMatch(/^sk_\w{32}$/);
  expect((await other.call("GET", "/api/Actions")).status).toBe(200);
});

test("fails on a port in use", async () => {
  const { service } = await startService();

  await expect(startSandboxService({ port: Number(new URL(service.baseUrl).port) })).rejects.toThrow("EADDRINUSE");
});

test("two services do not share an account", async () => {
  const one = await startService();
  const other = await startService();

  await one.call("DELETE", "/api/ActionExclusions/aex-00000001");

  expect(other.account.exclusions.has("aex-00000001")).toBe(true);
});
