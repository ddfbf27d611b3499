import { describe, expect, it } from "vitest";
import {
  ask,
  buttonsOn,
  type CommandReply,
  cardOf,
  cardsIn,
  changesSentTo,
  isOfOwnAccount,
  messagesAfter,
  nowOf,
  openForm,
  send,
  textOf,
  threadOf,
} from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { closedOps, unlimitedConfig } from "../support/start-curfew.ts";
import { loseAnswers } from "../support/unknown-outcome.ts";

const { curfew } = oneBot({
  seed: closedOps,
  config: unlimitedConfig.replace(
    "allow: [ModifyUser, RemoveUserMfa]",
    "allow: [ModifyUser, RemoveUserMfa, DetachManagedPolicy]",
  ),
});

const press = (who: string, button: string, message: CommandReply["message"]) =>
  messagesAfter(curfew(), who, () => curfew().workspace.as(who).press(button, message));

/** With a policy of theirs. */
async function offboard(who: string, user: string, policyId: string): Promise<CommandReply> {
  await openForm(curfew(), who, `offboard ${user} --policy ${policyId}`);
  return send(curfew(), who);
}

describe("offboarding", () => {
  it("disables a leaver, detaches every policy that the service lists and ends the exclusions that only they own", async () => {
    const own = await ask(curfew(), "alice", "exclude i-0a1 for 2h");
    const shared = await ask(curfew(), "alice", "exclude i-0a2 for 2h");
    await ask(curfew(), "carol", `extend ${shared.exclusionId} 1h`);
    const ownCard = await cardOf(curfew(), own.changeId);
    const before = cardsIn(curfew().workspace, "ops").length;
    const form = await openForm(curfew(), "carol", "Alice has left the company.");
    expect(form.text).toContain("Detached policies and what ends now don't come back");
    expect(form.text).toContain("• disable alice\n• stop keeping i-0a1 running");
    expect(form.fields, "the form asks only what is open").toEqual(["User", "Reason"]);
    expect(form.text).toMatch(/No policy is detached: Curfew knows none of theirs\.$/m);
    await curfew().workspace.as("carol").cancel();
    const sent = changesSentTo(curfew());
    await openForm(curfew(), "carol", "offboard alice --policy mp-00000001");
    const done = await send(curfew(), "carol", { Reason: "left on Friday" });
    expect(done.text).toContain("You offboarded alice.");
    expect(sent()).toEqual(["ModifyUser", "DetachManagedPolicy", "DeleteActionExclusion"]);
    const { users, exclusions } = curfew().service.account;
    expect(users.get("u-00000002")).toMatchObject({ status: "disabled", managedPolicies: [] });
    expect([exclusions.has(own.exclusionId), exclusions.has(shared.exclusionId)]).toEqual([false, true]);
    const card = await cardOf(curfew(), done.changeId);
    expect(textOf(card)).toMatch(
      /offboarded alice\n.*disable alice\n.*detach policy Administrators from alice\n.*stop keeping i-0a1 running\nUndo only lets them sign in again.*\n.*left on Friday/,
    );
    const toAlice = () => curfew().workspace.as("alice").messages("dm");
    await curfew().workspace.waitFor(() => toAlice().some((each) => textOf(each).includes("detached policy")));
    expect(toAlice().filter(isOfOwnAccount)).toHaveLength(2);
    await curfew().workspace.waitFor(() => textOf(nowOf(curfew(), ownCard)).includes("<@U03CAROL> ended it"));
    expect(cardsIn(curfew().workspace, "ops").length, "one card for all of it").toBe(before + 1);
    const history = await ask(curfew(), "carol", `history ${done.changeId}`);
    const [step = ""] = /chg-\w+(?=\)\ndone: detach)/.exec(history.text) ?? [];
    expect((await ask(curfew(), "carol", `history ${step}`)).text).toContain("carol disabled alice");
    const listed = (await ask(curfew(), "carol", "history user alice")).text;
    expect(listed).toContain("carol offboarded alice");
    expect(listed).not.toContain("carol disabled alice");
    expect((await ask(curfew(), "carol", `history ${own.exclusionId}`)).text).toContain("carol stopped keeping");
  });
});

