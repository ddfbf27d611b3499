import { expect, test } from "vitest";
import { startService } from "./start-service.ts";

const stopStaging = "a-00000002";
const newExclusion = {
  projectId: "p-dev",
  name: "Keep staging up",
  isEnabled: true,
  expiryDate: "2026-11-20T21:00:00Z",
  resourceType: "amazon-ec2-instance",
  resourceIdentificationMethod: "by-resource-id",
  resourceIds: ["i-0a1", "i-0a2"],
  processes: ["stop-resource"],
};
/** "Stop staging at 19:00" in London, in winter. */
const due = Date.parse("2026-11-20T19:00:00Z");

const runOf = ({ runs }: Awaited<ReturnType<typeof startService>>["service"], actionId: string) =>
  runs().filter((run) => run.actionId === actionId);

test("a run happens at its time and becomes the action's last execution", async () => {
  const { service, clock, call } = await startService();
  clock.now = due - 60_000;
  expect(runOf(service, stopStaging)).toEqual([]);
  clock.now = due;
  const { body } = await call("GET", `/api/Actions/${stopStaging}?include=lastExecution`);
  expect(body).toMatchObject({
    nextExecutionDate: "2026-11-23T19:00:00.000Z",
    lastExecution: {
      actionId: stopStaging,
      startDate: "2026-11-20T19:00:00.000Z",
      trigger: "schedule",
      status: "complete",
    },
  });
  expect(runOf(service, stopStaging)).toEqual([
    { at: due, actionId: stopStaging, actionName: "Stop staging at 19:00", acted: ["i-0a1", "i-0a2"], skipped: [] },
  ]);
});

test("a run with all resources excluded is skipped and keeps the last execution", async () => {
  const { service, clock, call, account } = await startService();
  const before = account.actions.get(stopStaging)?.lastExecution;
  const { body } = await call("POST", "/api/ActionExclusions", newExclusion);
  clock.now = due;
  const exclusion = { exclusionId: body.actionExclusionId, exclusionName: "Keep staging up" };
  expect(runOf(service, stopStaging)).toMatchObject([
    {
      acted: [],
      skipped: [
        { resourceId: "i-0a1", ...exclusion },
        { resourceId: "i-0a2", ...exclusion },
      ],
    },
  ]);
  expect(account.actions.get(stopStaging)?.lastExecution).toEqual(before);
});

test("a run continues without one excluded resource and says so", async () => {
  const { service, clock, call, account } = await startService();
  await call("POST", "/api/ActionExclusions", { ...newExclusion, resourceIds: ["i-0a2"] });
  clock.now = due;
  expect(runOf(service, stopStaging)).toMatchObject([{ acted: ["i-0a1"], skipped: [{ resourceId: "i-0a2" }] }]);
  expect(account.actions.get(stopStaging)?.lastExecution?.result?.text).toContain("i-0a2");
});

test.each([
  ["is disabled", { isEnabled: false }],
  ["has already ended", { expiryDate: "2026-11-20T19:00:00Z" }],
  ["covers another process", { processes: ["start-resource"] }],
  ["covers another resource type", { resourceType: "amazon-rds-instance" }],
  ["belongs to another project", { projectId: "p-prod" }],
])("an exclusion that %s has no effect on runs", async (_what, changes) => {
  const { service, clock, call } = await startService();
  await call("POST", "/api/ActionExclusions", { ...newExclusion, ...changes });
  clock.now = due;
  expect(runOf(service, stopStaging)).toMatchObject([{ acted: ["i-0a1", "i-0a2"], skipped: [] }]);
});

test("the exclusions at the time of the run decide", async () => {
  const { service, clock, call } = await startService();
  const { body } = await call("POST", "/api/ActionExclusions", newExclusion);
  clock.now = due + 60_000;
  await call("DELETE", `/api/ActionExclusions/${body.actionExclusionId}`);
  expect(runOf(service, stopStaging)).toMatchObject([{ acted: [] }]);
});

test("many days bring each run once, in order, and none of a disabled action", async () => {
  const { service, clock } = await startService();
  clock.now = Date.parse("2026-11-23T20:00:00Z");
  const runs = service.runs();
  expect(runOf(service, stopStaging).map(({ at }) => new Date(at).toISOString())).toEqual([
    "2026-11-20T19:00:00.000Z",
    "2026-11-23T19:00:00.000Z",
  ]);
  expect(runs.map(({ at }) => at)).toEqual(runs.map(({ at }) => at).toSorted((one, other) => one - other));
  expect(runs.some(({ actionName }) => actionName === "Stop the blog preview")).toBe(false);
  expect(service.runs()).toHaveLength(runs.length);
});
