import { subDays } from "date-fns";
import type { Action } from "../account.ts";
import { nextExecutionDate } from "../runs-between.ts";
import { scheduledExecution } from "../scheduled-execution.ts";
import { type ActionRow, actionRows, earlierVersions } from "./action-rows.ts";
import type { Target } from "./targets.ts";

export function seedActions(nowMs: number): { current: Action[]; earlier: Action[] } {
  const current = actionRows.map((row, index) => seedAction(row, index + 1, nowMs));
  const changes = current.flatMap((action) =>
    (earlierVersions[action.name] ?? []).map((before) => ({ ...action, ...before })),
  );
  const earlier = changes.map((action, index) => ({
    ...action,
    actionVersionId: `av-${numbered(actionRows.length + index + 1)}`,
    isCurrentVersion: false,
  }));
  return { current, earlier };
}

function seedAction([name, verb, target, schedule, tags, also]: ActionRow, number: number, nowMs: number): Action {
  const actionId = `a-${numbered(number)}`;
  const actionVersionId = `av-${numbered(number)}`;
  const action: Action = {
    actionId,
    actionVersionId,
    actionType: actionType(verb, target.resourceType),
    name,
    comments: "",
    isCurrentVersion: true,
    isEnabled: true,
    lastModifiedBy: `u-${numbered((number % 4) + 1)}`,
    lastModifiedDate: "2025-07-01T11:30:00Z",
    managedInstanceId: "mi-00000001",
    projectId: target.projectId,
    schedule: { startDate: "2025-03-01", ...schedule },
    tags,
    displayData: displayData(target),
    parameters: parameters(target),
    lastExecution: null,
    ...also,
  };
  return { ...action, lastExecution: lastExecution(action, number, nowMs) };
}

function numbered(number: number): string {
  return String(number).padStart(8, "0");
}

/** Like the known `amazon-start-ec2-instances`: the verb after the cloud, the resource type in the plural. */
function actionType(verb: string, resourceType: string): string {
  return resourceType.replace("-", `-${verb}-`).concat("s");
}

/** API.md does not show the shape of the extra data; a list of labels is what was observed. */
function displayData({ regionName, resourceIds }: Target): Action["displayData"] {
  return [
    { label: "Resources", data: resourceIds.join(", ") },
    { label: "Region", data: regionName },
  ];
}

function parameters({ resourceType, regionName, resourceIds }: Target): Action["parameters"] {
  return { resourceType, regionNames: [regionName], resourceIds: [...resourceIds], ...credentialOf(resourceType) };
}

function credentialOf(resourceType: string): { credentialId?: string } {
  if (resourceType.startsWith("amazon-")) return { credentialId: "cred-00000001" };
  return resourceType.startsWith("google-") ? { credentialId: "cred-00000003" } : {};
}

/** API.md, "Observed": lastExecution. Every tenth run failed. */
function lastExecution(action: Action, number: number, nowMs: number): Action["lastExecution"] {
  const startDate = action.isEnabled ? lastRun(action, nowMs) : null;
  if (startDate === null) return null;
  const result =
    number % 10 === 0 ? { code: "error", text: "A resource did not answer." } : { code: "success", text: "Done." };
  return scheduledExecution(action, { actionExecutionId: `ae-${numbered(number)}`, startDate, result });
}

/** Looks back one day at a time until a run is found. */
function lastRun({ schedule }: Action, nowMs: number): string | null {
  for (let days = 1; days <= 8; days++) {
    const run = nextExecutionDate(schedule, subDays(nowMs, days).getTime());
    if (run !== null && Date.parse(run) <= nowMs) return run;
  }
  return null;
}
