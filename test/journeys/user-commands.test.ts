import { describe, expect, it } from "vitest";
import {
  ask,
  askWithNewId,
  buttonsOn,
  cardOf,
  changesSentTo,
  messagesAfter,
  openForm,
  send,
  textOf,
} from "../support/journey.ts";
import { lastBody, oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

const config = unlimitedConfig
  .replace(
    "{ id: mp-00000004, name: Billing }",
    "{ id: mp-00000004, name: Billing }\n    - { id: mp-00000005, name: billing }",
  )
  .replace(
    "    - { id: u-00000004, name: dave,",
    "    - { id: u-00000009, name: twin }\n    - { id: u-00000010, name: Twin }\n    - { id: u-00000004, name: dave,",
  );
const { curfew } = oneBot({ config });

describe("user disable", () => {
  it("of an already disabled user says so, and is still sent in case that is outdated", async () => {
    const first = await ask(curfew(), "bob", "user disable alice");
    expect(textOf(await cardOf(curfew(), first.changeId))).toContain("disabled alice");
    const { text, changeId } = await ask(curfew(), "bob", "user disable alice");
    expect(text).toContain("You disabled alice, as before.");
    const card = textOf(await cardOf(curfew(), changeId));
    expect(card).toContain("disabled alice, as before");
    expect(card).not.toContain("→");
    const { users } = curfew().service.account;
    const statuses = () =>
      [...users.values()].flatMap(({ username, status }) => (username === "alice" ? [status] : []));
    for (const [id, user] of users) if (user.username === "alice") users.set(id, { ...user, status: "enabled" });
    await ask(curfew(), "bob", "user disable alice");
    expect(statuses()).toEqual(["disabled"]);
    expect((await ask(curfew(), "bob", "user enable alice")).text).toContain("You enabled alice.");
  });

  it("of Curfew's only admin asks whether one is sure", async () => {
    const sent = changesSentTo(curfew());
    const { text, message } = await ask(curfew(), "bob", "disable carol");
    expect(text).toContain("carol is the only admin of Curfew. They could not sign in");
    expect(text).toContain("Nothing was changed.");
    expect(sent()).toEqual([]);
    const press = () => curfew().workspace.as("bob").press("Disable carol anyway", message);
    expect((await messagesAfter(curfew(), "bob", press)).text).toContain("You disabled carol");
    await ask(curfew(), "bob", "enable carol");
    expect(sent()).toEqual(["ModifyUser", "ModifyUser"]);
  });
});

describe("user email", () => {
  it("by a line changes the address, shows it before and after, and can be undone", async () => {
    const { text, changeId, message } = await ask(curfew(), "bob", "user email dave dave.new@example.com");
    expect(text).toContain("You changed the e-mail address of dave");
    expect(lastBody(curfew(), "ModifyUser")).toEqual({ emailAddress: "dave.new@example.com" });
    expect(textOf(await cardOf(curfew(), changeId))).toContain("dave@example.com → dave.new@example.com");
    const undone = await messagesAfter(curfew(), "bob", () => curfew().workspace.as("bob").press("Undo", message));
    expect(undone.text).toContain("You changed the e-mail address of dave");
    expect(curfew().service.account.users.get("u-00000004")?.emailAddress).toBe("dave@example.com");
  });

  it("by its form does the same", async () => {
    const form = await openForm(curfew(), "bob", "user email");
    expect(form.fields).toEqual(["User", "New e-mail address", "Reason"]);
    const { text } = await send(curfew(), "bob", {
      User: "alice (u-00000002)",
      "New e-mail address": "alice.new@example.com",
    });
    expect(text).toContain("You changed the e-mail address of alice");
    expect(curfew().service.account.users.get("u-00000002")?.emailAddress).toBe("alice.new@example.com");
  });

  it("shows the service's error when another user has the address", async () => {
    const { text } = await ask(curfew(), "bob", "user email dave carol@example.com");
    expect(text).toContain("Curfew could not change the e-mail address of dave to");
    expect(text).toContain("(EmailAddressInUse)");
  });

  it.each([
    ["user email “no such” x@example.com", "Curfew knows no user called “no such”."],
    ["user email bob at-home", "I didn't understand “at-home”."],
    ["user email bob --address at-home", "“at-home” is not an e-mail address."],
  ])("typed as “%s” changes nothing, says what is wrong and offers the form", async (line, problem) => {
    const sent = changesSentTo(curfew());
    const { text, message } = await ask(curfew(), "bob", line);
    expect(text).toContain(`:grey_question: ${problem} Nothing was changed.`);
    expect(buttonsOn(message)).toEqual(["Open the form"]);
    expect(sent()).toEqual([]);
  });

  it("for an ambiguous name changes nothing and lists the candidates", async () => {
    const sent = changesSentTo(curfew());
    const { text } = await ask(curfew(), "bob", "user email twin x@example.com");
    expect(text).toContain("twin (u-00000009), Twin (u-00000010). Nothing was changed.");
    expect(sent()).toEqual([]);
  });
});

describe("user detach-policy", () => {
  it("by a line offers no undo, and the answer, the card and the history name the policies that remain", async () => {
    const { text, message, changeId } = await ask(curfew(), "carol", "user detach-policy bob “Read only”");
    const left = "Still attached: Schedule operators. The service can't attach it again from here.";
    expect(text).toContain(`You detached policy mp-00000003 from bob. ${left}`);
    expect(textOf(await cardOf(curfew(), changeId))).toContain(left);
    expect((await ask(curfew(), "carol", `history ${changeId}`)).text).toContain("Still attached: Schedule operators");
    expect(lastBody(curfew(), "DetachManagedPolicy")).toEqual({ managedPolicyId: "mp-00000003" });
    expect(JSON.stringify(message.blocks)).not.toContain("Undo");
  });

  it("by its form does the same, also when none is left", async () => {
    await openForm(curfew(), "carol", "user detach-policy");
    const { changeId, text } = await send(curfew(), "carol", {
      User: "alice (u-00000002)",
      Policy: "Administrators (mp-00000001)",
    });
    expect(text).toContain("Still attached: no policy.");
    expect((await ask(curfew(), "carol", `history ${changeId}`)).text).toContain("Still attached: none");
  });

  it("typed with an unknown policy offers the form", async () => {
    const { text, message } = await ask(curfew(), "carol", "user detach-policy dave “No such”");
    expect(text).toContain("Curfew knows no policy called “No such”. Nothing was changed.");
    expect(buttonsOn(message)).toEqual(["Open the form"]);
  });

  it("typed with an ambiguous policy lists the candidates", async () => {
    const { text } = await ask(curfew(), "carol", "user detach-policy dave billing");
    expect(text).toContain("billing (mp-00000005)");
  });
});

describe("policy show", () => {
  it("by its form does the same", async () => {
    await openForm(curfew(), "carol", "policy show");
    expect((await send(curfew(), "carol", { Policy: "Read only (mp-00000003)" })).text).toContain(
      "Managed policy Read only",
    );
  });

  it("is refused without read permission, shows the service's error, and asks when ambiguous", async () => {
    expect((await ask(curfew(), "dave", "policy show Administrators")).text).toContain("You can't ");
    const unknown = await askWithNewId(curfew(), "carol", "policy show mp-99999999");
    expect(unknown.text).toContain("(ManagedPolicyNotFound)");
    const { text } = await ask(curfew(), "carol", "policy show billing");
    expect(text).toContain("could be more than one policy");
    // It only reads.
    expect(text).not.toContain("Nothing was changed");
  });
});
