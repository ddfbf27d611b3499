import { describe, expect, it } from "vitest";
import {
  ask,
  buttonsOn,
  type CommandReply,
  cardOf,
  cardsIn,
  changesSentTo,
  menusOn,
  messagesAfter,
  nowOf,
  openForm,
  send,
  textOf,
  threadOf,
} from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";
import { loseAnswers, outcomeOf } from "../support/unknown-outcome.ts";

const { curfew, clock } = oneBot({ config: unlimitedConfig });

const press = (who: string, button: string, message: CommandReply["message"]) =>
  messagesAfter(curfew(), who, () => curfew().workspace.as(who).press(button, message));
describe("a creation whose outcome is unknown", () => {
  it("says what to look for, and is settled by whoever looks", async () => {
    loseAnswers(curfew(), "CreateActionExclusion", "reset-after");
    const { text, message, changeId } = await ask(curfew(), "alice", "exclude i-0a1 for 2h");
    expect(text).toContain("Look for “alice: i-0a1” in the service.");
    expect(buttonsOn(message)).toEqual(["It's there", "It isn't"]);
    const card = await cardOf(curfew(), changeId);
    expect(buttonsOn(card)).toEqual(["It's there", "It isn't"]);
    const sent = changesSentTo(curfew());
    const told = await press("carol", "It's there", card);
    expect(told.text).toContain("alice kept i-0a1");
    expect(sent()).toEqual([]);
    await curfew().workspace.waitFor(() => textOf(nowOf(curfew(), card)).includes("is keeping"));
    expect(textOf(nowOf(curfew(), card))).toContain("<@U03CAROL> looked in the service");
    expect(await outcomeOf(curfew(), changeId)).toBe("done: carol looked in the service");
  });

  it("that is not there is settled as failed, and its requester is notified by somebody else's word", async () => {
    loseAnswers(curfew(), "CreateActionExclusion", "reset-before");
    const { changeId } = await ask(curfew(), "alice", "exclude i-0a2 for 2h");
    const card = await cardOf(curfew(), changeId);
    const toAlice = await messagesAfter(curfew(), "alice", () => press("carol", "It isn't", card), "dm");
    expect(toAlice.text).toContain("nothing was changed");
    expect(await outcomeOf(curfew(), changeId)).toMatch(/^failed/);
    expect((await ask(curfew(), "alice", `outcome ${changeId} done`)).text).toContain("This was settled before.");
    expect(await outcomeOf(curfew(), changeId)).toMatch(/^failed/);
  });

  it("is shown by status with the ways to settle it", async () => {
    loseAnswers(curfew(), "CreateActionExclusion", "reset-before");
    const { changeId } = await ask(curfew(), "alice", "exclude i-0a7 for 2h");
    for (const line of ["status", "status i-0a7"]) {
      const { message } = await ask(curfew(), "alice", line);
      expect(JSON.stringify(message.blocks)).toContain(changeId);
      expect(menusOn(message)[0]).toEqual(["It's there…", "It isn't…", "Details"]);
    }
    await ask(curfew(), "alice", `outcome ${changeId} not-done`);
    const { text } = await ask(curfew(), "alice", "status i-0a7");
    expect(text).toMatch(/failed/);
    expect(text).not.toContain("It's there…");
  });

  it("cannot be settled by somebody who could not make it", async () => {
    loseAnswers(curfew(), "CreateActionExclusion", "reset-before");
    const { changeId } = await ask(curfew(), "alice", "exclude i-0a3 for 2h");
    const refused = await press("dave", "It's there", await cardOf(curfew(), changeId));
    expect(refused.text).toContain("You can't keep machines running or off");
    expect(await outcomeOf(curfew(), changeId)).toBe("unknown");
  });
});

