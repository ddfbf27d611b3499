import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { askFor, press, withdrawAll } from "../support/approval-journey.ts";
import { ask, cardOf, changesSentTo, openForm, send, textOf } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";
import { loseAnswers } from "../support/unknown-outcome.ts";

/** Bob of the help desk asks; carol, dave and alice's user group approve. Changes of addresses need nobody. */
const config = `${unlimitedConfig
  .replace("    admin:\n", "    security: { members: [U04DAVE, S0ENGINEERS], allow: [reads] }\n    admin:\n")
  .replace("  users:\n", "  users:\n    - { id: u-00000005, name: erin, email: erin@example.com }\n")}
identity: { coolOff: 24h, approvers: [admin, security] }
`;
const { curfew, clock } = oneBot({ config });
const hourMs = 3_600_000;

/** Erin's account, which nobody of them owns. */
const erin = "u-00000005";
const account = () => curfew().service.account.users.get(erin);
const toStranger = () => ask(curfew(), "bob", `user email ${erin} stranger${clock.now()}@example.com`);

async function removeMfa(who = "bob") {
  await curfew().app.idle();
  await openForm(curfew(), who, `user remove-mfa ${erin} mobile-otp`);
  const { changeId, text } = await send(curfew(), who);
  return { text, changeId, card: await cardOf(curfew(), changeId) };
}

const approvalBy = async (who: string, card: Awaited<ReturnType<typeof removeMfa>>["card"]) =>
  (await press(curfew(), who, "Approve", card)).text;

/** Each test starts with an account that nobody has touched for a month, known to Curfew. */
beforeEach(async () => {
  clock.advance(31 * 24 * hourMs);
  const { users } = curfew().service.account;
  const was = account();
  if (was) users.set(erin, { ...was, status: "enabled", mfaType: "mobile-otp", emailAddress: "erin@example.com" });
});

afterEach(() => withdrawAll(curfew()));

describe("after another address", () => {
  it("one person alone can neither remove the MFA nor enable the account, by line, form or button", async () => {
    expect((await ask(curfew(), "bob", `user disable ${erin}`)).text).toContain("You disabled erin");
    const sent = changesSentTo(curfew());
    expect((await toStranger()).text).toContain("You changed the e-mail address of erin");
    const { card, text } = await removeMfa();
    expect(text).toContain("bob changed the account's e-mail address less than 1 d ago.");
    expect(text).toContain("It is waiting for 2 approvals: nothing was changed yet.");
    expect(textOf(card)).toContain("Both changes together take two different approvers.");
    expect(await approvalBy("bob", card)).toContain("You asked for this yourself, so you can't decide on it.");
    const line = await askFor(curfew(), "bob", `user enable ${erin}`);
    expect(line.text).toContain("This waits for approval.");
    await ask(curfew(), "bob", `withdraw ${line.changeId}`);
    await openForm(curfew(), "bob", "user enable");
    const form = await send(curfew(), "bob", { User: erin });
    expect(form.text).toContain("This waits for approval.");
    await ask(curfew(), "bob", `withdraw ${form.changeId}`);
    const shown = await ask(curfew(), "bob", `user ${erin}`);
    await curfew().workspace.as("bob").press("Enable", shown.message);
    await curfew().workspace.waitFor(() => curfew().workspace.as("bob").openView());
    expect((await send(curfew(), "bob")).text).toContain("This waits for approval.");
    expect(sent()).toEqual(["ModifyUser"]);
    expect(account()).toMatchObject({ status: "disabled", mfaType: "mobile-otp" });
  });

  it("a requester and one approver can't remove the MFA, and a second approver can let them", async () => {
    await toStranger();
    const { card } = await removeMfa();
    const sent = changesSentTo(curfew());
    expect(await approvalBy("carol", card)).toContain("(1 given)");
    expect(await approvalBy("carol", card)).toContain("You already approved this.");
    expect(sent()).toEqual([]);
    expect(await approvalBy("dave", card)).toContain("You approved it");
    expect(sent()).toEqual(["RemoveUserMfa"]);
  });

  it("a requester and an approver can enable the account, and after the cooling-off nobody is asked", async () => {
    await ask(curfew(), "bob", `user disable ${erin}`);
    await toStranger();
    const { card } = await askFor(curfew(), "bob", `user enable ${erin}`);
    await approvalBy("carol", card);
    expect(account()?.status).toBe("enabled");
    await ask(curfew(), "bob", `user disable ${erin}`);
    clock.advance(24 * hourMs);
    expect((await ask(curfew(), "bob", `user enable ${erin}`)).text).toContain("You enabled erin");
    await openForm(curfew(), "bob", `user remove-mfa ${erin} mobile-otp`);
    expect((await send(curfew(), "bob")).text).toContain("You removed the MFA of erin");
  });

  it("the approver whose address it is now can't approve the rest", async () => {
    await ask(curfew(), "bob", `user disable ${erin}`);
    curfew().service.account.users.delete("u-00000003");
    await ask(curfew(), "bob", `user email ${erin} carol@example.com`);
    const { card } = await askFor(curfew(), "bob", `user enable ${erin}`);
    expect(await approvalBy("carol", card)).toContain("This is about your own account");
    expect(account()?.status).toBe("disabled");
    await ask(curfew(), "bob", `user email ${erin} erin@example.com`);
  });

  it("a change of address whose outcome is unknown counts too", async () => {
    loseAnswers(curfew(), "ModifyUser", "reset-after");
    expect((await toStranger()).text).toContain("Curfew does not know whether");
    expect((await removeMfa()).text).toContain("It is waiting for 2 approvals: nothing was changed yet.");
  });
});

describe("after the MFA is removed", () => {
  it("another address takes two approvers, where nobody approved the removal", async () => {
    expect((await removeMfa()).text).toContain("You removed the MFA of erin");
    const { text, card } = await askFor(curfew(), "bob", `user email ${erin} other@example.com`);
    expect(text).toContain("bob removed the account's MFA less than 1 d ago");
    expect(text).toContain("waiting for 2 approvals");
    await approvalBy("carol", card);
    expect(account()?.emailAddress).toBe("erin@example.com");
    await approvalBy("alice", card);
    expect(account()?.emailAddress).toBe("other@example.com");
  });
});
