import { expect, it } from "vitest";
import { ask, openForm } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";

const { curfew, clock } = oneBot();
/** A Wednesday, 13:00 in Berlin, where alice is. The sandbox's group names its actions. */
const wednesday = Date.parse("2027-03-03T12:00:00Z");
clock.advance(wednesday - clock.now());

it("shows in a form which runs the exclusion of a group prevents, and none of other machines", async () => {
  await openForm(curfew(), "alice", "exclude");
  const alice = curfew().workspace.as("alice");
  await alice.fill({ What: "staging" });
  await alice.fill({ Until: Date.parse("2027-03-03T22:30:00Z") / 1000 });
  const form = await curfew().workspace.waitFor(() => {
    const view = alice.openView();
    return view?.text.includes("Prevents") ? view : undefined;
  });
  expect(form.text).toContain("Prevents “Stop staging at 19:00”: Wed 3 Mar, 20:00.");
  expect(form.text).not.toContain("Stop build machines");
  expect(form.text.match(/Europe\/Berlin/g), "the zone is named once").toHaveLength(1);
});

it("tells the requester which runs the exclusion of a group prevents", async () => {
  const { text } = await ask(curfew(), "alice", "exclude staging until 23:30");
  expect(text).toMatch(/Keeping staging running until [^.]*23:30[^.]*\./);
  expect(text).toContain("Prevents “Stop staging at 19:00” <!date^");
});
