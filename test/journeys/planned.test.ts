import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { StoredMessage } from "../../src/sandbox/workspace/state.ts";
import { verify } from "../store/history-file.ts";
import { configWith, directMessage, press } from "../support/approval-journey.ts";
import { createClock } from "../support/clock.ts";
import {
  ask,
  buttonsOn,
  cardOf,
  changesSentTo,
  fillIn,
  nowOf,
  openForm,
  send,
  textOf,
  threadOf,
} from "../support/journey.ts";
import { passTo, setClock } from "../support/pass-to.ts";
import { type Curfew, startCurfew, unlimitedConfig } from "../support/start-curfew.ts";

/** A Wednesday, 11:40 in Berlin. */
const wednesday = Date.parse("2026-11-25T10:40:00Z");
const friday = "2026-11-27T17:00:01Z";
const line = "exclude staging from fri 18:00 until sat 8:00";
const create = ["CreateActionExclusion"];

let clock = createClock(wednesday);
let curfew: Curfew;
const start = async (config = unlimitedConfig) => {
  clock = createClock(wednesday);
  curfew = await startCurfew({ config, now: clock.now });
};
beforeEach(() => start());
afterEach(async () => {
  expect(await verify(curfew.database)).toMatchObject({ kind: "intact" });
  await curfew.stop();
});

/** Another config, of this test only. */
async function startWith(config: string): Promise<void> {
  await curfew.stop();
  await start(config);
}

const at = (moment: string) => passTo(curfew, clock, moment);

async function plan(asked = line, who = "alice") {
  const reply = await ask(curfew, who, asked);
  const card = await cardOf(curfew, reply.changeId);
  await curfew.app.idle();
  return { ...reply, card };
}

const person = (who: string) => curfew.workspace.as(who);
const latest = () => [...curfew.service.account.exclusions.values()].at(-1);
const shown = (card: StoredMessage) => textOf(nowOf(curfew, card));
const moment = (text: string) => `<!date^${Date.parse(text) / 1000}^`;

describe("a planned exclusion", () => {
  it("is made when it is due, on its card, and not before", async () => {
    const sent = changesSentTo(curfew);
    const { card, text, message } = await plan();
    expect(textOf(message)).toMatch(/^:spiral_calendar_pad: Planned\. Prevents/);
    expect(text).toContain(`Prevents “Stop staging at 19:00” ${moment("2026-11-27T19:00:00Z")}`);
    expect(buttonsOn(message)).toEqual(["Withdraw"]);
    expect(shown(card)).toMatch(
      /^:spiral_calendar_pad: <@U01ALICE> plans to keep \*staging\* running from \*<!date\^.*\* until \*<!date\^.*\*\n2 × EC2 in Development/,
    );
    expect(shown(card)).toContain(moment("2026-11-27T17:00:00Z"));
    await at("2026-11-27T16:59:00Z");
    expect(sent()).toEqual([]);
    await at(friday);
    expect(sent()).toEqual(create);
    expect(latest()).toMatchObject({ expiryDate: "2026-11-28T07:00:00.000Z", resourceIds: ["i-0a1", "i-0a2"] });
    expect(shown(card)).toContain(":large_green_circle: <@U01ALICE> is keeping *staging* running until");
    expect(threadOf(curfew, card), "its card says it").toEqual([]);
    expect(buttonsOn(nowOf(curfew, card))).toEqual(["Extend 1 h", "Extend…", "End now"]);
  });

  it("is in lists, in what is said of its resources, in the history and in Home", async () => {
    await plan(`${line} because demo`);
    for (const asked of ["exclusion list", "exclusions mine", "status staging", "status"])
      expect((await ask(curfew, "alice", asked)).text, asked).toContain(
        ":spiral_calendar_pad: *staging* · planned from",
      );
    expect((await ask(curfew, "alice", "exclusions in prod")).text).not.toContain("planned from");
    const history = await ask(curfew, "alice", "history planned");
    expect(history.text).toContain(`wanted to keep staging running* · <!date^`);
    expect(history.text).toContain("planned · demo");
    await person("alice").openHome();
    await curfew.app.idle();
    expect(textOf({ blocks: person("alice").home()?.blocks ?? [], text: "" })).toContain("planned from");
  });

  it("is planned with the form as well, whose end counts from its start", async () => {
    await openForm(curfew, "alice", "exclude");
    await fillIn(curfew, "alice", { What: "staging", From: Date.parse("2026-11-27T17:00:00Z") / 1000 });
    await person("alice").press("2 h", "view");
    await curfew.app.idle();
    const { text } = await send(curfew, "alice", {});
    expect(text).toContain("until Fri 27 Nov 2026, 20:00");
    await at(friday);
    expect(latest()).toMatchObject({ expiryDate: "2026-11-27T19:00:00.000Z" });
  });

  it("has the length that was said from its start, and no more than its requester may", async () => {
    const { text } = await ask(curfew, "alice", "keep staging up from tomorrow 18:00 for 3h");
    expect(text).toContain("from Thu 26 Nov 2026, 18:00");
    expect(text).toContain("until Thu 26 Nov 2026, 21:00");
    const refused = await ask(curfew, "alice", "keep staging up from fri 18:00 until mon 8:00");
    expect(refused.text).toContain(
      "You can keep machines running or off for at most 1 d from its start. This would be 2 d 14 h.",
    );
    const shorter = await press(curfew, "alice", "Use 1 d", refused.message);
    expect(shorter.text).toContain("until Sat 28 Nov 2026, 18:00");
  });

  it("is refused where its times contradict each other or are too far ahead", async () => {
    const sent = changesSentTo(curfew);
    for (const [asked, why] of [
      ["exclude staging from tomorrow 18:00 until today 20:00", "The end must come after the start."],
      ["exclude staging from 2029-01-01 09:00 for 2h", "at most 366 days ahead"],
    ] as const) {
      expect((await ask(curfew, "alice", asked)).text).toContain(why);
    }
    expect(sent()).toEqual([]);
  });

  it("that is planned already is not planned again, and one that overlaps is said so", async () => {
    const { changeId } = await plan();
    const again = await ask(curfew, "alice", "keep staging up from fri 19:00 until fri 22:00");
    expect(again.text).toContain(
      `staging is planned already for all of that time (change ${changeId}). Nothing was changed.`,
    );
    const later = await ask(curfew, "alice", "keep staging up from sat 7am until sat 12:00");
    expect(later.text).toContain(
      `It overlaps with the plan for staging, Fri 27 Nov, 18:00 until Sat 28 Nov, 08:00. Both cover Sat 28 Nov, 07:00–08:00.`,
    );
  });
});

