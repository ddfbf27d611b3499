import { afterEach, describe, expect, it } from "vitest";
import { verify } from "../store/history-file.ts";
import {
  type Asked,
  askFor,
  buttonsNow,
  cardSaying,
  configWith,
  directMessage,
  press,
  usersNeedAnAdmin,
  withdrawAll,
} from "../support/approval-journey.ts";
import {
  ask,
  buttonsOn,
  cardOf,
  cardsIn,
  changesSentTo,
  messagesAfter,
  openForm,
  send,
  textOf,
  threadOf,
} from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { closedOps } from "../support/start-curfew.ts";

/** A working day in Berlin, long before its stop at 19:00. */
const startAt = Date.parse("2026-11-25T12:00:00Z");
const { curfew, person } = oneBot({ config: usersNeedAnAdmin, seed: closedOps, startAt });
const statusOfDave = () => curfew().service.account.users.get("u-00000004")?.status;
const formOf = async (who: string, open: () => Promise<unknown>) => {
  expect(person(who).openView()).toBeUndefined();
  await open();
  return curfew().workspace.waitFor(() => person(who).openView(), { what: `a form for ${who}` });
};
/** A change that bob requests and carol approves. */
const approved = async (line: string) => {
  const asked = await askFor(curfew(), "bob", line);
  await press(curfew(), "carol", "Approve", asked.card);
  return asked;
};

afterEach(async () => {
  await withdrawAll(curfew());
  expect(await verify(curfew().database)).toMatchObject({ kind: "intact" });
});

