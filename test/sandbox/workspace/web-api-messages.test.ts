import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startWorkspace, type Workspace } from "../../support/start-workspace.ts";
import { callSlack, type SlackAnswer } from "./call-slack.ts";
import { tinyManifest } from "./tiny-manifest.ts";

let workspace: Workspace;
beforeEach(async () => {
  workspace = await startWorkspace({ manifest: tinyManifest });
});
afterEach(() => workspace.close());

const post = (args: Record<string, unknown>): Promise<SlackAnswer> => callSlack(workspace, "chat.postMessage", args);
const section = { type: "section", text: { type: "mrkdwn", text: "A line" } };

describe("chat.postMessage", () => {
  it("fills in defaults and returns the message", async () => {
    const answer = await post({ channel: "C0OPS", text: "Hello", blocks: [section] });
    expect(answer).toMatchObject({
      ok: true,
      channel: "C0OPS",
      message: {
        type: "message",
        user: "UCURFEW",
        bot_id: workspace.botId,
        blocks: [{ type: "section", block_id: expect.stringMatching(/^\w{5}$/), text: { verbatim: false } }],
      },
    });
    expect(workspace.channel("ops").messages).toHaveLength(1);
  });

  it("finds a channel by name and a direct message by the person's id", async () => {
    expect(await post({ channel: "#ops", text: "hi" })).toMatchObject({ ok: true, channel: "C0OPS" });
    expect(await post({ channel: "U01ALICE", text: "hi" })).toMatchObject({
      ok: true,
      channel: expect.stringMatching(/^D/),
    });
    expect(workspace.as("alice").messages("dm")).toHaveLength(1);
    expect(workspace.as("bob").messages("dm")).toHaveLength(0);
  });

  it.each([
    ["an unknown channel", { channel: "C404", text: "x" }, "channel_not_found"],
    ["a deactivated person", { channel: "U07FRED", text: "x" }, "channel_not_found"],
    ["a public channel without its bot", { channel: "C0RANDOM", text: "x" }, "not_in_channel"],
    ["an empty message", { channel: "C0OPS" }, "no_text"],
    ["what the sandbox does not simulate", { channel: "C0OPS", text: "x", username: "Boss" }, "invalid_arguments"],
    ["blocks that are not a list", { channel: "C0OPS", blocks: "{}" }, "invalid_blocks_format"],
  ])("rejects %s", async (_what, args, error) => {
    expect(await post(args)).toMatchObject({ ok: false, error });
  });

  it("hides private channels that the bot is not in", async () => {
    await workspace.changes.leave("bot", "security");
    expect(await post({ channel: "C0SEC", text: "x" })).toMatchObject({ error: "channel_not_found" });
  });

  it("rejects archived channels", async () => {
    await workspace.changes.archive("ops");
    expect(await post({ channel: "C0OPS", text: "x" })).toMatchObject({ error: "is_archived" });
  });

  it("names each problem of the blocks and its place", async () => {
    const blocks = [{ type: "header", text: { type: "mrkdwn", text: "x" } }];
    const answer = await post({ channel: "C0OPS", text: "x", blocks });
    expect(answer).toMatchObject({ error: "invalid_blocks" });
    expect(answer.errors).toEqual([expect.stringContaining("[json-pointer:/blocks/0/text")]);
    expect(answer.response_metadata).toMatchObject({ messages: [expect.stringMatching(/^\[ERROR\] /)] });
  });

  it("truncates very long text with a warning", async () => {
    const answer = await post({ channel: "C0OPS", text: "x".repeat(40_001) });
    expect(answer).toMatchObject({ ok: true, warning: "message_truncated" });
    expect(workspace.channel("ops").messages[0]?.text).toHaveLength(40_000);
  });

  it("needs the Messages tab for direct messages", async () => {
    const features = { ...tinyManifest.features, app_home: { home_tab_enabled: true } };
    const other = await startWorkspace({ manifest: { ...tinyManifest, features } });
    const answer = await callSlack(other, "chat.postMessage", { channel: "U01ALICE", text: "hi" });
    await other.close();
    expect(answer).toMatchObject({ error: "messages_tab_disabled" });
  });
});

