import { afterEach, beforeEach, expect, it } from "vitest";
import { type RecordingApp, startRecording } from "./recording-app.ts";
import { tinyManifest } from "./tiny-manifest.ts";

let app: RecordingApp;
let scheduled: { readonly delayMs: number; readonly run: () => void }[];
beforeEach(async () => {
  scheduled = [];
  app = await startRecording({ deadlineMs: 600, schedule: (delayMs, run) => void scheduled.push({ delayMs, run }) });
});
afterEach(() => app.stop());

const runNext = async (): Promise<number | undefined> => {
  const next = scheduled.shift();
  const before = app.workspace.appRequests.length;
  next?.run();
  await app.workspace.waitFor(() => {
    const delivery = app.workspace.appRequests[before];
    return delivery !== undefined && delivery.answer !== null;
  });
  return next?.delayMs;
};

it("sends an event in Slack's envelope, as JSON", async () => {
  expect(await app.workspace.as("alice").openHome()).toEqual({ ok: true });
  expect(app.received[0]?.headers["content-type"]).toBe("application/json");
  expect(app.last()).toMatchObject({
    type: "event_callback",
    team_id: "T0CURFEW",
    event: { type: "app_home_opened", user: "U01ALICE", tab: "home", channel: expect.stringMatching(/^D/) },
    event_id: expect.stringMatching(/^Ev/),
    authorizations: [{ user_id: "UCURFEW", is_bot: true }],
  });
  expect(scheduled).toEqual([]);
});

it("retries a rejected event three times with the same id", async () => {
  app.reply({ status: 500 });
  await app.workspace.as("alice").openHome();
  expect([await runNext(), await runNext(), await runNext()]).toEqual([0, 60_000, 300_000]);
  expect(scheduled).toEqual([]);
  const retries = app.received.map(({ headers }) => [headers["x-slack-retry-num"], headers["x-slack-retry-reason"]]);
  expect(retries).toEqual([
    [undefined, undefined],
    ["1", "http_error"],
    ["2", "http_error"],
    ["3", "http_error"],
  ]);
  expect(new Set(app.received.map(({ payload }) => payload.event_id)).size).toBe(1);
});

it("retries an unanswered event as a timeout until it is accepted", async () => {
  app.reply("never");
  await app.workspace.as("alice").openHome();
  app.reply({});
  await runNext();
  expect(app.received[1]?.headers["x-slack-retry-reason"]).toBe("http_timeout");
  expect(scheduled).toEqual([]);
});

it("does not retry when the app sends x-slack-no-retry", async () => {
  app.reply({ status: 500, headers: { "x-slack-no-retry": "1" } });
  await app.workspace.as("alice").openHome();
  expect(scheduled).toEqual([]);
});

it("sends a message that mentions the bot as a mention and as a message", async () => {
  await app.stop();
  const scopes = { bot: ["commands", "app_mentions:read", "channels:history"] };
  const bot_events = ["app_mention", "message.channels"];
  const settings = {
    ...tinyManifest.settings,
    event_subscriptions: { request_url: "https://example.com", bot_events },
  };
  app = await startRecording({ manifest: { ...tinyManifest, oauth_config: { scopes }, settings } });
  await app.workspace.as("alice").type("@Curfew hello", "ops");
  await app.workspace.as("alice").type("@curfew unheard", "random");
  expect(app.received.map(({ payload }) => payload.event)).toMatchObject([
    { type: "app_mention", text: "<@UCURFEW> hello", channel: "C0OPS" },
    { type: "message", channel_type: "channel", user: "U01ALICE" },
  ]);
});

it("sends an edited or deleted message as a change of it, and an edited mention as edited", async () => {
  await app.stop();
  const scopes = { bot: ["commands", "app_mentions:read", "im:history"] };
  const bot_events = ["app_mention", "message.im"];
  const settings = {
    ...tinyManifest.settings,
    event_subscriptions: { request_url: "https://example.com", bot_events },
  };
  app = await startRecording({ manifest: { ...tinyManifest, oauth_config: { scopes }, settings } });
  const alice = app.workspace.as("alice");
  for (const where of ["ops", "dm"]) {
    await alice.type("@curfew hello", where);
    const message = alice.messages(where).at(-1);
    if (message) await app.workspace.changes.remove(await app.workspace.changes.edit(message, "@curfew bye"));
  }
  expect(app.received.map(({ payload }) => payload.event)).toMatchObject([
    { type: "app_mention", text: "<@UCURFEW> hello", client_msg_id: expect.any(String) },
    { type: "app_mention", text: "<@UCURFEW> bye", edited: { user: "U01ALICE" } },
    { type: "message", channel_type: "im", text: "<@UCURFEW> hello" },
    { type: "message", subtype: "message_changed", message: { text: "<@UCURFEW> bye", edited: {} } },
    { type: "message", subtype: "message_deleted", previous_message: { text: "<@UCURFEW> bye" } },
  ]);
  expect(alice.messages("dm")).toEqual([]);
});

it("does not send events without a subscription", async () => {
  expect(await app.workspace.changes.setGroup("engineers", [])).toEqual({ ok: false, shown: "not_subscribed" });
  expect(app.received).toEqual([]);
});

it("sends the whole person when a person changes", async () => {
  await app.workspace.changes.changePerson("dave", { tz: "Asia/Tokyo" });
  expect(app.last()).toMatchObject({ event: { type: "user_change", user: { id: "U04DAVE", tz: "Asia/Tokyo" } } });
});
