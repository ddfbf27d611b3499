import { beforeEach, describe, expect, it } from "vitest";
import { directMessage, press, usersNeedAnAdmin } from "../support/approval-journey.ts";
import { ask, buttonsOn, cardOf, changesSentTo, messagesAfter, textOf } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { closedOps } from "../support/start-curfew.ts";

const { curfew, clock } = oneBot({ seed: closedOps });
const pressed = (who: string, label: string, on: Parameters<typeof press>[3]) =>
  messagesAfter(curfew(), who, () => curfew().workspace.as(who).press(label, on));
beforeEach(() => clock.advance(31_000));

/** People whom no answer has told of yet: each is disabled for the first time. */
describe("the undo of a first disable", () => {
  const question = /does not know whether .* was enabled before\. Nothing was changed yet\./;

  it("asks what the account was before, and enables it after the answer", async () => {
    const { changeId, message } = await ask(curfew(), "bob", "disable alice");
    expect(buttonsOn(message)).toContain("Undo");
    const card = await cardOf(curfew(), changeId);
    const sent = changesSentTo(curfew());
    const asked = await pressed("bob", "Undo", card);
    expect(asked.text).toMatch(question);
    expect(buttonsOn(asked.message)).toEqual(["It was enabled before", "It was disabled already"]);
    expect(sent()).toEqual([]);
    const done = await pressed("bob", "It was enabled before", asked.message);
    expect(done.text).toContain("enabled alice");
    expect(sent()).toEqual(["ModifyUser"]);
    expect(curfew().service.account.users.get("u-00000002")?.status).toBe("enabled");
    const undone = await cardOf(curfew(), done.changeId);
    expect(textOf(undone)).toContain("\nundo, said: it was enabled before");
  });

  it("asks nobody without the right, and enables nobody who was disabled already", async () => {
    const { changeId } = await ask(curfew(), "bob", "disable dave");
    const sent = changesSentTo(curfew());
    const refused = await ask(curfew(), "alice", `undo ${changeId}`);
    expect(refused.text).toContain("You can't ");
    expect(refused.text).not.toMatch(question);
    const asked = await ask(curfew(), "bob", `undo ${changeId}`);
    expect(asked.text).toMatch(question);
    const answered = await pressed("bob", "It was disabled already", asked.message);
    expect(answered.text).toContain("it was disabled already, so there is nothing to take back. Nothing was changed.");
    expect(sent()).toEqual([]);
  });

  it("may be told in the line", async () => {
    const { changeId } = await ask(curfew(), "carol", "disable bob");
    expect((await ask(curfew(), "carol", `undo ${changeId} --was enabled`)).text).toContain("enabled bob");
  });
});

describe("with approvals", () => {
  const { curfew: bot } = oneBot({ config: usersNeedAnAdmin, seed: closedOps });

  it("the answered undo waits for an approval, and is done after it", async () => {
    const answered = (label: string, on: Parameters<typeof press>[3]) => press(bot(), "bob", label, on);
    const { changeId } = await ask(bot(), "bob", "disable alice");
    await press(bot(), "carol", "Approve", await cardOf(bot(), changeId));
    await directMessage(bot(), "bob", "disabled alice");
    const asked = await ask(bot(), "bob", `undo ${changeId}`);
    const waits = await answered("It was enabled before", asked.message);
    expect(waits.text).toContain("approval");
    const sent = changesSentTo(bot());
    await press(bot(), "carol", "Approve", await cardOf(bot(), waits.changeId));
    await directMessage(bot(), "bob", "enabled alice");
    expect(sent()).toEqual(["ModifyUser"]);
  });
});
