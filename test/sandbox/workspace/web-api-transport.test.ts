import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startWorkspace, type Workspace } from "../../support/start-workspace.ts";
import { callSlack } from "./call-slack.ts";
import { manifestWithScopes, tinyManifest } from "./tiny-manifest.ts";

let workspace: Workspace;
let bare: Workspace;
beforeAll(async () => {
  workspace = await startWorkspace({ manifest: tinyManifest });
  const manifest = {
    ...manifestWithScopes("users:read"),
    settings: { ...tinyManifest.settings, event_subscriptions: {} },
  };
  bare = await startWorkspace({ manifest });
});
afterAll(async () => {
  await workspace.close();
  await bare.close();
});

describe("tokens and scopes", () => {
  it("identifies the owner of the token", async () => {
    expect(await callSlack(workspace, "auth.test")).toMatchObject({
      ok: true,
      team_id: "T0CURFEW",
      user_id: "UCURFEW",
      bot_id: workspace.botId,
    });
  });

  it("accepts the token from the form or the header", async () => {
    const answer = await callSlack(workspace, "auth.test", { token: workspace.botToken }, { token: null });
    expect(answer.ok).toBe(true);
  });

  it("ignores a token inside JSON", async () => {
    const options = { token: null, contentType: "application/json; charset=utf-8" };
    expect(await callSlack(workspace, "auth.test", { token: workspace.botToken }, options)).toMatchObject({
      error: "not_authed",
    });
  });

  it("rejects a missing token, a wrong one and one of the wrong type", async () => {
    expect(await callSlack(workspace, "auth.test", {}, { token: null })).toMatchObject({
      ok: false,
      error: "not_authed",
      status: 200,
    });
    expect(await callSlack(workspace, "auth.test", {}, { token: "xoxb-wrong" })).toMatchObject({
      error: "invalid_auth",
    });
    expect(await callSlack(workspace, "apps.connections.open")).toMatchObject({ error: "not_allowed_token_type" });
    expect(await callSlack(workspace, "auth.test", {}, { token: workspace.appToken })).toMatchObject({
      error: "not_allowed_token_type",
    });
  });

  it("names the missing scope and the granted ones", async () => {
    const answer = await callSlack(bare, "chat.postMessage", { channel: "C0OPS", text: "hi" });
    expect(answer).toMatchObject({ error: "missing_scope", needed: "chat:write", provided: "commands,users:read" });
  });

  it("checks the token before the scope and the scope before the arguments", async () => {
    expect(await callSlack(bare, "chat.postMessage", {}, { token: null })).toMatchObject({ error: "not_authed" });
    expect(await callSlack(bare, "chat.postMessage", {})).toMatchObject({ error: "missing_scope" });
  });
});

describe("transport", () => {
  it("rejects unknown methods", async () => {
    expect(await callSlack(workspace, "chat.burn")).toMatchObject({ error: "unknown_method", req_method: "chat.burn" });
  });

  it("accepts JSON only for writing methods", async () => {
    const options = { contentType: "application/json; charset=utf-8" };
    expect(await callSlack(workspace, "chat.postMessage", { channel: "C0OPS", text: "hi" }, options)).toMatchObject({
      ok: true,
    });
    expect(await callSlack(workspace, "users.info", { user: "U01ALICE" }, options)).toMatchObject({
      error: "invalid_post_type",
    });
  });

  it("warns about a missing or superfluous charset", async () => {
    const missing = await callSlack(workspace, "auth.test", {}, { contentType: "application/json" });
    expect(missing).toMatchObject({ ok: true, warning: "missing_charset" });
    const contentType = "application/x-www-form-urlencoded; charset=utf-8";
    expect(await callSlack(workspace, "auth.test", {}, { contentType })).toMatchObject({
      warning: "superfluous_charset",
    });
  });

  it("answers GET requests, but never with a socket URL", async () => {
    expect(await callSlack(workspace, "users.info?user=U01ALICE", {}, { verb: "GET" })).toMatchObject({ ok: true });
    const options = { verb: "GET", token: workspace.appToken } as const;
    expect(await callSlack(workspace, "apps.connections.open", {}, options)).toMatchObject({
      error: "insecure_request",
    });
  });

  it("records every call with its answer, without the token", async () => {
    await callSlack(workspace, "auth.test", { token: workspace.botToken, team_id: "T0CURFEW" });
    const call = workspace.calls.at(-1);
    expect(call).toMatchObject({
      method: "auth.test",
      arguments: { team_id: "T0CURFEW" },
      answer: { ok: true },
      status: 200,
    });
    expect(JSON.stringify(workspace.calls)).not.toContain(workspace.botToken);
  });
});

describe("the manifest", () => {
  it("rejects an app that cannot be installed, with every reason", async () => {
    const manifest = {
      display_information: { name: "Broken" },
      features: { slash_commands: [{ command: "/x", description: "x" }] },
      settings: { event_subscriptions: { bot_events: ["user_change"] } },
    };
    await expect(startWorkspace({ manifest })).rejects.toThrow(
      "commands and shortcuts need the scope commands; the event user_change needs the scope users:read; /x needs a url without Socket Mode; settings.event_subscriptions needs a request_url without Socket Mode",
    );
  });
});
