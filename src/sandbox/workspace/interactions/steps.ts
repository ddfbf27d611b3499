import { parameterProblems } from "../app-manifest.ts";
import type { Workflow } from "../default-seed.ts";
import type { JsonObject } from "../json-object.ts";
import type { DeliveryOutcome, LiveWorkspace } from "../live-workspace.ts";
import type { Execution, ExecutionEnd } from "../state/executions.ts";
import { postMessage } from "../state/messages.ts";
import type { Channel, User } from "../state/workspace-state.ts";
import { sendEvent } from "./events.ts";
import { escapeMarkup } from "./messages.ts";

export interface StepRun {
  readonly execution: Execution;
  readonly delivered: DeliveryOutcome;
}

/** Runs a step of the app as Workflow Builder does: its inputs are checked, then the app gets them with a token for this run. */
export async function runStep(workspace: LiveWorkspace, callbackId: string, inputs: JsonObject): Promise<StepRun> {
  const { executions, ids, app, enterprise, manifest } = workspace;
  // With an installation in one workspace of an organization the steps do not appear (PLATFORM.md §18.1).
  if (enterprise && enterprise.isOrgWide !== true)
    throw new Error("The app's steps do not appear in Workflow Builder: install it for the organization.");
  const step = manifest.functions.find((each) => each.callbackId === callbackId);
  if (!step) throw new Error(`The app has no step ${callbackId}; add it to the manifest.`);
  const problems = parameterProblems(step.inputs, inputs);
  if (problems.length > 0) throw new Error(`Workflow Builder does not take these inputs: ${problems.join("; ")}.`);
  const [id, workflowId, token] = [ids.next("Fx"), ids.next("Wx"), `xwfp-sandbox-${ids.hex(24)}`];
  const execution = executions.put({ id, workflowId, step, inputs, token, end: undefined });
  const declared = (parameters: typeof step.inputs) =>
    parameters.map(({ isRequired: is_required, ...parameter }) => ({ ...parameter, is_required }));
  const delivered = await sendEvent(workspace, {
    type: "function_executed",
    function: {
      id: ids.next("Fn"),
      callback_id: step.callbackId,
      title: step.title,
      description: step.description,
      type: "app",
      app_id: app.appId,
      date_created: 0,
      date_updated: 0,
      date_deleted: 0,
      input_parameters: declared(step.inputs),
      output_parameters: declared(step.outputs),
    },
    inputs,
    function_execution_id: id,
    workflow_execution_id: workflowId,
    bot_access_token: token,
  });
  return { execution, delivered };
}

/** Runs a workflow: its step, then a message with what the step gave. A step that fails ends it, and its starter reads why. */
export async function runWorkflow(
  workspace: LiveWorkspace,
  user: User,
  channel: Channel,
  { name, step, inputs, message }: Workflow,
): Promise<DeliveryOutcome> {
  const post = (text: string, only: { readonly ephemeralTo?: string } = {}) =>
    postMessage(workspace, { channelId: channel.id, userId: "USLACK", text, ...only });
  post(`<@${user.id}> started the workflow *${name}*.`);
  const { execution, delivered } = await runStep(workspace, step, inputs);
  onEnd(workspace, execution, (end) => {
    if (end.kind === "completed") post(`*${name}*: ${filledIn(message, end.outputs)}`);
    else post(`The workflow *${name}* stopped: ${escapeMarkup(end.error)}`, { ephemeralTo: user.id });
  });
  return delivered;
}

function onEnd({ executions, signal }: LiveWorkspace, { id }: Execution, run: (end: ExecutionEnd) => void): void {
  const check = () => {
    const end = executions.get(id)?.end;
    if (end === undefined) return;
    stop();
    run(end);
  };
  const stop = signal.listen(check);
  check();
}

/** `{{outcome}}` is the step's output of that name. */
const filledIn = (message: string, outputs: JsonObject): string =>
  message.replaceAll(/\{\{(\w+)\}\}/g, (_all, output: string) => escapeMarkup(String(outputs[output] ?? "")));
