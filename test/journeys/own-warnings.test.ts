import { afterEach, expect, it } from "vitest";
import { ask, buttonsOn, menusOn, messagesAfter, textOf } from "../support/journey.ts";
import { withOneBot } from "../support/one-bot.ts";
import { warningConfig, warningDay, warningStart } from "../support/warnings.ts";

// Without warnings to channels.
const config = warningConfig.replace(/^warnings:\n(?: .*\n)+/m, "");

withOneBot(
  (curfew, clock) => {
    const { action, begin, pollAt } = warningDay(curfew, clock);
    let isConfigured = false;
    const person = (who: string) => curfew().workspace.as(who);
    const directTo = (who: string) =>
      person(who)
        .messages("dm")
        .filter((message) => message.isFromApp && textOf(message).includes(" · Stop "));
    /** A day on which one of these people wants to be warned of a group; their direct messages since. */
    const dayFor = async (who: string, line: string) => {
      await begin(action("a-staging", "19:00"), action("a-build", "19:00"));
      await ask(curfew(), who, line);
      const before = directTo(who).length;
      return () => directTo(who).slice(before);
    };
    afterEach(async () => {
      if (isConfigured) await curfew().restart({}, config);
      isConfigured = false;
      await curfew().workspace.changes.setGroup("engineers", ["alice"]);
      await curfew().workspace.changes.changePerson("carol", { isRestricted: false, deleted: false });
      clock.advance(31_000);
      for (const who of ["alice", "carol"])
        for (const group of ["staging", "build"]) await ask(curfew(), who, `stop warning me about ${group}`);
    });

    it("a person gets a direct message before the groups they name, and may keep them running from it", async () => {
      const said = await dayFor("carol", "warn me staging");
      await pollAt("18:31");
      const [warning, ...others] = said();
      expect(others).toEqual([]);
      expect(warning && textOf(warning)).toContain("* · Stop staging\n");
      if (!warning) return;
      const { text } = await messagesAfter(curfew(), "carol", () => person("carol").press("Tonight", warning), "dm");
      expect(text).toContain("Keeping staging");
    });

    it("a person says how long before", async () => {
      const said = await dayFor("alice", "warn me about build --before 1h");
      await pollAt("17:59");
      expect(said()).toEqual([]);
      await pollAt("18:01");
      expect(said()).toHaveLength(1);
      // She may exclude things in #ops alone.
      expect(said().map(textOf).join()).toContain("You can keep it out in <#C0OPS>");
      expect(said().flatMap(buttonsOn)).toEqual(["Open the channel"]);
    });

    it("who may do it in no channel reads whom to ask, or has the buttons to ask them", async () => {
      const lines = ["    reader: { members: [U04DAVE], allow: [reads] }\n", "    admin:\n"].join("");
      isConfigured = true;
      await curfew().restart({}, config.replace("    admin:\n", lines));
      const said = await dayFor("dave", "warn me staging");
      await pollAt("18:31");
      expect(said().map(textOf).join()).toContain(
        "You may not keep it out yourself. Who could: <@U03CAROL> or <!subteam^S0ENGINEERS>",
      );
      expect(said().flatMap(buttonsOn)).toEqual([]);
      const asking = lines.replace(
        "[reads]",
        "[reads], mayAsk: { operations: [CreateActionExclusion], approvers: [admin] }",
      );
      await curfew().restart({}, config.replace("    admin:\n", asking));
      const again = await dayFor("dave", "warn me staging");
      await pollAt("18:31");
      const [warning] = again();
      expect(warning && buttonsOn(warning)).toContain("Tonight");
      if (!warning) return;
      const { message } = await messagesAfter(curfew(), "dave", () => person("dave").press("Tonight", warning), "dm");
      expect(buttonsOn(message)).toEqual(["Ask carol to allow it"]);
    });

    it.each([
      ["alice", "lost the right", () => curfew().workspace.changes.setGroup("engineers", [])],
      ["carol", "was deactivated by then", () => curfew().workspace.changes.changePerson("carol", { deleted: true })],
      ["carol", "is a guest by then", () => curfew().workspace.changes.changePerson("carol", { isRestricted: true })],
    ])("%s gets nothing who %s", async (who, _why, change) => {
      const said = await dayFor(who, "warn me about staging");
      await change();
      clock.advance(31_000);
      await pollAt("18:31");
      expect(said()).toEqual([]);
    });

    it("a warning may be for the stops of one time only, and takes nothing from one for every stop", async () => {
      const tomorrow = await dayFor("alice", "ping me 10 before staging stops tomorrow");
      await pollAt("18:51");
      expect(tomorrow()).toEqual([]);
      expect((await ask(curfew(), "alice", "warnings")).text).toContain("warning 10 min before it stops · only ");
      const said = await dayFor("alice", "warn me 1h before staging, just tonight");
      await pollAt("18:01");
      expect(said()).toHaveLength(1);
      await ask(curfew(), "alice", "warn me about staging");
      const { text } = await ask(curfew(), "alice", "warn me 10 minutes before staging goes down tonight");
      expect(text).toContain("You're warned 30 min before every stop of staging already. Nothing was changed.");
      expect((await ask(curfew(), "alice", "warn me about staging on monday and on thursday")).text).toContain(
        "is no single time ahead. Nothing was changed.",
      );
    });

    it("a person sees their warnings and stops them", async () => {
      const said = await dayFor("alice", "warn me about staging");
      const { message, text } = await ask(curfew(), "alice", "warnings");
      expect(text).toContain("You get 1 warning, as direct messages");
      expect(text).toContain("staging* · warning 30 min before it stops");
      await messagesAfter(curfew(), "alice", () => person("alice").press("Stop warning me", message));
      expect((await ask(curfew(), "alice", "warnings")).text).toContain("You get no warnings");
      await pollAt("18:31");
      expect(said()).toEqual([]);
    });

    it("the card of an exclusion offers a warning of its group", async () => {
      await begin(action("a-staging", "19:00"));
      await ask(curfew(), "alice", "exclude staging for 1h");
      await curfew().app.idle();
      const card = curfew()
        .workspace.channel("ops")
        .messages.findLast(({ isFromApp }) => isFromApp);
      if (!card) throw new Error("There is no card.");
      expect(menusOn(card).flat()).toContain("Warn me");
      const { text } = await messagesAfter(curfew(), "carol", () => person("carol").press("Warn me", card));
      expect(text).toContain("You'll get a direct message 30 min before staging stops");
    });

    it.each([
      [
        "alice",
        "warn me about nothing",
        "There is no group nothing that you may see, and only groups can be warned about.",
      ],
      ["dave", "warn me about staging", "You can't get a direct message before a group stops."],
      ["alice", "warn me about staging --before 2d", "A warning can come 1m to 24h before."],
    ])("%s is refused: %s", async (who, line, why) => {
      expect((await ask(curfew(), who, line)).text).toContain(why);
    });
  },
  { config, startAt: warningStart },
);
