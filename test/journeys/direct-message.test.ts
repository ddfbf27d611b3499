import { beforeEach, describe, expect, it } from "vitest";
import { configWith, press as pressOnCard } from "../support/approval-journey.ts";
import {
  buttonsOn,
  type CommandReply,
  cardOf,
  changesSentTo,
  fillIn,
  messagesAfter,
  textOf,
} from "../support/journey.ts";
import { withOneBot } from "../support/one-bot.ts";
import { configWithoutAsking } from "../support/start-curfew.ts";

/** Longer than a membership is kept for reads. */
const laterMs = 31_000;

withOneBot(
  (curfew, clock) => {
    const person = (who: string) => curfew().workspace.as(who);
    const dm = (who: string, text: string) => messagesAfter(curfew(), who, () => person(who).type(text, "dm"), "dm");
    const press = (who: string, label: string, { message }: CommandReply) =>
      messagesAfter(curfew(), who, () => person(who).press(label, message), "dm");
    const workspace = () => curfew().workspace.changes;

    beforeEach(async () => {
      await workspace().join("alice", "ops");
      await workspace().leave("alice", "security");
      clock.advance(laterMs);
    });

    describe("in a direct message, whose role holds in one channel", () => {
      it("may ask everything that the role allows there", async () => {
        expect((await dm("alice", "next")).text).toMatch(/in the next 24 hours/);
        expect((await dm("alice", "status staging")).text).toMatch(/^\*?staging/);
        expect((await dm("alice", "why staging")).text).toContain("*staging*: ");
        expect((await dm("alice", "help")).text).toContain("keep staging up");
      });

      it("makes a change in the name of that channel, shows its card there, and may undo it", async () => {
        const kept = await dm("alice", "keep staging up for 2h --another");
        expect(kept.text).toContain("Asked in the name of #ops.");
        expect(textOf(await cardOf(curfew(), kept.changeId))).toContain("staging");
        expect((await dm("alice", `undo ${kept.changeId}`)).text).toMatch(/Undone.*\n.*Asked in the name of #ops\./);
      });

      it("opens a form, which counts in the channel too", async () => {
        const { message } = await dm("alice", "exclude staging until yesterday --another");
        await person("alice").press("Open the form", message);
        await curfew().workspace.waitFor(() => person("alice").openView());
        await fillIn(curfew(), "alice", { Until: "for 2h" });
        const { text } = await messagesAfter(curfew(), "alice", () => person("alice").submit(), "dm");
        expect(text).toContain("Asked in the name of #ops.");
      });

      it("has none of it after leaving the channel, also by a button or form from before", async () => {
        const kept = await dm("alice", "keep staging up for 3h --another");
        const { message } = await dm("alice", "exclude staging until yesterday --another");
        await person("alice").press("Open the form", message);
        await curfew().workspace.waitFor(() => person("alice").openView());
        await fillIn(curfew(), "alice", { Until: "for 2h" });
        await workspace().leave("alice", "ops");
        clock.advance(5001);
        const sent = changesSentTo(curfew());
        expect(await person("alice").submit()).toMatchObject({ kind: "updated" });
        await person("alice").cancel();
        expect((await press("alice", "Undo", kept)).text).toMatch(/^:no_entry: .*only in <#C0OPS>/);
        expect((await dm("alice", "keep staging up for 3h --another")).text).toMatch(/^:no_entry: .*only in <#C0OPS>/);
        clock.advance(laterMs);
        expect((await dm("alice", "next")).text).toMatch(/^:no_entry: .*only in <#C0OPS>/);
        expect(sent()).toEqual([]);
      });

      it("is asked where, when several channels would do, and the press counts there", async () => {
        await workspace().join("alice", "security");
        clock.advance(laterMs);
        const asked = await dm("alice", "keep staging up for 2h --another");
        expect(asked.text).toContain("You may do this in more than one channel. Nothing was changed yet.");
        expect(buttonsOn(asked.message)).toEqual(["In #ops", "In #security"]);
        await workspace().leave("alice", "security");
        clock.advance(5001);
        expect((await press("alice", "In #security", asked)).text).toMatch(/^:no_entry: .*only in/);
        const again = await dm("alice", "keep staging up for 2h --another");
        expect(again.text).toContain("Asked in the name of #ops.");
      });

      it("is refused what goes beyond the role there, and a guest everything", async () => {
        const sent = changesSentTo(curfew());
        expect((await dm("alice", "keep staging up for 3d --another")).text).toMatch(/^:no_entry: .*1 d/);
        expect((await dm("alice", "exclude i-0e7 --project p-prod for 1h")).text).toContain(
          "only in Development. This is in p-prod",
        );
        expect((await dm("gina", "next")).text).toContain("Only full members");
        expect(sent()).toEqual([]);
      });
    });
  },
  { config: configWithoutAsking.replace("channels: [C0OPS] # asked", "channels: [C0OPS, C0SEC] # asked") },
);

withOneBot(
  (curfew) => {
    const dm = (who: string, text: string) =>
      messagesAfter(curfew(), who, () => curfew().workspace.as(who).type(text, "dm"), "dm");

    it("a request from a direct message is approved by the rules of its channel", async () => {
      const asked = await dm("alice", "keep staging up for 10h because demo");
      expect(asked.text).toContain("Waiting for the approval");
      const card = await cardOf(curfew(), asked.changeId);
      expect((await pressOnCard(curfew(), "bob", "Approve", card)).text).toContain("You approved it");
    });
  },
  {
    config: configWith(
      "{ operations: [CreateActionExclusion], approvers: [admin, helpdesk], when: { longerThan: 8h } }",
    ),
  },
);

withOneBot(
  (curfew, clock) => {
    it("an archived channel gives no rights in a direct message", async () => {
      await curfew().workspace.changes.archive("ops");
      clock.advance(laterMs);
      const kept = () => curfew().workspace.as("alice").type("keep staging up for 1h --another", "dm");
      expect((await messagesAfter(curfew(), "alice", kept, "dm")).text).toMatch(/^:no_entry: .*only in/);
    });
  },
  {
    config: configWith(
      "{ operations: [CreateActionExclusion], approvers: [admin, helpdesk], when: { longerThan: 8h } }",
    ),
  },
);
