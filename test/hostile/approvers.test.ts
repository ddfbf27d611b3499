import { afterEach, describe, expect, it } from "vitest";
import {
  askFor,
  buttonsNow,
  cardSaying,
  configWith,
  directMessage,
  press,
  withdrawAll,
} from "../support/approval-journey.ts";
import { ask, changesSentTo, textOf } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";

/** Needs two of the admin carol and the deputies alice and dave, who are in a user group. */
const config = configWith("{ operations: [ModifyUser], approvers: [admin, deputy], count: 2, channel: C0OPS }")
  .replace("deputy: { members: [S0ENGINEERS]", "deputy: { members: [S0ENGINEERS, U02BOB]")
  .replace("  users:\n", "  users:\n    - { id: u-00000005, name: erin }\n    - { id: u-00000006, name: frank }\n");
const { curfew, clock } = oneBot({ config });
const withEmail = (who: string, email: string) => curfew().workspace.changes.changePerson(who, { email });
const asked = async () => {
  await curfew().workspace.changes.setGroup("engineers", ["alice", "dave"]);
  clock.advance(31_000);
  return askFor(curfew(), "bob", "user disable u-00000005");
};

afterEach(async () => {
  for (const who of ["alice", "dave", "carol", "bob"]) await withEmail(who, `${who}@example.com`);
  await curfew().workspace.changes.changePerson("dave", { deleted: false, isRestricted: false });
  await curfew().workspace.changes.setGroup("engineers", ["alice"]);
  curfew().workspace.faults.clear();
  clock.advance(31_000);
  await withdrawAll(curfew());
});

describe("two accounts with the same e-mail address", () => {
  it.each([" BOB@example.com", "bob+Curfew+2@example.com"])(
    "cannot approve each other's requests by button, or by a line with an id or without: %s",
    async (address) => {
      const { card, changeId } = await asked();
      await withEmail("dave", address);
      clock.advance(31_000);
      const sent = changesSentTo(curfew());
      const own = /You have the same e-mail address as bob, who asked for this.*Nothing was changed\./s;
      expect((await press(curfew(), "dave", "Approve", card)).text).toMatch(own);
      expect((await ask(curfew(), "dave", `approve ${changeId}`)).text).toMatch(own);
      const waiting = (await ask(curfew(), "dave", "approve")).message;
      expect((await press(curfew(), "dave", "Approve", waiting)).text).toMatch(own);
      expect(textOf(await cardSaying(curfew(), card, "wants to"))).not.toContain("Approved by");
      expect((await ask(curfew(), "dave", `deny ${changeId} not me`)).text).toContain("You denied it.");
      expect(sent()).toEqual([]);
    },
  );

  it.each(["Carol@Example.com", "carol+x@example.com"])("count as one approver: %s", async (address) => {
    const { card } = await asked();
    await withEmail("dave", address);
    clock.advance(31_000);
    await press(curfew(), "carol", "Approve", card);
    const sent = changesSentTo(curfew());
    expect((await press(curfew(), "dave", "Approve", card)).text).toMatch(
      /You have the same e-mail address as carol, who approved this.*Nothing was changed\./s,
    );
    expect(sent()).toEqual([]);
    expect(buttonsNow(curfew(), card)).toContain("Approve");
    await press(curfew(), "alice", "Approve", card);
    expect(sent()).toEqual(["ModifyUser"]);
  });

  it("count as one approver when both approve at the same moment, or get the same address later", async () => {
    const { card, changeId } = await asked();
    await withEmail("dave", "carol@example.com");
    clock.advance(31_000);
    const sent = changesSentTo(curfew());
    await Promise.all(["carol", "dave"].map((who) => curfew().workspace.as(who).press("Approve", card)));
    await curfew().app.idle();
    expect(sent()).toEqual([]);
    await ask(curfew(), "alice", `deny ${changeId} enough`);
    const second = await askFor(curfew(), "bob", "user enable u-00000006");
    await withEmail("dave", "dave@example.com");
    clock.advance(31_000);
    await press(curfew(), "carol", "Approve", second.card);
    await withEmail("carol", "bob@example.com");
    clock.advance(31_000);
    const { text } = await press(curfew(), "alice", "Approve", second.card);
    expect(text).toContain("carol has the same e-mail address as somebody who asked or approved.");
    expect(sent()).toEqual([]);
  });
});

describe("an earlier approver who has lost the role", () => {
  it.each([
    ["was removed from the group", () => curfew().workspace.changes.setGroup("engineers", ["alice"])],
    ["has left", () => curfew().workspace.changes.changePerson("dave", { deleted: true })],
    ["is now a guest", () => curfew().workspace.changes.changePerson("dave", { isRestricted: true })],
  ])("and %s does not count at the last approval, and everybody is notified", async (_how, lose) => {
    const { card, changeId } = await asked();
    await press(curfew(), "dave", "Approve", card);
    await lose();
    clock.advance(31_000);
    const sent = changesSentTo(curfew());
    const { text } = await press(curfew(), "carol", "Approve", card);
    const why = "It lacks an approval by now. dave may not approve it any more: it takes admin or deputy. Ask again.";
    expect(text).toContain("It failed: nothing was changed.");
    expect(text).toContain(why);
    expect(sent()).toEqual([]);
    expect(textOf(await directMessage(curfew(), "bob", "(ApprovalLost)", changeId))).toContain("nothing was changed");
    await cardSaying(curfew(), card, "It failed");
    expect(buttonsNow(curfew(), card)).toEqual(["Ask again"]);
  });

  it("counts while enough others have approved", async () => {
    const { card } = await asked();
    const sent = changesSentTo(curfew());
    await press(curfew(), "carol", "Approve", card);
    await press(curfew(), "alice", "Approve", card);
    expect(sent()).toEqual(["ModifyUser"]);
  });
});
