import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/sandbox/workspace/json-object.ts";
import { callSlack } from "./call-slack.ts";
import { type RecordingApp, startRecording } from "./recording-app.ts";

let app: RecordingApp;
beforeEach(async () => {
  app = await startRecording({ deadlineMs: 600 });
});
afterEach(() => app.stop());

const plain = (text: string): JsonObject => ({ type: "plain_text", text });
const option = (text: string): JsonObject => ({ text: plain(text), value: text.toLowerCase() });
const input = (label: string, element: JsonObject, changes: JsonObject = {}): JsonObject => ({
  type: "input",
  block_id: label.toLowerCase(),
  label: plain(label),
  element: { action_id: "value", ...element },
  ...changes,
});
const modal = (blocks: readonly JsonObject[], changes: JsonObject = {}): JsonObject => ({
  type: "modal",
  callback_id: "form",
  title: plain("Form"),
  submit: plain("Send"),
  blocks,
  ...changes,
});
const name = input("Name", { type: "plain_text_input" }, { optional: true });

const openModal = async (view: JsonObject): Promise<void> => {
  app.reply({});
  await app.workspace.as("alice").type("/tiny", "ops");
  const answer = await callSlack(app.workspace, "views.open", { trigger_id: app.last().trigger_id, view });
  expect(answer).toMatchObject({ ok: true });
};
const alice = () => app.workspace.as("alice");

describe("filling in a form", () => {
  it("holds the same state as a client for each kind of field", async () => {
    const options = [option("Red"), option("Green")];
    await openModal(
      modal([
        input("Text", { type: "plain_text_input" }),
        input("Count", { type: "number_input", is_decimal_allowed: false }),
        input("Hour", { type: "timepicker", timezone: "Europe/Berlin" }),
        input("Moment", { type: "datetimepicker" }),
        input("Colour", { type: "static_select", options }),
        input("Colours", { type: "multi_external_select", min_query_length: 0 }),
        input("Agree", { type: "checkboxes", options: [option("Yes")] }),
        input("One", { type: "radio_buttons", options }),
        input("Who", { type: "users_select" }),
      ]),
    );
    app.reply({ json: { options } });
    await alice().fill({ Colours: ["red", "Green"] });
    app.reply({});
    await alice().fill({
      Text: "hi",
      Count: 42,
      Hour: "09:30",
      Moment: 1_793_500_200,
      Colour: "Red",
      Agree: true,
      One: "Green",
      Who: "@bob",
    });
    expect(await alice().submit()).toEqual({ kind: "closed" });
    expect(Object(Object(app.last().view).state).values).toMatchObject({
      text: { value: { type: "plain_text_input", value: "hi" } },
      count: { value: { value: "42" } },
      hour: { value: { selected_time: "09:30", timezone: "Europe/Berlin" } },
      moment: { value: { selected_date_time: 1_793_500_200 } },
      colour: { value: { selected_option: { text: { text: "Red", emoji: true }, value: "red" } } },
      colours: { value: { selected_options: [{ value: "red" }, { value: "green" }] } },
      agree: { value: { selected_options: [{ value: "yes" }] } },
      one: { value: { selected_option: { value: "green" } } },
      who: { value: { selected_user: "U02BOB" } },
    });
    expect(app.last()).toMatchObject({ type: "view_submission", response_urls: [] });
  });

  it("is validated by the client before anything is sent", async () => {
    await openModal(
      modal([
        input("Needed", { type: "plain_text_input" }),
        input("Short", { type: "plain_text_input", min_length: 3, max_length: 4 }),
        input("Mail", { type: "email_text_input" }),
        input("Few", { type: "number_input", is_decimal_allowed: false, max_value: "9" }),
        name,
      ]),
    );
    await alice().fill({ Short: "no", Mail: "nowhere", Few: "10" });
    const before = app.received.length;
    expect(await alice().submit()).toMatchObject({
      kind: "blocked",
      errors: {
        Needed: expect.any(String),
        Short: expect.any(String),
        Mail: expect.any(String),
        Few: expect.any(String),
      },
    });
    expect(app.received).toHaveLength(before);
  });

  it("rejects unknown fields and options and lists the known ones", async () => {
    await openModal(modal([input("Colour", { type: "static_select", options: [option("Red")] })]));
    await expect(alice().fill({ Size: "L" })).rejects.toThrow('There is no field "Size" here. Fields: "Colour".');
    await expect(alice().fill({ Colour: "Blue" })).rejects.toThrow('There is no option "Blue". Options: "Red".');
  });

  it("notifies the app immediately where the block requests it", async () => {
    const select = { type: "static_select", options: [option("Red"), option("Green")] };
    await openModal(modal([input("Colour", select, { dispatch_action: true }), name]));
    await alice().fill({ Name: "x" });
    const before = app.received.length;
    await alice().fill({ Colour: "Green" });
    expect(app.received).toHaveLength(before + 1);
    expect(app.last()).toMatchObject({
      type: "block_actions",
      container: { type: "view" },
      view: { state: { values: { name: { value: { value: "x" } } } } },
      actions: [{ type: "static_select", block_id: "colour", selected_option: { value: "green" } }],
    });
    expect(app.last()).not.toHaveProperty("response_url");
  });

  it("searches an external select from three characters", async () => {
    const element = { type: "external_select" };
    await openModal(modal([input("City", element)]));
    app.reply({ json: { options: [option("London")] } });
    expect(await alice().suggest("City", "Lo")).toEqual([]);
    expect(await alice().suggest("City", "Lon")).toMatchObject([{ text: "London", value: "london" }]);
    expect(app.last()).toMatchObject({ type: "block_suggestion", value: "Lon", action_id: "value", block_id: "city" });
    expect(app.last()).not.toHaveProperty("trigger_id");
    app.reply({ json: { options: [{ text: "London" }] } });
    expect(await alice().suggest("City", "Lon")).toEqual([]);
    expect(alice().messages("dm").at(-1)?.text).toContain("The options could not be loaded");
  });
});

