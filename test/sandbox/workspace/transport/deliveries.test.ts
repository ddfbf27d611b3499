import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sign } from "../../../../src/sandbox/workspace/deliveries.ts";
import { startWorkspace } from "../../../support/start-workspace.ts";
import { callSlack } from "../call-slack.ts";
import { type RecordingApp, startRecording } from "../recording-app.ts";
import { tinyManifest } from "../tiny-manifest.ts";

let app: RecordingApp;
beforeEach(async () => {
  app = await startRecording({ deadlineMs: 600 });
});
afterEach(() => app.stop());

describe("signatures", () => {
  it("match Slack's own example", () => {
    const body =
      "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";
    expect(sign("8f742231b10e8888abcd99yyyzzz85a5", "1531420618", body)).toBe(
      "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
    );
  });

  it("cover the raw body of every request", async () => {
    await app.workspace.as("alice").type("/tiny  a  b ", "ops");
    const [request] = app.received;
    const timestamp = String(request?.headers["x-slack-request-timestamp"]);
    expect(request?.headers["x-slack-signature"]).toBe(
      sign(app.workspace.signingSecret, timestamp, request?.body ?? ""),
    );
    expect(request?.headers["content-type"]).toBe("application/x-www-form-urlencoded");
  });
});

describe("a command", () => {
  it("contains the person, the channel and the text", async () => {
    await app.workspace.as("carol").type("/tiny one two", "security");
    expect(app.last()).toMatchObject({
      team_id: "T0CURFEW",
      channel_id: "C0SEC",
      channel_name: "privategroup",
      user_id: "U03CAROL",
      command: "/tiny",
      text: "one two",
      is_enterprise_install: "false",
      response_url: expect.stringContaining("/commands/T0CURFEW/"),
      trigger_id: expect.stringMatching(/^\d+\.\d+\.[0-9a-f]+$/),
    });
  });

  it("escapes mentions, links and markup when the manifest says so", async () => {
    const typed = "@alice @engineers #ops #security https://a.example/?b=1&c=2 x@example.com 1<2 @nobody";
    await app.workspace.as("carol").type(`/tiny ${typed}`, "ops");
    expect(app.last().text).toBe(
      "<@U01ALICE> <!subteam^S0ENGINEERS> <#C0OPS|ops> <#C0SEC|> <https://a.example/?b=1&amp;c=2> <mailto:x@example.com|x@example.com> 1&lt;2 @nobody",
    );
    await app.workspace.as("carol").type(`/plain ${typed}`, "ops");
    expect(app.last().text).toBe(typed);
  });

  it("shows the text or message of its acknowledgement", async () => {
    const alice = app.workspace.as("alice");
    app.reply({ text: "plain" });
    expect(await alice.type("/tiny", "ops")).toEqual({ ok: true });
    app.reply({ json: { response_type: "ephemeral", text: "as a message" } });
    await alice.type("/tiny", "ops");
    expect(alice.messages("ops").map((message) => message.text)).toEqual(["plain", "as a message"]);
    expect(app.workspace.channel("ops").messages).toHaveLength(0);
  });

  it.each([
    ["a broken acknowledgement", { json: { blocks: [{ type: "nonsense" }] } }, "invalid_command_response"],
    ["an acknowledgement that is not a message", { json: ["x"] }, "invalid_command_response"],
    ["a server error of the app", { status: 500 }, "http_service_error"],
    ["a client error of the app", { status: 404 }, "http_client_error"],
    ["silence", "never" as const, "operation_timeout"],
  ])("shows an error to the person after %s", async (_what, reply, error) => {
    const alice = app.workspace.as("alice");
    app.reply(reply);
    expect(await alice.type("/tiny", "ops")).toEqual({ ok: false, shown: error });
    const text = `/tiny failed with the error "${error}"`;
    expect(alice.messages("ops").at(-1)).toMatchObject({ userId: "USLACK", text, ephemeralTo: alice.id });
    expect(app.workspace.appRequests).toMatchObject([
      { type: "command", transport: "http", tookMs: expect.any(Number) },
    ]);
  });

  it("never reaches the app when it is not declared", async () => {
    expect(await app.workspace.as("alice").type("/other", "ops")).toEqual({ ok: false, shown: "unknown_command" });
    expect(app.received).toEqual([]);
  });

  it("is rejected in a channel without the person", async () => {
    await expect(app.workspace.as("alice").type("/tiny", "security")).rejects.toThrow("alice is not in #security");
  });

  it("can be redelivered unchanged", async () => {
    await app.workspace.as("alice").type("/tiny", "ops");
    const [delivery] = app.workspace.appRequests;
    if (delivery === undefined) throw new Error("nothing was delivered");
    expect(await app.workspace.redeliver(delivery)).toEqual({ ok: true });
    expect(app.received[1]?.payload).toEqual(app.received[0]?.payload);
  });
});

describe("an interaction", () => {
  const blocks = [
    {
      type: "actions",
      elements: [{ type: "button", action_id: "go", text: { type: "plain_text", text: "Go" }, value: "1" }],
    },
  ];
  const press = async () => {
    await callSlack(app.workspace, "chat.postMessage", { channel: "C0OPS", text: "Card", blocks });
    const [message] = app.workspace.channel("ops").messages;
    if (message === undefined) throw new Error("nothing was posted");
    return app.workspace.as("erin").press("Go", message);
  };

  it("contains the person's home workspace", async () => {
    expect(await press()).toEqual({ ok: true });
    expect(app.last()).toMatchObject({
      type: "block_actions",
      user: { id: "U06ERIN", team_id: "T0OTHER" },
      team: { id: "T0CURFEW" },
      channel: { id: "C0OPS", name: "ops" },
      message: { text: "Card", bot_id: "B0CURFEW" },
      actions: [
        { type: "button", action_id: "go", value: "1", block_id: expect.any(String), action_ts: expect.any(String) },
      ],
    });
  });

  it("must have an empty acknowledgement", async () => {
    app.reply({ json: { response_action: "clear" } });
    expect(await press()).toEqual({ ok: false, shown: "invalid_interaction_response" });
  });

  it("is not sent while interactivity is disabled", async () => {
    const settings = { ...tinyManifest.settings, interactivity: { is_enabled: false } };
    await app.stop();
    app = await startRecording({ manifest: { ...tinyManifest, settings } });
    expect(await press()).toEqual({ ok: false, shown: "interactivity_not_enabled" });
  });
});

describe("an unreachable app", () => {
  it("fails immediately", async () => {
    const workspace = await startWorkspace({ manifest: tinyManifest });
    expect(await workspace.as("alice").type("/tiny", "ops")).toEqual({ ok: false, shown: "dispatch_failed" });
    await workspace.close();
  });
});
