import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { defaultSeed, type WorkspaceSeed } from "../../src/sandbox/workspace/default-seed.ts";
import type { AppRequest } from "../../src/sandbox/workspace/deliveries.ts";
import { type JsonObject, objectAt } from "../../src/sandbox/workspace/json-object.ts";
import type { ExecutionEnd } from "../../src/sandbox/workspace/state.ts";
import { type Curfew, type CurfewOptions, startCurfew, unlimitedConfig } from "./start-curfew.ts";

type StepRun = Awaited<ReturnType<Curfew["workspace"]["runStep"]>>;

/** The usual workspace, in an organization for which the app is installed: only so its steps appear. */
export const orgSeed: WorkspaceSeed = {
  ...defaultSeed,
  enterprise: { id: "E0ORG", name: "Example Group", isOrgWide: true },
};

const role = "allow: [reads, CreateActionExclusion, ModifyActionExclusion, DeleteActionExclusion, ModifyUser]";

/** The example with another role for workflows; more of the section after the steps. */
export const configWithSteps = (more = "", where = "", steps = allSteps): string =>
  unlimitedConfig
    .replace(/^ {4}release:\n(?: {6}.*\n)+/m, `    release: { members: [], ${role}${where} }\n`)
    .replace(/^workflows: .*\n/m, `workflows: { steps: [${steps}], actAs: release, channel: C0OPS${more} }\n`);

const allSteps =
  "keep_running, extend_exclusion, end_exclusion, check_status, disable_user, enable_user, look_up_action";

export const startWithSteps = (options: CurfewOptions = {}): Promise<Curfew> =>
  startCurfew({
    config: configWithSteps(),
    seed: orgSeed,
    manifest: JSON.parse(readFileSync("manifest/slack-app.workflows.json", "utf8")),
    ...options,
  });

/** Runs a step and waits for its end. */
export async function runToEnd(curfew: Curfew, step: string, inputs: JsonObject): Promise<ExecutionEnd> {
  return endOf(curfew, await curfew.workspace.runStep(step, inputs));
}

export function endOf({ workspace }: Curfew, { execution }: StepRun): Promise<ExecutionEnd> {
  return workspace.waitFor(() => workspace.execution(execution.id)?.end, {
    what: `the end of ${execution.step.title}`,
  });
}

/** The outputs of a step that must succeed. */
export async function outputsOf(curfew: Curfew, step: string, inputs: JsonObject): Promise<JsonObject> {
  const end = await runToEnd(curfew, step, inputs);
  expect(end, JSON.stringify(end)).toMatchObject({ kind: "completed" });
  return end.kind === "completed" ? end.outputs : {};
}

/** The error of a step that must fail. It must lead on to something. */
export async function errorOf(curfew: Curfew, step: string, inputs: JsonObject): Promise<string> {
  const end = await runToEnd(curfew, step, inputs);
  expect(end).toMatchObject({ kind: "failed" });
  const error = end.kind === "failed" ? end.error : "";
  expect(error).toMatch(/\b(?:ask|run|correct|give|wait|try|look|use|choose)\b/i);
  return error;
}

/** What Slack sent for a step. */
export function deliveryOf({ workspace }: Curfew, { execution }: StepRun): AppRequest {
  const isIts = ({ payload }: AppRequest) => objectAt(payload.event).function_execution_id === execution.id;
  const delivery = workspace.appRequests.find(isIts);
  if (!delivery) throw new Error(`${execution.id} was not delivered.`);
  return delivery;
}
