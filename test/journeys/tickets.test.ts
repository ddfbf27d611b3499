import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { historyLines } from "../../src/cli/run-operator-command.ts";
import type { StoredMessage } from "../../src/sandbox/workspace/state.ts";
import { openHistory } from "../../src/store/history/verify-history.ts";
import { askFor, directMessage, press, usersNeedAnAdmin } from "../support/approval-journey.ts";
import { ask, cardOf, changesSentTo, end, fillIn, messagesAfter, openForm, send, textOf } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { closedOps, reload, unlimitedConfig } from "../support/start-curfew.ts";

const required = `
require:
  - { operations: [RemoveUserMfa], reason: true, ticket: "^HD-[0-9]+$" }
  - { operations: [ModifyUser, CreateActionExclusion, ModifyActionExclusion], ticket: "^HD-[0-9]+$" }
ticketUrl: https://tracker.example.com/browse/{ticket}
`;
const linkTo = (ticket: string) => `<https://tracker.example.com/browse/${ticket}|${ticket}>`;

describe("where a ticket is required", () => {
  const { curfew, clock } = oneBot({ config: `${unlimitedConfig}${required}`, seed: closedOps });
  const fieldsOfForm = () => curfew().workspace.as("bob").openView()?.fields;
  const cardText = async (changeId: string) => JSON.stringify((await cardOf(curfew(), changeId)).blocks);
  /** A press that opens a form. */
  const formBy = async (who: string, label: string, on: StoredMessage) => {
    const person = curfew().workspace.as(who);
    await person.press(label, on);
    return curfew().workspace.waitFor(() => person.openView(), { what: `a form for ${who}` });
  };
  beforeEach(() => clock.advance(31_000));

  it("a line with it is done, and its card links the ticket", async () => {
    const { text, changeId } = await ask(curfew(), "bob", "disable dave hd-12 because he left");
    expect(text).toContain("disabled");
    const card = await cardText(changeId);
    expect(card).toContain(linkTo("HD-12"));
    expect(card).toContain("he left");
    const { text: shown } = await ask(curfew(), "bob", `history ${changeId}`);
    expect(shown).toContain("Ticket: HD-12");
    expect((await ask(curfew(), "bob", "history mine")).text).toContain("HD-12");
    const found = await ask(curfew(), "carol", "history HD-12");
    expect(JSON.stringify(found.message.blocks)).toContain(changeId);
    expect((await ask(curfew(), "carol", "history HD-1")).text).toContain("There are no such changes");
  });

  it("a line without it opens the form with all that was said, and asks for that one thing", async () => {
    const sent = changesSentTo(curfew());
    const form = await openForm(curfew(), "bob", "disable dave because he left");
    expect(form.fields).toEqual(["User", "Reason", "Ticket"]);
    expect(form.values.Reason).toMatchObject({ value: "he left" });
    expect(form.text).toContain("*Ticket*");
    expect(sent()).toEqual([]);
    const bob = curfew().workspace.as("bob");
    await fillIn(curfew(), "bob", { Ticket: "INC-7" });
    expect(await bob.submit()).toMatchObject({ kind: "errors" });
    expect(sent()).toEqual([]);
    const { changeId } = await send(curfew(), "bob", { Ticket: "https://tracker.example.com/browse/HD-13" });
    expect(sent()).toEqual(["ModifyUser"]);
    expect(await cardText(changeId)).toContain(linkTo("HD-13"));
  });

  it("the form for removing MFA needs a reason and a ticket", async () => {
    const sent = changesSentTo(curfew());
    await openForm(curfew(), "bob", "unlock alice");
    const refused = await curfew().workspace.as("bob").submit();
    expect(refused).toMatchObject({ kind: "blocked" });
    expect(Object.keys("errors" in refused ? refused.errors : {})).toHaveLength(2);
    expect(sent()).toEqual([]);
    const { text, changeId } = await send(curfew(), "bob", { Reason: "lost phone", Ticket: "HD-14" });
    expect(text).toContain("unlocked alice by removing their MFA");
    expect(sent()).toEqual(["RemoveUserMfa"]);
    expect(await cardText(changeId)).toContain(linkTo("HD-14"));
  });

  it("a person without the right is refused, and not asked for a ticket", async () => {
    const sent = changesSentTo(curfew());
    for (const line of ["disable alice", "unlock alice HD-1 because lost phone"])
      expect((await ask(curfew(), "dave", line)).text).toContain("You can't ");
    expect(sent()).toEqual([]);
  });

  it("a button opens the form that asks for it", async () => {
    const sent = changesSentTo(curfew());
    const { message } = await ask(curfew(), "bob", "user alice");
    await formBy("bob", "Disable", message);
    expect(fieldsOfForm()).toContain("Ticket");
    expect(sent()).toEqual([]);
    await send(curfew(), "bob", { Ticket: "HD-15" });
    expect(sent()).toEqual(["ModifyUser"]);
  });

  it("an exclusion takes it from the line, and Extend on its card asks for one", async () => {
    const sent = changesSentTo(curfew());
    const { changeId } = await ask(curfew(), "alice", "exclude staging for 2h HD-16");
    const card = await cardOf(curfew(), changeId);
    expect(JSON.stringify(card.blocks)).toContain(linkTo("HD-16"));
    await formBy("alice", "Extend 1 h", card);
    expect(sent()).toEqual(["CreateActionExclusion"]);
    await send(curfew(), "alice", { Ticket: "HD-17" });
    expect(sent()).toEqual(["CreateActionExclusion", "ModifyActionExclusion"]);
    await end(curfew(), "alice", "staging");
  });

  it("the form of a shortcut asks for it", async () => {
    const carol = curfew().workspace.as("carol");
    expect(await carol.shortcut("Keep running")).toEqual({ ok: true });
    const form = await curfew().workspace.waitFor(() => carol.openView(), { what: "the form" });
    expect(form.fields).toContain("Ticket");
  });

  it("skip passes it on", async () => {
    const { changeId } = await ask(curfew(), "carol", "skip staging HD-18");
    expect(await cardText(changeId)).toContain(linkTo("HD-18"));
    await ask(curfew(), "carol", `undo ${changeId}`);
  });

  it("who goes beyond their right asks others with it", async () => {
    const { message } = await ask(curfew(), "alice", "exclude i-0a2 for 30h HD-24");
    const { changeId } = await press(curfew(), "alice", "Ask carol to allow 1 d 6 h", message);
    expect(await cardText(changeId)).toContain(linkTo("HD-24"));
  });

  it("an undo takes the ticket over, and says so", async () => {
    await ask(curfew(), "bob", "enable dave HD-19");
    const { changeId } = await ask(curfew(), "bob", "disable dave HD-20");
    const { changeId: undone } = await ask(curfew(), "bob", `undo ${changeId}`);
    const card = await cardText(undone);
    expect(card).toContain(linkTo("HD-20"));
    expect(card).toContain("undo, with its ticket");
  });

  it("an undo may have a ticket of its own", async () => {
    await ask(curfew(), "bob", "enable dave HD-21");
    const { changeId } = await ask(curfew(), "bob", "disable dave HD-22");
    const { changeId: undone } = await ask(curfew(), "bob", `undo ${changeId} HD-23`);
    const card = await cardText(undone);
    expect(card).toContain(linkTo("HD-23"));
    expect(card).not.toContain("HD-22");
  });
});

