import { describe, expect, it } from "vitest";
import { openStore } from "../../src/store/open-store.ts";
import { buttonsOn, cardOf, changesSentTo, messagesAfter, textOf } from "../support/journey.ts";
import { withOneBot } from "../support/one-bot.ts";
import { exampleConfig, wholeExample } from "../support/start-curfew.ts";
import { lastDelivery, sendCrafted } from "../support/wire.ts";

withOneBot(
  (curfew, clock) => {
    const person = (who: string) => curfew().workspace.as(who);
    const say = (who: string, text: string, where = "ops", threadTs?: string) =>
      messagesAfter(curfew(), who, () => person(who).type(text, where, threadTs), where);

    describe("a mention in the thread of a card is about that card", () => {
      const cardFor = async (who: string) => {
        const { changeId, exclusionId } = await say(who, "@Curfew keep staging up for 1h --another");
        await curfew().app.idle();
        return { changeId, exclusionId, card: await cardOf(curfew(), changeId) };
      };
      const expiryOf = (id: string) => Date.parse(String(curfew().service.account.exclusions.get(id)?.expiryDate));

      it("it is extended, shown and undone without its name", async () => {
        const { card, exclusionId } = await cardFor("alice");
        const other = await cardFor("alice");
        const [before, otherEnd] = [expiryOf(exclusionId), expiryOf(other.exclusionId)];
        const extended = await say("alice", "@Curfew extend 1h", "ops", card.ts);
        expect(extended.text).toContain(": now until");
        expect(expiryOf(exclusionId)).toBe(before + 3_600_000);
        expect((await say("alice", "@Curfew status", "ops", card.ts)).text).toContain("*alice: staging: kept running*");
        await say("alice", "@Curfew undo", "ops", card.ts);
        expect(expiryOf(exclusionId)).toBe(before);
        expect((await say("alice", "@Curfew extend it by 2h", "ops", other.card.ts)).text).toContain(": now until");
        expect(expiryOf(other.exclusionId)).toBe(otherEnd + 2 * 3_600_000);
      });

      it("its maker ends it at once, and somebody else with one button", async () => {
        const [mine, other] = [await cardFor("alice"), await cardFor("alice")];
        await say("alice", "@Curfew end", "ops", mine.card.ts);
        expect(curfew().service.account.exclusions.has(mine.exclusionId)).toBe(false);
        const { message } = await say("carol", "@Curfew end", "ops", other.card.ts);
        expect(curfew().service.account.exclusions.has(other.exclusionId)).toBe(true);
        await messagesAfter(curfew(), "carol", () => person("carol").press("End alice's staging", message));
        expect(curfew().service.account.exclusions.has(other.exclusionId)).toBe(false);
      });

      it("nobody gets a right by it", async () => {
        const { card } = await cardFor("carol");
        const sent = changesSentTo(curfew());
        expect((await say("dave", "@Curfew extend 1h", "ops", card.ts)).text).toContain("Nothing was changed");
        expect((await say("dave", "@Curfew undo", "ops", card.ts)).text).toContain("Nothing was changed");
        expect(sent()).toEqual([]);
      });

      it("another thread says nothing about what is meant", async () => {
        await person("alice").type("about staging", "ops");
        const parent = curfew().workspace.channel("ops").messages.at(-1);
        const sent = changesSentTo(curfew());
        expect((await say("alice", "@Curfew extend 1h", "ops", parent?.ts)).text).toContain("Which one?");
        expect(sent()).toEqual([]);
      });
    });

    describe("the answer to a mention", () => {
      it("is in the thread of the mention, where its buttons work", async () => {
        await person("alice").type("the demo is at eight", "ops");
        const parent = curfew().workspace.channel("ops").messages.at(-1);
        const { message } = await say("alice", "@Curfew keep staging up for 1h --another", "ops", parent?.ts);
        expect(message).toMatchObject({ threadTs: parent?.ts, ephemeralTo: "U01ALICE" });
        const undone = await messagesAfter(curfew(), "alice", () => person("alice").press("Undo", message));
        expect(undone.text).toContain("You stopped keeping");
        expect(undone.message).toMatchObject({ ts: message.ts, threadTs: parent?.ts });
      });

      it("is in the channel for a message that nobody has replied to", async () => {
        expect((await say("alice", "@Curfew whoami")).message.threadTs).toBeUndefined();
        const delivery = lastDelivery(curfew(), "app_mention");
        const { message } = await messagesAfter(curfew(), "alice", () =>
          sendCrafted(curfew(), delivery, { event: { ts: "1.000002", thread_ts: "1.000002" } }),
        );
        expect(message.threadTs).toBeUndefined();
      });

      it("is in the thread of a direct message", async () => {
        const { message: first } = await say("carol", "whoami", "dm");
        const { message } = await say("carol", "whoami", "dm", first.ts);
        expect(message.threadTs).toBe(first.ts);
      });

      it.each(["not_in_channel", "user_not_in_channel", "channel_not_found", "is_archived"])(
        "is a direct message when Slack shows nothing private there: %s",
        async (error) => {
          const sent = changesSentTo(curfew());
          curfew().workspace.faults.failNext("chat.postEphemeral", { error });
          const { text, message } = await say("alice", "@Curfew keep staging up for 1h --another");
          expect(text).toContain("Keeping ");
          expect(message.channelId).toMatch(/^D/);
          expect(sent()).toEqual(["CreateActionExclusion"]);
        },
      );
    });

    it("a change asked for by mention waits for its approval, and its requester gets the outcome", async () => {
      const sent = changesSentTo(curfew());
      const { text, message } = await say("alice", "@Curfew exclude staging for 30h --another");
      const asked = await messagesAfter(curfew(), "alice", () =>
        person("alice").press("Ask carol to allow 1 d 6 h", message),
      );
      expect(text).toContain("at most 1 d");
      expect(asked.text).toContain("This waits for approval.");
      expect(sent()).toEqual([]);
      const done = await messagesAfter(curfew(), "alice", () =>
        person("carol").type(`@Curfew approve ${asked.changeId}`, "ops"),
      );
      expect(done.text).toContain("Keeping ");
      expect(sent()).toEqual(["CreateActionExclusion"]);
    });

    it.each([
      ["I asked @Curfew yesterday", "begins with @Curfew"],
      ["@Curfew exclude staging for 1h\n@Curfew end staging", "has several lines"],
      ["@bob @Curfew exclude staging for 1h", "begins with @Curfew"],
    ])("a message from which no line can be read does nothing and says why: %s", async (text, why) => {
      const sent = changesSentTo(curfew());
      const answer = await say("carol", text);
      expect(answer.text).toContain(why);
      expect(answer.text).toContain("Nothing was changed");
      expect(sent()).toEqual([]);
    });

    it("a message that Slack delivers much too late does nothing, and says so", async () => {
      await say("carol", "@Curfew whoami");
      const sent = changesSentTo(curfew());
      const at = Math.floor(clock.now() / 1000) - 16 * 60;
      const { text } = await messagesAfter(curfew(), "carol", () =>
        sendCrafted(curfew(), lastDelivery(curfew(), "app_mention"), {
          event: { ts: `${at}.000100`, text: "<@UCURFEW> exclude staging for 1h --another" },
        }),
      );
      expect(text).toContain("more than 15 minutes late");
      expect(sent()).toEqual([]);
    });

    it("a length counts from when the message was written, however often Slack had to deliver it", async () => {
      await say("carol", "@Curfew whoami");
      const at = Math.floor(clock.now() / 60_000) * 60 - 5 * 60;
      const { text } = await messagesAfter(curfew(), "carol", () =>
        sendCrafted(curfew(), lastDelivery(curfew(), "app_mention"), {
          event: { ts: `${at}.000200`, text: "<@UCURFEW> exclude staging for 1h --another" },
        }),
      );
      expect(text).toContain("Keeping ");
      const [last] = [...curfew().service.account.exclusions.values()].slice(-1);
      expect(Date.parse(String(last?.expiryDate))).toBe((at + 3600) * 1000);
    });

    it("a request that could not be recorded is not acknowledged, and done once when Slack sends it again", async () => {
      const sent = changesSentTo(curfew());
      let isBroken = true;
      await curfew().app.stop();
      await curfew().restart({
        openStore: async (...given) => {
          const store = await openStore(...given);
          return {
            ...store,
            receive: (receipt) => (isBroken ? Promise.reject(new Error("disk full")) : store.receive(receipt)),
          };
        },
      });
      const before = person("carol").messages("ops").length;
      await person("carol").type("@Curfew exclude staging for 1h --another", "ops");
      const delivery = lastDelivery(curfew(), "app_mention");
      const refused = () =>
        curfew().workspace.appRequests.filter(
          ({ payload, answer }) => payload.event_id === delivery.payload.event_id && answer?.kind === "failed",
        );
      // Slack repeats it immediately, and later again.
      await curfew().workspace.waitFor(() => refused().length === 2);
      expect(refused()).toMatchObject([{}, { retry: { attempt: 1, reason: "http_error" } }]);
      // Nothing but the mention itself.
      expect(person("carol").messages("ops").length).toBe(before + 1);
      isBroken = false;
      const { text } = await messagesAfter(curfew(), "carol", () => curfew().workspace.redeliver(delivery));
      expect(text).toContain("Keeping ");
      expect(sent()).toEqual(["CreateActionExclusion"]);
      isBroken = true;
      const changed = { event: { ts: `${Math.floor(clock.now() / 1000)}.000300` } };
      const answer = await messagesAfter(curfew(), "carol", () =>
        sendCrafted(curfew(), { ...delivery, retry: { attempt: 3, reason: "http_error" } }, changed),
      );
      expect(answer.text).toContain("Nothing was done: Curfew's database did not take your request in time.");
      isBroken = false;
    });

    it("the text of a message is neither logged nor stored", async () => {
      const start = curfew().logged.length;
      await say("carol", "@Curfew exclude staging for 1h --another hunter2 because hunter3");
      await say("carol", "hunter2", "dm");
      await curfew().app.idle();
      expect(curfew().logged.slice(start).join("\n")).not.toMatch(/hunter[23]/);
    });
  },
  { config: wholeExample.replace("perPersonPerMinute: 30", "perPersonPerMinute: 0") },
);

withOneBot(
  (curfew) => {
    it("mentions count towards the limit of a person", async () => {
      const alice = curfew().workspace.as("alice");
      const answers = () => alice.messages("ops").filter(({ isFromApp }) => isFromApp);
      for (let count = 0; count < 31; count++) await alice.type("@Curfew whoami", "ops");
      await curfew().app.idle();
      const last = answers().findLast(({ text }) => text.includes("That's a lot within one minute"));
      expect(last && textOf(last)).toContain("Nothing was changed");
      expect(buttonsOn(last ?? { blocks: [] })).toEqual([]);
    });
  },
  { config: exampleConfig },
);
