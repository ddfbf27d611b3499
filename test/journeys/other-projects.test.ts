import { describe, expect, it } from "vitest";
import { ask, askWithNewId, openForm, unfold } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

const { curfew } = oneBot({
  config: unlimitedConfig.replace("        own: true #", "        own: false #"),
});
const replyTo = async (who: string, line: string) => (await ask(curfew(), who, line)).text;
/** Made by Carol, who may do everything; Alice is limited to p-dev. */
const excluded = (project: string, id: string) => ask(curfew(), "carol", `exclude ${id} --project ${project} for 2h`);
/** With the ids behind its buttons. */
const historyOf = async (who: string) => JSON.stringify((await ask(curfew(), who, "history")).message.blocks);
const suggested = async (who: string, label: string) =>
  (await curfew().workspace.as(who).suggest(label, "")).map(({ text }) => text);

describe("the history for a role limited to one project", () => {
  it("shows other people's changes in that project only", async () => {
    const here = await excluded("p-dev", "i-0d1");
    const there = await excluded("p-prod", "i-0d2");
    const user = await ask(curfew(), "bob", "user email u-00000004 dave@example.org");
    const alices = await historyOf("alice");
    expect(alices).toContain(here.changeId);
    expect(alices).not.toContain(there.changeId);
    expect(alices).not.toContain("dave");
    for (const { changeId } of [there, user]) {
      expect(await replyTo("alice", `history ${changeId}`)).toContain(
        `There is no change ${changeId} that you may see.`,
      );
    }
    const carols = await historyOf("carol");
    for (const { changeId } of [here, there, user]) expect(carols).toContain(changeId);
  });

  it("is filled to its usual length from older changes", async () => {
    const { changeId } = await excluded("p-dev", "i-0d3");
    for (let index = 0; index < 16; index += 1) await ask(curfew(), "carol", `project rename p-prod Live ${index}`);
    expect(await historyOf("alice")).toContain(changeId);
  });

  it("includes one's own changes and those that one may make", async () => {
    const user = await ask(curfew(), "carol", "user disable u-00000004");
    const exclusion = await excluded("p-dev", "i-0d4");
    const bobs = await historyOf("bob");
    expect(bobs).toContain(user.changeId);
    expect(bobs).not.toContain(exclusion.changeId);
    await ask(curfew(), "bob", "user enable u-00000004");
    expect(await historyOf("dave")).not.toMatch(/chg-/);
  });
});

describe("the suggestions of a form", () => {
  it("include only projects where the form can be used, or else the typed text", async () => {
    await openForm(curfew(), "alice", "exclude");
    await unfold(curfew(), "alice");
    expect(await suggested("alice", "Project")).toEqual(["Development (p-dev)"]);
    await openForm(curfew(), "carol", "exclude");
    await unfold(curfew(), "carol");
    expect((await suggested("carol", "Project")).join()).toContain("(p-prod)");
  });

  it("omit exclusions of other projects", async () => {
    await excluded("p-dev", "i-0d5");
    await excluded("p-prod", "i-0d6");
    await openForm(curfew(), "alice", "exclusion end");
    const shown = (await suggested("alice", "What")).join();
    expect(shown).toMatch(/i-0d5 — until .* · carol/);
    expect(shown).not.toContain("i-0d6");
  });

  it("omit plans and selectors of other projects", async () => {
    await askWithNewId(curfew(), "carol", "selector show plan-00000002 sel-00000004");
    await openForm(curfew(), "alice", "selector show");
    expect(await suggested("alice", "Plan")).toEqual(["Development office hours (plan-00000001)"]);
    const shown = (await suggested("alice", "Selector")).join();
    expect(shown).toContain("sel-00000001");
    expect(shown).not.toContain("sel-00000004");
  });
});

describe("the form that extends an exclusion", () => {
  it("suggests an end, and opens only for those who may extend it", async () => {
    const id = (await excluded("p-prod", "i-0d7")).exclusionId;
    const form = await openForm(curfew(), "carol", `exclusion extend ${id}`);
    expect(form.values.Until?.selected_date_time ?? null).not.toBeNull();
    expect(await replyTo("alice", `exclusion extend ${id}`)).toMatch(/^:no_entry: .* Nothing was changed\./);
    expect(curfew().workspace.as("alice").openView()).toBeUndefined();
  });
});

describe("an undo without permission", () => {
  it("reveals neither the outcome nor who changed it since", async () => {
    const first = await ask(curfew(), "carol", "project rename p-prod Once");
    await ask(curfew(), "carol", "project rename p-prod Twice");
    curfew().service.faults.next({ kind: "status", operation: "ModifyProject", status: 400 });
    const failed = await ask(curfew(), "carol", "project rename p-prod Never");
    for (const { changeId } of [first, failed]) {
      for (const who of ["alice", "bob", "dave"]) {
        const text = await replyTo(who, `undo ${changeId}`);
        expect(text).toMatch(/^:no_entry: .* Nothing was changed\./);
        expect(text).not.toMatch(/carol|failed|since|Once/);
      }
    }
    expect(await replyTo("carol", `undo ${first.changeId}`)).toContain("you have changed the same thing since");
  });
});
