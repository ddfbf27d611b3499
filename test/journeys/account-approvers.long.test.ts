import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { askFor, cardSaying, press, withdrawAll } from "../support/approval-journey.ts";
import { ask, cardOf, changesSentTo, nowOf, openForm, send, textOf } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

/** Every change of an account needs carol, dave or bob; bob and carol ask. */
const config = `${unlimitedConfig
  .replace("    admin:\n", "    security: { members: [U04DAVE, U02BOB], allow: [reads] }\n    admin:\n")
  .replace("  users:\n", "  users:\n    - { id: u-00000005, name: erin, email: erin@example.com }\n")}
identity: { coolOff: 24h, approvers: [admin] }
approvals:
  - { operations: [ModifyUser, RemoveUserMfa], approvers: [admin, security] }
`;
const { curfew, clock } = oneBot({ config });
const erin = "u-00000005";
const account = () => curfew().service.account.users.get(erin);
const takesAnother = "You asked for or approved the other change of this account";

async function removeMfa(who: string) {
  await curfew().app.idle();
  await openForm(curfew(), who, `user remove-mfa ${erin} mobile-otp`);
  const { changeId, text } = await send(curfew(), who);
  return { text, changeId, card: await cardOf(curfew(), changeId) };
}
const approvalBy = async (who: string, card: Awaited<ReturnType<typeof removeMfa>>["card"]) =>
  (await press(curfew(), who, "Approve", card)).text;

beforeEach(async () => {
  clock.advance(48 * 3_600_000);
  const was = account();
  if (was) curfew().service.account.users.set(erin, { ...was, mfaType: "mobile-otp" });
  // Its answer says that they have set it up again.
  await approvalBy("carol", (await askFor(curfew(), "bob", `user enable ${erin}`)).card);
  await curfew().app.idle();
  clock.advance(48 * 3_600_000);
});

afterEach(async () => {
  for (const who of ["bob", "carol"]) await withdrawAll(curfew(), who);
});

const newAddress = () => askFor(curfew(), "bob", `user email ${erin} e${clock.now()}@example.com`);

describe("address and MFA of one account", () => {
  it("take a third person: whoever asked for or approved the first can't approve the second alone", async () => {
    const first = await newAddress();
    await approvalBy("carol", first.card);
    const { card, changeId } = await removeMfa("bob");
    expect(textOf(card)).toMatch(/needs <@U04DAVE>/);
    const sent = changesSentTo(curfew());
    expect(await approvalBy("carol", card)).toContain(takesAnother);
    expect((await ask(curfew(), "carol", `approve ${changeId}`)).text).toContain(takesAnother);
    expect(sent()).toEqual([]);
    await approvalBy("dave", card);
    expect(sent()).toEqual(["RemoveUserMfa"]);
  });

  it("can't be had by two who take turns in asking and approving", async () => {
    await approvalBy("carol", (await newAddress()).card);
    const { card } = await removeMfa("carol");
    expect(await approvalBy("bob", card)).toContain(takesAnother);
    expect(account()?.mfaType).toBe("mobile-otp");
  });

  it("take a third person in the other order too", async () => {
    await approvalBy("carol", (await removeMfa("bob")).card);
    const { card } = await newAddress();
    const sent = changesSentTo(curfew());
    expect(await approvalBy("carol", card)).toContain(takesAnother);
    expect(sent()).toEqual([]);
    await approvalBy("dave", card);
    expect(sent()).toEqual(["ModifyUser"]);
  });

  it("are looked at again when the second is made, if both waited", async () => {
    const address = await newAddress();
    await approvalBy("carol", (await removeMfa("bob")).card);
    const sent = changesSentTo(curfew());
    await approvalBy("carol", address.card);
    await cardSaying(curfew(), address.card, "carol asked for or approved the other change of this account");
    expect(sent()).toEqual([]);
    expect(textOf(nowOf(curfew(), address.card))).toContain("nothing was changed");
  });
});
