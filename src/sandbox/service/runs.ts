import { addMinutes } from "date-fns";
import type { Schedule } from "../../service/resources.ts";
import { nextDailyRun } from "../../time/schedule.ts";
import type { Account, Action, ActionExclusion } from "./account.ts";

export type Run = ReturnType<typeof runAt>;

/** The runs due after `after` and up to `upTo`, oldest first. Uses the exclusions as they are now. */
export function runsBetween(
  { actions, exclusions }: Pick<Account, "actions" | "exclusions">,
  after: number,
  upTo: number,
): readonly Run[] {
  const enabled = [...exclusions.values()].filter((exclusion) => exclusion.isEnabled);
  const due = [...actions.values()].flatMap((action) =>
    momentsOf(action, after, upTo).map((at) => runAt(action, at, enabled)),
  );
  return due.sort((one, other) => one.at - other.at);
}

function momentsOf({ isEnabled, schedule }: Action, after: number, upTo: number): readonly number[] {
  const moments: number[] = [];
  let next = isEnabled ? nextExecutionDate(schedule, after) : null;
  while (next !== null && Date.parse(next) <= upTo) {
    moments.push(Date.parse(next));
    next = nextExecutionDate(schedule, Date.parse(next));
  }
  return moments;
}

/** One scheduled run of an action. An action whose resources are all excluded does not run. */
function runAt(action: Action, at: number, exclusions: readonly ActionExclusion[]) {
  const { actionId, name: actionName } = action;
  const inForce = exclusions.filter((exclusion) => isInForce(exclusion, at) && appliesTo(exclusion, action));
  const resources = resourcesOf(action).map((resourceId) => {
    return { resourceId, exclusion: inForce.find((each) => covers(each, resourceId)) };
  });
  return {
    at,
    actionId,
    actionName,
    /** The resources the run acted on. */
    acted: resources.flatMap(({ resourceId, exclusion }) => (exclusion ? [] : [resourceId])),
    /** Each with the first exclusion that covers it. */
    skipped: resources.flatMap(({ resourceId, exclusion }) =>
      exclusion ? [{ resourceId, exclusionId: exclusion.actionExclusionId, exclusionName: exclusion.name }] : [],
    ),
  };
}

/** Whether the exclusion, when in force, keeps a resource out of the action's runs. */
export function affects(exclusion: ActionExclusion, action: Action): boolean {
  return appliesTo(exclusion, action) && resourcesOf(action).some((resourceId) => covers(exclusion, resourceId));
}

export function isInForce({ isEnabled, startDate, expiryDate }: ActionExclusion, at: number): boolean {
  return isEnabled && Date.parse(startDate) <= at && at < Date.parse(expiryDate);
}

/** An action type names its process after the cloud: `amazon-stop-ec2-instances` is a `stop-resource`. */
function appliesTo({ projectId, resourceType, processes }: ActionExclusion, action: Action): boolean {
  const [, verb] = action.actionType.split("-");
  const isSameType = resourceType === action.parameters.resourceType;
  return isSameType && projectId === action.projectId && processes.includes(`${verb}-resource`);
}

/** The account stores no resource tags, so an exclusion by tag covers nothing. */
function covers({ resourceIdentificationMethod, resourceIds }: ActionExclusion, resourceId: string): boolean {
  if (resourceIdentificationMethod === "all") return true;
  return resourceIdentificationMethod === "by-resource-id" && resourceIds.includes(resourceId);
}

function resourcesOf({ parameters }: Action): readonly string[] {
  const ids: unknown = parameters.resourceIds;
  return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
}

/** The next run of a daily schedule, in its own time zone; null for other types, whose parameters API.md does not show. */
export function nextExecutionDate(schedule: Schedule, afterMs: number): string | null {
  const { scheduleType, startDate, timeOfDay, timeZoneId, parameters } = schedule;
  if (scheduleType !== "daily" || !timeOfDay || !timeZoneId) return null;
  const days = parameters?.days ?? [];
  const next = nextDailyRun({ days, timeOfDay, timeZoneId, ...(startDate && { startDate }) }, afterMs);
  return next === null ? null : new Date(next).toISOString();
}

/** The scheduled runs of the account, with the resources that exclusions skipped. */
export function createRuns(account: Account, now: () => number, newId: (prefix: string) => string) {
  let doneUpTo = now();
  let list: readonly Run[] = [];
  /**
   * Performs every run that is due and returns the latest ones, oldest first. Call it before any change, because the current
   * exclusions decide what a run skips.
   */
  return (): readonly Run[] => {
    const at = now();
    // Schedules name whole minutes, so nothing is due within one.
    if (Math.floor(at / minuteMs) === Math.floor(doneUpTo / minuteMs)) return list;
    const runs = runsBetween(account, doneUpTo, at);
    doneUpTo = Math.max(doneUpTo, at);
    for (const run of runs) execute(run, account, newId);
    list = [...list, ...runs].slice(-maxRuns);
    return list;
  };
}

const maxRuns = 300;
const minuteMs = 60_000;

/** A run that skipped every resource leaves the last execution unchanged. */
function execute({ actionId, at, acted, skipped }: Run, { actions }: Account, newId: (prefix: string) => string): void {
  const action = actions.get(actionId);
  if (action === undefined || acted.length === 0) return;
  const excluded = skipped.map(({ resourceId }) => resourceId).join(", ");
  const text = excluded === "" ? "Done." : `Done, except for excluded resources: ${excluded}.`;
  const startDate = new Date(at).toISOString();
  const result = { code: "success", text };
  const lastExecution = scheduledExecution(action, { actionExecutionId: newId("ae"), startDate, result });
  actions.set(actionId, { ...action, lastExecution });
}

type Execution = NonNullable<Action["lastExecution"]>;

/** A scheduled execution, which takes two minutes (API.md, "Observed": lastExecution). */
export function scheduledExecution(
  { actionId, actionVersionId, name }: Action,
  run: Record<"actionExecutionId" | "startDate", string> & Pick<Execution, "result">,
): Execution {
  return {
    ...run,
    actionId,
    actionVersionId,
    actionName: name,
    status: "complete",
    trigger: "schedule",
    endDate: addMinutes(run.startDate, 2).toISOString(),
  };
}
