import { parameterProblems } from "../app-functions.ts";
import { isJsonObject } from "../json-object.ts";
import type { Execution, ExecutionEnd } from "../state/executions.ts";
import { allowances } from "../state/rate-limits.ts";
import type { ApiArguments } from "./api-arguments.ts";
import { type ApiAnswer, type ApiMethod, type ApiWorkspace, fail, failArguments, succeed } from "./api-method.ts";

/** The end of a step (PLATFORM.md §18.1). Its outputs must be those that the manifest declares. */
export const functionsCompleteSuccess: ApiMethod = {
  token: "bot",
  scope: null,
  limit: allowances.tier3,
  takesJson: true,
  run: (args, workspace) =>
    endExecution(args, workspace, ({ step }) => {
      const outputs = args.json("outputs");
      if (!isJsonObject(outputs)) return failArguments("missing required field: outputs");
      const problems = parameterProblems(step.outputs, outputs);
      if (problems.length > 0)
        return fail("parameter_validation_failed", { response_metadata: { messages: [...problems] } });
      return { kind: "completed", outputs };
    }),
};

export const functionsCompleteError: ApiMethod = {
  token: "bot",
  scope: null,
  limit: allowances.tier3,
  takesJson: true,
  run: (args, workspace) =>
    endExecution(args, workspace, () => {
      const error = args.text("error");
      return error === undefined ? failArguments("missing required field: error") : { kind: "failed", error };
    }),
};

function endExecution(
  args: ApiArguments,
  { executions }: ApiWorkspace,
  endOf: (execution: Execution) => ExecutionEnd | ApiAnswer,
): ApiAnswer {
  const execution = executions.find(args.text("function_execution_id") ?? "");
  if (!execution) return fail("function_execution_not_found");
  if (execution.end) return fail("execution_not_in_running_state");
  const end = endOf(execution);
  if ("ok" in end) return end;
  executions.end(execution.id, end);
  return succeed();
}
