import { expect, it } from "vitest";
import type { OpenView } from "../../src/sandbox/workspace/driver/open-view.ts";
import { buttonsOn, changesSentTo, messagesAfter } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

/** Engineers may act anywhere. A Monday, 18:30 in London: staging stops in half an hour. */
const config = unlimitedConfig.replace(/ +channels: \[C0OPS\].*\n/, "");
const { curfew } = oneBot({ config, startAt: Date.parse("2027-04-05T17:30:00Z") });

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

it("the Home tab has buttons for the three questions, for those who may ask them", async () => {
  const buttons = buttonsOn(await homeOf("alice"));
  expect(buttons).toEqual(expect.arrayContaining(["Status", "Why", "What runs next"]));
  expect(buttons).not.toContain("Show user");
  const helpdesk = buttonsOn(await homeOf("bob"));
  expect(helpdesk).toContain("Show user");
  expect(helpdesk).not.toContain("Status");
});

it("a question on the Home tab is answered by direct message", async () => {
  const alice = curfew().workspace.as("alice");
  await homeOf("alice");
  await alice.press("Status", "home");
  await curfew().workspace.waitFor(() => alice.openView(), { what: "the form" });
  const { text } = await messagesAfter(
    curfew(),
    "alice",
    async () => {
      await alice.fill({ Thing: "staging" });
      await alice.submit();
    },
    "dm",
  );
  expect(text).toContain("staging: not excluded by anything that you may see");
});

it("a user is looked up from the Home tab", async () => {
  const bob = curfew().workspace.as("bob");
  await homeOf("bob");
  await bob.press("Show user", "home");
  await curfew().workspace.waitFor(() => bob.openView(), { what: "the form" });
  const { text } = await messagesAfter(
    curfew(),
    "bob",
    async () => {
      await bob.fill({ User: "u-00000004" });
      await bob.submit();
    },
    "dm",
  );
  expect(text).toContain("*dave*");
});

it("the Home tab keeps a group running past its next stop", async () => {
  const home = await homeOf("alice");
  expect(home.text).toContain("*Stop staging at 19:00*");
  const sent = changesSentTo(curfew());
  const { text } = await messagesAfter(
    curfew(),
    "alice",
    () =>
      curfew().workspace.as("alice").press("Keep running", "home", { actionId: "run:exclusion create:keep running" }),
    "dm",
  );
  expect(text).toContain("You excluded i-0a1, i-0a2 from stopping");
  expect(sent()).toEqual(["CreateActionExclusion"]);
});
