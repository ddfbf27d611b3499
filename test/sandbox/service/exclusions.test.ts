import { expect, test } from "vitest";
import { startService } from "./start-service.ts";

const settings = {
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

  const { body } = await call("POST", "/api/ActionExclusions", { projectId: "p-dev", ...settings });

  const now = "2026-11-20T12:00:00.000Z";
  expect(body).toEqual({
    actionExclusionId: expect.any(String),
    projectId: "p-dev",
    ...settings,
    status: "active",
    createdDate: now,
    lastModifiedDate: now,
    lastModifiedBy: account.apiUserId,
    startDate: now,
    timeZoneId: "UTC",
  });
  expect(account.exclusions.get(body.actionExclusionId)).toMatchObject(settings);
});

test("an exclusion without a project belongs to the default project", async () => {
  const { call } = await startService();

  const { body } = await call("POST", "/api/ActionExclusions", settings);

  expect(body.projectId).toBe("p-prod");
});

test("changing an exclusion keeps its project, creation date and start", async () => {
  const { clock, call } = await startService();
  const created = await call("POST", "/api/ActionExclusions", { projectId: "p-dev", ...settings });
  const path = `/api/ActionExclusions/${created.body.actionExclusionId}`;
  clock.now += 60_000;

  const change = { ...settings, expiryDate: "2026-11-21T09:00:00Z", isEnabled: false, processes: ["start-resource"] };
  const moved = await call("PUT", path, { ...change, projectId: "p-prod" });
  const { body } = await call("PUT", path, change);

  expect(moved).toMatchObject({ status: 400, body: { modelState: { projectId: [expect.any(String)] } } });
  expect(body).toEqual({ ...created.body, ...change, lastModifiedDate: "2026-11-20T12:01:00.000Z" });
});

test("an exclusion expires with time and is active again when extended", async () => {
  const { clock, call } = await startService();
  const created = await call("POST", "/api/ActionExclusions", settings);
  const path = `/api/ActionExclusions/${created.body.actionExclusionId}`;
  clock.now = Date.parse(settings.expiryDate);

  const expired = await call("PUT", path, settings);
  const extended = await call("PUT", path, { ...settings, expiryDate: "2026-11-20T20:00:00Z" });

  expect(expired.body.status).toBe("expired");
  expect(extended.body.status).toBe("active");
});

test("a deleted exclusion is gone and its id is not reused", async () => {
  const { account, call } = await startService();
  const { body } = await call("POST", "/api/ActionExclusions", settings);
  const path = `/api/ActionExclusions/${body.actionExclusionId}`;

  expect(await call("DELETE", path)).toEqual({ status: 204, body: undefined });
  expect(await call("DELETE", path)).toMatchObject({ status: 404, body: { errorCode: "ActionExclusionNotFound" } });
  expect(await call("PUT", path, settings)).toMatchObject({
    status: 404,
    body: { errorCode: "ActionExclusionNotFound" },
  });
  expect(account.exclusions.has(body.actionExclusionId)).toBe(false);
  const next = await call("POST", "/api/ActionExclusions", settings);
  expect(next.body.actionExclusionId).not.toBe(body.actionExclusionId);
});

test.each([
  ["an unknown project", { projectId: "p-none" }, 404, "ProjectNotFound", undefined],
  ["an unknown resource type", { resourceType: "toaster" }, 400, "InvalidParameter", "resourceType"],
  [
    "an unknown identification method",
    { resourceIdentificationMethod: "by-smell" },
    400,
    "InvalidParameter",
    "resourceIdentificationMethod",
  ],
  ["by-resource-id without ids", { resourceIds: [] }, 403, "ParameterValidationFailed", "resourceIds"],
  ["no processes", { processes: [] }, 403, "ParameterValidationFailed", "processes"],
  ["an invalid expiry date", { expiryDate: "tomorrow" }, 403, "ParameterValidationFailed", "expiryDate"],
  ["no name", { name: undefined }, 403, "ParameterValidationFailed", "name"],
])("rejects an exclusion with %s and creates nothing", async (_, change, status, errorCode, field) => {
  const { account, call } = await startService();
  const before = new Map(account.exclusions);

  const answer = await call("POST", "/api/ActionExclusions", { ...settings, ...change });

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
    ...settings,
    resourceIdentificationMethod: "all",
    resourceIds: undefined,
  });

  expect(body).toMatchObject({ resourceIdentificationMethod: "all", resourceIds: [] });
});
