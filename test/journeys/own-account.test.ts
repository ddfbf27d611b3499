import { afterEach, describe, expect, it } from "vitest";
import { press, withdrawAll } from "../support/approval-journey.ts";
import { ask, cardOf, cardsIn, changesSentTo, openForm, textOf } from "../support/journey.ts";
import { oneBot, withOneBot } from "../support/one-bot.ts";
import { exampleConfig } from "../support/start-curfew.ts";

const alone = "You can't do this to your own account alone: you could not undo it.";

describe("without approvers in the config, somebody's own account", () => {
  withOneBot((curfew) => {
    it.each([
      ["carol", "user detach-policy carol mp-00000001", "Ask somebody else to do it."],
      ["carol", "disable me", "Ask <@U02BOB>."],
      ["bob", "user disable @bob", "Ask <@U03CAROL>."],
    ])("can't lose what its owner could not get back: %s types “%s”", async (who, line, next) => {
      const sent = changesSentTo(curfew());
      const { text } = await ask(curfew(), who, line);
      expect(text).toContain(alone);
      expect(text).toContain("Nothing was changed.");
      expect(text).toContain(next);
      expect(sent()).toEqual([]);
    });

    it("stays their own when they gave it another address first", async () => {
      await ask(curfew(), "bob", "user email bob@example.com elsewhere@example.com");
      expect((await ask(curfew(), "bob", "user disable u-00000001")).text).toContain(alone);
      await ask(curfew(), "bob", "user email u-00000001 bob@example.com");
    });

    it("can't be disabled by its form, which stays open, nor by the button of its page", async () => {
      const sent = changesSentTo(curfew());
      await openForm(curfew(), "bob", "user disable");
      const bob = curfew().workspace.as("bob");
      await bob.fill({ User: "u-00000001" });
      expect(await bob.submit()).toEqual({ kind: "updated" });
      expect(bob.openView()?.text).toContain(alone);
      await bob.cancel();
      const shown = await ask(curfew(), "bob", "user bob");
      await bob.press("Disable", shown.message);
      await curfew().workspace.waitFor(() => bob.openView());
      expect(await bob.submit()).toEqual({ kind: "updated" });
      expect(bob.openView()?.text).toContain(alone);
      expect(sent()).toEqual([]);
    });

    it("is changed by others, and the card says that a policy can't be attached again from here", async () => {
      const { text, changeId } = await ask(curfew(), "carol", "user detach-policy alice mp-00000001");
      expect(text).toContain("The service can't attach it again from here.");
      expect(textOf(await cardOf(curfew(), changeId))).toContain("The service can't attach it again from here.");
    });
  });
});

describe("with approvers in the config", () => {
  const roles =
    "    security: { members: [U04DAVE], allow: [reads] }\n    owners: { members: [S0HELPDESK], allow: [reads] }\n";
  const config = `${exampleConfig.replace("    admin:\n", `${roles}    admin:\n`)}
identity: { approvers: [security] }
approvals:
  - { operations: [RemoveUserMfa], approvers: [admin] }
  - { operations: [ModifyProject], approvers: [owners] }
`;
  const { curfew, clock } = oneBot({ config });
  const cards = () => cardsIn(curfew().workspace, "ops").length + cardsIn(curfew().workspace, "security").length;

  afterEach(async () => {
    for (const who of ["bob", "carol"]) await withdrawAll(curfew(), who);
    clock.advance(31_000);
  });

  it("one's own policy is detached when somebody else approves, and never by oneself", async () => {
    const { text, changeId } = await ask(curfew(), "carol", "user detach-policy carol mp-00000003");
    expect(text).toContain("This waits for approval.");
    const card = await cardOf(curfew(), changeId);
    expect(textOf(card)).toContain("Nobody does this to their own account alone: they could not undo it.");
    expect(textOf(card)).toContain("The service can't attach it again from here.");
    const sent = changesSentTo(curfew());
    expect((await press(curfew(), "carol", "Approve", card)).text).toContain("You asked for this yourself");
    expect(sent()).toEqual([]);
    await press(curfew(), "dave", "Approve", card);
    expect(sent()).toEqual(["DetachManagedPolicy"]);
  });

  it("a request whose only approver is the account's owner is refused when it is made", async () => {
    const before = cards();
    await openForm(curfew(), "bob", "user remove-mfa carol mobile-otp");
    const bob = curfew().workspace.as("bob");
    expect(await bob.submit()).toEqual({ kind: "updated" });
    const { text = "" } = bob.openView() ?? {};
    expect(text).toContain("This needs the approval of “admin”, and nobody could give it.");
    expect(text).toContain("carol can't approve a change of their own account.");
    expect(text).toContain("Or ask the people who run Curfew for more approvers. They can give “admin” to others");
    await curfew().app.idle();
    expect(cards()).toBe(before);
  });

  it("a request whose only approver asks is refused, and says who else could ask", async () => {
    await openForm(curfew(), "carol", "user remove-mfa alice google-auth");
    const carol = curfew().workspace.as("carol");
    expect(await carol.submit()).toEqual({ kind: "updated" });
    const { text = "" } = carol.openView() ?? {};
    expect(text).toContain("You can't approve what you ask for.");
    expect(text).toContain("Somebody else can ask for it, and you approve it.");
    expect(text).toContain("Ask <@U02BOB> to request it.");
  });

  it("a request is refused while nobody is in its approvers' user group", async () => {
    const line = "project rename p-prod Live";
    const before = cards();
    await curfew().workspace.changes.setGroup("helpdesk", []);
    clock.advance(31_000);
    expect((await ask(curfew(), "carol", line)).text).toContain("approval of “owners”, and nobody could give it");
    expect(cards()).toBe(before);
    await curfew().workspace.changes.setGroup("helpdesk", ["dave"]);
    clock.advance(31_000);
    const { text, changeId } = await ask(curfew(), "carol", line);
    expect(text).toContain("This waits for approval.");
    expect(textOf(await cardOf(curfew(), changeId))).toContain("needs one of <!subteam^S0HELPDESK> until");
  });

  it("a request is refused while its only approver is deactivated", async () => {
    await curfew().workspace.changes.changePerson("dave", { deleted: true });
    clock.advance(31_000);
    const { text } = await ask(curfew(), "carol", "disable me");
    expect(text).toContain("This needs the approval of “security”, and nobody could give it.");
    expect(text).toContain("dave can't approve it at present.");
    await curfew().workspace.changes.changePerson("dave", { deleted: false });
    clock.advance(31_000);
    const asked = await ask(curfew(), "carol", "disable me");
    expect(asked.text).toContain("This waits for approval.");
    expect(textOf(await cardOf(curfew(), asked.changeId))).toContain("needs <@U04DAVE> until");
  });
});
