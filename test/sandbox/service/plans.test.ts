import { expect, test } from "vitest";
import { startService } from "./start-service.ts";

const schedule = {
  scheduleType: "daily",
  timeOfDay: "08:00:00",
  timeZoneId: "America/New_York",
  parameters: { days: ["monday", "friday"] },
};
const asked = {
  name: "Office hours",
  planType: "start-stop-plan",
  schedule,
  parameters: { startStopMode: "start-stop-combined", stopTimeInSeconds: 28_800 },
};

test("a new plan is active, switched off unless told, and in the default project", async () => {
  const { account, call } = await startService();

  const { body } = await call("POST", "/api/ManagedServices/Plans/", asked);

  const now = "2026-11-20T12:00:00.000Z";
  expect(body).toEqual({
    planId: expect.any(String),
    projectId: "p-prod",
    ...asked,
    state: "active",
    isEnabled: false,
    isDeleted: false,
    createdDate: now,
    lastModifiedDate: now,
    lastModifiedBy: account.apiUserId,
  });
  expect(account.plans.get(body.planId)).toEqual(body);
});

test("a plan is switched on and goes to a project when told so", async () => {
  const { call } = await startService();

  const { body } = await call("POST", "/api/ManagedServices/Plans/", { ...asked, isEnabled: true, projectId: "p-dev" });

  expect(body).toMatchObject({ isEnabled: true, projectId: "p-dev" });
});

test("a backup plan carries its parameters as they are", async () => {
  const { call } = await startService();
  const backup = { ...asked, planType: "backup-plan", parameters: { keep: { days: 14 } } };

  expect((await call("POST", "/api/ManagedServices/Plans/", backup)).body).toMatchObject(backup);
});

test.each([
  ["a project that does not exist", { projectId: "p-none" }, 404, "ProjectNotFound"],
  [
    "a time zone that does not exist",
    { schedule: { ...schedule, timeZoneId: "Mars/Olympus" } },
    404,
    "TimeZoneNotFound",
  ],
  ["another plan type", { planType: "party-plan" }, 403, "ParameterValidationFailed"],
  ["no schedule", { schedule: undefined }, 403, "ParameterValidationFailed"],
  ["a daily schedule without days", { schedule: { ...schedule, parameters: {} } }, 403, "ParameterValidationFailed"],
  [
    "start-stop-combined without a stop time",
    { parameters: { startStopMode: "start-stop-combined" } },
    403,
    "ParameterValidationFailed",
  ],
])("a plan with %s is refused and not made", async (_, change, status, errorCode) => {
  const { account, call } = await startService();

  const answer = await call("POST", "/api/ManagedServices/Plans/", { ...asked, ...change });

  expect(answer).toMatchObject({ status, body: { errorCode } });
  expect(account.plans.size).toBe(3);
});
