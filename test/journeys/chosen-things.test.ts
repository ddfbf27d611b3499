import { describe, expect, it } from "vitest";
import { ask, changesSentTo, fillIn, openForm, send } from "../support/journey.ts";
import { lastBody, oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";
import { aWeekEach } from "../support/week-each.ts";

/** A Wednesday, 13:00 in Berlin, where alice is: staging stops at 20:00 there. */
const startAt = Date.parse("2027-03-03T12:00:00Z");
const config = unlimitedConfig.replace(
  "resourceGroups:\n",
  "resourceGroups:\n  build: { type: amazon-ec2-instance, project: p-dev, ids: [i-0d1, i-0d2] }\n",
);
const { curfew, clock } = oneBot({ config, startAt });
aWeekEach(clock, startAt);
const alice = () => curfew().workspace.as("alice");
const formSaying = (text: string) =>
  curfew().workspace.waitFor(
    () => {
      const view = alice().openView();
      return view?.text.includes(text) && view;
    },
    { what: `a form that says ${text}` },
  );
const names = async (query: string) => (await alice().suggest("Or choose", query)).map(({ text }) => text);

describe("the exclusion form's picker", () => {
  it("offers groups, actions and machines by a part of their names", async () => {
    await openForm(curfew(), "alice", "exclude");
    expect(await names("stag")).toEqual([
      "staging — group",
      "Start staging at 07:30 — action",
      "Stop staging at 19:00 — action",
      "Stop staging at the weekend — action",
    ]);
    expect(await names("i-0d")).toEqual(["i-0d1 — machine", "i-0d2 — machine"]);
    expect((await names("")).slice(0, 2)).toEqual(["build — group", "staging — group"]);
    expect(await names("no such thing")).toEqual([]);
    await alice().cancel();
  });

  it("shows the state of what is chosen, and makes one request of it and of what is typed", async () => {
    await ask(curfew(), "alice", "exclude build until 15:00");
    await openForm(curfew(), "alice", "exclude");
    await fillIn(curfew(), "alice", { What: "i-0e1", Why: "demo" });
    await alice().fill({ "Or choose": ["staging — group", "build — group"] });
    const { text, values } = await formSaying("staging: stops today 20:00");
    expect(text).toContain("build: held until today 15:00");
    expect(values).toMatchObject({ What: { value: "i-0e1" }, Why: { value: "demo" } });
    const { text: done } = await send(curfew(), "alice");
    expect(done).toContain("Keeping i-0a1, i-0a2, i-0d1 and 2 more running");
    expect(lastBody(curfew(), "CreateActionExclusion")).toMatchObject({
      resourceIds: expect.arrayContaining(["i-0a1", "i-0a2", "i-0d1", "i-0d2", "i-0e1"]),
    });
  });

  it("keeps what is chosen while the form is drawn again, and needs nothing typed beside it", async () => {
    await openForm(curfew(), "alice", "exclude");
    await alice().fill({ "Or choose": ["Stop staging at 19:00 — action"] });
    await formSaying("Stop staging at 19:00: ");
    await alice().press("1 h", "view");
    await alice().press("More…", "view");
    const form = await curfew().workspace.waitFor(() => {
      const view = alice().openView();
      return view?.fields.includes("Name") && view;
    });
    expect(form.values).toMatchObject({
      "Or choose": { selected_options: [{ value: "action:a-00000002" }] },
      What: { value: null },
    });
    const sent = changesSentTo(curfew());
    await send(curfew(), "alice", { Name: "Chosen" });
    expect(sent()).toEqual(["CreateActionExclusion"]);
    expect(lastBody(curfew(), "CreateActionExclusion")).toMatchObject({ resourceIds: ["i-0a1", "i-0a2"] });
  });
});
