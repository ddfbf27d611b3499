import { expect, it } from "vitest";
import { readPress } from "../../src/slack/listeners/listeners.ts";
import { commandButton, commandMenu, selectRow } from "../../src/slack/messages/button.ts";
import { ask, buttonsOn, changesSentTo, messagesAfter } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { formType, lastDelivery, sendCrafted, signedHeaders } from "../support/wire.ts";

/** What a real Slack, or a proxy in front of Curfew, was seen to send beside what its documentation shows. */
const { curfew } = oneBot();
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

it.each([
  { error: "invalid_arguments", messages: ["[ERROR] `trigger_id` expired [json-pointer:/trigger_id]"] },
  { error: "trigger_expired" },
])("a trigger that expired, as $error, leaves a button that opens the form", async (fault) => {
  const carol = curfew().workspace.as("carol");
  curfew().workspace.faults.failNext("views.open", fault);
  const { text, message } = await ask(curfew(), "carol", "user remove-mfa dave@example.com");
  expect(text).toContain("The form could not be opened in time. Nothing was changed: open it here.");
  await carol.press("Open the form", message);
  expect((await curfew().workspace.waitFor(() => carol.openView())).text).toContain("dave");
});

it("the value of a button survives being escaped", async () => {
  const reason = "R&D <b> &amp; more";
  const { message } = await ask(curfew(), "alice", `exclude staging for 30h --another because ${reason}`);
  expect(buttonsOn(message)).toContain("Use 1 d");
  await messagesAfter(curfew(), "alice", () => curfew().workspace.as("alice").press("Use 1 d", message));
  const press = lastDelivery(curfew(), "block_actions");
  const [action] = press.payload.actions as readonly { readonly value: string }[];
  const sent = changesSentTo(curfew());
  await sendCrafted(curfew(), press, {
    actions: [{ ...action, value: escaped(action?.value ?? "") }],
    container: { message_ts: "1700000000.000100" },
    trigger_id: "1.2.again",
  });
  expect(sent()).toEqual(["CreateActionExclusion"]);
  const { text } = await ask(curfew(), "alice", "history mine");
  expect(text.split(escaped(reason))).toHaveLength(3);
});

it("what is pressed or chosen is read as it was given to Slack, also from messages of an earlier version", () => {
  const input = { resourceIds: "R&D <1>", another: true };
  const button = commandButton({ label: "Go", words: "exclusion create", opens: "result", input });
  const menu = commandMenu("m", [{ label: "Go", words: "exclusion create", opens: "result", input }]);
  const row = selectRow({
    words: "exclusion create",
    field: "project",
    input,
    options: [{ label: "x", value: "R&D" }],
  });
  const [select] = row?.elements ?? [];
  const values = [button?.value, menu?.options[0]?.value, row?.block_id];
  for (const value of values) expect(escaped(value ?? "&")).toBe(value);
  const read = (action: object) =>
    readPress({ user: { id: "U1" }, trigger_id: "1", container: {}, channel: { id: "C1" }, actions: [action] });
  const typed = { type: "button", action_id: button?.action_id };
  for (const value of [button?.value, JSON.stringify(input), escaped(JSON.stringify(input))])
    expect(JSON.parse(read({ ...typed, value })?.value ?? "")).toEqual(input);
  const chosen = { type: "static_select", action_id: select?.action_id, selected_option: { value: "R&amp;D" } };
  for (const block_id of [row?.block_id, escaped(JSON.stringify(input))])
    expect(JSON.parse(read({ ...chosen, block_id })?.value ?? "")).toEqual({ ...input, project: "R&D" });
});

it("a request in chunks is read within the limit of size", async () => {
  await ask(curfew(), "carol", "whoami");
  const { payload } = lastDelivery(curfew(), "command");
  const postInChunks = async (body: string) => {
    const headers = signedHeaders(curfew(), body, formType);
    const init = { method: "POST", headers, body: new Blob([body]).stream(), duplex: "half" } as const;
    return fetch(`${curfew().url}/slack/events`, init);
  };
  const fields = Object.entries(payload).map(([name, value]): [string, string] => [name, String(value)]);
  const body = new URLSearchParams([...fields.filter(([name]) => name !== "trigger_id"), ["trigger_id", "9.9.chunks"]]);
  const answer = await postInChunks(body.toString());
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("carol")]);
  expect((await postInChunks(`payload=${"x".repeat(600 * 1024)}`)).status).toBe(413);
});

it("a reply in a thread that is delivered as a mention, without one at its front, is met with silence", async () => {
  await ask(curfew(), "carol", "whoami");
  const carol = curfew().workspace.as("carol");
  await carol.type("@Curfew whoami", "ops");
  await curfew().app.idle();
  const mention = lastDelivery(curfew(), "app_mention");
  const before = curfew().workspace.calls.length;
  const bot = `<@${String(/<@(\w+)>/.exec(JSON.stringify(mention.payload))?.[1])}>`;
  for (const [index, text] of ["end staging", `I told ${bot} to end staging`, "x".repeat(9000)].entries())
    await sendCrafted(curfew(), mention, {
      event: { text, ts: `${Math.floor(Date.now() / 1000)}.00010${index}`, thread_ts: "1700000000.000100" },
    });
  expect(curfew().workspace.calls.slice(before)).toEqual([]);
});
