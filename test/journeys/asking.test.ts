import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cardSaying, directMessage, press } from "../support/approval-journey.ts";
import {
  ask,
  buttonsOn,
  type CommandReply,
  cardOf,
  cardsIn,
  changesSentTo,
  fillIn,
  messagesAfter,
  nowOf,
  openForm,
  textOf,
  threadOf,
} from "../support/journey.ts";
import { lastBody, oneBot } from "../support/one-bot.ts";
import { configWithoutAsking, reload, unlimitedConfig } from "../support/start-curfew.ts";

const { curfew, clock, person } = oneBot();
const hourMs = 3_600_000;
const overLimit = "exclude staging for 30h --another";
const toAllowLonger = "Ask carol to allow 1 d 6 h";

/** The example, in which the engineers may ask for this instead. */
const engineersAsk = (mayAsk: string) => unlimitedConfig.replace(/^ {6}mayAsk: .*\n/m, `      mayAsk: ${mayAsk}\n`);

/** Presses a button of a reply, and waits for what comes in its place. */
const pressOn = (who: string, label: string, { message }: CommandReply) =>
  messagesAfter(curfew(), who, () => person(who).press(label, message));

/** What alice may not do alone, asked for. */
async function asked(line = overLimit, label = toAllowLonger, where = "ops") {
  const reply = await messagesAfter(curfew(), "alice", () => person("alice").type(`/curfew ${line}`, where), where);
  const answer = await messagesAfter(curfew(), "alice", () => person("alice").press(label, reply.message), where);
  return { ...answer, card: await cardOf(curfew(), answer.changeId) };
}

// Nothing of the test before is held any more, and exclusions of a day are far enough apart.
beforeEach(() => clock.advance(3 * 24 * hourMs + 31_000));
afterEach(() => reload(curfew(), unlimitedConfig));

