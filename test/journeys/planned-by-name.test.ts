import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { press } from "../support/approval-journey.ts";
import { createClock } from "../support/clock.ts";
import {
  ask,
  buttonsOn,
  cardOf,
  changesSentTo,
  messagesAfter,
  nowOf,
  openForm,
  send,
  textOf,
} from "../support/journey.ts";
import { passTo } from "../support/pass-to.ts";
import { createSignal } from "../support/signal.ts";
import { type Curfew, startCurfew, unlimitedConfig } from "../support/start-curfew.ts";

/** A Wednesday, 11:40 in Berlin. */
const wednesday = Date.parse("2026-11-25T10:40:00Z");
const series = "keep staging up every thu 18:00-22:00 until 2026-12-10";
const once = "keep staging up from fri 18:00 until fri 22:00";
const moment = (text: string) => `<!date^${Date.parse(text) / 1000}^`;

let clock = createClock(wednesday);
let curfew: Curfew;
beforeEach(async () => {
  clock = createClock(wednesday);
  curfew = await startCurfew({ config: unlimitedConfig, now: clock.now });
});
afterEach(() => curfew.stop());

const at = (time: string) => passTo(curfew, clock, time);
const alice = () => curfew.workspace.as("alice");
const say = (line: string) => ask(curfew, "alice", line);
const cardAfter = async (line: string) => textOf(await cardOf(curfew, (await say(line)).changeId));
const form = (title: string) =>
  curfew.workspace.waitFor(() => (alice().openView()?.title === title ? alice().openView() : undefined), {
    what: `the form ${title}`,
  });

describe("a series that is named by its group", () => {
  it("is withdrawn only when that is chosen, however often and by whatever word it was ended", async () => {
    const { changeId } = await say(series);
    const card = await cardOf(curfew, changeId);
    const asked = [];
    for (const line of ["end staging", "end staging", "withdraw staging", "undo i-0a1", `end ${changeId}`])
      asked.push(await say(line));
    for (const { text, message } of asked) {
      expect(text).toContain("is planned every Thu 18:00–22:00 until Thu 10 Dec 2026, and 3 times are left.");
      expect(text).toContain("Nothing was changed yet.");
      expect(buttonsOn(message)).toEqual([
        "Leave out only Thu 26 Nov, 18:00–22:00",
        "Withdraw the whole series (3 times)",
      ]);
    }
    await curfew.app.idle();
    expect(textOf(nowOf(curfew, card))).toContain("3 left");
    const [first] = asked;
    const withdrawn = await press(curfew, "alice", "Withdraw the whole series (3 times)", first?.message ?? card);
    expect(withdrawn.text).toContain("You withdrew it.");
    const again = await press(curfew, "alice", "Plan it again", withdrawn.message);
    expect(again.text).toContain("You plan to keep staging running every Thu");
    await at("2026-11-26T17:00:01Z");
    expect(curfew.service.account.exclusions.size).toBeGreaterThan(0);
    await say(`withdraw ${again.changeId}`);
    await curfew.workspace.changes.setGroup("engineers", []);
    await at("2026-11-26T17:30:00Z");
    const { message } = await say(`undo ${again.changeId}`);
    expect((await press(curfew, "alice", "Plan it again", message)).text).toContain(":no_entry:");
  });

  it("is edited and not extended, since which of its times is meant is not said", async () => {
    await say(series);
    const { text, message } = await say("extend staging 1h");
    expect(text).toContain("change its times in the form");
    expect(buttonsOn(message)).toEqual(["Edit…"]);
    await alice().type("/curfew edit staging", "ops");
    await form("Keep running again");
    expect((await send(curfew, "alice", {})).text).toContain("It is planned like this already");
  });
});

