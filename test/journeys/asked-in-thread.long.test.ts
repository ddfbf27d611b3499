import { beforeEach, expect, it } from "vitest";
import type { StoredMessage } from "../../src/sandbox/workspace/state.ts";
import { configWith, directMessage } from "../support/approval-journey.ts";
import { ask, buttonsOn, cardOf, end, fillIn, messagesAfter, nowOf, textOf, threadOf } from "../support/journey.ts";
import { withOneBot } from "../support/one-bot.ts";
import { passTo } from "../support/pass-to.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const config = configWith(
  "{ operations: [CreateActionExclusion], approvers: [admin, helpdesk], when: { longerThan: 8h } }",
  "{ operations: [ModifyUser], approvers: [admin], channel: C0SEC }",
);

withOneBot(
  (curfew, clock) => {
    const person = (who: string) => curfew().workspace.as(who);
    const pass = (ms: number) => passTo(curfew(), clock, new Date(clock.now() + ms).toISOString());
    /** A thread that somebody begins in a channel, and what Curfew says in it to everybody. */
    const threadIn = async (where: string, who = "alice") => {
      await person(who).type("the demo is at eight", where);
      const ts = person(who).messages(where).at(-1)?.ts ?? "";
      const said = () =>
        curfew()
          .workspace.channel(where)
          .messages.filter(({ isFromApp, threadTs, ephemeralTo }) => isFromApp && threadTs === ts && !ephemeralTo);
      const say = (text: string) =>
        messagesAfter(curfew(), who, () => person(who).type(`@Curfew ${text}`, where, ts), where);
      return { ts, said, say };
    };
    const link = (ts: string, channel = "C0OPS") =>
      `asked for in <https://curfew-sandbox.slack.com/archives/${channel}/p${ts.replace(".", "")}|a thread>`;
    const texts = (messages: readonly StoredMessage[]) => messages.map(textOf).map((text) => text.split("\n")[0]);

    // Nothing of the test before is in force.
    beforeEach(() => pass(24 * hourMs));

    it("an exclusion that was asked for in a thread links to it, and is followed there until it is over", async () => {
      const { ts, said, say } = await threadIn("ops");
      const { changeId } = await say("keep staging up for 2h --another");
      const card = await cardOf(curfew(), changeId);
      await curfew().app.idle();
      expect(textOf(nowOf(curfew(), card))).toContain(link(ts));
      expect(said()).toEqual([]);
      await curfew().restart();
      await pass(90 * minuteMs);
      const [reminder, ...others] = said();
      expect(others).toEqual([]);
      expect(reminder && textOf(reminder)).toMatch(
        /^:alarm_clock: <@U01ALICE> is keeping \*staging\* running until <!date.*Then “Stop staging [^”]*” stops it/,
      );
      expect(threadOf(curfew(), card)).toHaveLength(1);
      if (reminder) await messagesAfter(curfew(), "alice", () => person("alice").press("Extend 1 h", reminder));
      await pass(60 * minuteMs);
      expect(said()).toHaveLength(2);
      await pass(hourMs);
      expect(texts(said()).at(-1)).toMatch(/^:white_circle: \*staging\* follows its schedule again since/);
      // The reminder of the later end, and that it is over: each once.
      expect(said()).toHaveLength(3);
      expect(textOf(nowOf(curfew(), card))).toContain(link(ts));
    });

    it("when somebody ends it before, the thread hears of that once", async () => {
      const { said, say } = await threadIn("ops");
      const { exclusionId } = await say("keep staging up for 2h --another");
      await end(curfew(), "carol", exclusionId);
      await pass(3 * hourMs);
      expect(texts(said())).toEqual([
        expect.stringMatching(/^:white_circle: \*staging\* follows its schedule again: <@U03CAROL> ended it/),
      ]);
    });

    it("what is said in the thread of a card is followed there alone, and needs no link", async () => {
      const { say } = await threadIn("ops");
      const { changeId } = await say("keep staging up for 2h --another");
      const card = await cardOf(curfew(), changeId);
      await curfew().app.idle();
      await messagesAfter(curfew(), "alice", () => person("alice").type("@Curfew extend 1h", "ops", card.ts));
      await pass(150 * minuteMs);
      expect(texts(threadOf(curfew(), card).filter(({ isFromApp, ephemeralTo }) => isFromApp && !ephemeralTo))).toEqual(
        [
          expect.stringMatching(/^:alarm_clock: <@U01ALICE>: <!date/),
          expect.stringMatching(/^:alarm_clock: This ends/),
        ],
      );
    });

    it("a form or button of an answer in the thread asks for it in the thread too", async () => {
      const { ts, say } = await threadIn("ops", "carol");
      const { message } = await say("exclude staging until yesterday --another");
      await person("carol").press("Open the form", message);
      await curfew().workspace.waitFor(() => person("carol").openView());
      await fillIn(curfew(), "carol", { Until: "for 2h" });
      const { changeId } = await messagesAfter(curfew(), "carol", () => person("carol").submit());
      await curfew().app.idle();
      expect(textOf(nowOf(curfew(), await cardOf(curfew(), changeId)))).toContain(link(ts));
    });

    it("an approval and its outcome are said in the thread, with the requester's name", async () => {
      const { ts, said, say } = await threadIn("ops");
      const { changeId } = await say("keep staging up for 10h --another");
      const card = await cardOf(curfew(), changeId);
      await curfew().app.idle();
      expect(textOf(nowOf(curfew(), card))).toContain(link(ts));
      const [waits] = said().map(textOf);
      expect(waits).toContain("<@U01ALICE> wants to");
      expect(waits).toMatch(/waits for approval in <#C0OPS> · <https:.*\|See the card>/);
      await messagesAfter(curfew(), "bob", () => person("bob").press("Approve", card));
      await pass(minuteMs);
      expect(texts(said()).at(-1)).toMatch(/^:large_green_circle: <@U01ALICE> is keeping \*staging\* running until/);
      expect(said().map(textOf).at(-1)).toContain("approved by <@U02BOB>");
      const denied = await say("keep staging up for 11h --another");
      await curfew().app.idle();
      const other = await cardOf(curfew(), denied.changeId);
      await messagesAfter(curfew(), "bob", () =>
        person("bob").type("@Curfew deny because call me first", "ops", other.ts),
      );
      await pass(minuteMs);
      expect(texts(said()).at(-1)).toMatch(/^:no_entry: <@U01ALICE> wanted to .*Nothing was changed\.$/);
      expect(said().map(textOf).at(-1)).toContain("Denied by <@U02BOB>");
      expect(said().map(buttonsOn).at(-1)).toEqual(["Ask again"]);
      expect(person("alice").messages("dm").map(textOf).join()).not.toContain("call me first");
      expect(said().map(textOf).at(-1)).toContain("call me first");
      expect(said()).toHaveLength(4);
    });

    it("a request whose card is in another channel is linked from the thread too", async () => {
      const { said, say } = await threadIn("ops", "bob");
      const { changeId } = await say("user disable dave@example.com because he left");
      const card = await cardOf(curfew(), changeId, "security");
      // The other channel's queue may be behind.
      await pass(10_000);
      expect(said().map(textOf).join()).toMatch(/waits for approval in <#C0SEC> · <https:.*\|See the card>/);
      await messagesAfter(curfew(), "carol", () => person("carol").press("Approve", card), "security");
      await pass(minuteMs);
      expect(texts(said()).at(-1)).toMatch(/^:white_check_mark: <@U02BOB> disabled/);
      expect(said()).toHaveLength(2);
    });

    const inCard = (who: string, text: string, card: StoredMessage) =>
      messagesAfter(curfew(), who, () => person(who).type(`@Curfew ${text}`, "ops", card.ts), "ops");
    const requested = async (length: string) => {
      const { say } = await threadIn("ops");
      const { changeId } = await say(`keep staging up for ${length} --another`);
      await curfew().app.idle();
      return cardOf(curfew(), changeId);
    };

    it("approve in the thread of a request is about it, and more words approve nothing", async () => {
      const card = await requested("12h");
      expect((await inCard("bob", "status", card)).text).toContain("waiting for approval");
      expect((await inCard("bob", "approve i-0c81", card)).text).toContain("No request of “i-0c81” waits for you.");
      expect((await inCard("bob", "approve because we tested it", card)).text).toContain("You approved it.");
      await pass(minuteMs);
      expect(textOf(nowOf(curfew(), card))).toContain("approved by <@U02BOB>: “we tested it”");
    });

    it("deny and withdraw in the thread of a request are about it", async () => {
      const card = await requested("13h");
      expect((await inCard("bob", "deny", card)).text).toContain("continue in the form");
      expect((await inCard("bob", "withdraw", card)).text).toContain("Only who asked for a change can withdraw it");
      expect((await inCard("bob", "deny it because call me first", card)).text).toContain("You denied it.");
      await curfew().app.idle();
      expect(textOf(nowOf(curfew(), card))).toMatch(/Denied by <@U02BOB>.*: call me first/);
      const other = await requested("14h");
      expect((await inCard("alice", "withdraw it", other)).text).toContain("You withdrew it.");
    });

    it("the buttons of an outcome in a direct message count in the channel where it was asked for", async () => {
      const { changeId } = await ask(curfew(), "alice", "keep staging up for 16h --another");
      await curfew().app.idle();
      const card = await cardOf(curfew(), changeId);
      await messagesAfter(curfew(), "bob", () => person("bob").type("@Curfew deny not now", "ops", card.ts));
      const notice = await directMessage(curfew(), "alice", "Nothing was changed.", "not now");
      const again = async () => {
        await person("alice").press("Ask again", notice);
        await curfew().workspace.waitFor(() => person("alice").openView(), { what: "the form" });
        await fillIn(curfew(), "alice", { Until: Math.floor(clock.now() / minuteMs) * 60 + 7200 });
      };
      await again();
      const done = await messagesAfter(curfew(), "alice", () => person("alice").submit(), "dm");
      expect(done.text).toContain("Keeping staging");
      const undone = await messagesAfter(curfew(), "alice", () => person("alice").press("Undo", done.message), "dm");
      expect(undone.text).toContain("You stopped keeping");
      await curfew().workspace.changes.leave("alice", "ops");
      await pass(minuteMs);
      const refused = await messagesAfter(curfew(), "alice", () => person("alice").press("Ask again", notice), "dm");
      expect(refused.text).toContain("You can keep machines running or off only in <#C0OPS>");
      await curfew().workspace.changes.join("alice", "ops");
    });

    it("edit, end and withdraw in the thread of a plan change the plan", async () => {
      const { ts, say } = await threadIn("ops");
      const byAlice = (text: string, card: StoredMessage) => inCard("alice", text, card);
      const planned = async (line: string) => {
        const { changeId } = await say(line);
        await curfew().app.idle();
        return cardOf(curfew(), changeId);
      };
      const card = await planned("keep staging up from tomorrow 18:00 until tomorrow 20:00");
      expect(textOf(nowOf(curfew(), card))).toContain(link(ts));
      const longer = await byAlice("extend 1h", card);
      expect(longer.text).toContain("You plan to keep staging running from ");
      await curfew().app.idle();
      const { text, changeId } = await byAlice("edit until 22:00", await cardOf(curfew(), longer.changeId));
      expect(text).toContain("You plan to keep staging running from ");
      const edited = await cardOf(curfew(), changeId);
      await curfew().app.idle();
      expect(textOf(nowOf(curfew(), card))).toContain("Replaced by change");
      const { message } = await byAlice("edit", edited);
      await person("alice").press("Open the form", message);
      const form = await curfew().workspace.waitFor(() => person("alice").openView());
      expect(JSON.stringify(form.values)).toContain("staging");
      await person("alice").cancel();
      expect((await byAlice("end it", edited)).text).toContain("You withdrew it.");
      const series = await planned("keep staging up every thu 18:00-22:00 until 2033-01-31");
      expect((await byAlice("edit", series)).text).toContain("continue in the form");
      expect((await byAlice("withdraw", series)).text).toContain("You withdrew it.");
    });

    it("edit in the thread of an exclusion edits that one", async () => {
      const { say } = await threadIn("ops");
      const { changeId, exclusionId } = await say("keep staging up for 2h --another");
      const card = await cardOf(curfew(), changeId);
      await curfew().app.idle();
      const byAlice = (text: string) => inCard("alice", text, card);
      expect((await byAlice("please edit it --name Demo")).text).toContain("You changed");
      expect(curfew().service.account.exclusions.get(exclusionId)?.name).toBe("Demo");
      const { message } = await byAlice("edit");
      await person("alice").press("Open the form", message);
      const form = await curfew().workspace.waitFor(() => person("alice").openView());
      expect(form.text).toContain(`*What:* Demo (${exclusionId})`);
    });

    it("a channel that does not see such cards reads no more than what was asked there", async () => {
      const { ts, said, say } = await threadIn("security", "carol");
      const { changeId } = await say("keep staging up for 10h --another because secret demo");
      const card = await cardOf(curfew(), changeId);
      await messagesAfter(curfew(), "bob", () => person("bob").press("Approve", card));
      await pass(minuteMs);
      expect(textOf(nowOf(curfew(), card))).toContain(link(ts, "C0SEC"));
      expect(said()).toEqual([]);
      await pass(9.5 * hourMs);
      expect(said().map(textOf)).toEqual([
        expect.stringMatching(/^:alarm_clock: <@U03CAROL> is keeping \*staging\* running until <[^>]*>\.\n/),
      ]);
      expect(said().flatMap(buttonsOn)).toContain("Extend 1 h");
      await pass(hourMs);
      expect(said().map(textOf)).toEqual([
        expect.stringMatching(/^:alarm_clock: This was to end <[^>]*>\.$/),
        expect.stringMatching(/^:white_circle: \*staging\* follows its schedule again since <[^>]*>$/),
      ]);
    });

    it("a thread or channel that is gone loses nothing else", async () => {
      const { ts, say } = await threadIn("security", "carol");
      const { changeId } = await say("keep staging up for 2h --another");
      const card = await cardOf(curfew(), changeId);
      curfew().workspace.faults.failNext("chat.postMessage", { error: "is_archived" });
      await pass(90 * minuteMs);
      const dm = person("carol")
        .messages("dm")
        .filter(({ isFromApp }) => isFromApp)
        .at(-1);
      expect(dm && textOf(dm)).toContain("You're keeping *staging* running");
      expect(ts).not.toBe("");
      await pass(hourMs);
      expect(textOf(nowOf(curfew(), card))).toContain("follows its schedule again");
    });
  },
  { config, startAt: Date.parse("2032-11-21T08:00:00Z") },
);
