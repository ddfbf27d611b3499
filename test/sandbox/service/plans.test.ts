import { expect, test } from "vitest";
import { startService } from "./start-service.ts";

const schedule = {
  scheduleType: "daily",
  timeOfDay: "08:00:00",
  timeZoneId: "America/New_York",
  parameters: { days: ["monday", "friday"] },
};
const settings = {
  name: "Office hours",
  planType: "start-stop-plan",
  schedule,
  parameters: { startStopMode: "start-stop-combined", stopTimeInSeconds: 28_800 },
};

test("a new plan is active, disabled by default, and in the default project", async () => {
  const { account, call } = await startService();

  const { body } = await call("POST", "/api/ManagedServices/Plans/", settings);

  const now = "2026-11-20T12:00:00.000Z";
  expect(body).toEqual({
    planId: expect.any(String),
    projectId: "p-prod",
    ...settings,
    state: "active",
    isEnabled: false,
    isDeleted: false,
    createdDate: now,
    lastModifiedDate: now,
    lastModifiedBy: account.apiUserId,
  });
  expect(account.plans.get(body.planId)).toEqual(body);
});

test("creates an enabled plan in a given project", async () => {
  const { call } = await startService();

  const { body } = await call("POST", "/api/ManagedServices/Plans/", {
    ...settings,
    isEnabled: true,
    projectId: "p-dev",
  });

  expect(body).toMatchObject({ isEnabled: true, projectId: "p-dev" });
});

test("keeps the parameters of a backup plan unchanged", async () => {
  const { call } = await startService();
  const backup = { ...settings, planType: "backup-plan", parameters: { keep: { days: 14 } } };

  expect((await call("POST", "/api/ManagedServices/Plans/", backup)).body).toMatchObject(backup);
});

test.each([
  ["an unknown project", { projectId: "p-none" }, 404, "ProjectNotFound"],
  ["an unknown time zone", { schedule: { ...schedule, timeZoneId: "Mars/Olympus" } }, 404, "TimeZoneNotFound"],
  ["an unknown plan type", { planType: "party-plan" }, 403, "ParameterValidationFailed"],
  ["no schedule", { schedule: undefined }, 403, "ParameterValidationFailed"],
  ["a daily schedule without days", { schedule: { ...schedule, parameters: {} } }, 403, "ParameterValidationFailed"],
  [
    "start-stop-combined without a stop time",
    { parameters: { startStopMode: "start-stop-combined" } },
    403,
    "ParameterValidationFailed",
  ],
])("rejects a plan with %s and creates nothing", async (_, change, status, errorCode) => {
  const { account, call } = await startService();

  const answer = await call("POST", "/api/ManagedServices/Plans/", { ...settings, ...change });

  expect(answer).toMatchObject({ status, body: { errorCode } });
  expect(account.plans.size).toBe(3);
});
