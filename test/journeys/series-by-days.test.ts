import { describe, expect, it } from "vitest";
import { ask, buttonsOn, cardOf, messagesAfter } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

/** A Saturday, 09:40 in London and 10:40 in Berlin, where people are. */
const startAt = Date.parse("2026-11-28T09:40:00Z");
const { curfew, person } = oneBot({ config: unlimitedConfig, startAt });
const say = (line: string, who = "alice") => ask(curfew(), who, line);

describe("a planned series", () => {
  const choices = ["Leave out only Thu 3 Dec, 18:00–22:00", "Withdraw the whole series (3 times)"];

  it("is withdrawn, or one of its times is left out, by the days on which it comes", async () => {
    const { changeId } = await say("keep i-0a1 up every thursday 18:00-22:00 for 3 weeks because tests");
    const lines = [
      ...["end i-0a1 every thursday", "cancel all thursdays of i-0a1", "withdraw the thursdays of i-0a1"],
      ...["forget all the thursdays", "cancel my thursdays", "we don't need the thursdays of i-0a1"],
    ];
    for (const line of lines) {
      const { text, message } = await say(line);
      expect(text, line).toMatch(/i-0a1 is planned every Thu .* Nothing was changed yet\./);
      expect(buttonsOn(message), line).toEqual(choices);
    }
    for (const line of ["i dont need the 10th", "cancel the 10th of december"])
      expect(buttonsOn((await say(line)).message), line).toEqual(["Leave out i-0a1, Thu 10 Dec, 18:00–22:00"]);
    expect((await say("i don't need the 11th")).text).toContain("Nothing is planned on Fri 11 Dec.");
    const card = await cardOf(curfew(), changeId);
    const inThread = await messagesAfter(
      curfew(),
      "alice",
      () => person("alice").type("@Curfew i don't need the 17th", "ops", card.ts),
      "ops",
    );
    expect(inThread.text).toContain("Thu 17 Dec");
    expect(inThread.text).not.toContain("until Thu 17 Dec");
    const other = await say("cancel all mondays of i-0a1");
    expect(other.text).toContain("Nothing is withdrawn yet");
    const { message } = await say("cancel my thursdays");
    const { text } = await messagesAfter(curfew(), "alice", () =>
      person("alice").press("Withdraw the whole series (2 times)", message),
    );
    expect(text).toContain("You withdrew it.");
    expect((await say("i dont need the 10th")).text).toContain("You plan nothing. Nothing was changed.");
  });
});
