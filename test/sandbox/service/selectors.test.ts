import { expect, test } from "vitest";
import { startService } from "./start-service.ts";

const path = "/api/ManagedServices/Plans/plan-00000001/Selectors/sel-00000001";
const deletedPath = "/api/ManagedServices/Plans/plan-00000003/Selectors/sel-00000007";
const settings = { name: "Staging", credentialIds: ["cred-00000001"], resourceType: "amazon-ec2-instance" };
const groups = [{ compareType: "equals", value: "rg-dev-tools" }];

test("returns a selector with its comparisons, and null for unset regions", async () => {
  const { call } = await startService();

  const some = await call("GET", path);
  const none = await call("GET", "/api/ManagedServices/Plans/plan-00000001/Selectors/sel-00000002");

  expect(some.body).toMatchObject({
    planId: "plan-00000001",
    regionNames: ["eu-west-1"],
    resourceTagComparisons: [{ tagName: "Environment", compareType: "equals", tagValue: "staging" }],
    state: "active",
    syncState: "ready",
  });
  expect(none.body.regionNames).toBeNull();
});

test("returns a deleted selector only on request", async () => {
  const { call } = await startService();

  expect(await call("GET", deletedPath)).toMatchObject({ status: 404, body: { errorCode: "SelectorNotFound" } });
  expect(await call("GET", `${deletedPath}?isIncludeDeleted=false`)).toMatchObject({ status: 404 });
  expect(await call("GET", `${deletedPath}?isIncludeDeleted=True`)).toMatchObject({
    status: 200,
    body: { state: "deleted" },
  });
  expect(await call("GET", `${path}?isIncludeDeleted=true`)).toMatchObject({ status: 200, body: { state: "active" } });
});

test("isIncludeDeleted must be true or false", async () => {
  const { call } = await startService();

  expect(await call("GET", `${path}?isIncludeDeleted=perhaps`)).toMatchObject({
    status: 403,
    body: { errorCode: "ParameterValidationFailed", modelState: { isIncludeDeleted: [expect.any(String)] } },
  });
});

test("finds a selector only in its own plan, which must exist", async () => {
  const { call } = await startService();

  const elsewhere = await call("GET", path.replace("plan-00000001", "plan-00000002"));
  const nowhere = await call("GET", path.replace("plan-00000001", "plan-none"));

  expect(elsewhere).toMatchObject({ status: 404, body: { errorCode: "SelectorNotFound" } });
  expect(nowhere).toMatchObject({ status: 404, body: { errorCode: "PlanNotFound" } });
});

test("a change replaces the whole selector and generates a new code", async () => {
  const { account, clock, call } = await startService();
  const before = await call("GET", path);
  clock.now += 60_000;

  const { body } = await call("PUT", path, settings);

  expect(body).toEqual({
    ...before.body,
    ...settings,
    regionNames: null,
    resourceTagComparisons: [],
    selectorCode: expect.any(String),
    lastModifiedDate: "2026-11-20T12:01:00.000Z",
    lastModifiedBy: account.apiUserId,
  });
  expect(body.selectorCode).not.toBe(before.body.selectorCode);
  expect((await call("GET", path)).body).toEqual(body);
});

test("keeps a given selector code unless another selector has it", async () => {
  const { call } = await startService();

  const same = await call("PUT", path, { ...settings, selectorCode: "sc-00000001" });
  const used = await call("PUT", path, { ...settings, selectorCode: "sc-00000002" });

  expect(same.body.selectorCode).toBe("sc-00000001");
  expect(used).toMatchObject({ status: 400, body: { errorCode: "SelectorCodeInUse" } });
});

test("accepts group comparisons only for Azure virtual machines", async () => {
  const { call } = await startService();
  const azure = { ...settings, credentialIds: [], resourceType: "azure-virtual-machine", groupIdComparisons: groups };

  expect((await call("PUT", path, azure)).body).toMatchObject({ groupIdComparisons: groups });
  expect(await call("PUT", path, { ...settings, groupIdComparisons: groups })).toMatchObject({
    status: 403,
    body: { errorCode: "ParameterValidationFailed", modelState: { groupIdComparisons: [expect.any(String)] } },
  });
});

test.each([
  ["an unknown credential", { credentialIds: ["cred-none"] }, 404, "CredentialNotFound"],
  ["an unknown resource type", { resourceType: "toaster" }, 403, "ParameterValidationFailed"],
  ["no credential ids", { credentialIds: undefined }, 403, "ParameterValidationFailed"],
])("rejects a selector with %s and leaves it unchanged", async (_, change, status, errorCode) => {
  const { call } = await startService();
  const before = await call("GET", path);

  expect(await call("PUT", path, { ...settings, ...change })).toMatchObject({ status, body: { errorCode } });
  expect(await call("GET", path)).toEqual(before);
});

test("a deleted selector cannot be changed", async () => {
  const { call } = await startService();

  expect(await call("PUT", deletedPath, settings)).toMatchObject({
    status: 404,
    body: { errorCode: "SelectorNotFound" },
  });
});
