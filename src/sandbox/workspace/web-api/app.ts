import { parameterProblems } from "../app-manifest.ts";
import { isJsonObject, type JsonObject } from "../json-object.ts";
import type { LiveWorkspace } from "../live-workspace.ts";
import type { Execution, ExecutionEnd } from "../state/executions.ts";
import { allowances } from "../state/permits.ts";
import { type ApiArguments, type ApiMethod, fail, failArguments } from "./api.ts";

const base = { limit: allowances.tier3, takesJson: true } as const;

export const appMethods: Readonly<Record<string, ApiMethod>> = {
  "auth.test": {
    ...base,
    limit: allowances.hundreds,
    run: (_args, { team, enterprise, app, manifest }) => ({
      url: `https://${team.domain}.slack.com/`,
      team: team.name,
      user: "curfew",
      team_id: enterprise?.isOrgWide ? null : team.id,
      ...(enterprise ? { enterprise_id: enterprise.id } : {}),
      user_id: app.botUserId,
      bot_id: app.botId,
      app_id: app.appId,
      app_name: manifest.name,
      is_enterprise_install: enterprise?.isOrgWide === true,
    }),
  },
  /** Each call creates one single-use URL (PLATFORM.md §14.1). */
  "apps.connections.open": { ...base, token: "app", run: (_args, workspace) => ({ url: workspace.issueSocketUrl() }) },
  /** The end of a step (PLATFORM.md §18.1). Its outputs must be those that the manifest declares. */
  "functions.completeSuccess": {
    ...base,
    run: (args, workspace) =>
      endExecution(args, workspace, ({ step }) => {
        const outputs = args.json("outputs");
        if (!isJsonObject(outputs)) return failArguments("missing required field: outputs");
        const messages = parameterProblems(step.outputs, outputs);
        if (messages.length > 0) return fail("parameter_validation_failed", { response_metadata: { messages } });
        return { kind: "completed", outputs };
      }),
  },
  "functions.completeError": {
    ...base,
    run: (args, workspace) =>
      endExecution(args, workspace, () => {
        const error = args.text("error") ?? failArguments("missing required field: error");
        return { kind: "failed", error };
      }),
  },
};

function endExecution(
  args: ApiArguments,
  { executions }: LiveWorkspace,
  endOf: (execution: Execution) => ExecutionEnd,
): JsonObject {
  const execution = executions.get(args.text("function_execution_id") ?? "") ?? fail("function_execution_not_found");
  if (execution.end) return fail("execution_not_in_running_state");
  executions.put({ ...execution, end: endOf(execution) });
  return {};
}
