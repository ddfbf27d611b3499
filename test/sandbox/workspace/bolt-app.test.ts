import type { App } from "@slack/bolt";
import type { KnownBlock, ModalView } from "@slack/types";
import { afterEach, describe, expect, it } from "vitest";
import { startOverHttp, startOverSocket, type TinyApp } from "./tiny-app.ts";

let tiny: TinyApp | undefined;
afterEach(async () => {
  await tiny?.stop();
  tiny = undefined;
});

const question: ModalView = {
  type: "modal",
  callback_id: "question",
  title: { type: "plain_text", text: "Question" },
  submit: { type: "plain_text", text: "Send" },
  blocks: [
    {
      type: "input",
      block_id: "what",
      label: { type: "plain_text", text: "What" },
      element: { type: "plain_text_input", action_id: "text", max_length: 20 },
    },
    {
      type: "input",
      block_id: "colour",
      optional: true,
      label: { type: "plain_text", text: "Colour" },
      element: { type: "external_select", action_id: "colour", min_query_length: 0 },
    },
  ],
};

const card: KnownBlock[] = [
  { type: "section", text: { type: "mrkdwn", text: "A card" } },
  {
    type: "actions",
    elements: [{ type: "button", action_id: "yes", text: { type: "plain_text", text: "Yes" }, value: "42" }],
  },
];

function register(app: App): void {
  app.command("/tiny", async ({ ack, respond, client, command }) => {
    await ack();
    if (command.text === "form") await client.views.open({ trigger_id: command.trigger_id, view: question });
    else if (command.text === "card") await client.chat.postMessage({ channel: "C0OPS", text: "A card", blocks: card });
    else await respond(`You said ${command.text}`);
  });
  app.options("colour", async ({ ack, payload }) => {
    const names = ["Red", "Green", "Blue"].filter((name) => name.toLowerCase().startsWith(payload.value.toLowerCase()));
    await ack({ options: names.map((text) => ({ text: { type: "plain_text", text }, value: text.toLowerCase() })) });
  });
  app.view("question", async ({ ack, view, client, body }) => {
    const values = view.state.values;
    if (values.what?.text?.value === "bad") {
      await ack({ response_action: "errors", errors: { what: "Not that" } });
      return;
    }
    await ack();
    const colour = values.colour?.colour?.selected_option?.value ?? "no colour";
    await client.chat.postMessage({ channel: body.user.id, text: `${values.what?.text?.value} in ${colour}` });
  });
  app.action("yes", async ({ ack, respond }) => {
    await ack();
    await respond({ replace_original: true, text: "Said yes" });
  });
}

describe.each([
  ["HTTP", startOverHttp],
  ["Socket Mode", startOverSocket],
])("a Bolt app over %s", (_name, start) => {
  it("answers a command through its response URL, only to that person", async () => {
    tiny = await start(register);
    const { workspace } = tiny;
    const alice = workspace.as("alice");
    expect(await alice.type("/tiny hello @bob", "ops")).toEqual({ ok: true });
    const message = await workspace.waitFor(() => alice.messages("ops").at(-1));
    expect(message).toMatchObject({ text: "You said hello <@U02BOB>", ephemeralTo: alice.id, isFromApp: true });
    expect(workspace.as("bob").messages("ops")).toEqual([]);
    expect(workspace.channel("ops").messages).toEqual([]);
  });

  it("opens a form, loads options, shows errors and closes it", async () => {
    tiny = await start(register);
    const { workspace } = tiny;
    const alice = workspace.as("alice");
    await alice.type("/tiny form", "random");
    await workspace.waitFor(() => alice.openView());
    expect(alice.openView()).toMatchObject({ title: "Question", fields: ["What", "Colour"] });
    expect((await alice.suggest("Colour", "g")).map((option) => option.text)).toEqual(["Green"]);
    expect(await alice.submit()).toEqual({ kind: "blocked", errors: { What: "Please complete this required field." } });
    await alice.fill({ What: "bad" });
    expect(await alice.submit()).toEqual({ kind: "errors", errors: { What: "Not that" } });
    await alice.fill({ What: "A bike", Colour: "Red" });
    expect(await alice.submit()).toEqual({ kind: "closed" });
    const message = await workspace.waitFor(() => alice.messages("dm").at(-1));
    expect(message.text).toBe("A bike in red");
    expect(alice.openView()).toBeUndefined();
  });

  it("replaces a card after a button press", async () => {
    tiny = await start(register);
    const { workspace } = tiny;
    await workspace.as("alice").type("/tiny card", "random");
    const posted = await workspace.waitFor(() => workspace.channel("ops").messages[0]);
    expect(await workspace.as("bob").press("Yes", posted)).toEqual({ ok: true });
    await workspace.waitFor(() => workspace.channel("ops").messages[0]?.text === "Said yes");
    expect(workspace.channel("ops").messages[0]?.blocks).toEqual([]);
  });
});