describe("a change whose outcome is unknown", () => {
  it("is sent again by Check now, and settled by the answer", async () => {
    loseAnswers(curfew(), "ModifyProject", "reset-before");
    const { message, text, changeId } = await ask(curfew(), "carol", "rename p-dev to Dev");
    expect(text).toContain("“Check now” sends it again");
    expect(buttonsOn(message)).toEqual(["Check now", "It was done", "It wasn't"]);
    const sent = changesSentTo(curfew());
    expect((await press("carol", "Check now", message)).text).toContain("You renamed");
    expect(sent()).toEqual(["ModifyProject"]);
    expect(await outcomeOf(curfew(), changeId)).toBe("done: carol had it checked by sending it again");
    const card = await cardOf(curfew(), changeId);
    await curfew().workspace.waitFor(() => buttonsOn(nowOf(curfew(), card)).includes("Undo"));
    await curfew().workspace.waitFor(() => threadOf(curfew(), card).length === 1);
  });

  it.each(["reset-before", "reset-after"] as const)(
    "of an exclusion is settled in the thread of its one card: %s",
    async (kind) => {
      const made = await ask(curfew(), "alice", `exclude i-0e${kind === "reset-after" ? 1 : 2} for 2h`);
      const card = await cardOf(curfew(), made.changeId);
      loseAnswers(curfew(), "ModifyActionExclusion", kind);
      await ask(curfew(), "alice", `exclusion extend ${made.exclusionId} for 1h`);
      const thread = () => threadOf(curfew(), card);
      await curfew().workspace.waitFor(() => thread().length === 1);
      const [line] = thread();
      if (!line) throw new Error("There is no line.");
      expect(textOf(line)).toContain("Its outcome is unknown");
      await press("alice", kind === "reset-after" ? "It was done" : "It wasn't", line);
      await curfew().workspace.waitFor(() => thread().length === 2);
      expect(cardsIn(curfew().workspace, "ops").filter(({ text }) => text.includes(made.changeId))).toHaveLength(1);
      expect(cardsIn(curfew().workspace, "ops").at(-1)?.ts).toBe(card.ts);
    },
  );

  it("stays unknown while the service gives no clear answer", async () => {
    loseAnswers(curfew(), "ModifyProject", "reset-before");
    const { message, changeId } = await ask(curfew(), "carol", "rename p-prod to Prod");
    loseAnswers(curfew(), "ModifyProject", "reset-before");
    const still = await press("carol", "Check now", message);
    expect(still.text).toContain("The outcome is still unknown: it may have happened.");
    await curfew().service.faults.down();
    const down = await press("carol", "Check now", still.message).finally(() => curfew().service.faults.up());
    expect(down.text).toContain("Could not connect to the service");
    expect(await outcomeOf(curfew(), changeId)).toBe("unknown");
  });

  it("is not sent again when its subject was changed since", async () => {
    loseAnswers(curfew(), "ModifyUser", "reset-before");
    const { message, changeId } = await ask(curfew(), "bob", "user email alice alice.new@example.com");
    await ask(curfew(), "bob", "user email alice alice.other@example.com");
    const sent = changesSentTo(curfew());
    expect((await press("bob", "Check now", message)).text).toContain("bob changed the same thing since");
    expect(sent()).toEqual([]);
    expect(await outcomeOf(curfew(), changeId)).toBe("unknown");
  });

  it("is not sent again when somebody has taken it back since", async () => {
    loseAnswers(curfew(), "ModifyUser", "reset-before");
    const enabled = await ask(curfew(), "bob", "user enable dave");
    await ask(curfew(), "carol", "user disable dave");
    const sent = changesSentTo(curfew());
    const { text } = await press("bob", "Check now", enabled.message);
    expect(text).toContain("carol changed the same thing since");
    expect(sent()).toEqual([]);
  });

  it("stays unknown when the service refuses the repeat, which says nothing of the first call", async () => {
    loseAnswers(curfew(), "ModifyProject", "reset-before");
    const { message, changeId } = await ask(curfew(), "carol", "rename p-prod to Live");
    curfew().service.faults.next({ kind: "status", operation: "ModifyProject", status: 403 });
    expect((await press("carol", "Check now", message)).text).toContain("The outcome is still unknown");
    expect(await outcomeOf(curfew(), changeId)).toBe("unknown");
  });

  it("is not sent again for somebody who may not make it any more", async () => {
    loseAnswers(curfew(), "ModifyProject", "reset-before");
    const { message, changeId } = await ask(curfew(), "carol", "rename p-dev to Play");
    const refused = await press("dave", "Check now", await cardOf(curfew(), changeId));
    expect(refused.text).toContain("You can't");
    expect(message.ephemeralTo).toBeDefined();
  });

  it("that ended an exclusion is done when there is nothing left to end", async () => {
    const made = await ask(curfew(), "alice", "exclude i-0b1 for 2h");
    // The service acts on the first try, and every repeat is lost on the way.
    curfew().service.faults.next({ kind: "reset-after", operation: "DeleteActionExclusion" });
    curfew().service.faults.next({ kind: "reset-before", operation: "DeleteActionExclusion", times: 3 });
    const { message, changeId } = await press("alice", "End now", await cardOf(curfew(), made.changeId));
    expect(buttonsOn(message)).toEqual(["Check now", "It's gone", "It's still there"]);
    expect((await press("alice", "Check now", message)).text).toContain("You stopped keeping");
    expect(await outcomeOf(curfew(), changeId)).toMatch(/^done: /);
  });
});