describe("a request over one's limit", () => {
  it("offers less, or to ask the one person who may allow it", async () => {
    const sent = changesSentTo(curfew());
    const { text, message } = await ask(curfew(), "alice", overLimit);
    expect(text).toContain(
      "You can keep machines running or off for at most 1 d from its start. This would be 1 d 6 h.",
    );
    expect(text).toContain("Ask <@U03CAROL>.");
    expect(buttonsOn(message)).toEqual(["Use 1 d", toAllowLonger]);
    expect(sent()).toEqual([]);
  });

  it("waits for the person who is asked, whose card says what it goes beyond, and is done when they allow it", async () => {
    const sent = changesSentTo(curfew());
    const { text, message, card, changeId } = await asked();
    expect(text).toContain("This waits for approval.");
    expect(buttonsOn(message)).toEqual(["Withdraw"]);
    expect(textOf(card)).toMatch(/<@U01ALICE> wants to keep \*staging\* running for 1 d 6 h, until \*<!date/);
    expect(textOf(card)).toContain("over <@U01ALICE>'s limit of 1 d · needs <@U03CAROL> until");
    expect((await ask(curfew(), "carol", "approvals")).text).toContain("over alice's limit of 1 d");
    expect(sent()).toEqual([]);
    expect((await press(curfew(), "carol", "Approve", card)).text).toContain("You approved it.");
    expect(sent()).toEqual(["CreateActionExclusion"]);
    expect(lastBody(curfew(), "CreateActionExclusion")).toMatchObject({ name: "alice: staging" });
    expect(textOf(await cardSaying(curfew(), card, "is keeping *staging* running"))).toContain(
      "approved by <@U03CAROL>",
    );
    await directMessage(curfew(), "alice", changeId, "Keeping ");
    expect(cardsIn(curfew().workspace, "ops").filter(({ text }) => text.endsWith(changeId))).toHaveLength(1);
  });

  it("can be denied, withdrawn and asked for again", async () => {
    const sent = changesSentTo(curfew());
    const { card, message, changeId } = await asked();
    const withdrawn = await pressOn("alice", "Withdraw", { message, text: "", changeId, exclusionId: "" });
    expect(withdrawn.text).toContain("You withdrew it.");
    await cardSaying(curfew(), card, "Withdrawn by ");
    const again = await asked();
    await ask(curfew(), "carol", `deny ${again.changeId} not this week`);
    await directMessage(curfew(), "alice", again.changeId, "not this week");
    expect(sent()).toEqual([]);
  });

  it("is one request when its button is pressed twice", async () => {
    const { message } = await ask(curfew(), "alice", overLimit);
    const before = cardsIn(curfew().workspace, "ops").length;
    await Promise.all([person("alice").press(toAllowLonger, message), person("alice").press(toAllowLonger, message)]);
    await curfew().app.idle();
    expect(cardsIn(curfew().workspace, "ops")).toHaveLength(before + 1);
    for (const id of new Set(
      JSON.stringify((await ask(curfew(), "alice", "approval list mine")).message.blocks).match(/chg-[0-9a-z]+/g),
    ))
      await ask(curfew(), "alice", `withdraw ${id}`);
  });

  it("keeps the form open with the refusal and its next steps, and a press of one asks", async () => {
    await openForm(curfew(), "alice", "exclude");
    const sent = changesSentTo(curfew());
    const until = Math.floor((clock.now() + 25 * hourMs) / 60_000) * 60;
    const values = { What: "i-0d7", "Resource type": "amazon-ec2-instance", Project: "p-dev", Until: until };
    await fillIn(curfew(), "alice", values);
    expect(await person("alice").submit()).toEqual({ kind: "updated" });
    const view = person("alice").openView();
    expect(view?.text).toContain("You can keep machines running or off for at most 1 d");
    expect(view?.values.What).toMatchObject({ value: "i-0d7" });
    expect(buttonsOn({ blocks: view?.blocks ?? [] })).toEqual(
      expect.arrayContaining(["Use 1 d", "Ask carol to allow 1 d 1 h"]),
    );
    const reply = await messagesAfter(curfew(), "alice", () =>
      person("alice").press("Ask carol to allow 1 d 1 h", "view"),
    );
    expect(reply.text).toContain("This waits for approval.");
    const shown = await curfew().workspace.waitFor(() => {
      const now = person("alice").openView();
      return now?.text.includes("waits for approval") ? now : undefined;
    });
    expect(shown.submit).toBeNull();
    expect(sent()).toEqual([]);
    await press(curfew(), "carol", "Approve", await cardOf(curfew(), reply.changeId));
    expect(sent()).toEqual(["CreateActionExclusion"]);
  });

  it("can be an extension by the button of the card", async () => {
    const { changeId } = await ask(curfew(), "alice", "exclude staging for 24h --another");
    const card = await cardOf(curfew(), changeId);
    const refused = await press(curfew(), "alice", "Extend 1 h", card);
    expect(buttonsOn(refused.message)).toEqual(["Ask carol to allow 1 d 1 h"]);
    const waiting = await pressOn("alice", "Ask carol to allow 1 d 1 h", refused);
    const asking = await cardOf(curfew(), waiting.changeId);
    expect(textOf(asking)).toContain("over <@U01ALICE>'s limit of 1 d");
    await press(curfew(), "carol", "Approve", asking);
    await curfew().workspace.waitFor(() => threadOf(curfew(), card).length > 0, { what: "the line of the extension" });
    expect(textOf(nowOf(curfew(), card))).toContain("extended by <@U01ALICE>");
  });
});

