import { expect, test } from "vitest";
import { startService } from "./start-service.ts";

const stopStaging = "a-00000002";
const asked = {
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

test("a run happens when the clock comes to it, and is the action's last execution from then on", async () => {
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

test("a run whose resources are all excluded is skipped, and leaves the last execution as it was", async () => {
  const { service, clock, call, account } = await startService();
  const before = account.actions.get(stopStaging)?.lastExecution;
  const { body } = await call("POST", "/api/ActionExclusions", asked);
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

test("a run goes on without the one resource that is excluded, and says so", async () => {
  const { service, clock, call, account } = await startService();
  await call("POST", "/api/ActionExclusions", { ...asked, resourceIds: ["i-0a2"] });
  clock.now = due;
  expect(runOf(service, stopStaging)).toMatchObject([{ acted: ["i-0a1"], skipped: [{ resourceId: "i-0a2" }] }]);
  expect(account.actions.get(stopStaging)?.lastExecution?.result?.text).toContain("i-0a2");
});

test.each([
  ["is switched off", { isEnabled: false }],
  ["has ended by then", { expiryDate: "2026-11-20T19:00:00Z" }],
  ["keeps from another process", { processes: ["start-resource"] }],
  ["is about another type", { resourceType: "amazon-rds-instance" }],
  ["is of another project", { projectId: "p-prod" }],
])("an exclusion that %s keeps nothing from running", async (_what, changes) => {
  const { service, clock, call } = await startService();
  await call("POST", "/api/ActionExclusions", { ...asked, ...changes });
  clock.now = due;
  expect(runOf(service, stopStaging)).toMatchObject([{ acted: ["i-0a1", "i-0a2"], skipped: [] }]);
});

test("what was excluded at the time decides, not what is when somebody looks", async () => {
  const { service, clock, call } = await startService();
  const { body } = await call("POST", "/api/ActionExclusions", asked);
  clock.now = due + 60_000;
  await call("DELETE", `/api/ActionExclusions/${body.actionExclusionId}`);
  expect(runOf(service, stopStaging)).toMatchObject([{ acted: [] }]);
});

test("many days at once bring each run once, in order, and none of an action that is off", async () => {
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
