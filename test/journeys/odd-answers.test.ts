import { describe, expect, it } from "vitest";
import type { Account, ActionExclusion } from "../../src/sandbox/service/account.ts";
import { createSeedAccount } from "../../src/sandbox/service/seed-account.ts";
import { ask, cardOf, nowOf, textOf, threadOf } from "../support/journey.ts";
import { lastBody, oneBot } from "../support/one-bot.ts";

/** A service that keeps whole seconds, and writes them without milliseconds. */
class WholeSeconds extends Map<string, ActionExclusion> {
  override set(id: string, exclusion: ActionExclusion): this {
    exclusion.expiryDate = exclusion.expiryDate.replace(/\.\d+Z$/, "Z");
    return super.set(id, exclusion);
  }
}

const account: Account = { ...createSeedAccount(Date.now()), exclusions: new WholeSeconds() };
const { curfew, clock } = oneBot({ account });

describe("a service that answers moments without milliseconds", () => {
  it("gets whole seconds, and no card says that an end moved to itself", async () => {
    clock.advance(417 - (clock.now() % 1000));
    const { changeId, exclusionId } = await ask(curfew(), "alice", "exclude i-0a1 for 2h --another");
    expect(lastBody(curfew(), "CreateActionExclusion")).toMatchObject({
      expiryDate: expect.stringMatching(/:\d\d\.000Z$/),
    });
    const card = await cardOf(curfew(), changeId);
    const edited = await ask(curfew(), "alice", `exclusion edit ${exclusionId} --name Demo`);
    expect(edited.text).not.toContain("It lasts until");
    await curfew().app.idle();
    expect(threadOf(curfew(), nowOf(curfew(), card)).map(textOf).join("\n")).not.toContain("Until");
    expect((await ask(curfew(), "alice", `history ${edited.changeId}`)).text).not.toMatch(/Until: (.*) → \1/);
    expect((await ask(curfew(), "alice", `undo ${edited.changeId}`)).text).toContain("Undone.");
  });

  it("is not asked to move an end to where it is", async () => {
    const { exclusionId } = await ask(curfew(), "alice", "exclude i-0a2 until 23:59 UTC --another");
    const sent = curfew().service.requests.length;
    const { text } = await ask(curfew(), "alice", `extend ${exclusionId} until 23:59 UTC`);
    expect(text).toMatch(/It ends .* 00:59 already\. Nothing was changed: choose another end\./);
    expect(
      curfew()
        .service.requests.slice(sent)
        .map(({ operation }) => operation),
    ).not.toContain("ModifyActionExclusion");
  });
});

describe("a thing without a name", () => {
  it("is shown by its id", async () => {
    const [action] = curfew().service.account.actions.values();
    if (action === undefined) throw new Error("The account has no action.");
    for (const name of ["", "  ", "\u200b"]) {
      clock.advance(11_000);
      curfew().service.account.actions.set(action.actionId, { ...action, name });
      for (const line of [`action list ${action.actionId}`, `action show ${action.actionId}`]) {
        const { text, message } = await ask(curfew(), "carol", line);
        expect(text).toContain(`*${action.actionId}*`);
        expect(text).not.toContain("**");
        expect(message.text).not.toBe("");
      }
    }
  });
});
