import { afterEach, describe, expect, it } from "vitest";
import { defaultSeed } from "../../src/sandbox/workspace/default-seed.ts";
import type { StoredMessage } from "../../src/sandbox/workspace/state.ts";
import { openHistory } from "../../src/store/history/verify-history.ts";
import {
  type Asked,
  buttonsNow,
  cardSaying,
  configWith,
  directMessage,
  press,
  withdrawAll,
} from "../support/approval-journey.ts";
import {
  ask,
  buttonsOn,
  cardOf,
  changesSentTo,
  messagesAfter,
  nowOf,
  openForm,
  send,
  textOf,
} from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";

const dayMs = 86_400_000;
const config = configWith("{ operations: [RemoveUserMfa, DetachManagedPolicy], approvers: [admin, security] }")
  .replace("    admin:\n", "    security: { members: [U10HENRY], allow: [reads] }\n    admin:\n")
  .replace("allow: [ModifyUser, RemoveUserMfa]", "allow: [ModifyUser, RemoveUserMfa, DetachManagedPolicy]");
const mallory = { id: "U09MALLORY", handle: "mallory", realName: "Mallory", email: "mallory@example.com" };
const henry = { id: "U10HENRY", handle: "henry", realName: "Henry", email: "henry@example.com" };
const [ops, ...otherChannels] = defaultSeed.channels;
const seed = {
  ...defaultSeed,
  people: [...defaultSeed.people, mallory, henry],
  channels: ops ? [{ ...ops, members: [...ops.members, "mallory"] }, ...otherChannels] : [],
};
const { curfew, clock } = oneBot({ config, seed });

afterEach(async () => {
  await withdrawAll(curfew());
  clock.advance(31 * dayMs);
});

/** Bob of the help desk asks by the form, which a complete line opens as well. */
async function askToRemoveMfa(account = "alice@example.com", type = "google-auth"): Promise<Asked> {
  const user = curfew().service.account.users.get("u-00000002");
  const hadNone = user?.mfaType === "none";
  if (user) user.mfaType = "google-auth";
  // Its answer says that they have set it up again.
  if (hadNone) await ask(curfew(), "bob", "user enable u-00000002");
  await openForm(curfew(), "bob", `user remove-mfa ${account} ${type}`);
  const answer = await send(curfew(), "bob");
  const card = await cardOf(curfew(), answer.changeId);
  await curfew().app.idle();
  return { ...answer, card };
}

/** The direct messages of Curfew to this person about this change. */
function messagesTo(who: string, changeId: string): readonly StoredMessage[] {
  return curfew()
    .workspace.as(who)
    .messages("dm")
    .filter((message) => message.isFromApp && message.text.endsWith(`(change ${changeId})`));
}

async function messageTo(who: string, changeId: string): Promise<StoredMessage> {
  await curfew().app.idle();
  const [message, ...others] = messagesTo(who, changeId);
  expect(others).toEqual([]);
  if (message === undefined) throw new Error(`${who} has no message about ${changeId}`);
  return message;
}

const textNow = (message: StoredMessage): string => textOf(nowOf(curfew(), message));

/** The addresses are changed back, so that each test begins with the same. */
async function withAddress(address: string, work: () => Promise<void>): Promise<void> {
  await ask(curfew(), "bob", `user email u-00000002 ${address}`);
  await curfew().app.idle();
  await work();
  await ask(curfew(), "carol", "user email u-00000002 alice@example.com");
}