describe("where a ticket is required later on", () => {
  const { curfew, clock } = oneBot({ config: usersNeedAnAdmin, seed: closedOps });
  beforeEach(() => clock.advance(31_000));
  afterEach(() => reload(curfew(), usersNeedAnAdmin));

  it("a change that waits without one fails, and asking again asks for it", async () => {
    const { card } = await askFor(curfew());
    const sent = changesSentTo(curfew());
    await reload(curfew(), `${usersNeedAnAdmin}${required}`);
    await press(curfew(), "carol", "Approve", card);
    await directMessage(curfew(), "bob", "This needs a ticket such as HD-123");
    expect(sent()).toEqual([]);
  });

  it("approvers see the link and the reason, and the export has both with the approver", async () => {
    await reload(curfew(), `${usersNeedAnAdmin}${required}`);
    await openForm(curfew(), "bob", "alice lost her phone");
    const { changeId } = await send(curfew(), "bob", { Reason: "on the train", Ticket: "HD-31" });
    const card = await cardOf(curfew(), changeId);
    expect(JSON.stringify(card.blocks)).toContain(linkTo("HD-31"));
    expect(textOf(card)).toContain("on the train");
    expect((await ask(curfew(), "carol", "approvals")).text).toContain("HD-31");
    await press(curfew(), "carol", "Approve", card);
    await directMessage(curfew(), "bob", "unlocked alice");
    const history = await openHistory(curfew().database);
    const lines: string[] = [];
    for await (const line of historyLines(history.entries(), "csv")) if (line.includes(changeId)) lines.push(line);
    await history.close();
    expect(lines[0]).toMatch(/on the train.*HD-31,[\da-f]{64},\r\n$/s);
    expect(lines.join("")).toContain("carol");
  });

  it("an undo of a first change without one asks what it must know, then for a ticket, and forgets neither", async () => {
    await reload(curfew(), unlimitedConfig);
    const { changeId } = await ask(curfew(), "bob", "disable dave");
    await reload(curfew(), `${unlimitedConfig}${required}`);
    const sent = changesSentTo(curfew());
    const question = await ask(curfew(), "bob", `undo ${changeId}`);
    const { text, message } = await press(curfew(), "bob", "It was enabled before", question.message);
    expect(text).toContain("This needs a ticket such as HD-123. Nothing was changed.");
    const bob = curfew().workspace.as("bob");
    await bob.press("Give the ticket…", message);
    await curfew().workspace.waitFor(() => bob.openView(), { what: "the form" });
    expect(sent()).toEqual([]);
    await send(curfew(), "bob", { Ticket: "HD-32" });
    expect(sent()).toEqual(["ModifyUser"]);
  });

  it("a button that was drawn before asks for it", async () => {
    await reload(curfew(), unlimitedConfig);
    const { message } = await ask(curfew(), "bob", "user carol");
    await reload(curfew(), `${unlimitedConfig}${required}`);
    const bob = curfew().workspace.as("bob");
    await bob.press("Disable", message);
    const form = await curfew().workspace.waitFor(() => bob.openView(), { what: "the form" });
    expect(form.fields).toContain("Ticket");
  });

  it("a form that was opened before is drawn again with it", async () => {
    await reload(curfew(), unlimitedConfig);
    const sent = changesSentTo(curfew());
    const { message } = await ask(curfew(), "bob", "user carol");
    const bob = curfew().workspace.as("bob");
    await bob.press("Change e-mail", message);
    await curfew().workspace.waitFor(() => bob.openView(), { what: "the form" });
    await reload(curfew(), `${unlimitedConfig}${required}`);
    await fillIn(curfew(), "bob", { "New e-mail address": "carol2@example.com" });
    expect(await bob.submit()).toMatchObject({ kind: "updated" });
    expect(bob.openView()?.fields).toContain("Ticket");
    expect(sent()).toEqual([]);
    await messagesAfter(curfew(), "bob", async () => {
      await fillIn(curfew(), "bob", { Ticket: "HD-33" });
      expect(await bob.submit()).toEqual({ kind: "closed" });
    });
    expect(sent()).toEqual(["ModifyUser"]);
  });
});
