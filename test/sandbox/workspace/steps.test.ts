import { afterEach, expect, it } from "vitest";
import { parseAppManifest } from "../../../src/sandbox/workspace/app-manifest.ts";
import { defaultSeed } from "../../../src/sandbox/workspace/default-seed.ts";
import { callSlack } from "./call-slack.ts";
import { type RecordingApp, startRecording } from "./recording-app.ts";
import { tinyManifest } from "./tiny-manifest.ts";

const parameter = (type: string, is_required = false) => ({ type, title: type, description: type, is_required });
const manifest = {
  ...tinyManifest,
  settings: {
    ...tinyManifest.settings,
    event_subscriptions: { ...tinyManifest.settings.event_subscriptions, bot_events: ["function_executed"] },
    ...{ org_deploy_enabled: true, function_runtime: "remote" },
  },
  functions: {
    greet: {
      ...{ title: "Greet", description: "Greet somebody" },
      input_parameters: { name: parameter("string", true), who: parameter("slack#/types/user_id") },
      output_parameters: { said: parameter("string", true), at: parameter("slack#/types/timestamp") },
    },
  },
};
const enterprise = { id: "E0ORG", name: "Example Group", isOrgWide: true };

let app: RecordingApp | undefined;
afterEach(async () => {
  await app?.stop();
  app = undefined;
});

it("runs a step: its event has the inputs and a token of its own, and the app ends it once with its outputs", async () => {
  app = await startRecording({ manifest, seed: { ...defaultSeed, enterprise } });
  const { workspace } = app;
  const { execution, delivered } = await workspace.runStep("greet", { name: "bob", who: "U02BOB" });
  expect(delivered).toEqual({ ok: true });
  expect(app.last()).toMatchObject({
    ...{ type: "event_callback", team_id: "T0CURFEW" },
    event: {
      ...{ type: "function_executed", inputs: { name: "bob", who: "U02BOB" } },
      function: { callback_id: "greet", type: "app", app_id: "A0CURFEW" },
      ...{ function_execution_id: execution.id, bot_access_token: expect.stringMatching(/^xwfp-/) },
    },
  });
  const done = { function_execution_id: execution.id, outputs: { said: "hello", at: 1 } };
  const complete = (args: object, token?: string) =>
    callSlack(workspace, "functions.completeSuccess", { ...args }, token ? { token } : {});
  expect(await complete({ ...done, function_execution_id: "Fx0NONE" })).toMatchObject({
    error: "function_execution_not_found",
  });
  for (const outputs of [{}, { said: 1 }, { said: "hello", at: "now" }, { said: "hello", more: "x" }])
    expect(await complete({ ...done, outputs })).toMatchObject({ error: "parameter_validation_failed" });
  expect(await complete(done, execution.token)).toMatchObject({ ok: true });
  expect(workspace.execution(execution.id)?.end).toEqual({ kind: "completed", outputs: done.outputs });
  expect(await complete(done)).toMatchObject({ error: "execution_not_in_running_state" });
  // The token was for this execution only.
  expect(await complete(done, execution.token)).toMatchObject({ error: "invalid_auth" });

  const failing = await workspace.runStep("greet", { name: "bob" });
  const failed = { function_execution_id: failing.execution.id, error: "no" };
  expect(await callSlack(workspace, "functions.completeError", failed)).toMatchObject({ ok: true });
  expect(workspace.execution(failing.execution.id)?.end).toEqual({ kind: "failed", error: "no" });
});

it("offers no step with wrong inputs, without its declaration, or where one workspace of an organization installed the app", async () => {
  app = await startRecording({ manifest, seed: { ...defaultSeed, enterprise: { ...enterprise, isOrgWide: false } } });
  await expect(app.workspace.runStep("greet", { name: "bob" })).rejects.toThrow("install it for the organization");
  await app.stop();
  app = await startRecording({ manifest });
  await expect(app.workspace.runStep("greet", {})).rejects.toThrow("name is required");
  await expect(app.workspace.runStep("greet", { name: "bob", who: "bob" })).rejects.toThrow("who must be of type");
  await expect(app.workspace.runStep("wave", {})).rejects.toThrow("no step wave");
});

it("installs no app whose steps cannot work", () => {
  const { settings, ...rest } = manifest;
  const without = (more: object) => () => parseAppManifest({ ...rest, settings: { ...settings, ...more } });
  expect(without({ org_deploy_enabled: false })).toThrow("org_deploy_enabled");
  expect(without({ function_runtime: undefined })).toThrow("function_runtime");
  expect(without({ event_subscriptions: tinyManifest.settings.event_subscriptions })).toThrow("function_executed");
});