describe("an offboarding of which a step fails", () => {
  it("says which, and Try again runs only what is left", async () => {
    curfew().service.faults.next({ kind: "status", status: 403, operation: "DetachManagedPolicy" });
    const partly = await offboard("carol", "bob", "mp-00000002");
    expect(partly.text).toContain("You wanted to offboard bob. It is partly done: 1 of 2 steps.");
    expect(partly.text).toMatch(/:white_check_mark: disable bob\n:x: detach policy \S.* from bob: \S/);
    expect(buttonsOn(partly.message)).toContain("Try again");
    const card = await cardOf(curfew(), partly.changeId);
    expect(textOf(card)).toContain("It is partly done: 1 of 2 steps.");
    expect((await ask(curfew(), "carol", "history partly")).text).toContain("partly done");
    const refused = await press("dave", "Try again", card);
    expect(refused.text).toContain("You can't");
    const sent = changesSentTo(curfew());
    const done = await press("carol", "Try again", card);
    expect(done.text).toContain("You offboarded bob.");
    // The service's first answer lists the second policy.
    expect(sent()).toEqual(["DetachManagedPolicy", "DetachManagedPolicy"]);
    await curfew().workspace.waitFor(() => textOf(nowOf(curfew(), card)).includes("offboarded bob"));
    expect(buttonsOn(nowOf(curfew(), card))).not.toContain("Try again");
    expect(textOf(nowOf(curfew(), card))).toContain("detach policy Read only from bob");
    expect(curfew().service.account.users.get("u-00000001")).toMatchObject({ managedPolicies: [] });
    expect((await ask(curfew(), "carol", `retry ${partly.changeId}`)).text).toContain("This was settled before.");
    expect((await press("carol", "Undo", nowOf(curfew(), card))).text).toContain("It was enabled before");
  });

  it("is done where a policy was detached elsewhere", async () => {
    await ask(curfew(), "carol", "enable dave");
    const done = await offboard("carol", "dave", "mp-00000001");
    expect(done.text).toContain("You offboarded dave.");
    expect(textOf(await cardOf(curfew(), done.changeId))).toContain("detach policy");
  });

  it("is tried again only by its requester, who is offered the form otherwise", async () => {
    curfew().service.faults.next({ kind: "status", status: 403, operation: "DetachManagedPolicy" });
    const { changeId } = await offboard("carol", "dave", "mp-00000002");
    const { text, message } = await ask(curfew(), "bob", `retry ${changeId}`);
    expect(text).toContain("Only carol can try again what they asked for.");
    expect(buttonsOn(message)).toEqual(["Ask anew…"]);
  });

  it("changes nothing when the service cannot be reached, and stops at the first step", async () => {
    curfew().service.faults.next({ kind: "status", status: 429, times: 9, operation: "ModifyUser" });
    const failed = await offboard("carol", "dave", "mp-00000002");
    expect(failed.text).toContain("Curfew could not offboard dave: nothing was changed.");
    expect(failed.text).toMatch(/detach policy .* from dave: not done/);
  });
});

describe("an offboarding of which a step is unknown", () => {
  it("is unknown, and known when somebody has looked", async () => {
    loseAnswers(curfew(), "DetachManagedPolicy", "reset-after");
    const unknown = await offboard("carol", "u-00000004", "mp-00000002");
    expect(unknown.text).toContain("Curfew does not know whether it managed to offboard dave");
    expect(unknown.text).toMatch(/:white_check_mark: disable dave\n:grey_question: detach policy/);
    expect(buttonsOn(unknown.message)).toEqual(["Check now", "It was done", "It wasn't"]);
    const sent = changesSentTo(curfew());
    const known = await press("carol", "It was done", unknown.message);
    expect(known.text).toContain("You offboarded dave.");
    expect(sent()).toEqual([]);
    const card = await cardOf(curfew(), unknown.changeId);
    await curfew().workspace.waitFor(() => textOf(nowOf(curfew(), card)).includes("offboarded dave"));
    await curfew().workspace.waitFor(() => threadOf(curfew(), card).length === 1);
  });
});