describe("chat.postEphemeral", () => {
  const whisper = (args: Record<string, unknown>): Promise<SlackAnswer> =>
    callSlack(workspace, "chat.postEphemeral", args);

  it("shows the message only to that person", async () => {
    expect(await whisper({ channel: "C0OPS", user: "U02BOB", text: "psst" })).toMatchObject({ ok: true });
    expect(workspace.as("bob").messages("ops")).toHaveLength(1);
    expect(workspace.as("alice").messages("ops")).toHaveLength(0);
    expect(workspace.channel("ops").messages).toHaveLength(0);
  });

  it("rejects people outside the channel, and channels without the bot", async () => {
    expect(await whisper({ channel: "C0SEC", user: "U01ALICE", text: "x" })).toMatchObject({
      error: "user_not_in_channel",
    });
    expect(await whisper({ channel: "C0RANDOM", user: "U01ALICE", text: "x" })).toMatchObject({
      error: "not_in_channel",
    });
  });

  it("is shown in a thread only when somebody has replied there", async () => {
    const bob = workspace.as("bob");
    await bob.type("anybody?", "ops");
    const thread_ts = bob.messages("ops").at(-1)?.ts;
    const inThread = { channel: "C0OPS", user: "U02BOB", text: "psst", thread_ts };
    expect(await whisper(inThread)).toMatchObject({ ok: true, message_ts: expect.any(String) });
    expect(bob.messages("ops")).toHaveLength(1);
    await bob.type("me", "ops", thread_ts);
    expect(await whisper(inThread)).toMatchObject({ ok: true });
    expect(bob.messages("ops").at(-1)).toMatchObject({ text: "psst", threadTs: thread_ts, ephemeralTo: "U02BOB" });
  });

  it("cannot be updated or deleted", async () => {
    const { message_ts: ts } = await whisper({ channel: "C0OPS", user: "U02BOB", text: "psst" });
    expect(await callSlack(workspace, "chat.update", { channel: "C0OPS", ts, text: "x" })).toMatchObject({
      error: "message_not_found",
    });
    expect(await callSlack(workspace, "chat.delete", { channel: "C0OPS", ts })).toMatchObject({
      error: "message_not_found",
    });
  });
});

describe("changing messages", () => {
  const update = (args: Record<string, unknown>): Promise<SlackAnswer> => callSlack(workspace, "chat.update", args);

  it("removes the blocks when only text is given, and marks the message as edited", async () => {
    const { ts } = await post({ channel: "C0OPS", text: "Hello", blocks: [section] });
    expect(await update({ channel: "C0OPS", ts, text: "Bye" })).toMatchObject({ ok: true, text: "Bye" });
    expect(workspace.channel("ops").messages[0]).toMatchObject({ text: "Bye", blocks: [], isEdited: true });
  });

  it("does not mark a message as edited when only its blocks change", async () => {
    const { ts } = await post({ channel: "C0OPS", text: "Hello" });
    await update({ channel: "C0OPS", ts, blocks: [section] });
    expect(workspace.channel("ops").messages[0]).toMatchObject({
      text: "Hello",
      isEdited: false,
      blocks: [{ type: "section" }],
    });
  });

  it("rejects other people's messages, user ids, and texts over 4,000 characters", async () => {
    await workspace.as("alice").type("Good morning", "ops");
    const ts = workspace.channel("ops").messages[0]?.ts;
    expect(await update({ channel: "C0OPS", ts, text: "x" })).toMatchObject({ error: "cant_update_message" });
    expect(await callSlack(workspace, "chat.delete", { channel: "C0OPS", ts })).toMatchObject({
      error: "cant_delete_message",
    });
    const own = await post({ channel: "U01ALICE", text: "hi" });
    expect(await update({ channel: "U01ALICE", ts: own.ts, text: "x" })).toMatchObject({ error: "channel_not_found" });
    const long = { channel: own.channel, ts: own.ts, text: "x".repeat(4001) };
    expect(await update(long)).toMatchObject({ error: "msg_too_long" });
  });

  it("deletes its own messages once", async () => {
    const { ts } = await post({ channel: "C0OPS", text: "Hello" });
    expect(await callSlack(workspace, "chat.delete", { channel: "C0OPS", ts })).toMatchObject({ ok: true });
    expect(await callSlack(workspace, "chat.delete", { channel: "C0OPS", ts })).toMatchObject({
      error: "message_not_found",
    });
  });

  it("links to messages and replies", async () => {
    const { ts } = await post({ channel: "C0OPS", text: "Hello" });
    const reply = await post({ channel: "C0OPS", text: "More", thread_ts: ts });
    const link = await callSlack(workspace, "chat.getPermalink", { channel: "C0OPS", message_ts: reply.ts });
    const path = `p${String(reply.ts).replace(".", "")}?thread_ts=${String(ts)}&cid=C0OPS`;
    expect(link.permalink).toBe(`https://curfew-sandbox.slack.com/archives/C0OPS/${path}`);
  });
});
