import { expect, it } from "vitest";
import type { OpenView } from "../../src/sandbox/workspace/form-fields.ts";
import { changesSentTo, messagesAfter } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";
import { aWeekEach } from "../support/week-each.ts";

/** Engineers may act anywhere. A Monday, 18:30 in London: staging stops in half an hour. */
const config = unlimitedConfig.replace(/ +channels: \[C0OPS\].*\n/, "");
const startAt = Date.parse("2027-04-05T17:30:00Z");
const { curfew, clock } = oneBot({ config, startAt });
aWeekEach(clock, startAt);

async function homeOf(who: string): Promise<OpenView> {
  const person = curfew().workspace.as(who);
  const before = person.home()?.hash;
  await person.openHome();
  return curfew().workspace.waitFor(
    () => {
      const home = person.home();
      return home && home.hash !== before && home;
    },
    { what: `the Home tab of ${who}` },
  );
}

it("the Home tab has a menu with the three questions, for those who may ask them", async () => {
  const more = (home: OpenView) => JSON.stringify(home.blocks[0]);
  const engineer = more(await homeOf("alice"));
  for (const question of ["Status", "Why", "What runs next"]) expect(engineer).toContain(`"text":"${question}"`);
  expect(engineer).not.toContain("Show user");
  const helpdesk = more(await homeOf("bob"));
  expect(helpdesk).toContain('"text":"Show user"');
  expect(helpdesk).not.toContain('"text":"Status"');
});

/** The view that shows an answer in place of its form. */
const answerTo = (who: string) =>
  curfew().workspace.waitFor(
    () => {
      const view = curfew().workspace.as(who).openView();
      return view && view.fields.length === 0 && view;
    },
    { what: "the answer" },
  );

it("a question on the Home tab is answered in its form, and leads on there", async () => {
  const alice = curfew().workspace.as("alice");
  await homeOf("alice");
  await alice.fill({ "menu:more": "Status" }, "home");
  await curfew().workspace.waitFor(() => alice.openView(), { what: "the form" });
  await alice.fill({ Thing: "staging" });
  expect(await alice.submit()).toEqual({ kind: "updated" });
  expect((await answerTo("alice")).text).toContain("staging: on schedule, as far as Curfew knows");
  await alice.press("Why?", "view", { actionId: "run:why:why?" });
  const why = () => alice.openView()?.text.includes("*staging*: ");
  await curfew().workspace.waitFor(why, { what: "the next answer" });
  await alice.cancel();
});

it("a user is looked up from the Home tab", async () => {
  const bob = curfew().workspace.as("bob");
  await homeOf("bob");
  await bob.fill({ "menu:more": "Show user" }, "home");
  await curfew().workspace.waitFor(() => bob.openView(), { what: "the form" });
  await bob.fill({ User: "u-00000004" });
  await bob.submit();
  expect((await answerTo("bob")).text).toContain("*dave*");
  await bob.press("Change e-mail", "view");
  const form = await curfew().workspace.waitFor(() => bob.openView()?.title === "Change e-mail" && bob.openView());
  expect(form.values.User?.selected_option).toMatchObject({ value: "u-00000004" });
  await bob.cancel();
});

it("a list of the Home tab is shown in a view, with its pages", async () => {
  const alice = curfew().workspace.as("alice");
  await homeOf("alice");
  const before = alice.home()?.hash;
  await alice.fill({ "menu:more": "Actions" }, "home");
  expect((await answerTo("alice")).text).toContain("Page 1 of 3");
  await alice.press("Next", "view");
  await curfew().workspace.waitFor(() => alice.openView()?.text.includes("Page 2 of 3"), { what: "the second page" });
  await alice.cancel();
  await curfew().workspace.waitFor(() => alice.home()?.hash !== before, { what: "a Home tab with nothing chosen" });
});

it("the Home tab keeps a group running past its next stop", async () => {
  const home = await homeOf("alice");
  expect(home.text).toMatch(/\*Stop staging at 19:00\* · <!date[^>]*> · staging/);
  const sent = changesSentTo(curfew());
  const { text } = await messagesAfter(
    curfew(),
    "alice",
    () => curfew().workspace.as("alice").press("Keep running", "home"),
    "dm",
  );
  expect(text).toContain("Keeping staging running");
  expect(sent()).toEqual(["CreateActionExclusion"]);
});
