import { expect, test } from "vitest";
import { existing, startService } from "./start-service.ts";

test("renaming a project changes only its name and audit fields", async () => {
  const { account, call } = await startService();
  const before = existing(account.projects.get("p-dev"));

  const { body } = await call("PUT", "/api/Projects/p-dev", { name: "Dev <!channel>" });

  expect(body).toEqual({
    ...before,
    name: "Dev <!channel>",
    lastModifiedDate: "2026-11-20T12:00:00.000Z",
    lastModifiedBy: account.apiUserId,
  });
  expect(account.projects.get("p-dev")).toEqual(body);
});

test("a project needs a name", async () => {
  const { call } = await startService();

  expect(await call("PUT", "/api/Projects/p-dev", { name: "" })).toMatchObject({
    status: 403,
    body: { errorCode: "ParameterValidationFailed", modelState: { name: [expect.any(String)] } },
  });
});

test("returns a managed policy by its id", async () => {
  const { call } = await startService();

  expect((await call("GET", "/api/ManagedPolicies/mp-00000002")).body).toEqual({
    managedPolicyId: "mp-00000002",
    name: "Schedule operators",
  });
});
