import { expect, test } from "vitest";
import { startService } from "./start-service.ts";

const path = "/api/ManagedServices/Plans/plan-00000001/Selectors/sel-00000001";
const deletedPath = "/api/ManagedServices/Plans/plan-00000003/Selectors/sel-00000007";
const asked = { name: "Staging", credentialIds: ["cred-00000001"], resourceType: "amazon-ec2-instance" };
const groups = [{ compareType: "equals", value: "rg-dev-tools" }];

test("a selector is answered with its comparisons, and with null for regions when none is set", async () => {
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

test("a deleted selector is answered only when deleted ones are asked for", async () => {
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

test("a selector is found only in its own plan, and a plan must exist", async () => {
  const { call } = await startService();

  const elsewhere = await call("GET", path.replace("plan-00000001", "plan-00000002"));
  const nowhere = await call("GET", path.replace("plan-00000001", "plan-none"));

  expect(elsewhere).toMatchObject({ status: 404, body: { errorCode: "SelectorNotFound" } });
  expect(nowhere).toMatchObject({ status: 404, body: { errorCode: "PlanNotFound" } });
});

test("changing a selector replaces it whole: what is not sent is unset, its code made anew", async () => {
  const { account, clock, call } = await startService();
  const before = await call("GET", path);
  clock.now += 60_000;

  const { body } = await call("PUT", path, asked);

  expect(body).toEqual({
    ...before.body,
    ...asked,
    regionNames: null,
    resourceTagComparisons: [],
    selectorCode: expect.any(String),
    lastModifiedDate: "2026-11-20T12:01:00.000Z",
    lastModifiedBy: account.apiUserId,
  });
  expect(body.selectorCode).not.toBe(before.body.selectorCode);
  expect((await call("GET", path)).body).toEqual(body);
});

test("a selector code that is sent is kept, unless another selector has it", async () => {
  const { call } = await startService();

  const same = await call("PUT", path, { ...asked, selectorCode: "sc-00000001" });
  const used = await call("PUT", path, { ...asked, selectorCode: "sc-00000002" });

  expect(same.body.selectorCode).toBe("sc-00000001");
  expect(used).toMatchObject({ status: 400, body: { errorCode: "SelectorCodeInUse" } });
});

test("group comparisons are taken for Azure virtual machines only", async () => {
  const { call } = await startService();
  const azure = { ...asked, credentialIds: [], resourceType: "azure-virtual-machine", groupIdComparisons: groups };

  expect((await call("PUT", path, azure)).body).toMatchObject({ groupIdComparisons: groups });
  expect(await call("PUT", path, { ...asked, groupIdComparisons: groups })).toMatchObject({
    status: 403,
    body: { errorCode: "ParameterValidationFailed", modelState: { groupIdComparisons: [expect.any(String)] } },
  });
});

test.each([
  ["a credential that does not exist", { credentialIds: ["cred-none"] }, 404, "CredentialNotFound"],
  ["another resource type", { resourceType: "toaster" }, 403, "ParameterValidationFailed"],
  ["no credentials field", { credentialIds: undefined }, 403, "ParameterValidationFailed"],
])("a selector with %s is refused and stays as it was", async (_, change, status, errorCode) => {
  const { call } = await startService();
  const before = await call("GET", path);

  expect(await call("PUT", path, { ...asked, ...change })).toMatchObject({ status, body: { errorCode } });
  expect(await call("GET", path)).toEqual(before);
});

test("a deleted selector cannot be changed", async () => {
  const { call } = await startService();

  expect(await call("PUT", deletedPath, asked)).toMatchObject({ status: 404, body: { errorCode: "SelectorNotFound" } });
});
