import { type AppFunction, type Parameter, parameterProblems } from "../app-functions.ts";
import type { JsonObject } from "../json-object.ts";
import type { Execution } from "../state/executions.ts";
import type { DeliveryOutcome, Exchange } from "./exchange.ts";
import { sendEvent } from "./send-event.ts";

export interface StepRun {
  readonly execution: Execution;
  readonly delivered: DeliveryOutcome;
}

/** Runs a step of the app as Workflow Builder does: its inputs are checked, then the app gets them with a token for this run. */
export async function runStep(exchange: Exchange, callbackId: string, inputs: JsonObject): Promise<StepRun> {
  const { workspace } = exchange;
  const { executions, ids, app } = workspace;
  const step = offeredStep(exchange, callbackId);
  const problems = parameterProblems(step.inputs, inputs);
  if (problems.length > 0) throw new Error(`Workflow Builder does not take these inputs: ${problems.join("; ")}.`);
  const execution = executions.start(step, inputs, ids.next("Wx"));
  const delivered = await sendEvent(exchange, {
    type: "function_executed",
    function: {
      ...{ id: ids.next("Fn"), callback_id: step.callbackId, title: step.title, description: step.description },
      ...{ type: "app", app_id: app.appId, date_created: 0, date_updated: 0, date_deleted: 0 },
      input_parameters: step.inputs.map(parameterObject),
      output_parameters: step.outputs.map(parameterObject),
    },
    inputs,
    function_execution_id: execution.id,
    workflow_execution_id: execution.workflowId,
    bot_access_token: execution.token,
  });
  return { execution, delivered };
}

/** With an installation in one workspace of an organization the steps do not appear (PLATFORM.md §18.1). */
function offeredStep({ workspace }: Exchange, callbackId: string): AppFunction {
  const { enterprise, manifest } = workspace;
  if (enterprise && enterprise.isOrgWide !== true)
    throw new Error("The app's steps do not appear in Workflow Builder: install it for the organization.");
  const step = manifest.functions.find((each) => each.callbackId === callbackId);
  if (!step) throw new Error(`The app has no step ${callbackId}; add it to the manifest.`);
  return step;
}

const parameterObject = ({ name, type, title, isRequired }: Parameter): JsonObject => ({
  ...{ name, type, title },
  is_required: isRequired,
});
