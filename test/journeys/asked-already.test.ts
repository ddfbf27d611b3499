import { afterEach, describe, expect, it } from "vitest";
import { askFor, configWith, directMessage, press, withdrawAll } from "../support/approval-journey.ts";
import { ask, buttonsOn, cardsIn } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";

const longNeedsAnAdmin = "{ operations: [CreateActionExclusion], approvers: [admin], when: { longerThan: 8h } }";
const { curfew, clock } = oneBot({
  config: configWith("{ operations: [ModifyUser, RemoveUserMfa], approvers: [admin] }", longNeedsAnAdmin).replace(
    "members: [U02BOB]",
    "members: [U02BOB, U01ALICE]",
  ),
});

afterEach(async () => {
  for (const who of ["alice", "bob"]) await withdrawAll(curfew(), who);
});

describe("a change that waits for approval", () => {
  it("cannot be requested twice by one person, and the reply links its card", async () => {
    const { card, changeId } = await askFor(curfew());
    const before = cardsIn(curfew().workspace, "ops").length;
    const again = await ask(curfew(), "bob", 'user disable dave@example.com --reason "once more"');
    expect(again.text).toContain(
      "You already asked for this: disable dave. It is waiting for approval: nothing was changed yet. It was not requested or done again.",
    );
    expect(again.text).toContain(`/archives/${card.channelId}/p${card.ts.replace(".", "")}|See the card>`);
    expect(again.changeId).toBe(changeId);
    expect(buttonsOn(again.message)).toEqual(["Withdraw"]);
    await curfew().app.idle();
    expect(cardsIn(curfew().workspace, "ops")).toHaveLength(before);
    await press(curfew(), "carol", "Approve", card);
    const { changeId: next } = await askFor(curfew());
    expect(next).not.toBe(changeId);
  });

  it("cannot be requested twice for a length of time that counts from now, unless its requester wants another", async () => {
    const { card, changeId } = await askFor(curfew(), "alice", "exclude staging for 10h");
    const before = cardsIn(curfew().workspace, "ops").length;
    clock.advance(5 * 60_000);
    const again = await ask(curfew(), "alice", "exclude staging for 10h");
    expect(again.changeId).toBe(changeId);
    expect(again.text).toMatch(/You already asked for this: keep staging running until .* waiting for/);
    expect(again.text).toContain(`/p${card.ts.replace(".", "")}|See the card>`);
    expect(buttonsOn(again.message)).toEqual(["Withdraw", "Make another"]);
    await curfew().app.idle();
    expect(cardsIn(curfew().workspace, "ops")).toHaveLength(before);
    const another = await askFor(curfew(), "alice", "exclude staging for 10h --another");
    expect(another.changeId).not.toBe(changeId);
  });

  it("can be requested by another person", async () => {
    const { changeId } = await askFor(curfew());
    const other = await askFor(curfew(), "alice");
    expect(other.changeId).not.toBe(changeId);
  });

  it("blocks a second undo, naming the first requester, until the first ends without effect", async () => {
    const { changeId: email } = await askFor(curfew(), "bob", "user email dave@example.com dave@example.org");
    await ask(curfew(), "carol", `approve ${email}`);
    await directMessage(curfew(), "bob", "You changed the e-mail address of dave", email);
    const asked = await ask(curfew(), "bob", `undo ${email}`);
    const second = await ask(curfew(), "alice", `undo ${email}`);
    expect(second.text).toContain(`bob already asked for this: undo change ${email}. It is waiting for approval`);
    expect(second.text).toContain(`Change \`${asked.changeId}\``);
    expect((await ask(curfew(), "bob", `withdraw ${asked.changeId}`)).text).toContain("You withdrew it.");
    const third = await askFor(curfew(), "alice", `undo ${email}`);
    expect(third.changeId).not.toBe(asked.changeId);
    await press(curfew(), "carol", "Approve", third.card);
    expect(curfew().service.account.users.get("u-00000004")?.emailAddress).toBe("dave@example.com");
  });
});
