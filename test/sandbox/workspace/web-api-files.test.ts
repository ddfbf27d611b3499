import { afterEach, beforeEach, expect, it } from "vitest";
import { startWorkspace, type Workspace } from "../../../src/sandbox/workspace/start-workspace.ts";
import { callSlack, type SlackAnswer } from "./call-slack.ts";
import { manifestWithScopes } from "./tiny-manifest.ts";

let workspace: Workspace;
beforeEach(async () => {
  workspace = await startWorkspace({ manifest: manifestWithScopes("users:read", "chat:write", "files:write") });
});
afterEach(() => workspace.close());

const announce = (args: Record<string, unknown> = {}): Promise<SlackAnswer> =>
  callSlack(workspace, "files.getUploadURLExternal", { filename: "chart.png", length: 3, ...args });
const upload = async (url: unknown, body: string) => (await fetch(String(url), { method: "POST", body })).status;
const complete = (id: unknown): Promise<SlackAnswer> =>
  callSlack(workspace, "files.completeUploadExternal", { files: [{ id, title: "A chart" }] });
const show = (id: unknown): Promise<SlackAnswer> =>
  callSlack(workspace, "chat.postMessage", {
    channel: "C0OPS",
    text: "x",
    blocks: [{ type: "image", slack_file: { id }, alt_text: "A chart" }],
  });

it("a file is shown by a message after its three steps, and not before", async () => {
  const { upload_url: url, file_id: id } = await announce({ alt_txt: "Bars" });
  expect(await complete(id)).toMatchObject({ ok: false, error: "file_not_found" });
  expect(await show(id)).toMatchObject({ ok: false, error: "invalid_blocks" });
  expect(await upload(url, "four")).toBe(400);
  expect(await upload(url, "abc")).toBe(200);
  expect(await upload(url, "abc")).toBe(400);
  expect(await show(id)).toMatchObject({ error: "invalid_blocks" });
  expect(await complete(id)).toMatchObject({ ok: true, files: [{ id, title: "A chart" }] });
  expect(await show(id)).toMatchObject({ ok: true });
  expect(workspace.file(String(id))).toMatchObject({ alt: "Bars", bytes: Buffer.from("abc") });
});

it.each([
  ["an empty file", { length: 0 }, "missing_argument"],
  ["a file without a name", { filename: "" }, "missing_argument"],
  ["a long description", { alt_txt: "x".repeat(1001) }, "alt_txt_too_large"],
])("rejects %s", async (_what, args, error) => {
  expect(await announce(args)).toMatchObject({ ok: false, error });
});

it("takes a form only, and the scope", async () => {
  const json = { contentType: "application/json; charset=utf-8" };
  const args = { filename: "a.png", length: 1 };
  expect(await callSlack(workspace, "files.getUploadURLExternal", args, json)).toMatchObject({
    error: "invalid_post_type",
  });
  await workspace.close();
  workspace = await startWorkspace({ manifest: manifestWithScopes("users:read", "chat:write") });
  expect(await announce()).toMatchObject({ error: "missing_scope", needed: "files:write" });
});
