import { describe, expect, it } from "vitest";
import { messagesAfter, openForm, send } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";
import { loseAnswers, outcomeOf } from "../support/unknown-outcome.ts";

const { curfew, clock } = oneBot({ config: unlimitedConfig });

const edit = "ModifyManagedServicesSelector";
const rename = async (to: string, kind: Parameters<typeof loseAnswers>[2]) => {
  await openForm(curfew(), "carol", "selector edit plan-00000001 sel-00000001");
  loseAnswers(curfew(), edit, kind);
  return send(curfew(), "carol", { Name: to });
};
const pass = async (ms: number) => {
  await curfew().app.idle();
  clock.advance(ms);
  await curfew().app.idle();
};

describe("a selector whose outcome is unknown", () => {
  it.each([
    ["reset-before", "failed", "still has what it had before"],
    ["reset-after", "done", "You changed selector"],
  ] as const)("is read again for some minutes: %s means %s", async (kind, state, words) => {
    const { text, changeId } = await rename(`Staging ${kind}`, kind);
    expect(text).toContain("Curfew looks again by itself");
    expect(await outcomeOf(curfew(), changeId)).toBe("unknown");
    const looking = async () => {
      await pass(61_000);
      expect(await outcomeOf(curfew(), changeId)).toMatch(state === "failed" ? /^unknown/ : /^done/);
      for (const minutes of [3, 12]) await pass(minutes * 60_000);
    };
    const notified = await messagesAfter(curfew(), "carol", looking, "dm");
    expect(notified.text).toContain(words);
    expect(await outcomeOf(curfew(), changeId)).toBe(`${state}: Curfew has looked in the service`);
  });

  it("is read again later while the service does not answer", async () => {
    const { changeId } = await rename("Staging later", "reset-after");
    await curfew().service.faults.down();
    await pass(61_000);
    await curfew().service.faults.up();
    expect(await outcomeOf(curfew(), changeId)).toBe("unknown");
    await pass(60_000);
    expect(await outcomeOf(curfew(), changeId)).toBe("unknown");
    await messagesAfter(curfew(), "carol", () => pass(120_000), "dm");
    expect(await outcomeOf(curfew(), changeId)).toMatch(/^done/);
  });

  it("stays unknown when somebody else has changed it since", async () => {
    const { changeId } = await rename("Staging mine", "reset-before");
    const selector = curfew().service.account.selectors.get("sel-00000001");
    if (!selector) throw new Error("The selector is gone.");
    curfew().service.account.selectors.set("sel-00000001", { ...selector, name: "Staging theirs" });
    await pass(61_000);
    expect(await outcomeOf(curfew(), changeId)).toBe("unknown");
  });
});
