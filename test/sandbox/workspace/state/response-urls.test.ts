import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callSlack, postTo } from "../call-slack.ts";
import { type RecordingApp, startRecording } from "../recording-app.ts";

let clock = Date.parse("2026-11-20T12:00:00Z");
let app: RecordingApp;
beforeEach(async () => {
  app = await startRecording({ now: () => clock });
});
afterEach(() => app.stop());

const commandUrl = async (): Promise<string> => {
  await app.workspace.as("alice").type("/tiny", "random");
  return String(app.last().response_url);
};
const blocks = [
  { type: "actions", elements: [{ type: "button", action_id: "go", text: { type: "plain_text", text: "Go" } }] },
];

describe("the response URL of a command", () => {
  it("posts to channels without the bot, to that person alone", async () => {
    const url = await commandUrl();
    expect(await postTo(url, { text: "for you" })).toEqual({ status: 200, body: "ok" });
    expect(await postTo(url, { text: "for all", response_type: "in_channel" })).toMatchObject({ status: 400 });
    expect(
      app.workspace
        .as("alice")
        .messages("random")
        .map((message) => message.text),
    ).toEqual(["for you"]);
    expect(
      app.workspace
        .as("bob")
        .messages("random")
        .map((message) => message.text),
    ).toEqual([]);
  });

  it("accepts five messages", async () => {
    const url = await commandUrl();
    for (let use = 1; use <= 5; use += 1) expect((await postTo(url, { text: String(use) })).status).toBe(200);
    expect(await postTo(url, { text: "6" })).toEqual({ status: 404, body: "used_url" });
  });

  it("expires after half an hour", async () => {
    const url = await commandUrl();
    clock += 30 * 60_000;
    expect((await postTo(url, { text: "in time" })).status).toBe(200);
    clock += 1;
    expect(await postTo(url, { text: "late" })).toEqual({ status: 404, body: "expired_url" });
  });

  it("rejects an invalid message", async () => {
    const url = await commandUrl();
    expect(await postTo(url, {})).toEqual({ status: 400, body: "no_text" });
    expect(await postTo(url, { text: "x", blocks: [{ type: "nonsense" }] })).toEqual({
      status: 400,
      body: "invalid_blocks",
    });
    const form = await fetch(url, { method: "POST", body: new URLSearchParams({ text: "x" }) });
    expect(form.status).toBe(400);
  });

  it("has no original message to replace", async () => {
    const url = await commandUrl();
    await postTo(url, { text: "first" });
    await postTo(url, { text: "second", replace_original: true });
    expect(app.workspace.as("alice").messages("random")).toHaveLength(2);
  });
});

describe("the response URL of a message", () => {
  const pressedIn = async (method: string, args: object): Promise<string> => {
    await callSlack(app.workspace, method, { channel: "C0OPS", text: "Card", blocks, ...args });
    const bob = app.workspace.as("bob");
    const [message] = bob.messages("ops");
    if (message === undefined) throw new Error("nothing was posted");
    await bob.press("Go", message);
    return String(app.last().response_url);
  };

  it("replaces the message", async () => {
    const url = await pressedIn("chat.postMessage", {});
    await postTo(url, { text: "Done", replace_original: true });
    expect(app.workspace.channel("ops").messages).toMatchObject([{ text: "Done", blocks: [] }]);
  });

  it("keeps an ephemeral message ephemeral", async () => {
    const url = await pressedIn("chat.postEphemeral", { user: "U02BOB" });
    expect(app.last()).toMatchObject({ container: { is_ephemeral: true } });
    expect(app.last()).not.toHaveProperty("message");
    await postTo(url, { text: "Beside" });
    await postTo(url, { text: "Done", replace_original: true });
    expect(
      app.workspace
        .as("bob")
        .messages("ops")
        .map((message) => message.text),
    ).toEqual(["Done", "Beside"]);
    expect(app.workspace.channel("ops").messages).toEqual([]);
  });
});