describe("a plan that is named by its group", () => {
  it("is extended and edited, and nothing is changed by sending its form as it is", async () => {
    const sent = changesSentTo(curfew);
    await say(once);
    expect(await cardAfter("extend staging 2h")).toContain(`until *${moment("2026-11-27T23:00:00Z")}`);
    expect(await cardAfter("shorten staging by 1h")).toContain(`until *${moment("2026-11-27T22:00:00Z")}`);
    await alice().type("/curfew edit staging", "ops");
    await form("Keep running");
    const { text, message } = await send(curfew, "alice", {});
    expect(text).toContain("It is planned like this already");
    expect(buttonsOn(message)).toEqual(["Edit…"]);
    await at("2026-11-27T17:00:01Z");
    expect(sent()).toEqual(["CreateActionExclusion"]);
    const { text: ended } = await say("undo staging");
    expect(ended).toContain("Changes that can be undone, of staging");
  });

  it("is asked about where there are several, and planned again after it was withdrawn", async () => {
    const { changeId } = await say(once);
    await say("keep staging up from sat 18:00 until sat 22:00");
    for (const line of ["end staging", "withdraw staging"]) {
      const which = await say(line);
      expect(which.text).toContain("Nothing was changed.");
      expect(buttonsOn(which.message)).toHaveLength(2);
    }
    expect((await say("cancel staging on friday")).text).toContain("You withdrew it.");
    expect(buttonsOn((await say("undo")).message)).toEqual(["Plan it again"]);
    const asked = await say(`undo ${changeId}`);
    expect(asked.text).toContain("It was withdrawn before. Nothing was changed now.");
    const again = await press(curfew, "alice", "Plan it again", asked.message);
    expect(again.text).toContain("Planned.");
    expect(textOf(await cardOf(curfew, again.changeId))).toContain(`from *${moment("2026-11-27T17:00:00Z")}`);
  });
});

describe("the form that ends an exclusion", () => {
  it("suggests what is planned, and asks the same of a series", async () => {
    const { changeId } = await say(series);
    await openForm(curfew, "alice", "exclusion end");
    const suggested = await alice().suggest("What", "stag");
    expect(JSON.stringify(suggested)).toContain("staging — planned every Thu 18:00–22:00");
    await alice().fill({ What: changeId });
    expect(await alice().submit()).toEqual({ kind: "updated" });
    const whole = "Withdraw the whole series (3 times)";
    expect(buttonsOn(alice().openView() ?? { blocks: [] })).toContain(whole);
    const { text } = await messagesAfter(curfew, "alice", () => alice().press(whole, "view"));
    expect(text).toContain("You withdrew it.");
  });
});

describe("a series whose times follow each other without a gap", () => {
  it("counts as one exclusion, which others may be asked to allow as a whole", async () => {
    const sent = changesSentTo(curfew);
    const refused = await say("keep staging up every day 8:00-7:59 for 4 days");
    expect(refused.text).toContain("Its times have less than an hour between them. So they count as one.");
    expect(refused.text).toContain(
      "You can keep machines running or off for at most 1 d from its start. This would be",
    );
    const [label = ""] = buttonsOn(refused.message);
    expect(label).toMatch(/^Ask carol to allow \d d/);
    const asked = await press(curfew, "alice", label, refused.message);
    expect(asked.text).toContain("This waits for approval.");
    const card = await cardOf(curfew, asked.changeId);
    expect(textOf(card)).toContain("over <@U01ALICE>'s limit of 1 d");
    await press(curfew, "carol", "Approve", card);
    for (const day of ["26", "27"]) await at(`2026-11-${day}T07:00:01Z`);
    expect(sent()).toEqual(["CreateActionExclusion", "CreateActionExclusion"]);
    const long = await say("keep i-0a3 up every day 8:00-7:30 until 2026-12-20");
    expect(long.text).toContain("Nothing is kept for more than 14 d in a row");
    expect(buttonsOn(long.message)).toEqual(["Change the times…"]);
    expect((await say("keep i-0a3 up every day 18:00-8:00 for 4 weeks")).text).toContain("You plan to keep");
  });

  it("is refused to who may not make a single one, and may be asked for", async () => {
    await curfew.stop();
    const config = unlimitedConfig.replace("maxExclusion: 24h", "maxExclusion: 2h");
    curfew = await startCurfew({ config, now: clock.now });
    const { message } = await say(series);
    expect(buttonsOn(message)).toEqual(["Ask carol to allow 4 h"]);
    const { text } = await press(curfew, "alice", "Ask carol to allow 4 h", message);
    expect(text).toContain("This waits for approval.");
  });
});

describe("the answer to a plan", () => {
  it("never says that it overlaps with itself, however late its effect is foreseen", async () => {
    const { given: until, give: release } = createSignal();
    curfew.service.faults.next({ operation: "ListActions", kind: "held", until, acts: "before" });
    const answer = say(once);
    await curfew.workspace.waitFor(
      () =>
        alice()
          .messages("ops")
          .find(({ text }) => text.includes("wanted to keep")),
      {
        what: "the card",
      },
    );
    release();
    const { text } = await answer;
    expect(text).toContain("You plan to keep");
    expect(text).not.toContain("overlaps");
  });
});
