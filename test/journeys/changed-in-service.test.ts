import { beforeEach, describe, expect, it } from "vitest";
import type { Account, Action } from "../../src/sandbox/service/account.ts";
import { ask, buttonsOn, cardsIn, messagesAfter, textOf } from "../support/journey.ts";
import { withOneBot } from "../support/one-bot.ts";

/** A Monday, 09:00 in London: the clocks change on the last Sunday of October. */
const startAt = Date.parse("2027-10-25T08:00:00Z");
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

withOneBot(
  (curfew, clock) => {
    const poll = async () => {
      clock.advance(minuteMs);
      await curfew().app.watch();
      await curfew().app.idle();
    };
    const messages = () => cardsIn(curfew().workspace, "ops");
    const actions = () => curfew().service.account.actions;
    const stopStaging = "a-00000002";
    const actionOf = (id: string): Action => {
      const action = actions().get(id);
      if (!action) throw new Error(`the account has no action ${id}`);
      return action;
    };
    /** What people do in the service's console. */
    const edit = (id: string, altered: Partial<Action>, by = "u-00000001") => {
      const lastModifiedDate = new Date(clock.now()).toISOString();
      actions().set(id, { ...actionOf(id), lastModifiedBy: by, lastModifiedDate, ...altered });
    };
    const rescheduled = (id: string, schedule: Action["schedule"]) =>
      edit(id, { schedule: { ...actionOf(id).schedule, ...schedule } });
    const polled = async (times = 1) => {
      const before = messages().length;
      for (let time = 0; time < times; time++) await poll();
      return messages().slice(before);
    };
    const said = async (times?: number) => (await polled(times)).map(textOf);
    const when = /<!date\^\d+\^\{date_short_pretty\} \{time\}\|[^>]+>/.source;

    let usual: Account["actions"];
    beforeEach(async () => {
      usual ??= new Map(actions());
      actions().clear();
      for (const [id, action] of usual) actions().set(id, action);
      await poll();
      await poll();
      await poll();
    });

    describe("what somebody changed in the service", () => {
      it("says each fact once: what differs, who changed it and when, with a button", async () => {
        rescheduled(stopStaging, { timeOfDay: "18:00:00" });
        const [message, ...others] = await polled();
        expect(others).toEqual([]);
        if (!message) throw new Error("nothing was said");
        expect(textOf(message)).toMatch(
          new RegExp(
            `^:pencil2: \\*Stop staging at 19:00\\* was changed in the service: 19:00 → 18:00 \\(by bob, ${when}\\)\nDevelopment\nShow the action$`,
          ),
        );
        const press = () => curfew().workspace.as("alice").press("Show the action", message);
        expect((await messagesAfter(curfew(), "alice", press)).text).toContain("daily, Mon–Fri, 18:00");
        expect(await said(), "once").toEqual([]);
      });

      it.each<[string, Partial<Action>, string]>([
        [
          "another name",
          { name: "Stop early" },
          "*Stop early* was renamed from Stop staging at 19:00 in the service (by",
        ],
        ["a switch", { isEnabled: false }, "*Stop staging at 19:00* was switched off in the service (by bob"],
        ["tags", { tags: ["staging", "night"] }, "was changed in the service: tags: added night, removed savings (by"],
        ["comments", { comments: "for <!channel>" }, "was changed in the service: comments: for &lt;!channel&gt; (by"],
        ["a project", { projectId: "p-prod" }, "was changed in the service: project: Development → Production (by"],
        [
          "name, switch and tags together",
          { name: "Stop", isEnabled: false, tags: ["staging"] },
          "*Stop* was renamed from Stop staging at 19:00, switched off and changed in the service: tags: removed savings (by",
        ],
      ])("says %s in a sentence", async (_what, altered, sentence) => {
        edit(stopStaging, altered);
        expect(await said()).toEqual([expect.stringContaining(sentence)]);
      });

      it("says the next run of an action that was switched on", async () => {
        edit("a-00000022", { isEnabled: true });
        expect(await said()).toEqual([
          expect.stringMatching(
            new RegExp(`\\*Stop the blog preview\\* was switched on in the service: next run: ${when} \\(by bob`),
          ),
        ]);
      });

      it("says only the parts of a schedule that differ", async () => {
        const { schedule } = actionOf(stopStaging);
        const days = ["monday", "friday"];
        edit(stopStaging, { schedule: { ...schedule, parameters: { days }, timeZoneId: "Europe/Berlin" } });
        expect(await said()).toEqual([
          expect.stringContaining("in the service: Mon–Fri → Mon, Fri, Europe/London → Europe/Berlin (by bob"),
        ]);
        edit(stopStaging, { schedule: { scheduleType: "none" } });
        expect(await said()).toEqual([expect.stringContaining("daily, Mon, Fri, 19:00, Europe/Berlin → none (by bob")]);
      });

      it("says what is new and when it runs next, and what is gone after two polls", async () => {
        actions().set("a-new", { ...actionOf(stopStaging), actionId: "a-new", name: "Stop all" });
        expect(await said()).toEqual([
          expect.stringMatching(
            new RegExp(
              `^:new: \\*Stop all\\* was created in the service: EC2, project: Development, daily, Mon–Fri, 19:00, Europe/London, next run: ${when} \\(by`,
            ),
          ),
        ]);
        actions().delete("a-new");
        expect(await said(), "the first poll without it").toEqual([]);
        expect(await said()).toEqual([
          expect.stringMatching(
            new RegExp(`^:wastebasket: \\*Stop all\\* was deleted in the service: it was due ${when}`),
          ),
        ]);
        expect(await said(2)).toEqual([]);
      });

      it("says nothing of an action that one poll did not list", async () => {
        const action = actionOf(stopStaging);
        actions().delete(stopStaging);
        expect(await said()).toEqual([]);
        actions().set(stopStaging, action);
        expect(await said(2)).toEqual([]);
      });

      it("says nothing of a change that nobody sees, or of a description that is the same", async () => {
        edit(stopStaging, {});
        edit("a-00000001", { schedule: { ...actionOf("a-00000001").schedule, timeOfDay: "07:30" } });
        expect(await said()).toEqual([]);
      });

      it("names nobody where the service does not say that it was modified", async () => {
        const action = actionOf(stopStaging);
        actions().set(stopStaging, { ...action, name: "Stop quietly" });
        expect(await said()).toEqual([expect.stringMatching(/in the service\nDevelopment/)]);
      });

      it("puts forty changes into one message of five lines", async () => {
        for (const id of [...actions().keys()]) edit(id, { comments: `changed ${"&".repeat(3000)}` });
        const [message, ...others] = await polled();
        expect(others).toEqual([]);
        const text = textOf(message ?? { blocks: [], text: "" });
        expect(text.match(/:pencil2:/g)).toHaveLength(5);
        expect(text.match(/by bob/g)).toHaveLength(5);
        expect(text).toContain("And 35 more.");
        expect(buttonsOn(message ?? { blocks: [] })).toEqual(["Show all actions"]);
      });
    });

    it("is not said of what follows from a change of a plan by Curfew, which has its card", async () => {
      const line = 'selector edit plan-00000001 sel-00000002 --name "Other machines"';
      expect((await ask(curfew(), "carol", line)).text).toContain("You changed");
      edit(stopStaging, { comments: "by the plan" }, curfew().service.account.apiUserId);
      edit("a-00000001", { comments: "by bob" });
      const said = (await polled()).map(textOf).filter((each) => each.includes("in the service"));
      expect(said).toEqual([expect.stringContaining("comments: by bob")]);
    });

    describe("a pause", () => {
      it("of the service is no event, and what was changed in it is said once, since when", async () => {
        curfew().service.faults.next({ kind: "status", status: 500, times: Number.POSITIVE_INFINITY });
        edit(stopStaging, { isEnabled: false });
        actions().delete("a-00000003");
        expect(await said(3)).toEqual([]);
        clock.advance(hourMs);
        curfew().service.faults.clear();
        expect(await said()).toEqual([
          expect.stringMatching(
            new RegExp(`was switched off.*\nChanged since ${when}: Curfew could not look for a while.`, "s"),
          ),
        ]);
        expect(await said()).toEqual([expect.stringContaining("*Stop staging at the weekend* was deleted")]);
      });

      it("of Curfew itself shows in the runs that it missed", async () => {
        edit(stopStaging, { comments: "later" });
        clock.advance(3 * dayMs);
        await curfew().restart();
        expect(await said()).toEqual([expect.stringContaining("Curfew could not look for a while.")]);
      });

      it("is none when Curfew is only restarted", async () => {
        edit(stopStaging, { comments: "soon" });
        await curfew().restart();
        const [text] = await said();
        expect(text).toContain("comments: soon (by bob");
        expect(text).not.toContain("for a while");
      });

      it("after what was changed was recorded, and before it was posted, loses no message", async () => {
        edit(stopStaging, { comments: "in the middle" });
        curfew().workspace.faults.failNext("chat.postMessage", { error: "internal_error" });
        expect(await said()).toEqual([]);
        await curfew().restart();
        clock.advance(hourMs);
        expect(await said(2)).toEqual([expect.stringContaining("comments: in the middle")]);
      });

      it("between two polls that miss an action does not lose its deletion", async () => {
        actions().delete(stopStaging);
        await poll();
        await curfew().restart();
        expect(await said()).toEqual([expect.stringContaining("*Stop staging at 19:00* was deleted")]);
      });
    });

    describe("a moment that moves by itself is no change by somebody", () => {
      it("when a run was due, or was missed", async () => {
        clock.advance(11 * hourMs);
        expect(await said()).toEqual([]);
        clock.advance(3 * dayMs);
        expect(await said()).toEqual([]);
      });

      it("when a clock is set back or forward", async () => {
        clock.advance(12 * hourMs);
        await poll();
        clock.set(-3 * hourMs);
        expect(await said(2)).toEqual([]);
        clock.set(3 * hourMs);
        expect(await said(2)).toEqual([]);
      });

      it("when summer time ends and begins", async () => {
        for (const day of ["2027-10-30", "2028-03-25"]) {
          clock.advance(Date.parse(`${day}T12:00:00Z`) - clock.now());
          await poll();
          for (let hour = 0; hour < 30; hour += 3) {
            clock.advance(3 * hourMs);
            expect(await said()).toEqual([]);
          }
        }
      });
    });

    it("is not repeated by `actions`, and pings nobody", async () => {
      edit(stopStaging, { name: "<@U03CAROL> stop" });
      const [text] = await said();
      expect(text).not.toMatch(/<@/);
      expect((await ask(curfew(), "alice", "actions")).text).toContain("actions");
    });
  },
  { startAt },
);
