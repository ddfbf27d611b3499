import { expect, test } from "vitest";
import { existing, startService } from "./start-service.ts";

const stopStaging = "a-00000002";

test("ListActions returns an array of the current versions without the extra data", async () => {
  const { account, call } = await startService();

  const { body } = await call("GET", "/api/Actions?include=displayData");

  expect(body).toHaveLength(40);
  expect(new Set(body.map((action: { actionId: string }) => action.actionId))).toEqual(new Set(account.actions.keys()));
  for (const action of body) {
    expect(action).toMatchObject({ isCurrentVersion: true });
    for (const extra of ["displayData", "lastExecution", "parameters"]) expect(action).not.toHaveProperty(extra);
  }
});

test("GetAction returns the latest version by action id, and any version by its id", async () => {
  const { account, call } = await startService();
  const versions = [...account.earlierActionVersions.values()].filter(({ actionId }) => actionId === stopStaging);

  const latest = await call("GET", `/api/Actions/${stopStaging}`);
  const same = await call("GET", `/api/Actions/${latest.body.actionVersionId}`);
  const earlier = await call("GET", `/api/Actions/${existing(versions[0]).actionVersionId}`);

  expect(latest.body).toMatchObject({ name: "Stop staging at 19:00", isCurrentVersion: true });
  expect(same.body).toEqual(latest.body);
  expect(earlier.body).toMatchObject({
    actionId: stopStaging,
    actionVersionId: versions[0]?.actionVersionId,
    name: "Stop staging at 20:00",
    isCurrentVersion: false,
    nextExecutionDate: null,
  });
});

test("include adds exactly the named extra data", async () => {
  const { call } = await startService();

  const bare = await call("GET", `/api/Actions/${stopStaging}`);
  const two = await call("GET", `/api/Actions/${stopStaging}?include=displayData,%20parameters`);
  const one = await call("GET", `/api/Actions/${stopStaging}?include=lastExecution`);
  const none = await call("GET", `/api/Actions/${stopStaging}?include=`);

  expect(two.body).toEqual({
    ...bare.body,
    displayData: [
      { label: "Resources", data: "i-0a1, i-0a2" },
      { label: "Region", data: "eu-west-1" },
    ],
    parameters: expect.objectContaining({ resourceIds: ["i-0a1", "i-0a2"] }),
  });
  expect(one.body).toEqual({
    ...bare.body,
    lastExecution: expect.objectContaining({ actionId: stopStaging, startDate: "2026-11-19T19:00:00.000Z" }),
  });
  expect(none.body).toEqual(bare.body);
});

test("include rejects an unknown name", async () => {
  const { call } = await startService();

  const { status, body } = await call("GET", `/api/Actions/${stopStaging}?include=secrets`);

  expect(status).toBe(403);
  expect(body).toMatchObject({
    errorCode: "ParameterValidationFailed",
    modelState: { "include.0": [expect.any(String)] },
  });
});

test.each([
  ["in winter", "Stop staging at 19:00", "2026-11-20T12:00:00Z", "2026-11-20T19:00:00Z"],
  [
    "at the exact time of a run is the one after it",
    "Stop staging at 19:00",
    "2026-11-20T19:00:00Z",
    "2026-11-23T19:00:00Z",
  ],
  ["in summer", "Stop staging at 19:00", "2026-10-23T12:00:00Z", "2026-10-23T18:00:00Z"],
  ["across the end of summer time", "Stop staging at 19:00", "2026-10-23T18:00:00Z", "2026-10-26T19:00:00Z"],
  ["in a zone with a Windows id, in summer", "Stop QA", "2026-10-30T12:00:00Z", "2026-10-30T22:30:00Z"],
  [
    "in a zone with a Windows id, across the end of summer time",
    "Stop QA",
    "2026-10-30T23:00:00Z",
    "2026-11-02T23:30:00Z",
  ],
  ["when the clock skips the hour", "Stop accounting overnight", "2027-03-27T12:00:00Z", "2027-03-28T01:00:00Z"],
  ["runs once when the hour comes twice", "Stop accounting overnight", "2026-10-25T00:45:00Z", "2026-10-26T01:30:00Z"],
])("nextExecutionDate %s", async (_, name, now, expected) => {
  const { account, clock, call } = await startService();
  const action = existing([...account.actions.values()].find((candidate) => candidate.name === name));
  clock.now = Date.parse(now);

  const { body } = await call("GET", `/api/Actions/${action.actionId}`);

  expect(Date.parse(body.nextExecutionDate)).toBe(Date.parse(expected));
});

test("a disabled action or one without a daily schedule has no next run", async () => {
  const { account, call } = await startService();
  const { body } = await call("GET", "/api/Actions");

  for (const { actionId, nextExecutionDate } of body) {
    const action = existing(account.actions.get(actionId));
    const runs = action.isEnabled && action.schedule.scheduleType === "daily";
    expect(nextExecutionDate).toEqual(runs ? expect.any(String) : null);
  }
});

test("only a daily schedule has a next run", async () => {
  const { account, call } = await startService();
  const action = existing(account.actions.get(stopStaging));
  account.actions.set(stopStaging, { ...action, schedule: { ...action.schedule, scheduleType: "weekly" } });

  expect((await call("GET", `/api/Actions/${stopStaging}`)).body.nextExecutionDate).toBeNull();
});

test("an exclusion does not change an action's next run", async () => {
  const { call } = await startService();
  const before = await call("GET", `/api/Actions/${stopStaging}`);

  await call("POST", "/api/ActionExclusions", {
    name: "Keep staging up",
    isEnabled: true,
    expiryDate: "2026-12-01T00:00:00Z",
    resourceType: "amazon-ec2-instance",
    resourceIdentificationMethod: "by-resource-id",
    resourceIds: ["i-0a1", "i-0a2"],
    processes: ["stop-resource"],
  });

  expect(await call("GET", `/api/Actions/${stopStaging}`)).toEqual(before);
});
