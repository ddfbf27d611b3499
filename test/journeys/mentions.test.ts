const edited = { edited: { user: "U03CAROL", ts: "2.000001" } };
/** Slack's event for a changed message (PLATFORM.md §2.2). */
const changedFrom = (text: string, more: Readonly<Record<string, unknown>>) => ({
  ...{ subtype: "message_changed", user: undefined, text: undefined },
  message: { type: "message", user: "U03CAROL", text: text === "whoami?" ? "whoami" : text, ts: "1.000001", ...more },
  previous_message: { type: "message", user: "U03CAROL", text },
});

import { expect, it } from "vitest";
import type { StoredMessage } from "../../src/sandbox/workspace/state.ts";
import { buttonsOn, cardOf, changesSentTo, messagesAfter, textOf } from "../support/journey.ts";
import { inBothModes } from "../support/one-bot.ts";
import { lastDelivery, sendCrafted } from "../support/wire.ts";

inBothModes((curfew, clock, person) => {
  const say = (who: string, text: string, where = "ops", threadTs?: string) =>
    messagesAfter(curfew(), who, () => person(who).type(text, where, threadTs), where);
  const mention = (who: string, line: string, where = "ops") => say(who, `@Curfew ${line}`, where);
  const form = (who: string) => curfew().workspace.waitFor(() => person(who).openView(), { what: `a form for ${who}` });
  const repeat = (event: string) => curfew().workspace.redeliver(lastDelivery(curfew(), event));
  const ownMessages = (who: string, where: string) => person(who).messages(where).length;

  it("a mention does what its line says, answers only its writer, and posts the card in the channel", async () => {
    const sent = changesSentTo(curfew());
    const { text, message, changeId } = await mention("carol", "keep staging up for 2h --another");
    expect(text).toContain("Keeping staging");
    expect(message).toMatchObject({ channelId: "C0OPS", ephemeralTo: "U03CAROL" });
    expect(message.threadTs).toBeUndefined();
    expect(textOf(await cardOf(curfew(), changeId))).toContain("<@U03CAROL> is keeping *staging* running");
    const undone = await messagesAfter(curfew(), "carol", () => person("carol").press("Undo", message));
    expect(undone.text).toContain("You stopped keeping");
    expect(undone.message.ts).toBe(message.ts);
    expect(sent()).toEqual(["CreateActionExclusion", "DeleteActionExclusion"]);
  });

  it("a direct message needs no mention and is answered in that conversation", async () => {
    const { text, message } = await say("carol", "keep staging up for 2h --another", "dm");
    expect(text).toContain("Keeping staging");
    expect(message.ephemeralTo).toBeUndefined();
    expect(message.channelId).toMatch(/^D/);
    const { text: undone } = await messagesAfter(curfew(), "carol", () => person("carol").press("Undo", message));
    expect(undone).toContain("You stopped keeping");
  });

  it("a direct message that mentions Curfew is answered once, also when its event comes twice in two kinds", async () => {
    const before = ownMessages("carol", "dm");
    expect((await say("carol", "@Curfew whoami", "dm")).text).toContain("admin");
    const delivery = lastDelivery(curfew(), "message");
    await sendCrafted(curfew(), delivery, { event: { type: "app_mention" } });
    expect(ownMessages("carol", "dm")).toBe(before + 2);
  });

  it("a question by mention is answered privately", async () => {
    const { text, message } = await mention("alice", "status staging");
    expect(text).toContain("staging");
    expect(message.ephemeralTo).toBe("U01ALICE");
  });

  it.each(["", " ", "!", " hello", " help"])(
    "a mention with nothing more than “%s” shows what one may do",
    async (rest) => {
      expect((await say("carol", `@Curfew${rest}`)).text).toContain("Say it in your own words");
    },
  );

  it("a line that needs a form answers with a button that opens it with what was said", async () => {
    const { text, message } = await mention("carol", "user email bob");
    expect(text).toContain("continue in the form. Nothing was changed yet.");
    await person("carol").press("Open the form", message);
    const { values } = await form("carol");
    expect(JSON.stringify(values)).toContain("u-00000001");
  });

  it("a wrong value is named, and stands in the form", async () => {
    const { text, message } = await mention("carol", "exclude staging until yesterday --another");
    expect(text).toContain("That is past. Give a moment still to come. Keep running: continue in the form.");
    await person("carol").press("Open the form", message);
    expect((await form("carol")).text).toMatch(/yesterday|past/);
  });

  it("a question with buttons is replaced by the outcome of its button", async () => {
    // Her last project counts for a day.
    clock.advance(25 * 3_600_000);
    const { text, message } = await say("carol", "exclude i-0c81 for 2h", "dm");
    expect(text).toContain("Which project is i-0c81 in? Nothing was changed yet.");
    const [first = ""] = buttonsOn(message);
    const done = await messagesAfter(curfew(), "carol", () => person("carol").press(first, message));
    expect(done.text).toContain("Keeping i-0c81");
  });

  it("a line that is not understood offers what may have been meant", async () => {
    const sent = changesSentTo(curfew());
    const { text, message } = await mention("carol", "exclude staging for 1h --colour red");
    expect(text).toContain("--colour");
    expect(buttonsOn(message)).toContain("Open the form");
    expect(sent()).toEqual([]);
  });

  it("is refused as in a slash command: no role, a guest, another organization", async () => {
    const sent = changesSentTo(curfew());
    expect((await mention("dave", "exclude staging for 1h")).text).toContain("Nothing was changed. Ask ");
    expect((await mention("gina", "exclude staging for 1h")).text).toContain("Only full members");
    expect((await mention("erin", "status staging")).text).toContain("Only full members");
    expect(sent()).toEqual([]);
  });

  it("a person in a line is the one who was mentioned", async () => {
    expect((await mention("carol", "user show @bob")).text).toContain("bob@example.com");
    expect((await say("carol", "user show @bob", "dm")).text).toContain("bob@example.com");
  });

  it("delivered again, a message is done and answered once", async () => {
    const sent = changesSentTo(curfew());
    await mention("carol", "exclude staging for 1h --another");
    await curfew().app.idle();
    const before = ownMessages("carol", "ops");
    expect(await repeat("app_mention")).toEqual({ ok: true });
    expect(await repeat("app_mention")).toEqual({ ok: true });
    await curfew().app.idle();
    expect(ownMessages("carol", "ops")).toBe(before);
    expect(sent()).toEqual(["CreateActionExclusion"]);
  });

  it("editing or deleting a message does nothing, and who edits one reads so once a week", async () => {
    const sent = changesSentTo(curfew());
    const own = (where: string) =>
      person("carol")
        .messages(where)
        .findLast(({ isFromApp }) => !isFromApp) as StoredMessage;
    const editOwn = async (where: string, text: string) => {
      const edited = await curfew().workspace.changes.edit(own(where), text);
      await curfew().app.idle();
      return edited;
    };
    for (const [where, hints] of [
      ["ops", 1],
      ["dm", 0],
    ] as const) {
      await say("carol", "@Curfew exclude staging for 1h --another", where);
      await curfew().app.idle();
      const before = ownMessages("carol", where);
      await editOwn(where, "@Curfew exclude staging for 3h --another");
      const edited = await editOwn(where, "@Curfew exclude staging for 4h --another");
      expect(ownMessages("carol", where)).toBe(before + hints);
      await curfew().workspace.changes.remove(edited);
      await curfew().app.idle();
      expect(ownMessages("carol", where)).toBe(before + hints - 1);
    }
    clock.advance(7 * 24 * 3_600_000);
    await say("carol", "extnd staging", "dm");
    const { text } = await messagesAfter(curfew(), "carol", () => editOwn("dm", "extend staging 1h"), "dm");
    expect(text).toContain("Editing a message does nothing: send a new one. Nothing was changed by the edit.");
    expect(sent()).toEqual(["CreateActionExclusion", "CreateActionExclusion"]);
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ["an app", { bot_id: "B0OTHER" }],
    ["a workflow", { subtype: "bot_message", bot_id: "B0FLOW", user: undefined }],
    ["Curfew itself", { user: "UCURFEW", bot_id: "B0CURFEW" }],
    ["Slack: somebody joined", { subtype: "channel_join" }],
    ["nobody", { user: undefined }],
    ["a link whose preview came", changedFrom("see https://example.com", {})],
    ["a person who edits it without another word", changedFrom("whoami", edited)],
    ["an app that edits its own", changedFrom("whoami?", { ...edited, bot_id: "B0OTHER" })],
    ["an edit without a message", { ...changedFrom("whoami?", edited), message: null }],
  ])("a message of %s is ignored", async (_who, changes) => {
    await say("carol", "whoami", "dm");
    await curfew().app.idle();
    const calls = curfew().workspace.calls.length;
    await sendCrafted(curfew(), lastDelivery(curfew(), "message"), { event: { ts: "1.000001", ...changes } });
    expect(curfew().workspace.calls.length).toBe(calls);
  });
});
