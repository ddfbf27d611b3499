import { addMinutes } from "date-fns";
import type { Action } from "./account.ts";

type Execution = NonNullable<Action["lastExecution"]>;

/** A scheduled execution, which takes two minutes (API.md, "Observed": lastExecution). */
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
