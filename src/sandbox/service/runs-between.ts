import type { Account, Action, ActionExclusion } from "./account.ts";
import { nextExecutionDate } from "./next-execution-date.ts";

/** One run of an action by its schedule. An action whose resources are all excluded does not run. */
export interface Run {
  readonly at: number;
  readonly actionId: string;
  readonly actionName: string;
  /** The resources it acted on. */
  readonly acted: readonly string[];
  readonly skipped: readonly SkippedResource[];
}

export interface SkippedResource {
  readonly resourceId: string;
  /** The exclusion that keeps it out, or the first of several. */
  readonly exclusionId: string;
  readonly exclusionName: string;
}

/** The runs that come due after one moment and up to another, in their order, with the exclusions as they are now. */
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

function runAt(action: Action, at: number, exclusions: readonly ActionExclusion[]): Run {
  const { actionId, name: actionName } = action;
  const inForce = exclusions.filter((exclusion) => isInForce(exclusion, at) && concerns(exclusion, action));
  const resources = resourcesOf(action).map((resourceId) => {
    const exclusion = inForce.find((each) => covers(each, resourceId));
    return { resourceId, exclusion };
  });
  return {
    at,
    actionId,
    actionName,
    acted: resources.flatMap(({ resourceId, exclusion }) => (exclusion ? [] : [resourceId])),
    skipped: resources.flatMap(({ resourceId, exclusion }) =>
      exclusion ? [{ resourceId, exclusionId: exclusion.actionExclusionId, exclusionName: exclusion.name }] : [],
    ),
  };
}

/** Whether it would keep something out of the action's runs, were it in force. */
export function isAgainst(exclusion: ActionExclusion, action: Action): boolean {
  return concerns(exclusion, action) && resourcesOf(action).some((resourceId) => covers(exclusion, resourceId));
}

export function isInForce({ isEnabled, startDate, expiryDate }: ActionExclusion, at: number): boolean {
  return isEnabled && Date.parse(startDate) <= at && at < Date.parse(expiryDate);
}

/** Action types name their process after the cloud: `amazon-stop-ec2-instances` is a `stop-resource`. */
function concerns({ projectId, resourceType, processes }: ActionExclusion, action: Action): boolean {
  const [, verb] = action.actionType.split("-");
  const isSameType = resourceType === action.parameters.resourceType;
  return isSameType && projectId === action.projectId && processes.includes(`${verb}-resource`);
}

/** The account knows no tags of resources, so an exclusion by tag covers none. */
function covers({ resourceIdentificationMethod, resourceIds }: ActionExclusion, resourceId: string): boolean {
  if (resourceIdentificationMethod === "all") return true;
  return resourceIdentificationMethod === "by-resource-id" && resourceIds.includes(resourceId);
}

function resourcesOf({ parameters }: Action): readonly string[] {
  const ids: unknown = parameters.resourceIds;
  return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
}