type Planned = Awaited<ReturnType<typeof plan>>;

describe("a planned exclusion that is taken back", () => {
  const ways: readonly (readonly [string, (planned: Planned) => ReturnType<typeof ask>])[] = [
    ["its button", ({ message }) => press(curfew, "alice", "Withdraw", message)],
    ["ending it", () => ask(curfew, "alice", "end staging")],
    ["withdrawing it", ({ changeId }) => ask(curfew, "alice", `withdraw ${changeId}`)],
    ["undoing it", ({ changeId }) => ask(curfew, "alice", `undo ${changeId}`)],
  ];

  it.each(ways)("is not made: by %s", async (_how, act) => {
    const sent = changesSentTo(curfew);
    const planned = await plan();
    expect((await act(planned)).text).toContain("You withdrew it.");
    await at(friday);
    expect(sent()).toEqual([]);
    expect(shown(planned.card)).toContain(". Nothing was changed.");
  });

  it("by who may end such exclusions is said to be so, and its requester is notified; others may not", async () => {
    const { card } = await plan();
    const refused = await press(curfew, "dave", "Withdraw", card);
    expect(refused.text).toContain(":no_entry:");
    await press(curfew, "carol", "Withdraw", card);
    await directMessage(curfew, "alice", "Nothing was changed.", "Withdrawn by");
    await curfew.app.idle();
    expect(shown(card)).toContain("Withdrawn by carol");
  });

  it("gives way to the one that an edit plans in its place", async () => {
    const sent = changesSentTo(curfew);
    const { card } = await plan(`${line} because demo`);
    await person("alice").press("Edit…", card);
    const form = await curfew.workspace.waitFor(() => person("alice").openView(), { what: "the form" });
    expect(form.title).toBe("Keep running");
    expect(form.fields).toContain("From");
    const { text, changeId } = await send(curfew, "alice", { Until: Date.parse("2026-11-27T21:00:00Z") / 1000 });
    expect(text).toContain("until Fri 27 Nov 2026, 22:00");
    await curfew.app.idle();
    expect(shown(card)).toContain(`Replaced by change ${changeId}`);
    await at(friday);
    expect(sent()).toEqual(create);
    expect(latest()).toMatchObject({ expiryDate: "2026-11-27T21:00:00.000Z" });
  });
});