describe("an offboarding of which several steps are unknown", () => {
  it("asks for one after the other", async () => {
    loseAnswers(curfew(), "ModifyUser", "reset-before");
    loseAnswers(curfew(), "DetachManagedPolicy", "reset-before");
    const unknown = await offboard("carol", "dave", "mp-00000002");
    const card = await cardOf(curfew(), unknown.changeId);
    const next = await press("carol", "It was done", unknown.message);
    expect(next.text).toContain("This step is known now, and another one is not.");
    await curfew().workspace.waitFor(() => textOf(nowOf(curfew(), card)).includes(":white_check_mark: disable dave"));
    const partly = await press("carol", "It wasn't", next.message);
    expect(partly.text).toContain("It is partly done: 1 of 2 steps.");
  });

  it("finds out about all of them by Check now", async () => {
    await ask(curfew(), "carol", "enable dave");
    loseAnswers(curfew(), "ModifyUser", "reset-before");
    const unknown = await offboard("carol", "dave", "mp-00000003");
    const known = await press("carol", "Check now", unknown.message);
    expect(known.text).toMatch(/You offboarded dave\.\n:white_check_mark: disable dave/);
  });
});

describe("the steps of an offboarding", () => {
  it("include the policies that the service listed when one was detached before", async () => {
    await ask(curfew(), "bob", "user detach-policy carol mp-00000001");
    await ask(curfew(), "bob", "enable carol");
    const { text } = await openForm(curfew(), "bob", "offboard carol");
    expect(text).toContain("• detach policy Billing from carol");
    expect(text).toContain("Every other policy that the service lists then is detached too.");
  });

  it("are shown in the form that a user's page opens", async () => {
    const { message } = await ask(curfew(), "carol", "user show dave");
    await curfew().workspace.as("carol").press("Offboard", message);
    const form = await curfew().workspace.waitFor(() => curfew().workspace.as("carol").openView());
    expect(form.text).toContain("• disable dave");
  });
});

describe("who may not offboard", () => {
  it("is refused before anything happens, with the step", async () => {
    await ask(curfew(), "carol", "exclude i-0d9 for 2h --project p-dev --type amazon-ec2-instance");
    const sent = changesSentTo(curfew());
    await openForm(curfew(), "bob", "offboard carol");
    const person = curfew().workspace.as("bob");
    await person.submit();
    const { text = "" } = person.openView() ?? {};
    expect(text).toContain("Nothing was done, since one step is refused: stop keeping");
    expect(sent()).toEqual([]);
    await person.cancel();
  });

  it("does not offer it to people without the rights, and refuses their line", async () => {
    expect((await ask(curfew(), "alice", "offboard bob")).text).toContain("You can't");
    expect((await ask(curfew(), "alice", "help user")).text).not.toContain("offboard");
  });

  it("cannot offboard themselves", async () => {
    const sent = changesSentTo(curfew());
    await openForm(curfew(), "carol", "offboard carol");
    const person = curfew().workspace.as("carol");
    await person.submit();
    expect(JSON.stringify(person.openView())).toContain("You can't offboard yourself.");
    expect(sent()).toEqual([]);
    await person.cancel();
  });
});

describe("an offboarding that is undone", () => {
  it("lets them sign in again, and says what stays as it is", async () => {
    await ask(curfew(), "carol", "enable dave");
    await openForm(curfew(), "carol", "offboard dave");
    const done = await send(curfew(), "carol");
    expect(textOf(done.message)).toMatch(/^:white_check_mark: Done\.\nUndo/);
    const card = await cardOf(curfew(), done.changeId);
    expect(textOf(card)).toContain("Undo only lets them sign in again.");
    const sent = changesSentTo(curfew());
    expect((await press("carol", "Undo", done.message)).text).toContain("enabled dave");
    expect(sent()).toEqual(["ModifyUser"]);
    await curfew().workspace.waitFor(() => textOf(nowOf(curfew(), card)).includes("undone by <@U03CAROL>"));
    expect((await ask(curfew(), "carol", `undo ${done.changeId}`)).text).toMatch(/already/);
  });
});
