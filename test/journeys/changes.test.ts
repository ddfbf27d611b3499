import { describe, expect, it } from "vitest";
import {
  ask,
  cardOf,
  cardsIn,
  changesSentTo,
  messagesAfter,
  openForm,
  openFormFromReply,
  send,
  textOf,
} from "../support/journey.ts";
import { withOneBot } from "../support/one-bot.ts";
import { changeJourneys, perform } from "./change-journeys.ts";

withOneBot((curfew) => {
  describe.each(changeJourneys)("$words", (journey) => {
    const { by, operation } = journey;

    it("is done and announced for someone who may make it", async () => {
      const line = await journey.line(curfew());
      const sent = changesSentTo(curfew());
      const { text, changeId } = await perform(curfew(), journey, line);
      expect(text).toContain(journey.done);
      expect(sent()).toEqual([operation]);
      expect(textOf(await cardOf(curfew(), changeId))).toContain(`<@${curfew().workspace.as(by).id}>`);
    });

    it("is refused to someone without a role, who sees who may make it", async () => {
      const line = await journey.line(curfew());
      const sent = changesSentTo(curfew());
      const { text } = await ask(curfew(), "dave", line);
      expect(text).toMatch(/You can't .*\. Ask .*<@U03CAROL>/);
      expect(curfew().workspace.as("dave").openView()).toBeUndefined();
      expect(sent()).toEqual([]);
    });

    it("opens its form when the line is incomplete, and is done when it is sent", async () => {
      const line = await journey.incomplete.line(curfew());
      const sent = changesSentTo(curfew());
      const { asks, form } = journey.incomplete;
      const { title, reply } = asks
        ? await openFormFromReply(curfew(), by, line)
        : { ...(await openForm(curfew(), by, line)), reply: undefined };
      expect(title).toBe(form);
      expect(reply?.text ?? "").toContain(asks ?? "");
      expect(sent()).toEqual([]);
      const { text } = await send(curfew(), by, journey.incomplete.values(line));
      expect(text).toContain(journey.done);
      expect(sent()).toEqual([operation]);
    });

    it("fails when the service refuses, and can be retried from a form that kept every field", async () => {
      const line = await journey.line(curfew());
      const sent = changesSentTo(curfew());
      curfew().service.faults.next({ kind: "status", operation, status: 400 });
      const failed = await perform(curfew(), journey, line);
      expect(failed.text).toContain(journey.asked);
      expect(failed.text).toContain("nothing was changed. Try again later. (ServiceUnavailable)");
      await curfew().workspace.as(by).press("Change and try again…", failed.message);
      await curfew().workspace.waitFor(() => curfew().workspace.as(by).openView());
      const { text, changeId } = await send(curfew(), by);
      expect(text).toContain(journey.done);
      expect(sent()).toEqual([operation, operation]);
      // Cards arrive in order, so a card for the failed change would be here by now.
      await cardOf(curfew(), changeId);
      expect(cardsIn(curfew().workspace, "ops").some((card) => card.text.includes(failed.changeId))).toBe(false);
    });

    it("fails when the service is unreachable", async () => {
      const line = await journey.line(curfew());
      const sent = changesSentTo(curfew());
      await curfew().service.faults.down();
      const { text } = await perform(curfew(), journey, line).finally(() => curfew().service.faults.up());
      expect(text).toContain(journey.asked);
      expect(text).toMatch(/nothing was changed\. Could not connect to the service.*\(Unreachable\)/);
      expect(sent()).toEqual([]);
    });

    it("claims no more than is known when the service's answer is lost", async () => {
      const line = await journey.line(curfew());
      const sent = changesSentTo(curfew());
      curfew().service.faults.next({ kind: "reset-after", operation });
      const { state, requests } = journey.whenAnswerIsLost;
      const { text, changeId } = await perform(curfew(), journey, line);
      const unknown = /Curfew does not know whether .*: it may have happened\..* (?:Look |“Check now” )/;
      if (state === "unknown") expect(text).toMatch(unknown);
      else expect(text).toContain(journey.done);
      expect(sent()).toEqual(Array.from({ length: requests }, () => operation));
      const card = textOf(await cardOf(curfew(), changeId));
      if (state === "unknown") expect(card).toContain("Its outcome is unknown: it may have happened.");
      else expect(card).not.toContain("unknown");
    });

    it("is done once when Slack delivers it twice", async () => {
      const line = await journey.line(curfew());
      const sent = changesSentTo(curfew());
      const { changeId } = await perform(curfew(), journey, line);
      const outboxMessage = curfew().workspace.appRequests.at(-1);
      const again = await messagesAfter(curfew(), by, async () => {
        expect(outboxMessage && (await curfew().workspace.redeliver(outboxMessage))).toEqual({ ok: true });
      });
      expect(again.text).toContain("This was sent twice, and done once.");
      expect(again.changeId).toBe(changeId);
      expect(sent()).toEqual([operation]);
    });
  });

  it("a second exclusion on purpose stays one when its form has to be filled in", async () => {
    await ask(curfew(), "alice", "exclude i-0d1 for 2h");
    const alice = curfew().workspace.as("alice");
    const sent = changesSentTo(curfew());
    await openForm(curfew(), "alice", "exclude for 1h");
    await alice.fill({ What: "i-0d1" });
    expect(JSON.stringify(await alice.submit())).toContain("i-0d1 is kept running already");
    await alice.cancel();
    expect(sent()).toEqual([]);
    await openForm(curfew(), "alice", "exclude --another for 1h");
    expect((await send(curfew(), "alice", { What: "i-0d1" })).text).toContain("Keeping i-0d1");
  });

  it.each(changeJourneys.filter(({ confirms }) => confirms))(
    "$words asks for confirmation, and Cancel does nothing",
    async (journey) => {
      const line = await journey.line(curfew());
      const sent = changesSentTo(curfew());
      const delivered = curfew().workspace.appRequests.length;
      expect((await openForm(curfew(), journey.by, line)).text).toContain(":warning:");
      await curfew().workspace.as(journey.by).cancel();
      expect(curfew().workspace.appRequests).toHaveLength(delivered + 1);
      expect(sent()).toEqual([]);
    },
  );
});
