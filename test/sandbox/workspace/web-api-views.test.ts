import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/sandbox/workspace/json-object.ts";
import { callSlack, type SlackAnswer } from "./call-slack.ts";
import { type RecordingApp, startRecording } from "./recording-app.ts";
import { tinyManifest } from "./tiny-manifest.ts";

let clock = Date.parse("2026-11-20T12:00:00Z");
let app: RecordingApp;
beforeEach(async () => {
  app = await startRecording({ now: () => clock });
});
afterEach(() => app.stop());

const input = (blockId: string, actionId = "text"): JsonObject => ({
  type: "input",
  block_id: blockId,
  optional: true,
  label: { type: "plain_text", text: `Field ${blockId}` },
  element: { type: "plain_text_input", action_id: actionId },
});
const button = {
  type: "actions",
  block_id: "more",
  elements: [{ type: "button", action_id: "more", text: { type: "plain_text", text: "More" } }],
};
const modal = (changes: JsonObject = {}): JsonObject => ({
  type: "modal",
  title: { type: "plain_text", text: "Form" },
  submit: { type: "plain_text", text: "Send" },
  blocks: [input("a"), button],
  ...changes,
});
const home = { type: "home", blocks: [{ type: "divider" }] };

const call = (method: string, args: JsonObject): Promise<SlackAnswer> => callSlack(app.workspace, method, args);
const trigger = async (): Promise<unknown> => {
  await app.workspace.as("alice").type("/tiny", "ops");
  return app.last().trigger_id;
};
const open = async (view: JsonObject = modal()): Promise<SlackAnswer> =>
  call("views.open", { trigger_id: await trigger(), view });

describe("triggers", () => {
  it("work once, within three seconds", async () => {
    const first = await trigger();
    expect(await call("views.open", { trigger_id: first, view: modal() })).toMatchObject({ ok: true });
    expect(await call("views.open", { trigger_id: first, view: modal() })).toMatchObject({
      error: "exchanged_trigger_id",
    });
    const late = await trigger();
    clock += 3001;
    expect(await call("views.open", { trigger_id: late, view: modal() })).toMatchObject({
      error: "expired_trigger_id",
    });
    expect(await call("views.open", { trigger_id: "1.2.abc", view: modal() })).toMatchObject({
      error: "invalid_trigger_id",
    });
    expect(await call("views.open", { view: modal() })).toMatchObject({ error: "invalid_arguments" });
  });
});

describe("views.open", () => {
  it("returns the view with all defaults filled in", async () => {
    const { view } = await open(modal({ callback_id: "form", private_metadata: " kept\n" }));
    expect(view).toMatchObject({
      id: expect.stringMatching(/^V/),
      team_id: "T0CURFEW",
      type: "modal",
      callback_id: "form",
      private_metadata: " kept\n",
      state: { values: { a: { text: { type: "plain_text_input", value: null } } } },
      close: null,
      previous_view_id: null,
      bot_id: "B0CURFEW",
    });
  });

  it("names each problem of a view and its place", async () => {
    const { submit: _submit, ...view } = modal();
    expect(await open(view)).toMatchObject({
      error: "invalid_arguments",
      response_metadata: {
        messages: [
          "[ERROR] failed to match all allowed schemas [json-pointer:/view]",
          "[ERROR] must define `submit` to use an `input` block in modals [json-pointer:/view/blocks/0/input]",
        ],
      },
    });
    expect(await open(modal({ blocks: Array(100).fill(section(3000)) }))).toMatchObject({ error: "view_too_large" });
  });

  it("rejects a home view", async () => {
    expect(await open(home)).toMatchObject({ error: "invalid_arguments" });
  });
});

describe("views.update", () => {
  it("keeps typed values only where both ids are the same", async () => {
    const opened = await open(modal({ blocks: [input("a"), input("b")] }));
    const alice = app.workspace.as("alice");
    await alice.fill({ "Field a": "one", "Field b": "two" });
    const view = modal({ blocks: [input("a"), input("b", "other")] });
    expect(await call("views.update", { view_id: Object(opened.view).id, view })).toMatchObject({ ok: true });
    expect(alice.openView()?.values).toMatchObject({ "Field a": { value: "one" }, "Field b": { value: null } });
  });

  it("rejects an old hash, a closed view and another type", async () => {
    const { view } = await open();
    const { id: view_id, hash } = Object(view);
    expect(await call("views.update", { view_id, hash, view: modal() })).toMatchObject({ ok: true });
    expect(await call("views.update", { view_id, hash, view: modal() })).toMatchObject({ error: "hash_conflict" });
    expect(await call("views.update", { view_id, view: home })).toMatchObject({
      response_metadata: { messages: [expect.stringContaining("must match the `type` of the root view")] },
    });
    expect(await call("views.update", { view: modal() })).toMatchObject({ error: "invalid_arguments" });
    await app.workspace.as("alice").cancel();
    expect(await call("views.update", { view_id, view: modal() })).toMatchObject({ error: "not_found" });
  });
});

describe("views.publish", () => {
  it("replaces one person's Home view", async () => {
    const { view } = await call("views.publish", { user_id: "U01ALICE", view: home });
    const { hash } = Object(view);
    expect(await call("views.publish", { user_id: "U01ALICE", view: home, hash })).toMatchObject({ ok: true });
    expect(await call("views.publish", { user_id: "U01ALICE", view: home, hash })).toMatchObject({
      error: "hash_conflict",
    });
    expect(app.workspace.homeOf("alice")).toMatchObject({ type: "home" });
    expect(app.workspace.homeOf("bob")).toBeUndefined();
    expect(await call("views.publish", { user_id: "U404", view: home })).toMatchObject({
      response_metadata: { messages: ["[ERROR] invalid `user_id` [json-pointer:/user_id]"] },
    });
  });

  it("needs the Home tab", async () => {
    const features = { ...tinyManifest.features, app_home: { messages_tab_enabled: true } };
    const other = await startRecording({ manifest: { ...tinyManifest, features } });
    const answer = await callSlack(other.workspace, "views.publish", { user_id: "U01ALICE", view: home });
    await other.stop();
    expect(answer).toMatchObject({ error: "not_enabled" });
  });
});

function section(length: number): JsonObject {
  return { type: "section", text: { type: "mrkdwn", text: "x".repeat(length) } };
}
