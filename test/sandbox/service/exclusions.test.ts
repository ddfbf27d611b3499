import { expect, test } from "vitest";
import { startService } from "./start-service.ts";

const asked = {
  name: "Keep staging up",
  isEnabled: true,
  expiryDate: "2026-11-20T18:00:00Z",
  resourceType: "amazon-ec2-instance",
  resourceIdentificationMethod: "by-resource-id",
  resourceIds: ["i-0a1", "i-0a2"],
  processes: ["stop-resource"],
};

test("a new exclusion starts now, is active and belongs to the named project", async () => {
  const { account, call } = await startService();

  const { body } = await call("POST", "/api/ActionExclusions", { projectId: "p-dev", ...asked });

  const now = "2026-11-20T12:00:00.000Z";
  expect(body).toEqual({
    actionExclusionId: expect.any(String),
    projectId: "p-dev",
    ...asked,
    status: "active",
    createdDate: now,
    lastModifiedDate: now,
    lastModifiedBy: account.apiUserId,
    startDate: now,
    timeZoneId: "UTC",
  });
  expect(account.exclusions.get(body.actionExclusionId)).toMatchObject(asked);
});

test("without a project an exclusion goes to the default project", async () => {
  const { call } = await startService();

  const { body } = await call("POST", "/api/ActionExclusions", asked);

  expect(body.projectId).toBe("p-prod");
});

test("changing an exclusion keeps its project, its creation and its start", async () => {
  const { clock, call } = await startService();
  const created = await call("POST", "/api/ActionExclusions", { projectId: "p-dev", ...asked });
  const path = `/api/ActionExclusions/${created.body.actionExclusionId}`;
  clock.now += 60_000;

  const change = { ...asked, expiryDate: "2026-11-21T09:00:00Z", isEnabled: false, processes: ["start-resource"] };
  const { body } = await call("PUT", path, { ...change, projectId: "p-prod" });

  expect(body).toEqual({ ...created.body, ...change, lastModifiedDate: "2026-11-20T12:01:00.000Z" });
});

test("an exclusion expires by the clock and is active again when extended", async () => {
  const { clock, call } = await startService();
  const created = await call("POST", "/api/ActionExclusions", asked);
  const path = `/api/ActionExclusions/${created.body.actionExclusionId}`;
  clock.now = Date.parse(asked.expiryDate);

  const expired = await call("PUT", path, asked);
  const extended = await call("PUT", path, { ...asked, expiryDate: "2026-11-20T20:00:00Z" });

  expect(expired.body.status).toBe("expired");
  expect(extended.body.status).toBe("active");
});

test("a deleted exclusion is gone, and its id is not given again", async () => {
  const { account, call } = await startService();
  const { body } = await call("POST", "/api/ActionExclusions", asked);
  const path = `/api/ActionExclusions/${body.actionExclusionId}`;

  expect(await call("DELETE", path)).toEqual({ status: 204, body: undefined });
  expect(await call("DELETE", path)).toMatchObject({ status: 404, body: { errorCode: "ActionExclusionNotFound" } });
  expect(await call("PUT", path, asked)).toMatchObject({ status: 404, body: { errorCode: "ActionExclusionNotFound" } });
  expect(account.exclusions.has(body.actionExclusionId)).toBe(false);
  const next = await call("POST", "/api/ActionExclusions", asked);
  expect(next.body.actionExclusionId).not.toBe(body.actionExclusionId);
});

test.each([
  ["a project that does not exist", { projectId: "p-none" }, 404, "ProjectNotFound", undefined],
  ["a resource type that does not exist", { resourceType: "toaster" }, 400, "InvalidParameter", "resourceType"],
  [
    "a way of naming resources that does not exist",
    { resourceIdentificationMethod: "by-smell" },
    400,
    "InvalidParameter",
    "resourceIdentificationMethod",
  ],
  ["by-resource-id without ids", { resourceIds: [] }, 403, "ParameterValidationFailed", "resourceIds"],
  ["no processes", { processes: [] }, 403, "ParameterValidationFailed", "processes"],
  ["an expiry that is no timestamp", { expiryDate: "tomorrow" }, 403, "ParameterValidationFailed", "expiryDate"],
  ["no name", { name: undefined }, 403, "ParameterValidationFailed", "name"],
])("an exclusion with %s is refused and not made", async (_, change, status, errorCode, field) => {
  const { account, call } = await startService();
  const before = new Map(account.exclusions);

  const answer = await call("POST", "/api/ActionExclusions", { ...asked, ...change });

  expect(answer).toEqual({
    status,
    body: {
      errorCode,
      message: expect.any(String),
      ...(field && { modelState: { [field]: [expect.any(String)] } }),
    },
  });
  expect(account.exclusions).toEqual(before);
});

test("an exclusion of all resources of a type needs no ids", async () => {
  const { call } = await startService();

  const { body } = await call("POST", "/api/ActionExclusions", {
    ...asked,
    resourceIdentificationMethod: "all",
    resourceIds: undefined,
  });

  expect(body).toMatchObject({ resourceIdentificationMethod: "all", resourceIds: [] });
});
