import { beforeEach, describe, expect, it } from "vitest";
import type { Action } from "../../src/sandbox/service/account.ts";
import { ask, messagesAfter } from "../support/journey.ts";
import { withOneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";
import { aWeekEach } from "../support/week-each.ts";

/** A Monday, 09:00 in London: staging stops at 19:00. */
const startAt = Date.parse("2027-04-05T08:00:00Z");
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

withOneBot(
  (curfew, clock) => {
    const stopStaging = "a-00000002";
    const poll = async () => {
      clock.advance(minuteMs);
      await curfew().app.watch();
    };
    const told = async (who: string, line: string) => (await ask(curfew(), who, line)).text;
    const actionOf = (id: string): Action => {
      const action = curfew().service.account.actions.get(id);
      if (!action) throw new Error(`the account has no action ${id}`);
      return action;
    };
    const edit = (id: string, altered: (action: Action) => Partial<Action>) => {
      const action = actionOf(id);
      const made = { lastModifiedBy: "u-00000001", lastModifiedDate: new Date(clock.now()).toISOString() };
      curfew().service.account.actions.set(id, { ...action, ...made, ...altered(action) });
    };
    const lineOf = (text: string, name: string) => text.split("\n").find((line) => line.includes(`*${name}* ·`)) ?? "";

    aWeekEach(clock, startAt);
    let usual: ReadonlyMap<string, Action> | undefined;
    beforeEach(() => {
      const { actions } = curfew().service.account;
      usual ??= new Map(actions);
      actions.clear();
      for (const [id, action] of usual) actions.set(id, action);
    });

    describe("what was seen of an action", () => {
      it("adds its last run to `next` and `status`, only when that was seen or the service reports it", async () => {
        await poll();
        curfew().service.account.actions.set("a-fresh", {
          ...actionOf(stopStaging),
          ...{ actionId: "a-fresh", name: "Fresh", lastExecution: null },
        });
        await poll();
        expect(lineOf(await told("alice", "next a-fresh"), "Fresh")).not.toContain("last:");
        const due = Math.floor(clock.now() / hourMs) * hourMs + 10 * hourMs;
        clock.advance(due - clock.now() + minuteMs);
        await poll();
        clock.advance(hourMs);
        const next = lineOf(await told("alice", `next ${stopStaging}`), "Stop staging at 19:00");
        const seen = due / 1000;
        expect(next).toContain(`last: <!date^${seen}^`);
        expect(lineOf(await told("alice", `status ${stopStaging}`), "Stop staging at 19:00")).toContain(
          `last: <!date^${seen}^`,
        );
      });

      it("marks in `next` and in `status` the run that an exclusion skips", async () => {
        clock.advance(9 * hourMs);
        await told("alice", "exclude staging for 3h");
        await poll();
        expect(lineOf(await told("alice", "next"), "Stop staging at 19:00")).toMatch(
          /^:mute: .*does not stop staging: kept up by you until/,
        );
        expect(lineOf(await told("alice", "status staging"), "Stop staging at 19:00")).toContain("held back by alice");
        expect(await told("alice", `status ${stopStaging}`)).toContain("held back by alice: staging");
      });

      it("says in `why` what somebody changed in the service, and by whom", async () => {
        await poll();
        edit(stopStaging, ({ schedule }) => ({ schedule: { ...schedule, timeOfDay: "18:00:00" } }));
        const at = clock.now();
        await poll();
        const clockTime = new Date(at + 2 * hourMs).toISOString().slice(11, 16);
        const said = `changed in the service itself by bob, today ${clockTime}: 19:00 → 18:00`;
        expect(await told("alice", "why i-0a1")).toContain(said);
        expect(await told("alice", `why ${stopStaging}`)).toContain(said);
        await curfew().restart();
        expect(await told("alice", "why staging"), "after a restart too").toContain(said);
        expect(await told("alice", "next staging"), "only in `why`").not.toContain("changed in the service");
        clock.advance(8 * 24 * hourMs);
        const { message } = await ask(curfew(), "alice", "why i-0a1");
        const more = () => curfew().workspace.as("alice").press("More", message);
        const whole = await messagesAfter(curfew(), "alice", more);
        expect(whole.text).toMatch(/in the service itself by bob, \w{3} \d+ \w{3}, /);
      });

      it("says in `why` that what would stop it was switched off", async () => {
        await poll();
        edit(stopStaging, () => ({ isEnabled: false }));
        await poll();
        expect(await told("alice", "why i-0a1")).toMatch(/switched off in the service itself by bob, today \d\d:\d\d/);
      });

      it("is not shown to people who may not see its project", async () => {
        const id = [...curfew().service.account.actions.values()].find(
          ({ projectId }) => projectId === "p-prod",
        )?.actionId;
        await poll();
        edit(id ?? "", () => ({ comments: "secret plan" }));
        await poll();
        expect(await told("carol", `why ${id}`)).toContain("comments: secret plan");
        expect(await told("alice", `why ${id}`)).not.toContain("secret plan");
      });

      it("cannot ping anybody by a name or a comment", async () => {
        await poll();
        edit(stopStaging, () => ({ comments: "<!channel> & <@U03CAROL>" }));
        await poll();
        expect(await told("alice", `why ${stopStaging}`)).toContain(
          "comments: &lt;!channel&gt; &amp; &lt;@U03CAROL&gt;",
        );
      });
    });
  },
  { config: unlimitedConfig, startAt },
);
