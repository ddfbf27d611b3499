import { afterEach, describe, expect, it } from "vitest";
import { defaultSeed } from "../../src/sandbox/workspace/default-seed.ts";
import type { StoredMessage } from "../../src/sandbox/workspace/state.ts";
import { type Asked, cardSaying, configWith, press, withdrawAll } from "../support/approval-journey.ts";
import { ask, askWithNewId, cardOf, nowOf, openForm, send, textOf } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";

const dayMs = 86_400_000;
const config = configWith("{ operations: [RemoveUserMfa, DetachManagedPolicy], approvers: [admin, deputy] }").replace(
  /mfaType: [\w-]+/g,
  "mfaType: google-auth",
);
/** Bob's other account in Slack, which Slack finds first by their address. */
const robert = { id: "U09ROBERT", handle: "robert", realName: "Robert", email: "bob@example.com" };
const { curfew, clock } = oneBot({ config, seed: { ...defaultSeed, people: [robert, ...defaultSeed.people] } });

afterEach(async () => {
  for (const who of ["bob", "carol"]) await withdrawAll(curfew(), who);
  clock.advance(31 * dayMs);
});

const setUpMfa = () => {
  for (const user of curfew().service.account.users.values()) user.mfaType = "google-auth";
};

async function askToRemoveMfa(account: string, who = "bob"): Promise<Asked> {
  setUpMfa();
  await openForm(curfew(), who, `user remove-mfa ${account} google-auth`);
  const answer = await send(curfew(), who);
  const card = await cardOf(curfew(), answer.changeId);
  await curfew().app.idle();
  return { ...answer, card };
}

const cardText = async (account: string, who?: string): Promise<string> =>
  textOf((await askToRemoveMfa(account, who)).card);

const warnings = (message: StoredMessage): readonly string[] =>
  textOf(message)
    .split("\n")
    .filter((line) => line.startsWith(":warning:"));

const changeAddress = async (from: string, to: string): Promise<void> => {
  await ask(curfew(), "carol", `user email ${from} ${to}`);
  await curfew().app.idle();
};

describe("the approvers of a change of an account", () => {
  it("read that its requester never used the right, until they have", async () => {
    const never = "<@U02BOB> has never done this before.";
    const { card } = await askToRemoveMfa("dave@example.com");
    expect(warnings(card)).toEqual([`:warning: ${never}`]);
    await press(curfew(), "carol", "Approve", card);
    const done = await cardSaying(curfew(), card, "removed the MFA of dave");
    expect(warnings(done)).toEqual([]);
    setUpMfa();
    await ask(curfew(), "carol", "user enable dave@example.com");
    clock.advance(8 * dayMs);
    expect(warnings((await askToRemoveMfa("dave@example.com")).card)).toEqual([]);
  });

  it("see its changes of the last 7 days, in the list and on the Home tab as well, and later ones as they come", async () => {
    await ask(curfew(), "carol", "user enable dave@example.com");
    clock.advance(8 * dayMs);
    for (const verb of ["disable", "enable", "disable", "enable"])
      await ask(curfew(), "carol", `user ${verb} dave@example.com`);
    const { card, changeId } = await askToRemoveMfa("dave@example.com");
    expect(warnings(card)).toEqual([
      expect.stringMatching(/Lately: enabled dave, by <@U03CAROL>, /),
      expect.stringMatching(/Lately: disabled dave, by <@U03CAROL>, /),
      expect.stringContaining("And 2 more in 7 days: “history u-00000004” shows them."),
    ]);
    const recent = (await ask(curfew(), "carol", `history ${changeId}`)).text
      .split("\n")
      .filter((line) => line.startsWith(":warning:"));
    expect(recent).toHaveLength(4);
    expect(recent[3]).toContain("And 1 more in 7 days: “history u-00000004” shows them.");
    expect((await ask(curfew(), "carol", "approvals")).text).toContain("Lately: enabled dave, by <@U03CAROL>");
    const carol = curfew().workspace.as("carol");
    await carol.openHome();
    await curfew().workspace.waitFor(() => carol.home()?.text.includes("4 warnings"), { what: "it on Home" });
    await carol.press("Review…", "home");
    const isShown = () => carol.openView()?.text.includes("Lately: enabled dave");
    await curfew().workspace.waitFor(isShown, { what: "the whole request" });
    await carol.cancel();
    await changeAddress("dave@example.com", "dave@example.net");
    expect(warnings(nowOf(curfew(), card))[0]).toContain("Lately: changed the e-mail address of dave");
    await changeAddress("dave@example.net", "dave@example.org");
    for (const [from, to] of [
      ["org", "net"],
      ["net", "org"],
      ["org", "net"],
    ] as const)
      await changeAddress(`dave@example.${from}`, `dave@example.${to}`);
    const ofAccess = warnings(nowOf(curfew(), card)).filter((line) => line.includes("Lately: changed the e-mail"));
    expect(ofAccess, "those that give an account away are all shown").toHaveLength(5);
    await changeAddress("dave@example.net", "dave@example.com");
  });

  it("read that the requester and the owner are one person with two Slack accounts", async () => {
    expect(await cardText("bob@example.com")).toContain(
      "<@U02BOB> and the owner, <@U09ROBERT>, have the same e-mail address. They seem to be one person.",
    );
  });

  it("read that it is the requester's own account, or has their address", async () => {
    expect(await cardText("carol@example.com", "carol")).toContain(
      "This is the account of <@U03CAROL>, the requester.",
    );
    await changeAddress("dave@example.com", "bobby@example.com");
    await curfew().workspace.changes.changePerson("bob", { email: "bobby@example.com" });
    clock.advance(60_000);
    expect(await cardText("u-00000004")).toContain(
      "The account has, or had, the e-mail address of <@U02BOB>, the requester.",
    );
    await curfew().workspace.changes.changePerson("bob", { email: "bob@example.com" });
    await changeAddress("u-00000004", "dave@example.com");
  });

  it("read that nobody in Slack has its address", async () => {
    await changeAddress("dave@example.com", "nobody@example.com");
    clock.advance(31 * dayMs);
    const gone = "Nobody in Slack has nobody@example.com";
    expect(await cardText("u-00000004")).toContain(`${gone}, so the owner gets no message.`);
    await changeAddress("u-00000004", "dave@example.com");
    await withdrawAll(curfew());
    expect(await cardText("u-00000004")).toContain(`${gone}, the former address of this account.`);
  });

  it("read that Slack could not be asked whose account it is", async () => {
    curfew().workspace.faults.failNext("users.lookupByEmail", { error: "internal_error", times: 2 });
    expect(await cardText("alice@example.com")).toContain("Curfew could not look up in Slack whose account this is.");
  });

  it("read that Curfew does not know whose account it is, or was before somebody altered it", async () => {
    const { changeId } = await askWithNewId(curfew(), "carol", "user detach-policy u-00000005 mp-00000003");
    const unknown = await cardOf(curfew(), changeId);
    expect(textOf(unknown)).toContain("Curfew does not know whose account this is. Its owner gets no message.");

    await askWithNewId(curfew(), "carol", "user email u-00000006 frank@example.org");
    await curfew().app.idle();
    const text = await cardText("u-00000006");
    expect(text).toContain("Curfew does not know who had this account before");
    expect(text).toContain("Only its later addresses get a message.");
  });
});