describe("the answer to a form", () => {
  it("can show another form in its place", async () => {
    await openModal(modal([name]));
    app.reply({ json: { response_action: "update", view: modal([name], { title: plain("Next") }) } });
    expect(await alice().submit()).toEqual({ kind: "updated" });
    expect(alice().openView()?.title).toBe("Next");
  });

  it.each([
    ["errors for a block that is not an input", { json: { response_action: "errors", errors: { nowhere: "x" } } }],
    ["a broken view", { json: { response_action: "update", view: { type: "modal" } } }],
    ["an answer that the sandbox does not simulate", { json: { response_action: "clear" } }],
    ["an empty object", { json: {} }],
    ["some text", { text: "ok" }],
    ["a timeout", "never" as const],
  ])("leaves the form open after %s", async (_what, reply) => {
    await openModal(modal([name]));
    app.reply(reply);
    expect(await alice().submit()).toMatchObject({ kind: "failed" });
    expect(alice().openView()?.title).toBe("Form");
    expect(alice().messages("dm").at(-1)).toMatchObject({ userId: "USLACK" });
  });
});

describe("closing views", () => {
  it("does not notify the app", async () => {
    await openModal(modal([name]));
    const before = app.received.length;
    await alice().cancel();
    expect(app.received).toHaveLength(before);
    expect(alice().openView()).toBeUndefined();
  });
});

describe("pressing buttons", () => {
  const confirm = { title: plain("Sure?"), text: plain("Really?"), confirm: plain("Yes"), deny: plain("No") };
  const row = (value: string): JsonObject => ({
    type: "section",
    text: plain(`Row ${value}`),
    accessory: { type: "button", action_id: "end", text: plain("End"), value, confirm },
  });
  const menu = {
    type: "actions",
    elements: [{ type: "overflow", action_id: "menu", options: [option("Edit"), option("Copy")] }],
  };
  const card = async () => {
    app.reply({});
    await callSlack(app.workspace, "chat.postMessage", {
      channel: "C0OPS",
      text: "x",
      blocks: [row("1"), row("2"), menu],
    });
    const [message] = app.workspace.channel("ops").messages;
    if (message === undefined) throw new Error("nothing was posted");
    return message;
  };

  it("distinguishes buttons with the same text by value", async () => {
    const message = await card();
    await expect(alice().press("End", message)).rejects.toThrow('There are 2 buttons "End"');
    await alice().press("End", message, { value: "2" });
    expect(app.last()).toMatchObject({ actions: [{ value: "2" }] });
    await alice().press("Copy", message);
    expect(app.last()).toMatchObject({ actions: [{ type: "overflow", selected_option: { value: "copy" } }] });
    await expect(alice().press("Gone", message)).rejects.toThrow('There is no button "Gone" among');
  });

  it("sends nothing after a denied confirmation, and one request per press", async () => {
    const message = await card();
    await alice().press("End", message, { value: "1", deny: true });
    expect(app.received).toHaveLength(0);
    await alice().press("End", message, { value: "1", times: 2 });
    expect(new Set(app.received.map(({ payload }) => payload.trigger_id)).size).toBe(2);
  });

  it("works only for people who see the message, while it exists", async () => {
    const message = await card();
    await app.workspace.changes.leave("dave", "ops");
    await expect(app.workspace.as("dave").press("Edit", message)).rejects.toThrow("dave does not see this message");
    await callSlack(app.workspace, "chat.delete", { channel: "C0OPS", ts: message.ts });
    await expect(alice().press("Edit", message)).rejects.toThrow("The message is gone");
  });

  it("works on the Home tab", async () => {
    await callSlack(app.workspace, "views.publish", {
      user_id: alice().id,
      view: { type: "home", blocks: [row("1")] },
    });
    expect(alice().home()?.text).toBe("Row 1\nEnd\nSure?\nReally?\nYes\nNo");
    await alice().press("End", "home");
    expect(app.last()).toMatchObject({ type: "block_actions", view: { type: "home" }, actions: [{ value: "1" }] });
    await expect(app.workspace.as("bob").press("End", "home")).rejects.toThrow("bob's Home tab is empty");
  });
});

describe("shortcuts", () => {
  it("include the message they were used on, even without the bot", async () => {
    await app.workspace.as("bob").type("Look: <this> & that", "random");
    const [message] = app.workspace.channel("random").messages;
    if (message === undefined) throw new Error("nothing was said");
    expect(await alice().messageShortcut("Keep", message)).toEqual({ ok: true });
    expect(app.last()).toMatchObject({
      type: "message_action",
      callback_id: "keep",
      channel: { id: "C0RANDOM" },
      message: { user: "U02BOB", text: "Look: &lt;this&gt; &amp; that" },
      response_url: expect.stringContaining("/app/"),
    });
    expect(app.last()).not.toHaveProperty("api_app_id");
    await expect(alice().shortcut("Keep")).rejects.toThrow('declares no global shortcut "Keep"');
  });
});
