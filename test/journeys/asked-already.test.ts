import { afterEach, describe, expect, it } from "vitest";
import { askFor, directMessage, press, usersNeedAnAdmin, withdrawAll } from "../support/approval-journey.ts";
import { ask, buttonsOn, cardsIn } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";

const { curfew } = oneBot({ config: usersNeedAnAdmin.replace("members: [U02BOB]", "members: [U02BOB, U01ALICE]") });

afterEach(async () => {
  for (const who of ["alice", "bob"]) await withdrawAll(curfew(), who);
});

describe("what waits already", () => {
  it("is not asked for twice: its requester is told so, with a link to its card", async () => {
    const { card, changeId } = await askFor(curfew());
    const before = cardsIn(curfew().workspace, "ops").length;
    const again = await ask(curfew(), "bob", 'user disable dave@example.com --reason "once more"');
    expect(again.text).toContain(
      "You have asked to disable dave already. It waits for approval: nothing was changed yet. Nothing was asked for or done twice.",
    );
    expect(again.text).toContain(`/archives/${card.channelId}/p${card.ts.replace(".", "")}|Its card>`);
    expect(again.changeId).toBe(changeId);
    expect(buttonsOn(again.message)).toEqual(["Withdraw"]);
    await curfew().app.idle();
    expect(cardsIn(curfew().workspace, "ops")).toHaveLength(before);
    await press(curfew(), "carol", "Approve", card);
    const { changeId: next } = await askFor(curfew());
    expect(next).not.toBe(changeId);
  });

  it("another person may ask for all the same", async () => {
    const { changeId } = await askFor(curfew());
    const other = await askFor(curfew(), "alice");
    expect(other.changeId).not.toBe(changeId);
  });

  it("as an undo is everybody's: a second one is told who asked for it, and may ask when that came to nothing", async () => {
    const { changeId: email } = await askFor(curfew(), "bob", "user email dave@example.com dave@example.org");
    await ask(curfew(), "carol", `approve ${email}`);
    await directMessage(curfew(), "bob", "You changed the e-mail address of dave", email);
    const asked = await ask(curfew(), "bob", `undo ${email}`);
    const second = await ask(curfew(), "alice", `undo ${email}`);
    expect(second.text).toContain(`bob has asked to undo change ${email} already. It waits for approval`);
    expect(second.text).toContain(`Change \`${asked.changeId}\``);
    expect((await ask(curfew(), "bob", `withdraw ${asked.changeId}`)).text).toContain("You withdrew it.");
    const third = await askFor(curfew(), "alice", `undo ${email}`);
    expect(third.changeId).not.toBe(asked.changeId);
    await press(curfew(), "carol", "Approve", third.card);
    expect(curfew().service.account.users.get("u-00000004")?.emailAddress).toBe("dave@example.com");
  });
});
