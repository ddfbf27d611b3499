import { describe, expect, it } from "vitest";
import { ask, buttonsOn, messagesAfter, nowOf, textOf } from "../support/journey.ts";
import { withOneBot } from "../support/one-bot.ts";
import { dailyAt, only, warningConfig, warningDay, warningStart } from "../support/warnings.ts";

withOneBot(
  (curfew, clock) => {
    const { action, at, begin, change, poll, pollAt } = warningDay(curfew, clock);
    const person = (who: string) => curfew().workspace.as(who);
    const lastEnd = () => Date.parse([...curfew().service.account.exclusions.values()].at(-1)?.expiryDate ?? "");

    describe("a warning", () => {
      it("becomes one grey line when the run is over, and says only that it was due", async () => {
        const said = await begin(action("a-staging", "19:00"), action("a-build", "19:00"));
        await pollAt("18:31");
        await messagesAfter(curfew(), "alice", () => ask(curfew(), "alice", "exclude staging until 20:00"));
        await pollAt("19:01");
        const over = nowOf(curfew(), only(said()));
        expect(textOf(over)).toMatch(
          /^:white_circle: <[^>]*>: Stop staging, Stop build · \*staging\* was kept running by <@U01ALICE>$/,
        );
        expect(buttonsOn(over)).toEqual([]);
      });

      it("says that a run was moved, and is not repeated that day", async () => {
        const said = await begin(action("a-staging", "19:00"));
        await pollAt("18:31");
        change("a-staging", { schedule: dailyAt("21:00") });
        await pollAt("18:33");
        const warning = only(said());
        expect(textOf(nowOf(curfew(), warning))).toMatch(/Stop staging was moved from .*19:00.* to .*21:00/);
        await messagesAfter(curfew(), "alice", () => person("alice").press("1 h", nowOf(curfew(), warning)));
        expect(lastEnd()).toBe(at("22:00"));
        await pollAt("20:45");
        await pollAt("21:01");
        expect(textOf(nowOf(curfew(), only(said())))).toMatch(/^:white_circle:/);
        await pollAt("20:31", 1);
        expect(said()).toHaveLength(2);
      });

      it("says that a run was switched off, and offers nothing for it", async () => {
        const said = await begin(action("a-staging", "19:00"));
        await pollAt("18:31");
        change("a-staging", { isEnabled: false });
        await pollAt("18:33");
        const warning = nowOf(curfew(), only(said()));
        expect(textOf(warning)).toContain("Stop staging was switched off");
        expect(buttonsOn(warning)).toEqual([]);
      });

      it("goes on after a restart, without a second one", async () => {
        const said = await begin(action("a-staging", "19:00"));
        await pollAt("18:31");
        await curfew().restart();
        await poll();
        expect(said()).toHaveLength(1);
        await curfew().restart();
        await pollAt("19:02");
        expect(textOf(nowOf(curfew(), only(said())))).toMatch(/^:white_circle:/);
      });

      it("does not come for what was due while the service was down", async () => {
        const said = await begin(action("a-staging", "19:00"), action("a-build", "19:40"));
        curfew().service.faults.next({ kind: "status", status: 500, times: Number.POSITIVE_INFINITY });
        await pollAt("18:31");
        await pollAt("19:10");
        expect(said()).toEqual([]);
        curfew().service.faults.clear();
        await pollAt("19:11");
        expect(textOf(only(said()))).toContain("* · Stop build\n");
      });
    });
  },
  { config: warningConfig, startAt: warningStart },
);
