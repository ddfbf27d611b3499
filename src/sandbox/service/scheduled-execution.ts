import { addMinutes } from "date-fns";
import type { Action } from "./account.ts";

type Execution = NonNullable<Action["lastExecution"]>;

/** A run of an action by its schedule, over after two minutes (observed.md, "lastExecution"). */
export function scheduledExecution(
  { actionId, actionVersionId, name }: Action,
  {
    actionExecutionId,
    startDate,
    result,
  }: Record<"actionExecutionId" | "startDate", string> & Pick<Execution, "result">,
): Execution {
  return {
    actionExecutionId,
    actionId,
    actionVersionId,
    actionName: name,
    status: "complete",
    trigger: "schedule",
    startDate,
    endDate: addMinutes(startDate, 2).toISOString(),
    result,
  };
}
