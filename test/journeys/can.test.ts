import { describe, expect, it } from "vitest";
import { ask, buttonsOn, changesSentTo, messagesAfter, openForm, openFormFromReply, send } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { reload, unlimitedConfig } from "../support/start-curfew.ts";

const { curfew } = oneBot({ config: unlimitedConfig });

describe("can", () => {
  it.each([
    ["@bob", "ModifyUser", "bob may do this here: Change a user's", "permissions.roles.helpdesk.allow"],
    ["@bob", "DeleteCredential", "bob may not do this here", "default deny"],
    ["@alice", "CreateActionExclusion", "alice may do this here, within limits", "permissions.roles.engineer.where"],
    ["@carol", "deletecredential", "carol may do this here", "permissions.roles.admin.allow"],
    ["@gina", "ListActions", "gina may not do this here", "gina is a guest; only full members"],
    ["@robot", "ListActions", "may not do this here", "is a bot"],
    ["@erin", "ListActions", "may not do this here", "is from another organization"],
    ["U07FRED", "ListActions", "may not do this here", "has a deactivated account"],
  ])("shows an admin whether %s may %s, and the rule", async (who, operation, verdict, rule) => {
    const sent = changesSentTo(curfew());
    const { text, message } = await ask(curfew(), "carol", `can ${who} ${operation}`);
    expect(text).toContain(verdict);
    expect(text).toContain(rule);
    expect(message.ephemeralTo).toBe("U03CAROL");
    expect(sent()).toEqual([]);
  });

  it("shows every limit in full, with all its names", async () => {
    const projects = Array.from({ length: 60 }, (_, index) => `project-${index}`);
    await reload(curfew(), unlimitedConfig.replace("projects: [p-dev]", `projects: [${projects}]`));
    const { text } = await ask(curfew(), "carol", "can @alice ModifyActionExclusion");
    for (const each of ["engineer: only in the channel C0OPS", ...projects, "created through Curfew", "for up to 1 d"])
      expect(text).toContain(each);
    expect(text).not.toMatch(/not known|…/);
  });

  it("shows whom they may ask to allow more", async () => {
    const asked = await ask(curfew(), "carol", "can @alice CreateActionExclusion");
    expect(asked.text).toContain("For more, may ask*\nadmin");
    expect((await ask(curfew(), "carol", "can @alice ModifyUser")).text).not.toContain("may ask");
  });

  it("shows the rights in the current channel", async () => {
    const { text } = await ask(curfew(), "carol", "can @alice ListActions", "random");
    expect(text).toContain("alice may not do this here");
    expect(text).toContain("only in the channel C0OPS");
  });

  it("gives the same answer from its form", async () => {
    await openForm(curfew(), "carol", "can");
    const { text } = await send(curfew(), "carol", { Person: "bob", Operation: "RemoveUserMfa" });
    expect(text).toContain("bob may do this here: Remove a user's multi-factor authentication");
  });

  it("is refused to others and hidden from their help", async () => {
    const { text } = await ask(curfew(), "bob", "can @alice ListActions");
    expect(text).toContain("You can't ask this: it takes a role that allows every operation.");
    expect(text).toContain("Ask <@U03CAROL>");
    expect((await ask(curfew(), "gina", "can @alice ListActions")).text).toContain("Only full members");
    expect((await ask(curfew(), "bob", "help")).text).not.toContain("/curfew can");
    expect((await ask(curfew(), "carol", "help can")).text).toContain("/curfew can");
  });

  it.each([
    ["can alice ListActions", "“alice” is not a person in Slack"],
    ["can @alice ListAction", "I didn't understand “ListAction”."],
  ])("typed as “%s” is not understood, and its form is offered", async (line, problem) => {
    const { reply, fields } = await openFormFromReply(curfew(), "carol", line);
    expect(reply.text).toContain(problem);
    expect(fields).toEqual(["Person", "Operation"]);
  });

  it("offers the operation that a mistyped one is nearest to", async () => {
    const { message } = await ask(curfew(), "carol", "can @alice ListAction");
    expect(buttonsOn(message)).toEqual(["Can @alice ListActions", "Open the form"]);
    const press = () => curfew().workspace.as("carol").press("Can @alice ListActions", message);
    expect((await messagesAfter(curfew(), "carol", press)).text).toContain("alice may do this here");
  });

  it("says so when Slack does not know the person", async () => {
    expect((await ask(curfew(), "carol", "can U0NOBODY ListActions")).text).toContain("Curfew couldn't look up");
  });
});
