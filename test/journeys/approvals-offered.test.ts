import { afterEach, describe, expect, it } from "vitest";
import type { OpenView } from "../../src/sandbox/workspace/form-fields.ts";
import { askFor, cardSaying, usersNeedAnAdmin, withdrawAll } from "../support/approval-journey.ts";
import { ask, buttonsOn, changesSentTo, messagesAfter, send } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";

const projectsNeedTheHelpdesk = "  - { operations: [ModifyProject], approvers: [helpdesk] }\n";
const { curfew, person } = oneBot({ config: `${usersNeedAnAdmin}${projectsNeedTheHelpdesk}` });
const homeOf = async (who: string, isReady: (home: OpenView) => boolean = () => true) => {
  await curfew().app.idle();
  const before = person(who).home()?.hash;
  await person(who).openHome();
  return curfew().workspace.waitFor(
    () => {
      const home = person(who).home();
      return home && home.hash !== before && isReady(home) && home;
    },
    { what: `the Home tab of ${who}` },
  );
};
const pressAtHome = (who: string, label: string, change: string) =>
  messagesAfter(curfew(), who, () => person(who).press(label, "home", { value: JSON.stringify({ change }) }), "dm");

/** The whole request, in the view that its line on the Home tab opens. */
const reviewOf = async (who: string) => {
  await person(who).press("Review…", "home");
  return curfew().workspace.waitFor(() => person(who).openView(), { what: "the request" });
};
const pressInView = (who: string, label: string, change: string) =>
  messagesAfter(curfew(), who, () => person(who).press(label, "view", { value: JSON.stringify({ change }) }), "dm");

afterEach(async () => {
  if (person("carol").openView()) await person("carol").cancel();
  await withdrawAll(curfew());
});

describe("the Home tab", () => {
  it("shows an approver their pending changes with Approve and Deny, then the outcome", async () => {
    const { changeId, card } = await askFor(curfew(), "bob", 'user disable dave@example.com --reason "left"');
    const sent = changesSentTo(curfew());
    const home = await homeOf("carol");
    expect(home.text).toMatch(/\*bob wants to disable dave\* · left · until /);
    const review = await reviewOf("carol");
    expect(review.text).toMatch(/Waits for: the approval of admin · Since: .* · At the latest: /);
    expect(review.text).toContain("Reason: left");
    expect(buttonsOn(review)).toEqual(["Approve", "Deny…"]);
    expect((await pressInView("carol", "Approve", changeId)).text).toContain("You approved it. bob disabled dave.");
    expect(sent()).toEqual(["ModifyUser"]);
    await curfew().workspace.waitFor(() => !person("carol").home()?.text.includes("bob wants to disable dave"));
    await cardSaying(curfew(), card, "disabled dave");
  });

  it("lets an approver deny with a reason", async () => {
    const { changeId, card } = await askFor(curfew());
    await homeOf("carol");
    await reviewOf("carol");
    await person("carol").press("Deny…", "view", { value: JSON.stringify({ change: changeId }) });
    await curfew().workspace.waitFor(() => person("carol").openView()?.fields.includes("Reason"));
    expect((await send(curfew(), "carol", { Reason: "no" })).text).toContain("You denied it.");
    await cardSaying(curfew(), card, "Denied by ");
  });

  it("shows a requester their own pending changes with Withdraw only", async () => {
    const { changeId, card } = await askFor(curfew());
    const home = await homeOf("bob");
    expect(home.text).toMatch(/You want to disable dave\* · needs <@U03CAROL> · until <!date/);
    expect(buttonsOn(home)).toContain("Withdraw");
    expect(JSON.stringify(home.blocks)).not.toContain("run:approve:approve");
    expect((await pressAtHome("bob", "Withdraw", changeId)).text).toContain("You withdrew it.");
    await cardSaying(curfew(), card, "Withdrawn by ");
    expect((await homeOf("bob")).text).not.toContain("You want to");
  });

  it("shows no approvals to people without any", async () => {
    await askFor(curfew());
    const { text } = await homeOf("alice");
    expect(text).not.toContain("Approve\n");
    expect(text).toContain("Nothing waits for your approval.");
  });
});

describe("a line", () => {
  it("lists the changes that wait for one's approval and one's own", async () => {
    const { changeId } = await askFor(curfew());
    const forCarol = await ask(curfew(), "carol", "approvals");
    expect(forCarol.text).toContain("*bob wants to disable dave*");
    expect(forCarol.text, "nobody needs its id").not.toContain(changeId);
    expect(forCarol.text, "one line for each").toMatch(
      /^\*1 change waits\*\n\*bob wants to disable dave\* · Until: <!date[^\n]*$/m,
    );
    expect(forCarol.text, "the rest is behind Details").not.toContain("Status");
    expect(buttonsOn(forCarol.message)).toEqual(["Approve", "Deny…", "Details"]);
    expect(JSON.stringify(forCarol.message.blocks)).toContain(changeId);
    expect((await ask(curfew(), "carol", "approvals mine")).text).toContain("No change waits");
    const forBob = await ask(curfew(), "bob", "approvals");
    expect(forBob.text).toContain("*You want to disable dave* · needs <@U03CAROL>");
    expect(buttonsOn(forBob.message)).toContain("Withdraw");
    expect((await ask(curfew(), "alice", "approvals")).text).toContain("No change waits");
  });

  it("shows an approver the history of a change that they may not make or read", async () => {
    const renamed = await askFor(curfew(), "carol", "project rename p-prod Factory");
    expect((await ask(curfew(), "bob", `history ${renamed.changeId}`)).text).toContain(
      "carol wanted to rename project",
    );
    expect((await ask(curfew(), "dave", `history ${renamed.changeId}`)).text).toContain("There is no change");
    await ask(curfew(), "carol", `withdraw ${renamed.changeId}`);
  });

  it.each([
    ["carol", ["approve", "deny", "withdraw"]],
    ["bob", ["approve", "deny", "withdraw"]],
    // She may ask others to allow more than her role does.
    ["alice", ["withdraw"]],
    ["dave", []],
  ])("with help shows %s only these deciding commands: %j", async (who, words) => {
    const { text } = await ask(curfew(), who, "help all");
    const shown = ["approve", "deny", "withdraw"].filter((word) => new RegExp(`/curfew ${word}\\b`).test(text));
    expect(shown).toEqual(words);
  });

  it.each(["approve", "deny", "withdraw"])("with “%s” alone shows what waits for who asks", async (word) => {
    expect((await ask(curfew(), "dave", word)).text).toMatch(/^\*?No such change (?:of yours )?waits/);
    expect(person("dave").openView()).toBeUndefined();
  });

  it("with can names the approvers of a change", async () => {
    expect((await ask(curfew(), "carol", "can @bob ModifyUser")).text).toContain(
      "bob may do this here, with the approval of admin",
    );
  });
});
