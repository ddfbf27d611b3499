import { describe, expect, it } from "vitest";
import type { OpenView } from "../../src/sandbox/workspace/form-fields.ts";
import { ask, buttonsOn, changesSentTo, messagesAfter, openForm, send } from "../support/journey.ts";
import { lastBody, oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";
import { aWeekEach } from "../support/week-each.ts";

/** A Wednesday in winter, 13:00 in Berlin, where alice and the channel are. */
const startAt = Date.parse("2026-11-04T12:00:00Z");
const { curfew, clock, person } = oneBot({ config: unlimitedConfig.replace("project: p-dev, zone", "zone"), startAt });
const { day } = aWeekEach(clock, startAt);
const what = { blockId: "exclusion create/resourceIds", actionId: "input" };

/** Waits for the form that says so. */
const formThat = (who: string, isMeant: (view: OpenView) => boolean) =>
  curfew().workspace.waitFor(
    () => {
      const view = person(who).openView();
      return view && isMeant(view) ? view : undefined;
    },
    { what: "the form drawn again" },
  );
const formSaying = (who: string, text: string) => formThat(who, (view) => view.text.includes(text));

/** Types into the form as a client does, without Enter. */
const type = (who: string, text: string) => person(who).set(what, text, "view");
const endIn = ({ values }: OpenView) => new Date(Number(values.Until?.selected_date_time) * 1000).toISOString();
/** Whether it ends this long from now, on a whole minute. */
const endsIn = (view: OpenView, hours: number) =>
  Math.abs(Date.parse(endIn(view)) - (clock.now() + hours * 3_600_000)) <= 60_000;

describe("the exclusion form", () => {
  it("shows while one types what is understood, what it prevents and what is kept already", async () => {
    await ask(curfew(), "alice", "exclude i-0a1 until 15:00 --project p-dev --another");
    await openForm(curfew(), "alice", "exclude");
    await type("alice", "stagin");
    expect((await formSaying("alice", "I don't know “stagin”")).text).toContain("Did you mean “staging”?");
    await type("alice", "staging");
    const { text, values } = await formSaying("alice", "staging: 2 EC2 instances in Development (i-0a1, i-0a2)");
    expect(text).not.toContain("I don't know");
    expect(text).toContain("You keep some of them running too.");
    expect(values.What).toMatchObject({ value: "staging" });
    await person("alice").press("Tomorrow morning", "view");
    const later = await formSaying("alice", "Prevents “Stop staging at 19:00”");
    await person("alice").press("Extend that one", "view");
    expect((await formThat("alice", ({ title }) => title === "Keep longer")).id).toBe(later.id);
    await person("alice").cancel();
  });

  it("has ready ends, which the picker then shows, and keeps what was typed", async () => {
    await openForm(curfew(), "alice", "exclude");
    await type("alice", "i-0d1");
    await person("alice").fill({ Why: "demo at eight" });
    const ends: Readonly<Record<string, (view: OpenView) => boolean>> = {
      "1 h": (view) => endsIn(view, 1),
      Tonight: (view) => endIn(view) === day("23:00"),
      "2 h": (view) => endsIn(view, 2),
      "Tomorrow morning": (view) => endIn(view) === day("07:00", 1),
    };
    for (const [label, isShown] of Object.entries(ends)) {
      await person("alice").press(label, "view");
      const { values } = await formThat("alice", isShown);
      expect(values).toMatchObject({ What: { value: "i-0d1" }, Why: { value: "demo at eight" } });
    }
    const chosen = Date.parse(day("15:30"));
    const { text } = await send(curfew(), "alice", { Until: chosen / 1000 });
    expect(text).toContain("Keeping i-0d1 running until");
    expect(lastBody(curfew(), "CreateActionExclusion")).toMatchObject({ expiryDate: new Date(chosen).toISOString() });
  });

  it("has a button that says what it does", async () => {
    await openForm(curfew(), "alice", "exclude");
    expect(person("alice").openView()?.submit).toBe("Keep running");
    await person("alice").press("More…", "view");
    await formThat("alice", ({ fields }) => fields.includes("Effect"));
    for (const label of ["Keep off", "Leave alone", "Keep running"]) {
      await person("alice").fill({ Effect: label });
      await formThat("alice", ({ submit }) => submit === label);
    }
    await person("alice").cancel();
  });

  it("asks for the project in sight once it cannot be derived, and not before", async () => {
    await openForm(curfew(), "carol", "exclude");
    await type("carol", "i-0e");
    await type("carol", "i-0e1");
    const asked = await formThat("carol", ({ fields }) => fields.includes("Project"));
    expect(asked.fields).toEqual(["What", "Or choose", "Project", "Until", "Why"]);
    await person("carol").fill({ Project: "Production (p-prod)" });
    await formSaying("carol", "1 EC2 instance in Production");
    expect((await send(curfew(), "carol")).text).toContain("Keeping i-0e1");
    expect(lastBody(curfew(), "CreateActionExclusion")).toMatchObject({ projectId: "p-prod" });
  });

  it("that is sent before it was drawn again asks for the project, and changes nothing", async () => {
    clock.advance(25 * 3_600_000);
    await openForm(curfew(), "carol", "exclude");
    const sent = changesSentTo(curfew());
    curfew().workspace.faults.failNext("views.update", { error: "internal_error" });
    await type("carol", "i-0e2");
    expect(await person("carol").submit()).toEqual({ kind: "updated" });
    const asked = person("carol").openView();
    expect(asked?.text).toContain("*Project* is missing. Nothing was changed yet");
    expect(asked?.values.What).toMatchObject({ value: "i-0e2" });
    expect(sent()).toEqual([]);
    await send(curfew(), "carol", { Project: "Development (p-dev)" });
    expect(sent()).toEqual(["CreateActionExclusion"]);
  });

  it("draws the newest of what was typed quickly, and loses nothing that was chosen between", async () => {
    await openForm(curfew(), "alice", "exclude");
    const typed = ["i-0f", "i-0f1", "i-0f1 i-0f", "i-0f1 i-0f2"];
    const acts: readonly (() => Promise<unknown>)[] = [
      ...typed.map((text) => () => type("alice", text)),
      () => person("alice").press("2 h", "view"),
      () => person("alice").press("More…", "view"),
    ];
    await Promise.all(acts.map((act) => act()));
    const form = await formThat("alice", ({ text, fields }) => text.includes("2 EC2") && fields.includes("Name"));
    expect(form.values.What).toMatchObject({ value: "i-0f1 i-0f2" });
    expect(endsIn(form, 2)).toBe(true);
    await person("alice").cancel();
  });
});

describe("the form to extend an exclusion", () => {
  it("carries the length of the line to the exclusion that is chosen in it", async () => {
    const { exclusionId } = await ask(curfew(), "alice", "exclude i-0b7 for 1h --project p-dev");
    const before = Date.parse(curfew().service.account.exclusions.get(exclusionId)?.expiryDate ?? "");
    const question = await ask(curfew(), "alice", "extend 2h");
    expect(question.text).toContain("Which one? Nothing was changed yet.");
    await person("alice").press("Other…", question.message);
    const form = await formThat("alice", ({ title }) => title === "Keep longer");
    expect(form.text).toContain("If empty, it ends 2 h from its present end");
    await send(curfew(), "alice", { What: exclusionId });
    const after = Date.parse(curfew().service.account.exclusions.get(exclusionId)?.expiryDate ?? "");
    expect(after - before).toBe(2 * 3_600_000);
  });

  it("“extend it” asks which, with one's own as buttons that carry the length", async () => {
    const { exclusionId } = await ask(curfew(), "alice", "exclude i-0b8 for 1h --project p-dev");
    const before = Date.parse(curfew().service.account.exclusions.get(exclusionId)?.expiryDate ?? "");
    for (const line of ["extend it 30m", "extend 30m"]) {
      const { message } = await ask(curfew(), "alice", line);
      const label = buttonsOn(message).find((each) => each.includes(exclusionId)) ?? "";
      const { text } = await messagesAfter(curfew(), "alice", () => person("alice").press(label, message));
      expect(text).toContain("i-0b8: now until");
    }
    const after = Date.parse(curfew().service.account.exclusions.get(exclusionId)?.expiryDate ?? "");
    expect(after - before).toBe(3_600_000);
    clock.advance(48 * 3_600_000);
    expect((await ask(curfew(), "alice", "extend it 1h")).text).toContain("You keep nothing running.");
  });
});