describe("an edit of a plan that has begun", () => {
  it("changes nothing", async () => {
    const sent = changesSentTo(curfew);
    const { card } = await plan();
    await person("alice").press("Edit…", card);
    await curfew.workspace.waitFor(() => person("alice").openView(), { what: "the form" });
    await at(friday);
    const times = { From: Date.parse("2026-11-28T10:00:00Z") / 1000, Until: Date.parse("2026-11-28T12:00:00Z") / 1000 };
    const { text } = await send(curfew, "alice", times);
    expect(text).toContain("is not planned any more. Nothing was changed now");
    expect(sent()).toEqual(create);
  });
});

describe("when a planned exclusion is due", () => {
  it("it is not made for somebody who may not make it any more, and they are notified", async () => {
    const sent = changesSentTo(curfew);
    const { card } = await plan();
    await curfew.workspace.changes.setGroup("engineers", []);
    await at(friday);
    expect(sent()).toEqual([]);
    await directMessage(curfew, "alice", "nothing was changed", "You may no longer do this");
    expect(shown(card)).toContain("It failed: nothing was changed.");
  });

  it("and Curfew is down, it is made as soon as it is back", async () => {
    const sent = changesSentTo(curfew);
    const { card } = await plan();
    await curfew.app.stop();
    setClock(clock, "2026-11-27T20:00:00Z");
    await curfew.restart();
    await curfew.app.idle();
    expect(sent()).toEqual(create);
    expect(latest()).toMatchObject({ expiryDate: "2026-11-28T07:00:00.000Z" });
    expect(shown(card)).toContain("is keeping *staging* running");
  });

  it("and Curfew is down until its end, it lapses and its requester is notified", async () => {
    const sent = changesSentTo(curfew);
    const { card } = await plan();
    await curfew.app.stop();
    setClock(clock, "2026-11-28T07:00:01Z");
    await curfew.restart();
    await curfew.app.idle();
    expect(sent()).toEqual([]);
    await directMessage(curfew, "alice", "It was planned, and until its end Curfew could not perform it.");
    expect(shown(card)).toContain("It was missed: nothing was changed.");
    expect(threadOf(curfew, card), "its card and its requester say it").toEqual([]);
  });

  it("and the service is down, it is tried again until its end", async () => {
    const sent = changesSentTo(curfew);
    await plan();
    await curfew.service.faults.down();
    await at(friday);
    await at("2026-11-27T17:30:00Z");
    expect(sent()).toEqual([]);
    await curfew.service.faults.up();
    await at("2026-11-27T17:45:00Z");
    expect(sent()).toEqual(create);
  });
});

describe("a planned exclusion that needs an approval", () => {
  const config = configWith("{ operations: [CreateActionExclusion], approvers: [admin], expires: 1h }");
  const asked = async () => {
    const reply = await ask(curfew, "alice", line);
    await curfew.app.idle();
    return { ...reply, card: await cardOf(curfew, reply.changeId) };
  };

  it("is approved once, when it is asked for, and outlives the approval's time", async () => {
    await startWith(config);
    const sent = changesSentTo(curfew);
    const { card, text } = await asked();
    expect(text).toContain("This waits for approval.");
    expect(shown(card)).toContain("needs <@U03CAROL> until");
    expect(shown(card)).toContain(moment("2026-11-27T17:00:00Z"));
    await press(curfew, "carol", "Approve", card);
    await curfew.app.idle();
    expect(shown(card)).toContain("plans to keep *staging* running from");
    expect(shown(card)).toContain("approved by <@U03CAROL>");
    await directMessage(curfew, "alice", "You plan to keep");
    await at("2026-11-25T18:00:00Z");
    expect(shown(card)).toContain("plans to keep");
    await at(friday);
    expect(sent()).toEqual(create);
  });

  it("is made at once if it is approved after its start, and asked for anew when it is edited", async () => {
    await startWith(config.replace("expires: 1h", "expires: 3d"));
    const sent = changesSentTo(curfew);
    const { card } = await asked();
    await press(curfew, "carol", "Approve", card);
    await curfew.app.idle();
    await person("alice").press("Edit…", card);
    await curfew.workspace.waitFor(() => person("alice").openView(), { what: "the form" });
    const edited = await send(curfew, "alice", { Until: Date.parse("2026-11-27T22:00:00Z") / 1000 });
    expect(edited.text).toContain("This waits for approval.");
    await at("2026-11-27T18:00:00Z");
    expect(sent()).toEqual([]);
    await press(curfew, "carol", "Approve", await cardOf(curfew, edited.changeId));
    await curfew.app.idle();
    expect(sent()).toEqual(create);
  });
});
