import { readFileSync } from "node:fs";
import { WebClient } from "@slack/web-api";
import { expect, onTestFinished, test } from "vitest";
import { boltLogger } from "../../src/slack/connection/slack-connection.ts";
import { noticeView, openForm } from "../../src/slack/forms/form.ts";
import { literal } from "../../src/slack/messages/text.ts";
import { quietLog } from "../changes/build.ts";
import { createSignal } from "../support/signal.ts";
import { startWorkspace } from "../support/start-workspace.ts";

/** A workspace in which Alice has just typed a command; `triggerId` is what Slack sent with it. */
async function startTyping() {
  const manifest: unknown = JSON.parse(readFileSync("manifest/slack-app.http.json", "utf8"));
  const triggers: string[] = [];
  const workspace = await startWorkspace({
    manifest,
    rateLimits: "off",
    requestUrl: "https://curfew.example.com/slack/events",
    fetch: async (_url, init) => {
      triggers.push(new URLSearchParams(String(init?.body)).get("trigger_id") ?? "");
      return new Response("");
    },
  });
  onTestFinished(() => workspace.close());
  await workspace.as("alice").type("/curfew exclude", "ops");
  const client = new WebClient(workspace.botToken, { slackApiUrl: workspace.apiUrl, logger: boltLogger(quietLog) });
  const openView = () => workspace.as("alice").openView();
  return { workspace, client, triggerId: triggers[0] ?? "", openView };
}

const form = noticeView("Keep running", literal("The form."));

test("opens a form that is ready soon without a loading view", async () => {
  const { workspace, client, triggerId, openView } = await startTyping();
  await openForm({ client, log: quietLog }, { triggerId }, "Keep running", async () => form);
  expect(workspace.calls.map(({ method }) => method)).toEqual(["views.open"]);
  expect(JSON.stringify(openView())).toContain("The form.");
});

test("opens a loading view for a slow form, then replaces it", async () => {
  const { workspace, client, triggerId, openView } = await startTyping();
  const { given: isReady, give: finish } = createSignal();
  const opening = openForm({ client, log: quietLog }, { triggerId }, "Keep running", async () => {
    await isReady;
    return form;
  });
  await workspace.waitFor(() => JSON.stringify(openView() ?? "").includes("One moment"));
  finish();
  await opening;
  expect(workspace.calls.map(({ method }) => method)).toEqual(["views.open", "views.update"]);
  expect(JSON.stringify(openView())).toContain("The form.");
});

test("the loading view shows an error when the form cannot be prepared", async () => {
  const { workspace, client, triggerId, openView } = await startTyping();
  let fail = (_error: Error): void => undefined;
  const isReady = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  const opening = openForm({ client, log: quietLog }, { triggerId }, "Keep running", () => isReady);
  await workspace.waitFor(() => JSON.stringify(openView() ?? "").includes("One moment"));
  fail(new Error("no"));
  await opening;
  expect(JSON.stringify(openView())).toContain("could not prepare this form");
});