describe("a change that an admin must approve", () => {
  it("waits, and its card shows the approvers the reason, and the exact request in its details", async () => {
    const sent = changesSentTo(curfew());
    const line = 'user disable dave@example.com --reason "left the company"';
    const { text, message, card, changeId } = await askFor(curfew(), "bob", line);
    expect(text).toContain("You want to disable dave. It is waiting for approval: nothing was changed yet.");
    expect(text).toMatch(/^:raised_hand: This waits for approval\.\nWithdraw/);
    expect(buttonsOn(message)).toEqual(["Withdraw"]);
    const shown = textOf(card);
    expect(shown).toContain(":large_yellow_circle: <@U02BOB> wants to disable dave");
    expect(shown).toMatch(/\nleft the company · needs <@U03CAROL> until <!date\^/);
    expect(shown, "the rest is in Details").not.toMatch(/User: |E-mail: |Status: /);
    expect(shown, "the question says it again").toContain("bob wants to disable dave. It is done when all approvals");
    expect(buttonsOn(card)).toEqual(["Approve", "Deny…"]);
    expect((await press(curfew(), "carol", "Details", card)).text).toContain(
      'ModifyUser\n{\n "id": "u-00000004",\n "status": "disabled"\n}',
    );
    expect(sent()).toEqual([]);
    expect((await ask(curfew(), "bob", `history ${changeId}`)).text).toMatch(
      /Needs the approval of: admin · At the latest: .*\nwaiting for approval: <!date/,
    );
  });

  it("is performed after approval and reported on its card, in its channel and to its requester", async () => {
    await approved("user enable dave@example.com");
    const { card, changeId } = await askFor(curfew());
    const sent = changesSentTo(curfew());
    const before = cardsIn(curfew().workspace, "ops").length;
    const { text } = await press(curfew(), "carol", "Approve", card);
    expect(text).toContain("You approved it. bob disabled dave");
    expect(sent()).toEqual(["ModifyUser"]);
    expect(statusOfDave()).toBe("disabled");
    const settled = await cardSaying(curfew(), card, ":white_check_mark: <@U02BOB> disabled dave");
    expect(textOf(settled)).toContain("approved by <@U03CAROL>");
    expect(buttonsOn(settled)).not.toContain("Approve");
    expect(cardsIn(curfew().workspace, "ops")).toHaveLength(before);
    expect(textOf(await cardOf(curfew(), changeId, "security"))).toContain("<@U02BOB> disabled dave");
    await directMessage(curfew(), "bob", "You disabled dave.", changeId);
    await curfew().app.idle();
    expect(threadOf(curfew(), card), "nobody else took part").toEqual([]);
    const history = (await ask(curfew(), "carol", `history ${changeId}`)).text;
    expect(history).toMatch(
      /\nwaiting for approval: .*\ndave \(the account's owner\) was notified of the request: .*\napproved by carol: .*\ndone: /,
    );
    expect(history).toContain("Needed the approval of: admin");
    expect(history).not.toContain("approved: ");
  });

  it("can be approved with a note, shown safely on the card, in messages and the history", async () => {
    const { card, changeId } = await askFor(curfew());
    await formOf("carol", () => person("carol").press("Approve with a note…", card));
    const note = "fine <!channel> `x` *bold* & <https://evil.example|click>";
    expect((await send(curfew(), "carol", { Note: note })).text).toContain("You approved it.");
    const escaped = "fine &lt;!channel&gt; ˋxˋ ∗bold∗ &amp; &lt;https://evil.example|click&gt;";
    const settled = await cardSaying(curfew(), card, "<@U02BOB> disabled dave");
    const notice = await directMessage(curfew(), "bob", "You disabled dave", changeId);
    for (const message of [settled, notice]) expect(textOf(message)).toContain(escaped);
    expect((await ask(curfew(), "bob", `history ${changeId}`)).text).toContain(`carol said: ${escaped}`);
  });

  it("can be approved by a typed line, with a note", async () => {
    const { changeId, card } = await askFor(curfew());
    expect((await ask(curfew(), "carol", `approve ${changeId} --note "by phone"`)).text).toContain("You approved it.");
    expect(textOf(await cardSaying(curfew(), card, "<@U02BOB> disabled dave"))).toContain("by phone");
  });

  it("is not performed when the approver cancels the dialog", async () => {
    const { card } = await askFor(curfew());
    const sent = changesSentTo(curfew());
    await person("carol").press("Approve", card, { deny: true });
    await curfew().app.idle();
    expect(sent()).toEqual([]);
    expect(buttonsNow(curfew(), card)).toContain("Approve");
  });

  it("is performed once when clicked twice or by two approvers at the same moment", async () => {
    const { card, changeId } = await askFor(curfew());
    const sent = changesSentTo(curfew());
    const line = () => person("carol").type(`/curfew approve ${changeId}`, "ops");
    await Promise.all([person("carol").press("Approve", card, { times: 3 }), line()]);
    await directMessage(curfew(), "bob", "You disabled dave", changeId);
    await curfew().app.idle();
    expect(sent()).toEqual(["ModifyUser"]);
  });

  it("shows a late clicker its outcome", async () => {
    const { card, changeId } = await askFor(curfew());
    await ask(curfew(), "carol", `deny ${changeId} not now`);
    const sent = changesSentTo(curfew());
    const late = await ask(curfew(), "carol", `approve ${changeId}`);
    expect(late.text).toContain(
      ":information_source: Your approval came too late and had no effect. You denied this before. bob wanted to disable dave. It was denied",
    );
    await curfew().app.idle();
    expect((await ask(curfew(), "bob", `withdraw ${changeId}`)).text).toContain(
      "Your withdrawal came too late and had no effect. You wanted to disable dave.",
    );
    expect(sent()).toEqual([]);
    await cardSaying(curfew(), card, "Denied by ");
  });

  it("answers a late denial or withdrawal that it had no effect", async () => {
    const { card, changeId } = await askFor(curfew());
    await press(curfew(), "carol", "Approve", card);
    const late = ":information_source: Your denial came too late and had no effect. You approved this before.";
    expect((await ask(curfew(), "carol", `deny ${changeId} oh no`)).text).toContain(`${late} bob disabled dave`);
    await curfew().app.idle();
    expect((await ask(curfew(), "bob", `withdraw ${changeId}`)).text).toContain(
      ":information_source: Your withdrawal came too late and had no effect. You disabled dave",
    );
  });

  it("waits once when Slack delivers it twice", async () => {
    const { changeId } = await askFor(curfew());
    const outboxMessage = curfew().workspace.appRequests.findLast(({ kind }) => kind === "command");
    const before = cardsIn(curfew().workspace, "ops").length;
    const again = await messagesAfter(
      curfew(),
      "bob",
      async () => outboxMessage && curfew().workspace.redeliver(outboxMessage),
    );
    expect(again.text).toContain("This was sent twice, and asked for once.");
    expect(again.text).toContain("Waiting for the approval");
    expect(again.changeId).toBe(changeId);
    expect(cardsIn(curfew().workspace, "ops")).toHaveLength(before);
  });
});

describe("a denial", () => {
  it("needs a reason, which the card and the requester get, and allows a new request", async () => {
    const { card, changeId } = await askFor(curfew(), "bob", 'user disable dave@example.com --reason "holidays"');
    const sent = changesSentTo(curfew());
    const denial = await formOf("carol", () => person("carol").press("Deny…", card));
    expect(denial).toMatchObject({ title: "Deny bob's request", fields: ["Reason"] });
    expect(denial.text).toContain("*bob* wants to disable dave");
    expect(await person("carol").submit()).toMatchObject({ kind: "blocked" });
    const { text } = await send(curfew(), "carol", { Reason: "<!here> he is back tomorrow" });
    expect(text).toContain("You denied it. bob wanted to disable dave. It was denied: nothing was changed.");
    const notice = await directMessage(curfew(), "bob", "You wanted to disable dave. Nothing was changed.", changeId);
    expect(textOf(notice)).toContain("Denied by <@U03CAROL>");
    expect(textOf(notice)).toContain("&lt;!here&gt; he is back tomorrow");
    expect(buttonsOn(notice)).toEqual(["Ask again"]);
    const denied = await cardSaying(curfew(), card, "&lt;!here&gt; he is back tomorrow");
    expect(buttonsOn(denied)).toEqual(["Ask again"]);
    expect(sent()).toEqual([]);

    const form = await formOf("bob", () => person("bob").press("Ask again", denied));
    expect(form.title).toBe("Disable user");
    const asked = await send(curfew(), "bob");
    expect(asked.text).toMatch(/^:raised_hand: This waits for approval\.\nWithdraw/);
    const again = await cardOf(curfew(), asked.changeId);
    expect(textOf(again)).toMatch(/\nholidays · needs <@U03CAROL> until/);
    await press(curfew(), "carol", "Approve", again);
    expect(sent()).toEqual(["ModifyUser"]);
  });

  it("without a reason opens its form when typed", async () => {
    const { changeId } = await askFor(curfew());
    const form = await openForm(curfew(), "carol", `deny ${changeId}`);
    expect(form.fields).toEqual(["Reason"]);
    expect((await send(curfew(), "carol", { Reason: "no" })).text).toContain("You denied it.");
  });

  it("cannot be undone", async () => {
    const { changeId } = await askFor(curfew());
    await ask(curfew(), "carol", `deny ${changeId} no`);
    await curfew().app.idle();
    const { text } = await ask(curfew(), "bob", `undo ${changeId}`);
    expect(text).toContain(`Change ${changeId} cannot be undone: it is denied, so there is nothing to take back.`);
  });
});

describe("a withdrawal", () => {
  it.each([
    ["the reply's button", ({ message }: Asked) => press(curfew(), "bob", "Withdraw", message)],
    ["a line", ({ changeId }: Asked) => ask(curfew(), "bob", `withdraw ${changeId}`)],
  ])("by %s ends the change, and nobody can approve it afterwards", async (_how, withdraw) => {
    const asked = await askFor(curfew());
    const { card, changeId } = asked;
    const sent = changesSentTo(curfew());
    const { text } = await withdraw(asked);
    expect(text).toContain("You withdrew it. You wanted to disable dave. It was withdrawn: nothing was changed.");
    const gone = await cardSaying(curfew(), card, "Withdrawn by <@U02BOB>");
    expect(buttonsOn(gone)).toEqual(["Ask again"]);
    expect((await ask(curfew(), "carol", `approve ${changeId}`)).text).toContain(
      "Your approval came too late and had no effect.",
    );
    expect(sent()).toEqual([]);
  });

  it("from the reply's button replaces the reply with the outcome", async () => {
    const { message, card } = await askFor(curfew());
    const notice = await press(curfew(), "bob", "Withdraw", message);
    expect(notice.message.ts).toBe(message.ts);
    expect(notice.text).toContain("You withdrew it.");
    await cardSaying(curfew(), card, "Withdrawn by ");
  });
});

describe("an undo", () => {
  it("needs the same approval as the change, from the card to a new request", async () => {
    await approved("user enable dave@example.com");
    const disabled = await approved("user disable dave@example.com");
    expect(statusOfDave()).toBe("disabled");
    await cardSaying(curfew(), disabled.card, "disabled dave");
    const asked = await press(curfew(), "bob", "Undo", disabled.card);
    expect(asked.text).toMatch(/^:raised_hand: This waits for approval\.\nWithdraw/);
    const waiting = textOf(await cardOf(curfew(), asked.changeId));
    expect(waiting).toContain("<@U02BOB> wants to enable dave");
    expect(waiting).toMatch(/needs <@U03CAROL> until/);
    await ask(curfew(), "carol", `deny ${asked.changeId} why?`);
    const denied = await cardSaying(curfew(), await cardOf(curfew(), asked.changeId), "why?");
    await curfew().app.idle();
    const form = await formOf("bob", () => person("bob").press("Ask again", denied));
    expect(form.title).toBe("Undo a change");
    const again = await send(curfew(), "bob");
    await press(curfew(), "carol", "Approve", await cardOf(curfew(), again.changeId));
    expect(statusOfDave()).toBe("enabled");
    await cardSaying(curfew(), disabled.card, "undone by <@U02BOB>");
  });

  it("is not performed when its target changed while it waited", async () => {
    await approved("user enable u-00000002");
    const disabled = await approved("user disable u-00000002");
    const undo = await askFor(curfew(), "bob", `undo ${disabled.changeId}`);
    await approved("user email u-00000002 alice2@example.com");
    const sent = changesSentTo(curfew());
    const { text } = await press(curfew(), "carol", "Approve", undo.card);
    expect(text).toContain("cannot be undone: bob has changed the same thing since");
    expect(sent()).toEqual([]);
  });
});

describe("an approval rule for long changes", () => {
  it("lets engineers exclude for eight hours, and longer with an admin's approval", async () => {
    const longOnes =
      "{ operations: [CreateActionExclusion, ModifyActionExclusion], approvers: [admin], when: { longerThan: 8h } }";
    await curfew().app.stop();
    await curfew().restart({}, configWith(longOnes));
    const sent = changesSentTo(curfew());
    expect((await ask(curfew(), "alice", "exclude staging for 8h")).text).toContain("Keeping ");
    const { card, text } = await askFor(curfew(), "alice", "exclude staging for 9h --another");
    expect(text).toMatch(
      /You want to keep staging running for 9 h, until .*\. It is waiting for approval: nothing was changed yet\./,
    );
    expect(textOf(card)).toMatch(/wants to keep \*staging\* running for 9 h, until \*<!date\^/);
    expect(textOf(card), "what would come of it").toMatch(/\nPrevents “Stop staging at 19:00”/);
    expect(textOf(card), "for those who decide").toMatch(/\nAlice keeps them running too\./);
    expect(sent()).toEqual(["CreateActionExclusion"]);
    await press(curfew(), "carol", "Approve", card);
    expect(sent()).toEqual(["CreateActionExclusion", "CreateActionExclusion"]);
    const settled = await cardSaying(curfew(), card, "<@U01ALICE> is keeping *staging* running until");
    expect(buttonsOn(settled)).toEqual(["Extend 1 h", "Extend…", "End now"]);
    await curfew().app.stop();
    await curfew().restart();
  });
});

describe("an approval card that cannot be posted because the bot is not in the channel", () => {
  it("is reported to the requester and the admins, and an approver can still decide", async () => {
    await curfew().app.stop();
    await curfew().restart({}, configWith("{ operations: [ModifyUser], approvers: [admin], channel: C0RANDOM }"));
    const { changeId } = await ask(curfew(), "bob", "user disable u-00000004");
    const notice = await directMessage(curfew(), "bob", "Waiting for the approval", "could not be announced", changeId);
    expect(textOf(notice)).toContain("Curfew must be a member there.");
    await curfew().workspace.waitFor(() =>
      curfew()
        .workspace.channel("admins")
        .messages.some((message) => textOf(message).includes(changeId)),
    );
    await curfew().app.idle();
    const sent = changesSentTo(curfew());
    expect((await ask(curfew(), "carol", `approve ${changeId}`)).text).toContain("You approved it. bob disabled dave");
    expect(sent()).toEqual(["ModifyUser"]);
    expect(textOf(await cardOf(curfew(), changeId))).toContain("approved by <@U03CAROL>");
    await curfew().app.stop();
    await curfew().restart();
  });
});
