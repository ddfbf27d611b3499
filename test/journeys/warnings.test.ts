import { describe, expect, it } from "vitest";
import { ask, buttonsOn, messagesAfter, nowOf, textOf } from "../support/journey.ts";
import { withOneBot } from "../support/one-bot.ts";
import { only, warningConfig, warningDay, warningStart } from "../support/warnings.ts";

const choices = ["1 h", "2 h", "Tonight", "Tomorrow morning"];

withOneBot(
  (curfew, clock) => {
    const { action, at, begin, pollAt } = warningDay(curfew, clock);
    const person = (who: string) => curfew().workspace.as(who);
    const lastEnd = () => Date.parse([...curfew().service.account.exclusions.values()].at(-1)?.expiryDate ?? "");

    describe("a channel is warned before what comes up", () => {
      it("once, with choices that keep the one group running until past the run", async () => {
        const said = await begin(action("a-staging", "19:00"));
        await pollAt("18:29");
        expect(said()).toEqual([]);
        await pollAt("18:31");
        const warning = only(said());
        expect(textOf(warning)).toContain("19:00 (Europe/Berlin");
        expect(textOf(warning)).toContain("* · Stop staging\n");
        expect(buttonsOn(warning)).toEqual(["Keep staging running…", ...choices]);
        await messagesAfter(curfew(), "alice", () => person("alice").press("Tonight", warning));
        expect(lastEnd()).toBe(at("00:00", 1));
        await curfew().app.idle();
        expect(textOf(nowOf(curfew(), warning))).toMatch(/\*staging\* is kept running until .* by <@U01ALICE>/);
        expect(buttonsOn(nowOf(curfew(), warning))).toEqual([]);
        await pollAt("18:45");
        expect(said()).toHaveLength(1);
      });

      it("and offers the choices again when the exclusion is ended", async () => {
        const said = await begin(action("a-staging", "19:00"));
        await pollAt("18:31");
        const warning = only(said());
        const press = (label: string) =>
          messagesAfter(curfew(), "alice", () => person("alice").press(label, nowOf(curfew(), warning)));
        const { message } = await press("1 h");
        expect(lastEnd()).toBe(at("20:00"));
        await messagesAfter(curfew(), "alice", () => person("alice").press("Undo", message));
        await pollAt("18:32");
        expect(buttonsOn(nowOf(curfew(), warning))).toContain("1 h");
        expect((await press("1 h")).text).toContain("Keeping staging");
      });

      it("and judges whoever presses", async () => {
        const said = await begin(action("a-staging", "19:00"));
        await pollAt("18:31");
        const { text } = await messagesAfter(curfew(), "dave", () => person("dave").press("Tonight", only(said())));
        expect(text).toContain("You can't keep machines running or off");
      });

      it("in one message for everything at that minute, which asks for the group", async () => {
        const said = await begin(action("a-staging", "19:00"), action("a-build", "19:00"), action("a-late", "23:00"));
        await pollAt("18:31");
        const warning = only(said());
        expect(textOf(warning)).toContain("* · Stop staging, Stop build\n");
        const { message, text } = await messagesAfter(curfew(), "alice", () =>
          person("alice").press("Tomorrow morning", warning),
        );
        expect(text).toContain("Which one?");
        await messagesAfter(curfew(), "alice", () => person("alice").fill({ "Choose a group…": "build" }, message));
        expect(lastEnd()).toBe(at("08:00", 1));
        await curfew().app.idle();
        expect(textOf(nowOf(curfew(), warning))).toContain("*build* is kept running");
        expect(buttonsOn(nowOf(curfew(), warning))).toEqual(["Keep staging running…", ...choices]);
      });

      it("with the filled form where no group names what is stopped", async () => {
        const said = await begin(action("a-other", "19:00"));
        await pollAt("18:31");
        expect(buttonsOn(only(said()))).toEqual(["Keep running…"]);
        await person("alice").press("Keep running…", only(said()));
        const form = await curfew().workspace.waitFor(() => person("alice").openView());
        expect(JSON.stringify(form)).toContain(String(at("19:05") / 1000));
        expect(JSON.stringify(form.blocks)).not.toContain("is needed");
      });

      it("in one message for forty actions", async () => {
        const said = await begin(...Array.from({ length: 40 }, (_, index) => action(`a-${index}`, "19:00")));
        await pollAt("18:31");
        expect(textOf(only(said()))).toContain("Stop 0, Stop 1, Stop 2 and 37 more");
      });

      it("and shows what is kept running already", async () => {
        const said = await begin(action("a-staging", "19:00"), action("a-build", "19:00"));
        await ask(curfew(), "alice", "exclude staging until 20:00");
        await pollAt("18:31");
        const warning = only(said());
        expect(textOf(warning)).toMatch(/\*staging\* is kept running until .*20:00.* by <@U01ALICE>/);
        expect(buttonsOn(warning)).toEqual(["Keep build running…", ...choices]);
      });
    });
  },
  { config: warningConfig, startAt: warningStart },
);

withOneBot(
  (curfew, clock) => {
    const { action, begin, pollAt } = warningDay(curfew, clock);

    it("a channel is warned of the runs of its groups alone", async () => {
      const said = await begin(action("a-staging", "19:00"), action("a-build", "19:00"), action("a-late", "19:00"));
      await pollAt("18:31");
      const warning = only(said());
      expect(textOf(warning)).toContain("* · Stop build\n");
      expect(buttonsOn(warning)).toEqual(["Keep build running…", ...choices]);
    });
  },
  {
    config: warningConfig.replace("{ projects: [p-dev], processes: [stop]", "{ groups: [build], processes: [stop]"),
    startAt: warningStart,
  },
);
