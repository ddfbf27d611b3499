import { describe, expect, it } from "vitest";
import { configWith } from "../support/approval-journey.ts";
import { ask, buttonsOn } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { reload, unlimitedConfig } from "../support/start-curfew.ts";

// A Monday evening, so that each day of a series counts whole and in one week.
const { curfew } = oneBot({ startAt: Date.parse("2026-11-23T20:00:00Z") });
const whoCould = async (who: string, line: string) => {
  const { text } = await ask(curfew(), who, line);
  expect(text).toMatch(/^:no_entry:/);
  return / Ask (.*?)(?: to request it)?\.$/m.exec(text)?.[1];
};

describe("who could do what was refused", () => {
  it("is the same whoever asks, and only those who may do exactly this", async () => {
    await reload(curfew(), unlimitedConfig);
    for (const who of ["alice", "dave"])
      expect(await whoCould(who, "exclude staging for 30h"), who).toBe("<@U03CAROL>");
    expect(await whoCould("dave", "exclude staging for 2h")).toContain("<!subteam^S0ENGINEERS>");
  });

  it("is who made it, where others may only change what they made", async () => {
    await ask(curfew(), "alice", 'exclude staging for 2h --name "Her demo"');
    for (const who of ["bob", "dave"]) {
      const { text } = await ask(curfew(), who, 'end "Her demo"');
      expect(text, who).toContain("<@U01ALICE>");
    }
  });
});

describe("a refusal", () => {
  it("of an offboarding names only who could do all of it, and of a question what was asked", async () => {
    await reload(curfew(), unlimitedConfig);
    for (const who of ["alice", "bob"]) {
      const { text } = await ask(curfew(), who, "offboard @dave");
      expect(text, who).toContain("Ask <@U03CAROL>.");
    }
    expect((await ask(curfew(), "alice", "users without mfa")).text).toContain(
      "You can't see the users that Curfew knows.",
    );
  });

  it("never names a place in the config", async () => {
    await reload(curfew(), configWith("{ operations: [CreateActionExclusion], approvers: [helpdesk], count: 2 }"));
    const { text } = await ask(curfew(), "alice", "exclude i-0c2 for 2h");
    expect(text).toContain("This needs 2 approvals of “helpdesk”, and only bob could give one.");
    expect(text).not.toMatch(/approvals\.0|budgets\.0|permissions\./);
    expect(text).not.toContain(" Ask ");
  });

  it("offers to ask others only where they could allow it, and never 0 min", async () => {
    await reload(curfew(), `${unlimitedConfig}\nbudgets:\n  - { weeklyHours: 4, then: refuse }\n`);
    const series = await ask(curfew(), "alice", "keep i-0c1 up every day 8:00-18:00 for 3 days");
    expect(series.text).toContain("This would be 10 of 4 h");
    expect(buttonsOn(series.message)).toEqual([]);
    await reload(curfew(), unlimitedConfig);
    const long = await ask(curfew(), "alice", "keep i-0c1 up for 30h");
    expect(buttonsOn(long.message)).toEqual(["Use 1 d", "Ask carol to allow 1 d 6 h"]);
  });
});