describe("who may allow it", () => {
  it("is never who asks, nor somebody without the right themselves", async () => {
    const deputies = "    deputy: { members: [U02BOB, U01ALICE], allow: [reads] }\n    admin:\n";
    const config = engineersAsk("{ operations: [CreateActionExclusion], approvers: [admin, deputy] }");
    await reload(curfew(), config.replace("    admin:\n", deputies));
    const { message } = await ask(curfew(), "alice", overLimit);
    // Nobody in the role of the deputies could do it, so they are not asked.
    expect(buttonsOn(message)).toEqual(["Use 1 d", toAllowLonger]);
    const { card } = await asked();
    const sent = changesSentTo(curfew());
    for (const [who, why] of [
      ["alice", "You asked for this yourself, so you can't decide on it."],
      ["bob", "You can't decide this: it takes admin."],
    ] as const)
      expect((await press(curfew(), who, "Approve", card)).text).toContain(why);
    expect(sent()).toEqual([]);
    await press(curfew(), "carol", "Approve", card);
    expect(sent()).toEqual(["CreateActionExclusion"]);
  });

  it("must have the right for exactly this", async () => {
    const lead = (where: string) =>
      engineersAsk("{ operations: [CreateActionExclusion], approvers: [lead] }").replace(
        "    admin:\n",
        `    lead: { members: [U02BOB], allow: [CreateActionExclusion], where: ${where} }\n    admin:\n`,
      );
    await reload(curfew(), lead("{ maxExclusion: 26h }"));
    expect(buttonsOn((await ask(curfew(), "alice", overLimit)).message)).toEqual(["Use 1 d"]);
    await reload(curfew(), lead("{ maxExclusion: 3d, channels: [C0SEC] }"));
    const { card } = await asked(overLimit, "Ask bob to allow 1 d 6 h");
    const sent = changesSentTo(curfew());
    await reload(curfew(), lead("{ maxExclusion: 26h }"));
    expect((await press(curfew(), "bob", "Approve", card)).text).toContain(
      "You can only allow what you may do yourself. You can keep machines running or off for at most 1 d 2 h",
    );
    expect(sent()).toEqual([]);
    await reload(curfew(), lead("{ maxExclusion: 3d, channels: [C0SEC] }"));
    await press(curfew(), "bob", "Approve", card);
    expect(sent()).toEqual(["CreateActionExclusion"]);
  });

  it("cannot allow it any more when its requester may no longer ask", async () => {
    const { card } = await asked();
    const sent = changesSentTo(curfew());
    await reload(curfew(), configWithoutAsking);
    expect((await press(curfew(), "carol", "Approve", card)).text).toContain(
      "Curfew's rules no longer ask for an approval of this",
    );
    await reload(curfew(), unlimitedConfig);
    await curfew().workspace.changes.setGroup("engineers", []);
    clock.advance(31_000);
    expect((await press(curfew(), "carol", "Approve", card)).text).toContain("Who asked may not do this any more");
    await curfew().workspace.changes.setGroup("engineers", ["alice"]);
    clock.advance(31_000);
    expect(sent()).toEqual([]);
    expect(buttonsOn(await cardSaying(curfew(), card, "It failed"))).not.toContain("Ask again");
  });

  it("no longer counts when they lose the right before it is done", async () => {
    const { card } = await asked();
    curfew().service.faults.next({ kind: "status", operation: "CreateActionExclusion", status: 429, times: 9 });
    expect((await press(curfew(), "carol", "Approve", card)).text).toContain("Curfew will try again");
    curfew().service.faults.clear();
    const sent = changesSentTo(curfew());
    await reload(curfew(), unlimitedConfig.replace('allow: ["*"]', 'allow: ["*"]\n      where: { maxExclusion: 26h }'));
    clock.advance(31_000);
    await curfew().app.idle();
    await cardSaying(curfew(), card, "It failed: nothing was changed.");
    expect(sent()).toEqual([]);
  });

  it("is also who must approve it anyway", async () => {
    const config = `${unlimitedConfig}\napprovals:\n  - { operations: [CreateActionExclusion], approvers: [admin, helpdesk], channel: C0SEC }\n`;
    await reload(curfew(), config);
    const { message } = await ask(curfew(), "alice", overLimit);
    const answer = await messagesAfter(curfew(), "alice", () => person("alice").press(toAllowLonger, message));
    const card = await cardOf(curfew(), answer.changeId, "security");
    expect(textOf(card)).toContain("needs <@U03CAROL> until");
    await ask(curfew(), "alice", `withdraw ${answer.changeId}`);
  });
});

