import { describe, expect, it } from "vitest";
import { textOf } from "../support/journey.ts";
import { withOneBot } from "../support/one-bot.ts";
import { dailyAt, warningConfig, warningDay, warningStart } from "../support/warnings.ts";

const config = warningConfig
  .replace(/^warnings:\n/m, 'warnings:\n  - { projects: [p-prod], channel: C0SEC, quiet: "22:00-07:00" }\n')
  .replace(/^channels:\n/m, "channels:\n  C0SEC: { zone: Europe/Berlin }\n");

describe("in its quiet hours a channel", () => {
  withOneBot(
    (curfew, clock) => {
      const { action, begin, pollAt, warnings } = warningDay(curfew, clock);
      const inProduction = { projectId: "p-prod" };

      it("is not warned, and then of what is still ahead", async () => {
        const at = (id: string, time: string) => action(id, time, inProduction);
        await begin(at("a-first", "22:20"), at("a-night", "22:40"), at("a-small", "00:20"), at("a-morning", "07:20"));
        const before = warnings("security").length;
        const said = () => warnings("security").slice(before).map(textOf).join("\n");
        await pollAt("21:51");
        expect(said()).toContain("Stop first");
        await pollAt("22:15");
        await pollAt("00:01", 1);
        await pollAt("06:55", 1);
        expect(said()).not.toMatch(/night|small|morning/);
        await pollAt("07:01", 1);
        expect(said()).toContain("Stop morning");
      });
    },
    { config, startAt: warningStart },
  );
});

describe.each([
  ["leaps forward", "2027-03-27T12:00:00Z", "2027-03-28T00:31:00Z", "2027-03-28T01:00:00Z"],
  ["is set back", "2027-10-30T12:00:00Z", "2027-10-31T00:01:00Z", "2027-10-31T00:30:00Z"],
])("in the night in which the clock %s", (_how, start, warnedAt, runsAt) => {
  withOneBot(
    (curfew, clock) => {
      const { action, poll, warnings } = warningDay(curfew, clock);
      const pollThen = async (at: number) => {
        clock.advance(at - clock.now());
        await poll();
      };

      it("a channel is warned once of the run in the changed hour", async () => {
        const { actions } = curfew().service.account;
        const nightly = action("a-staging", "02:30", { schedule: dailyAt("02:30") });
        actions.clear();
        actions.set(nightly.actionId, nightly);
        await poll();
        await pollThen(Date.parse(warnedAt) - 120_000);
        expect(warnings()).toEqual([]);
        for (const minutes of [0, 15, 31, 45, 61, 75, 91]) await pollThen(Date.parse(warnedAt) + minutes * 60_000);
        expect(warnings()).toHaveLength(1);
        expect(warnings().map(textOf).join()).toContain(`<!date^${Date.parse(runsAt) / 1000}^`);
        await pollThen(Date.parse(warnedAt) + 86_400_000 + 3_600_000);
        expect(warnings().length).toBeLessThanOrEqual(2);
      });
    },
    { config: warningConfig, startAt: Date.parse(start) },
  );
});