describe("the owner of an account", () => {
  it("is told when somebody asks to remove their MFA, and stops it with a button", async () => {
    const { card, changeId } = await askToRemoveMfa();
    const sent = changesSentTo(curfew());
    const message = await messageTo("alice", changeId);
    expect(textOf(message)).toContain("<@U02BOB> wants to remove your MFA. Didn't ask for this? Stop it.");
    expect(buttonsOn(message)).toEqual(["Stop it"]);

    const stop = () => curfew().workspace.as("alice").press("Stop it", message, { times: 2 });
    expect((await messagesAfter(curfew(), "alice", stop)).text).toMatch(/You denied it|You already denied this/);
    const denied = await cardSaying(curfew(), card, "Denied by <@U01ALICE>, the account's owner, ");
    const why = "It is my account, and I did not ask for this.";
    expect(textOf(denied), "a guest reads it").not.toContain(why);
    expect(textOf(await directMessage(curfew(), "bob", changeId, why))).toContain("<@U01ALICE>");
    await curfew().app.idle();
    expect(buttonsNow(curfew(), message)).toEqual([]);
    expect(textNow(message)).toContain("Nothing was changed.\n:no_entry: Denied by ");
    expect(textNow(message)).toContain("Denied by <@U01ALICE>");
    expect(sent()).toEqual([]);
  });

  it("stops it by a line and by the form, with their own reason, but cannot approve it", async () => {
    const { card, changeId } = await askToRemoveMfa();
    for (const line of [`approve ${changeId}`, `withdraw ${changeId}`])
      expect((await ask(curfew(), "alice", line)).text).toContain("Nothing was changed.");
    const form = await openForm(curfew(), "alice", `deny ${changeId}`);
    expect(form.fields).toContain("Reason");
    expect((await send(curfew(), "alice", { Reason: "never asked" })).text).toContain("You denied it.");
    await cardSaying(curfew(), card, "Denied by <@U01ALICE>");
    await directMessage(curfew(), "bob", changeId, "never asked");
    const other = await askToRemoveMfa();
    expect((await ask(curfew(), "alice", `deny ${other.changeId} not me`)).text).toContain("You denied it.");
    expect((await ask(curfew(), "alice", `deny ${other.changeId} not me`)).text).toContain("You already denied this.");
  });

  it("is the only one without a role who may stop it", async () => {
    const { card, changeId } = await askToRemoveMfa();
    for (const who of ["dave", "gina", "erin", "mallory"])
      expect((await ask(curfew(), who, `deny ${changeId} no`)).text).toContain("Nothing was changed.");
    expect(buttonsNow(curfew(), card)).toContain("Approve");
  });

  it("reads that it was withdrawn or has lapsed, and comes too late then", async () => {
    const withdrawn = await askToRemoveMfa();
    const message = await messageTo("alice", withdrawn.changeId);
    await ask(curfew(), "bob", `withdraw ${withdrawn.changeId}`);
    await curfew().app.idle();
    expect(textNow(message)).toContain("Withdrawn by ");
    expect(buttonsNow(curfew(), message)).toEqual([]);

    const { changeId } = await askToRemoveMfa();
    const late = await messageTo("alice", changeId);
    clock.advance(5 * 3_600_000);
    const stop = () => curfew().workspace.as("alice").press("Stop it", late);
    expect((await messagesAfter(curfew(), "alice", stop)).text).toContain("Your denial came too late");
    await curfew().app.idle();
    expect(textNow(late)).toContain("It was not approved in time");
    expect(buttonsNow(curfew(), late)).toEqual([]);
  });

  it("stops what is approved while the service cannot be reached", async () => {
    const sent = changesSentTo(curfew());
    const { card, changeId } = await askToRemoveMfa();
    const message = await messageTo("alice", changeId);
    await curfew().service.faults.down();
    expect((await press(curfew(), "carol", "Approve", card)).text).toContain("the service could not be reached");
    expect((await press(curfew(), "alice", "Stop it", message)).text).toContain("You denied it.");
    await curfew().service.faults.up();
    // Sent again if its connection is from before: a change that may be repeated.
    await ask(curfew(), "carol", "user enable dave@example.com");
    clock.advance(3_600_000);
    await curfew().app.idle();
    expect(sent()).toEqual(["ModifyUser"]);
    await cardSaying(curfew(), card, "Denied by <@U01ALICE>");
  });

  it("gets no message about what they ask for themselves", async () => {
    const { changeId } = await askToRemoveMfa("bob@example.com");
    await curfew().app.idle();
    expect(messagesTo("bob", changeId).filter((message) => textOf(message).includes("Stop it"))).toEqual([]);
  });

  it("gets each message once when Slack fails, and sees that it was approved and done", async () => {
    curfew().workspace.faults.failNext("users.lookupByEmail", { error: "internal_error" });
    const { card, changeId } = await askToRemoveMfa();
    clock.advance(5000);
    const asked = await messageTo("alice", changeId);
    await press(curfew(), "carol", "Approve", card);
    await curfew().app.idle();
    expect(textNow(asked)).toContain("Approved and done.");
    expect(textNow(asked)).toContain("approved by <@U03CAROL>");
    const messages = messagesTo("alice", changeId);
    expect(messages).toHaveLength(2);
    expect(textOf(messages.find(({ ts }) => ts !== asked.ts) ?? asked)).toContain("removed your MFA");
  });
});