async function removeMfa(who: string): Promise<CommandReply> {
  await openForm(curfew(), who, "remove mfa of alice");
  return send(curfew(), who);
}

describe("a removed MFA whose outcome is unknown", () => {
  it("is never sent again, since its owner may have set up another", async () => {
    loseAnswers(curfew(), "RemoveUserMfa", "reset-before");
    const { message, changeId } = await removeMfa("carol");
    expect(buttonsOn(message)).toEqual(["It was done", "It wasn't"]);
    const sent = changesSentTo(curfew());
    expect((await ask(curfew(), "carol", `recheck ${changeId}`)).text).toContain("Look in the service.");
    expect(sent()).toEqual([]);
    expect((await ask(curfew(), "carol", `outcome ${changeId} not-done`)).text).toContain("nothing was changed");
  });
});

describe("a creation asked for again while its outcome is unknown", () => {
  const lose = (line: string) => {
    loseAnswers(curfew(), "CreateActionExclusion", "reset-after");
    return ask(curfew(), "alice", line);
  };

  it("asks about the first instead of making a second, until somebody has looked", async () => {
    const { changeId } = await lose("exclude i-0f1 for 2h");
    curfew().service.faults.clear();
    const sent = changesSentTo(curfew());
    const again = await ask(curfew(), "alice", "exclude i-0f1 for 3h");
    expect(again.changeId).toBe(changeId);
    expect(again.text).toMatch(/You already asked for this: keep i-0f1 running until .* Its outcome is unknown/);
    expect(buttonsOn(again.message)).toEqual(["It's there", "It isn't", "Make another"]);
    expect(sent()).toEqual([]);
    await press("alice", "It isn't", again.message);
    expect((await ask(curfew(), "alice", "exclude i-0f1 for 3h")).text).toContain("Keeping i-0f1");
  });

  it("makes another one for somebody who says so, for other people, and when the first would be over", async () => {
    await lose("exclude i-0f2 for 2h");
    curfew().service.faults.clear();
    for (const [who, line] of [
      ["alice", "exclude i-0f2 for 1h --another"],
      ["carol", "exclude i-0f2 for 1h --another"],
    ] as const)
      expect((await ask(curfew(), who, line)).text).toContain("Keeping i-0f2");
    clock.advance(2.1 * 3_600_000);
    expect((await ask(curfew(), "alice", "exclude i-0f2 for 2h")).text).toContain("Keeping i-0f2");
  });
});

describe("a change that did not reach the service", () => {
  it.each(["down", "busy"] as const)("is tried again with one click when the service is %s", async (trouble) => {
    if (trouble === "down") await curfew().service.faults.down();
    else curfew().service.faults.next({ kind: "status", status: 429, operation: "CreateActionExclusion", times: 4 });
    const line = `exclude i-0c${trouble === "down" ? 1 : 2} for 2h`;
    const failed = await ask(curfew(), "alice", line);
    if (trouble === "down") await curfew().service.faults.up();
    expect(failed.text).toContain("nothing was changed");
    expect(buttonsOn(failed.message)).toEqual(["Try again", "Change and try again…"]);
    expect((await press("alice", "Try again", failed.message)).text).toContain("Keeping ");
  });

  it("stays unknown for a creation that the service answered with 503", async () => {
    curfew().service.faults.next({ kind: "status", status: 503, operation: "CreateActionExclusion", times: 4 });
    const { changeId } = await ask(curfew(), "alice", "exclude i-0d1 for 2h");
    expect(await outcomeOf(curfew(), changeId)).toBe("unknown");
  });
});
