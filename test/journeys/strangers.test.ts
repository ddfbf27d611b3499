import { beforeAll, describe, expect, it } from "vitest";
import { ask, buttonsOn, cardOf, changesSentTo, messagesAfter } from "../support/journey.ts";
import { withOneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

/** The admin's role names these people too, which must not help them. */
const config = unlimitedConfig.replace("[U03CAROL]", "[U03CAROL, U04DAVE, U05GINA, U06ERIN, U07FRED, U08ROBOT]");
const strangers = ["gina", "erin", "fred", "robot"] as const;
const lines = "help|whoami|history|action list|exclude staging for 1h|user remove-mfa bob|no such thing".split("|");

withOneBot(
  (curfew, clock) => {
    beforeAll(async () => {
      for (const who of ["fred", "robot"]) await curfew().workspace.changes.join(who, "ops");
    });

    describe.each(strangers)("%s", (who) => {
      it.each(lines)("is refused “%s”, is offered nothing, and the service is not called", async (line) => {
        const before = curfew().service.requests.length;
        const { text, message } = await ask(curfew(), who, line);
        expect(text).toContain("Only full members of this workspace can use Curfew: ask one.");
        expect(text).toContain("Nothing was changed.");
        expect(buttonsOn(message)).toEqual([]);
        expect(curfew().workspace.as(who).openView()).toBeUndefined();
        expect(curfew().service.requests).toHaveLength(before);
      });

      it.each(["Extend 1 h", "Extend…", "End now", "Details", "Edit…"])("is refused a card's %s", async (button) => {
        const card = await cardOf(
          curfew(),
          (await ask(curfew(), "alice", "exclude staging for 1h --another")).changeId,
        );
        const sent = changesSentTo(curfew());
        const { text } = await messagesAfter(curfew(), who, () => curfew().workspace.as(who).press(button, card));
        expect(text).toContain("Only full members of this workspace can use Curfew: ask one.");
        expect(curfew().workspace.as(who).openView()).toBeUndefined();
        expect(sent()).toEqual([]);
      });
    });

    it("a member who becomes a guest soon loses access, even with an open form", async () => {
      const dave = curfew().workspace.as("dave");
      await dave.type("/curfew user email", "ops");
      await curfew().workspace.waitFor(() => dave.openView());
      await dave.fill({ User: "bob (u-00000001)", "New e-mail address": "bob.new@example.com" });
      await curfew().workspace.changes.changePerson("dave", { isRestricted: true });
      clock.advance(31_000);
      const sent = changesSentTo(curfew());
      expect(await dave.submit()).toMatchObject({
        kind: "errors",
        errors: { User: expect.stringContaining("Only full members") },
      });
      expect((await ask(curfew(), "dave", "whoami")).text).toContain("Only full members");
      expect(sent()).toEqual([]);
    });
  },
  { config },
);