it("the owner is told when somebody asks to detach a policy by a line, and stops that too", async () => {
  const { changeId } = await ask(curfew(), "bob", "user detach-policy alice@example.com mp-00000001");
  const message = await messageTo("alice", changeId);
  expect(textOf(message)).toContain("<@U02BOB> wants to detach policy mp-00000001 from you.");
  expect((await press(curfew(), "alice", "Stop it", message)).text).toContain("You denied it.");
});

it("an approver cannot approve a change of the account that was theirs, and can deny it", async () => {
  await ask(curfew(), "bob", "user email carol@example.com other@example.com");
  const { card, changeId } = await askToRemoveMfa("u-00000003", "mobile-otp");
  expect((await press(curfew(), "carol", "Approve", card)).text).toContain("This is about your own account");
  expect((await ask(curfew(), "carol", `deny ${changeId} no`)).text).toContain("You denied it.");
  await ask(curfew(), "bob", "user email u-00000003 carol@example.com");
});

describe("after somebody gave the account a stranger's address", () => {
  it("the earlier owner is told too, and only they can stop the next change", async () => {
    await withAddress("mallory@example.com", async () => {
      const both = () => ["alice", "mallory"].map((who) => curfew().workspace.as(who).messages("dm").at(-1));
      for (const message of both())
        expect(message && textOf(message)).toContain("alice@example.com → mallory@example.com");
      clock.advance(2 * dayMs);
      const { card, changeId } = await askToRemoveMfa("u-00000002");
      const [own, other] = [await messageTo("alice", changeId), await messageTo("mallory", changeId)];
      expect(buttonsOn(own)).toEqual(["Stop it"]);
      expect(buttonsOn(other)).toEqual([]);
      expect(textOf(other)).toContain("tell <@U03CAROL> or <@U10HENRY> now: they can deny it.");
      expect((await ask(curfew(), "mallory", `deny ${changeId} mine`)).text).toContain("You can't decide this");
      expect(textNow(card)).toContain(
        "Lately: changed the e-mail address of alice to mallory@example.com, by <@U02BOB>",
      );

      await press(curfew(), "carol", "Approve", card);
      await curfew().app.idle();
      for (const who of ["alice", "mallory"]) expect(messagesTo(who, changeId)).toHaveLength(2);
      const { text } = await ask(curfew(), "carol", `history ${changeId}`);
      expect(text).toContain("alice (the account's owner) was notified of the request");
      expect(text).toContain("alice (the account's owner) was notified of the change");
      expect(text).toContain("Mallory (another address of the account) was notified of the change");
    });
  });

  it("a month later that address is the owner's", async () => {
    await withAddress("mallory@example.com", async () => {
      clock.advance(31 * dayMs);
      const { changeId } = await askToRemoveMfa("u-00000002");
      expect(messagesTo("alice", changeId)).toEqual([]);
      expect(buttonsOn(await messageTo("mallory", changeId))).toEqual(["Stop it"]);
    });
  });
});

it("the history that is exported says who was notified, and is intact", async () => {
  const { changeId } = await askToRemoveMfa();
  await messageTo("alice", changeId);
  await ask(curfew(), "alice", `deny ${changeId} not me`);
  await curfew().app.idle();
  const history = await openHistory(curfew().database);
  try {
    expect(await history.verify()).toMatchObject({ kind: "intact" });
    const contents = [];
    for await (const { content } of history.entries()) if (content.changeId === changeId) contents.push(content);
    const notified = contents.flatMap((content) => content.notified ?? []);
    expect(notified).toEqual([expect.objectContaining({ userId: "U01ALICE", about: "asked", isOwner: true })]);
    expect(contents.at(-1)).toMatchObject({ state: "denied", decision: { approverId: "U01ALICE", note: "not me" } });
  } finally {
    await history.close();
  }
});
