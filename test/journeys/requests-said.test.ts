import { beforeEach, describe, expect, it } from "vitest";
import { askFor, configWith, withdrawAll } from "../support/approval-journey.ts";
import { ask, buttonsOn, changesSentTo, messagesAfter } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";

const { curfew, person } = oneBot({
  config: configWith(
    "{ operations: [ModifyUser, RemoveUserMfa], approvers: [admin] }",
    "{ operations: [CreateActionExclusion], approvers: [admin, helpdesk], when: { longerThan: 8h } }",
  ),
});
const inCard = (who: string, text: string, card: { readonly ts: string }) =>
  messagesAfter(curfew(), who, () => person(who).type(`@Curfew ${text}`, "ops", card.ts), "ops");

beforeEach(async () => {
  for (const who of ["alice", "bob"]) await withdrawAll(curfew(), who);
});

describe("a request that is named without its id", () => {
  it("is shown to its approver by who asked, whom or what it is about, and decided by its button", async () => {
    await askFor(curfew(), "bob", "user disable dave@example.com");
    await askFor(curfew(), "alice", "keep staging up for 10h --another");
    const sent = changesSentTo(curfew());
    const one = /^\*?Nothing is (?:approved|denied) yet: 1 change waits/;
    for (const said of ["bob", "bob's", "dave", "the request of bob", "@bob"]) {
      const { text, message } = await ask(curfew(), "carol", `approve ${said}`);
      expect(text, said).toMatch(one);
      expect(text, said).toContain("bob wants to disable dave");
      expect(buttonsOn(message), said).toEqual(["Approve", "Deny…", "Details"]);
    }
    for (const said of ["staging", "alice", "last", "i-0a1"])
      expect((await ask(curfew(), "carol", `approve ${said}`)).text, said).toMatch(/alice wants to keep/);
    expect((await ask(curfew(), "carol", "approve")).text).toContain("2 changes wait");
    const denial = await ask(curfew(), "carol", "deny bob's he has his phone");
    expect(denial.text).toMatch(one);
    await person("carol").press("Deny…", denial.message);
    const form = await curfew().workspace.waitFor(() => person("carol").openView());
    expect(JSON.stringify(form.values)).toContain("he has his phone");
    await person("carol").cancel();
    expect((await ask(curfew(), "carol", "deny he has his phone")).text).toContain("No request of “he” waits for you.");
    expect(sent()).toEqual([]);
  });

  it("is not decided by who asked for it: they read for whom it waits, and may withdraw it", async () => {
    await askFor(curfew(), "bob", "user disable dave@example.com");
    const asked = await ask(curfew(), "bob", "approve dave");
    expect(asked.text).toContain("You asked for this yourself, so others decide on it.");
    expect(asked.text).toContain("needs <@U03CAROL>");
    const own = await ask(curfew(), "bob", "withdraw");
    expect(own.text).toMatch(/^\*?Nothing is withdrawn yet: 1 change waits\*?\n.*You want to disable dave/);
    const gone = await messagesAfter(curfew(), "bob", () => person("bob").press("Withdraw", own.message));
    expect(gone.text).toContain("You withdrew");
    const none = await ask(curfew(), "carol", "approve bob");
    expect(none.text).toMatch(/^\*?No such change waits/);
  });

  it("that is decided is said, when nothing waits any more", async () => {
    const { card } = await askFor(curfew(), "bob", "user disable dave@example.com");
    expect((await inCard("bob", "approve", card)).text).toMatch(/You asked for this yourself.*Ask <@U03CAROL>/);
    expect((await inCard("carol", "deny it is too early for that", card)).text).toContain("You denied it");
    const { text, message } = await ask(curfew(), "carol", "approve dave");
    expect(text).toContain("These were decided lately.");
    expect(text).toContain("disable dave");
    const { text: whole } = await ask(
      curfew(),
      "carol",
      `history ${/chg-\w+/.exec(JSON.stringify(message.blocks))?.[0]}`,
    );
    expect(whole).toContain("it is too early for that");
  });
});

describe("an undo that names no id", () => {
  it("withdraws what its requester asked for, and says who may undo what others did", async () => {
    await askFor(curfew(), "bob", "user disable dave@example.com");
    const { text, message } = await ask(curfew(), "bob", "I asked for the wrong dave, undo that please");
    expect(text).toContain("bob wanted to disable dave");
    expect(buttonsOn(message)).toEqual(["Withdraw"]);
    await ask(curfew(), "carol", "project rename p-dev Sandbox");
    const others = await ask(curfew(), "alice", "undo p-dev");
    expect(others.text).toContain("You may not undo this");
    expect(others.text).toContain("<@U03CAROL>");
  });

  it("shows the latest change of a thing, which its button undoes", async () => {
    await ask(curfew(), "carol", "exclude i-0a1 --project p-dev for 2h --another");
    const { text, message } = await ask(curfew(), "carol", "undo i-0a1");
    expect(text).toContain("Changes that can be undone, of i-0a1");
    const undone = await messagesAfter(curfew(), "carol", () => person("carol").press("Undo", message));
    expect(undone.text).toContain("Undone.");
    expect((await ask(curfew(), "carol", "undo nothing-such")).text).toContain("I didn't understand");
  });
});