describe("a request outside one's role", () => {
  it("can be asked for from another channel, which is named", async () => {
    const { message, text } = await messagesAfter(
      curfew(),
      "alice",
      () => person("alice").type("/curfew exclude staging for 1h --another", "random"),
      "random",
    );
    expect(text).toContain("only in <#C0OPS>: ask there with `/curfew exclude staging for 1h --another`.");
    expect(buttonsOn(message)).toEqual(["Ask carol to allow it", "Open the channel"]);
    const { card } = await asked("exclude staging for 1h --another", "Ask carol to allow it", "random");
    expect(textOf(card)).toContain("outside <@U01ALICE>'s channels");
    const sent = changesSentTo(curfew());
    await press(curfew(), "carol", "Approve", card);
    expect(sent()).toEqual(["CreateActionExclusion"]);
  });

  it("can be asked for in another project by its name", async () => {
    const line = "exclude i-0d1 --project Production for 1h --type amazon-ec2-instance";
    const { text } = await ask(curfew(), "alice", line);
    expect(text).toContain("You can keep machines running or off only in Development. This is in p-prod.");
    const { card } = await asked(line, "Ask carol to allow it");
    expect(textOf(card)).toContain("outside <@U01ALICE>'s projects");
    await press(curfew(), "carol", "Approve", card);
  });

  it("can be about what somebody else made", async () => {
    const made = await ask(curfew(), "carol", "exclude i-0d8 --project p-dev --type amazon-ec2-instance for 1h");
    const { card } = await asked(`extend ${made.exclusionId} for 1h`, "Ask carol to allow it");
    expect(textOf(card)).toContain("outside <@U01ALICE>'s own exclusions");
    const sent = changesSentTo(curfew());
    await press(curfew(), "carol", "Approve", card);
    expect(sent()).toEqual(["ModifyActionExclusion"]);
  });

  it("cannot be asked for about what is hidden from one", async () => {
    const line = "exclude i-0d9 --project p-prod --type amazon-ec2-instance --name Secret for 1h";
    const { exclusionId } = await ask(curfew(), "carol", line);
    for (const words of [`extend ${exclusionId} for 1h`, `extend ${exclusionId}`, `exclusion edit ${exclusionId}`]) {
      const { text, message } = await ask(curfew(), "alice", words);
      expect(text).toMatch(/^:no_entry: You can/);
      expect(text).not.toContain("Secret");
      expect(buttonsOn(message)).toEqual([]);
    }
  });

  it("opens its form with the notice that others are asked", async () => {
    await reload(curfew(), engineersAsk("{ operations: [ModifyUser], approvers: [helpdesk] }"));
    const form = await openForm(curfew(), "alice", "user disable");
    expect(form.text).toContain("You can't ");
    expect(form.text).toContain("Others may allow it: fill in the form and send it, and you can ask them.");
    await person("alice").fill({ User: "u-00000004" });
    expect(await person("alice").submit()).toEqual({ kind: "updated" });
    expect(buttonsOn({ blocks: person("alice").openView()?.blocks ?? [] })).toEqual(["Ask bob to allow it"]);
  });

  it("opens no form in a channel where one need not ask, but leads to one's own", async () => {
    const typed = () => person("alice").type("/curfew exclude", "random");
    const { text, message } = await messagesAfter(curfew(), "alice", typed, "random");
    expect(text).toContain("only in <#C0OPS>: ask there with `/curfew exclude`.");
    expect(buttonsOn(message)).toEqual(["Open the channel"]);
  });

  it("can be asked for where one has no role for it at all, and undone by the usual rules", async () => {
    await reload(curfew(), engineersAsk("{ operations: [ModifyUser], approvers: [helpdesk] }"));
    await ask(curfew(), "bob", "enable dave");
    const { card, changeId } = await asked("disable dave", "Ask bob to allow it");
    expect(textOf(card)).toContain("<@U01ALICE> wants to disable dave");
    expect(textOf(card)).toContain("outside <@U01ALICE>'s roles");
    const sent = changesSentTo(curfew());
    await press(curfew(), "bob", "Approve", card);
    expect(sent()).toEqual(["ModifyUser"]);
    const refused = await ask(curfew(), "alice", `undo ${changeId}`);
    expect(buttonsOn(refused.message)).toEqual(["Ask bob to allow it"]);
    expect((await ask(curfew(), "bob", `undo ${changeId}`)).text).toContain("You enabled dave");
    expect(sent()).toEqual(["ModifyUser", "ModifyUser"]);
  });

  it("is not offered in help, on the Home tab or to those without the right to ask", async () => {
    await reload(curfew(), engineersAsk("{ operations: [ModifyUser], approvers: [helpdesk] }"));
    expect((await ask(curfew(), "alice", "help all")).text).not.toContain("disable");
    for (const who of ["dave", "gina", "erin"]) {
      const { message, text } = await ask(curfew(), who, "disable bob");
      expect(text).toContain(":no_entry:");
      expect(buttonsOn(message)).toEqual([]);
    }
    expect(buttonsOn((await ask(curfew(), "dave", overLimit)).message)).toEqual([]);
  });
});
