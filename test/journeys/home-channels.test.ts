import { beforeEach, expect, it } from "vitest";
import type { OpenView } from "../../src/sandbox/workspace/form-fields.ts";
import { ask, buttonsOn, changesSentTo, fillIn, messagesAfter } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

/** Engineers may act in #ops only. A Monday, 18:30 in London: staging stops in half an hour. */
const { curfew, clock } = oneBot({ config: unlimitedConfig, startAt: Date.parse("2027-04-05T17:30:00Z") });
const alice = () => curfew().workspace.as("alice");

async function home(): Promise<OpenView> {
  await curfew().app.idle();
  const before = alice().home()?.hash;
  await alice().openHome();
  return curfew().workspace.waitFor(
    () => {
      const view = alice().home();
      return view && view.hash !== before && view;
    },
    { what: "the Home tab" },
  );
}
const toAlice = (act: () => Promise<unknown>) => messagesAfter(curfew(), "alice", act, "dm");
const formIn = async (label: string, options: object = {}) => {
  await alice().press(label, "home", options);
  return curfew().workspace.waitFor(() => alice().openView(), { what: "the form" });
};
/** Longer than a membership is kept. */
const laterBy = () => clock.advance(61_000);

beforeEach(async () => {
  await curfew().workspace.changes.join("alice", "ops");
  laterBy();
});

it("the Home tab offers what one may do in one channel only, and says where", async () => {
  await ask(curfew(), "carol", "exclude i-0e7 --project p-prod for 5h");
  await ask(curfew(), "carol", 'exclude i-0e8 --project p-dev for 5h --name "Fair"');
  const view = await home();
  expect(buttonsOn(view).slice(0, 2)).toEqual(["Keep something running in #ops", "Find… in #ops"]);
  expect(JSON.stringify(view.blocks[0])).toContain("Keep longer in #ops");
  expect(view.text).toContain("*Stops next* · in <#C0OPS>");
  expect(buttonsOn(view).slice(-3)).toEqual(["The team's in #ops", "Next 24 hours in #ops", "Lately"]);
  expect(view.text).not.toContain("i-0e7");
  expect(view.text).not.toContain("Some of your rights");
});

it("a form of the Home tab is performed in the name of the channel", async () => {
  await home();
  await formIn("Keep something running in #ops");
  const { text, changeId } = await toAlice(async () => {
    await alice().fill({ What: "staging", Why: "demo" });
    expect(await alice().submit()).toEqual({ kind: "closed" });
  });
  expect(text).toContain("Keeping staging running");
  expect(
    await curfew().workspace.waitFor(() =>
      curfew()
        .workspace.channel("ops")
        .messages.some((each) => each.text.includes(changeId)),
    ),
  ).toBe(true);
  const extend = await toAlice(async () => {
    const view = await home();
    expect(view.text).toMatch(/\*Yours\* · in <#C0OPS>\n.*\*staging\* · until/);
    await alice().press("Extend 1 h", "home");
  });
  expect(extend.text).toContain(": now until");
});

it("the Home tab gives nothing by a channel that its reader has left", async () => {
  await home();
  await curfew().workspace.changes.leave("alice", "ops");
  laterBy();
  const sent = changesSentTo(curfew());
  const refused = await toAlice(() => alice().press("Keep something running in #ops", "home"));
  expect(refused.text).toMatch(
    /^:no_entry: You can keep machines running or off only in <#C0OPS>.* Nothing was changed/,
  );
  const view = await home();
  expect(buttonsOn(view)).not.toContain("Keep something running in #ops");
  expect(view.text).toContain("Some of your rights hold only in <#C0OPS>");
  expect(view.text).not.toContain("*Stops next*");
  expect(sent()).toEqual([]);
});

it("a form of the Home tab is refused when its sender has left the channel since it was opened", async () => {
  await home();
  await formIn("Keep something running in #ops");
  await fillIn(curfew(), "alice", { What: "i-0a1", Project: "p-dev" });
  await curfew().workspace.changes.leave("alice", "ops");
  laterBy();
  const sent = changesSentTo(curfew());
  expect(await alice().submit()).toEqual({ kind: "updated" });
  expect(alice().openView()?.text).toMatch(/only in .*Nothing was changed/s);
  expect(sent()).toEqual([]);
  await alice().cancel();
});

it("without Slack's word on who is in the channel the Home tab only names it", async () => {
  laterBy();
  curfew().workspace.faults.failNext("conversations.members", { error: "missing_scope" });
  const view = await home();
  expect(view.text).toContain("Some of your rights hold only in <#C0OPS>");
  laterBy();
  expect(buttonsOn(await home())).toContain("Keep something running in #ops");
});
