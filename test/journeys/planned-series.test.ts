import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { StoredMessage } from "../../src/sandbox/workspace/state.ts";
import { verify } from "../store/history-file.ts";
import { configWith, directMessage, press } from "../support/approval-journey.ts";
import { createClock } from "../support/clock.ts";
import {
  ask,
  buttonsOn,
  cardOf,
  cardsIn,
  changesSentTo,
  nowOf,
  openForm,
  send,
  textOf,
  threadOf,
} from "../support/journey.ts";
import { passTo, setClock } from "../support/pass-to.ts";
import { type Curfew, startCurfew, unlimitedConfig } from "../support/start-curfew.ts";

/** A Wednesday, 11:40 in Berlin. */
const wednesday = "2026-11-25T10:40:00Z";
const folder = mkdtempSync(join(tmpdir(), "curfew-calendar-"));
const calendars = (file = "holidays.ics") => `\ncalendars: [{ name: holidays, file: ${file} }]\n`;

let clock = createClock();
let curfew: Curfew;
const start = async (config = unlimitedConfig, from = wednesday) => {
  clock = createClock(Date.parse(from));
  curfew = await startCurfew({ config, configFile: join(folder, "curfew.yaml"), now: clock.now });
};
beforeEach(() => start());
afterEach(async () => {
  expect(await verify(curfew.database)).toMatchObject({ kind: "intact" });
  await curfew.stop();
});
afterEach(() => rmSync(join(folder, "holidays.ics"), { force: true }));

async function startWith(config: string, from?: string): Promise<void> {
  await curfew.stop();
  await start(config, from);
}

const at = (moment: string) => passTo(curfew, clock, moment);

async function plan(line: string) {
  const reply = await ask(curfew, "alice", line);
  const card = await cardOf(curfew, reply.changeId);
  await curfew.app.idle();
  return { ...reply, card };
}
const shown = (card: StoredMessage) => textOf(nowOf(curfew, card));
const ends = () => [...curfew.service.account.exclusions.values()].map(({ expiryDate }) => expiryDate);
const moment = (text: string) => `<!date^${Date.parse(text) / 1000}^`;

describe("a series", () => {
  it("is one plan and one card, and each time is a change of its own", async () => {
    const sent = changesSentTo(curfew);
    const { card, text, message, changeId } = await plan(
      "keep staging up every thu 18:00-22:00 until 2026-12-10 because rehearsal",
    );
    expect(text).toContain("You plan to keep staging running every Thu 18:00–22:00 until Thu 10 Dec 2026.");
    expect(text).toContain("3 times: tomorrow 18:00–22:00");
    expect(buttonsOn(message)).toEqual(["Withdraw"]);
    expect(buttonsOn(nowOf(curfew, card))).toEqual(["Leave out Thu 26 Nov", "Withdraw the series", "Edit…"]);
    expect(shown(card)).toContain(
      "<@U01ALICE> plans to keep *staging* running *every Thu 18:00–22:00 until Thu 10 Dec 2026*",
    );
    expect(shown(card)).toContain(`Next: ${moment("2026-11-26T17:00:00Z")}`);
    expect(shown(card)).toContain("3 left");
    const list = await ask(curfew, "alice", "exclusion list");
    expect(list.text).toContain(
      ":spiral_calendar_pad: *staging* · every Thu 18:00–22:00 until Thu 10 Dec 2026 · next: ",
    );
    await at("2026-11-26T17:00:01Z");
    expect(ends().at(-1)).toBe("2026-11-26T21:00:00.000Z");
    expect(shown(card)).toContain("2 left");
    for (const day of ["03", "10"]) await at(`2026-12-${day}T17:00:01Z`);
    expect(sent()).toHaveLength(3);
    await at("2026-12-10T21:00:10Z");
    expect(shown(card)).toContain(":white_check_mark: <@U01ALICE> kept staging running every Thu");
    expect(cardsIn(curfew.workspace, "ops")).toHaveLength(1);
    const history = await ask(curfew, "alice", `history ${changeId}`);
    const times = history.text.match(/^done: .*\(chg-\w+\)$/gm) ?? [];
    expect(times).toHaveLength(3);
    const time = await ask(curfew, "alice", `history ${/chg-\w+/.exec(times[0] ?? "")?.[0]}`);
    expect(time.text).toContain(`Part of: ${changeId}`);
    expect(buttonsOn(time.message)).toContain("Show the series");
  });

  it("goes on after Curfew was down over some of its times, and says that they were missed", async () => {
    const sent = changesSentTo(curfew);
    const { card } = await plan("keep staging up every day 18:00-22:00 until 2026-11-29");
    await at("2026-11-25T17:00:01Z");
    await curfew.app.stop();
    setClock(clock, "2026-11-28T08:00:00Z");
    await curfew.restart();
    await curfew.app.idle();
    expect(shown(card)).toContain("2 left · 2 missed");
    for (const day of ["26", "27"])
      await directMessage(curfew, "alice", `for 4 h, until ${moment(`2026-11-${day}T21:00:00Z`)}`, "It was missed");
    for (const day of ["28", "29"]) {
      await at(`2026-11-${day}T17:00:01Z`);
      expect(shown(card)).toContain(`It is running until *${moment(`2026-11-${day}T21:00:00Z`)}`);
    }
    expect(sent()).toHaveLength(3);
    await at("2026-11-29T21:00:10Z");
    expect(shown(card)).toContain("It is partly done: 3 of 5 steps.");
    expect(shown(card)).toContain("Fri 27 Nov 2026, 18:00–22:00: missed");
  });

  it("is made late where Curfew was down at its start, and goes on after a time that was left out", async () => {
    const sent = changesSentTo(curfew);
    const { card } = await plan("keep staging up every day 18:00-22:00 until 2026-11-28");
    await ask(curfew, "alice", "leave out staging on fri");
    await curfew.app.stop();
    setClock(clock, "2026-11-26T18:00:00Z");
    await curfew.restart();
    await curfew.app.idle();
    expect(sent()).toHaveLength(1);
    expect(shown(card)).toContain("the last one · 1 missed");
    await at("2026-11-28T17:00:01Z");
    expect(sent()).toHaveLength(2);
  });

  it("that is withdrawn says in one line that nothing of it was done", async () => {
    const { card, changeId } = await plan("keep staging up every day 18:00-22:00 until 2026-12-03");
    await ask(curfew, "alice", `withdraw ${changeId}`);
    await curfew.app.idle();
    expect(shown(card).match(/not done/g)).toEqual(["not done"]);
    expect(shown(card)).toMatch(/^:white_circle: \d not done$/m);
  });

  it("says how often it was made when it is ended", async () => {
    const { card, changeId } = await plan("keep staging up every thu 18:00-22:00 until 2026-12-10");
    await at("2026-11-26T17:00:01Z");
    await ask(curfew, "alice", `withdraw ${changeId}`);
    await curfew.app.idle();
    expect(shown(card)).toContain("It was ended after 1 time. A time that has begun goes on until its end.");
    expect(shown(card)).not.toContain("nothing was changed");
  });

  it("shows on its card that a time of it runs, which is ended there, and goes on", async () => {
    const { card } = await plan("keep staging up every thu 18:00-22:00 until 2026-12-10");
    await at("2026-11-26T17:00:01Z");
    expect(shown(card)).toContain(`It is running until *${moment("2026-11-26T21:00:00Z")}`);
    expect(buttonsOn(nowOf(curfew, card))).toEqual(["End now", "Withdraw the series", "Edit…"]);
    const { text, message } = await press(curfew, "alice", "End now", nowOf(curfew, card));
    expect(text).toContain("Its series goes on every Thu 18:00–22:00 until Thu 10 Dec 2026, next Thu 3 Dec, 18:00.");
    expect(buttonsOn(message)).toEqual(["Withdraw the series", "Undo"]);
    await curfew.app.idle();
    expect(shown(card)).not.toContain("It is running");
    expect(threadOf(curfew, card).map(textOf)).toEqual([expect.stringContaining("<@U01ALICE> ended it")]);
    expect(cardsIn(curfew.workspace, "ops")).toHaveLength(1);
  });

  it("reminds of the end of a time in the thread of its card, with the first stop that nothing prevents", async () => {
    const { card } = await plan("keep staging up every day 18:00-22:00 until 2026-11-26");
    await plan("keep staging up from fri 19:00 until fri 23:00");
    for (const time of ["25T17:00:01", "25T20:30:01"]) await at(`2026-11-${time}Z`);
    const [line = ""] = threadOf(curfew, card).map(textOf);
    expect(line).toContain(`This ends ${moment("2026-11-25T21:00:00Z")}`);
    expect(line).toContain(`Then “Stop staging at the weekend” stops it ${moment("2026-11-28T13:00:00Z")}`);
    await at("2026-11-25T21:00:10Z");
    expect(shown(card)).not.toContain("It is running");
  });

  it("keeps its wall clock through a clock change, in the zone that was said, and leaves out days off", async () => {
    writeFileSync(join(folder, "holidays.ics"), holidays);
    await startWith(`${unlimitedConfig}${calendars()}`, "2027-03-22T20:00:00Z");
    // Reads the calendar first: an answer waits for it, and a preview for 1.5 s only.
    await ask(curfew, "alice", "holidays");
    const sent = changesSentTo(curfew);
    const { card, text } = await plan("keep staging up every mon, tue and fri 18:00-20:00 for 2 weeks not on holidays");
    expect(shown(card)).toContain("not on holidays");
    expect(text).toContain("Planned. 3 times: ");
    // Good Friday by a single event, Easter Monday by a recurring one.
    expect(text).toContain("Left out: 2027-03-26, 2027-03-29.");
    for (const time of ["23T17", "26T17", "29T16", "30T16"]) await at(`2027-03-${time}:00:05Z`);
    expect(ends().slice(-2)).toEqual(["2027-03-23T19:00:00.000Z", "2027-03-30T18:00:00.000Z"]);
    expect(sent()).toHaveLength(2);
  });

  it("of more than 60 times is refused, and the latest possible end is offered", async () => {
    const refused = await ask(curfew, "alice", "keep staging up every day 18:00-20:00 until 2027-03-31");
    expect(refused.text).toContain("and a series has at most 60. Nothing was changed");
    const taken = await press(curfew, "alice", "Until Sat 23 Jan 2027", refused.message);
    expect(taken.text).toContain("60 times");
  });

  it("leaves out a time, by its button or by its day, and puts it back", async () => {
    const sent = changesSentTo(curfew);
    const { card, changeId } = await plan("keep staging up every thu 18:00-22:00 until 2026-12-17");
    const first = await press(curfew, "alice", "Leave out Thu 26 Nov", card);
    expect(first.text).toContain("You left out Thu 26 Nov 2026, 18:00–22:00.");
    expect(first.text).toContain(". 3 times are left.");
    const third = await ask(curfew, "alice", "cancel staging on 10 dec");
    expect(third.text).toContain("You left out Thu 10 Dec 2026, 18:00–22:00.");
    expect((await ask(curfew, "alice", "leave out staging tomorrow")).text).toContain(
      "Nothing is planned for staging on",
    );
    const skipped = await ask(curfew, "alice", "skip staging on thursday 3 december");
    expect(skipped.text).toContain("You left out Thu 3 Dec 2026, 18:00–22:00.");
    await press(curfew, "alice", "Undo", skipped.message);
    await curfew.app.idle();
    expect(shown(card)).toContain("2 left");
    const back = await press(curfew, "alice", "Undo", first.message);
    expect(back.text).toContain("Thu 26 Nov 2026, 18:00–22:00 is planned again.");
    await at("2026-11-26T17:00:01Z");
    await at("2026-12-10T17:00:01Z");
    expect(sent()).toHaveLength(1);
    await press(curfew, "alice", "Withdraw the series", nowOf(curfew, card));
    const { message } = await ask(curfew, "alice", `undo ${changeId}`);
    const again = await press(curfew, "alice", "Plan it again", message);
    expect(again.text).toContain("You plan to keep");
    await at("2026-12-17T17:00:01Z");
    expect(sent()).toHaveLength(2);
    expect(shown(card)).toContain("It was ended after 1 time");
  });

  it("is approved once for all of its times", async () => {
    await startWith(configWith("{ operations: [CreateActionExclusion], approvers: [admin], expires: 1h }"));
    const sent = changesSentTo(curfew);
    const reply = await ask(curfew, "alice", "keep staging up every thu 18:00-22:00 until 2026-12-03");
    const card = await cardOf(curfew, reply.changeId);
    expect(shown(card)).toContain("Thu 26 Nov 2026, 18:00–22:00");
    await press(curfew, "carol", "Approve", card);
    for (const day of ["2026-11-26", "2026-12-03"]) await at(`${day}T17:00:01Z`);
    expect(sent()).toEqual(["CreateActionExclusion", "CreateActionExclusion"]);
  });

  it("goes on after a time that was not possible, and its requester is notified of that one", async () => {
    const { card } = await plan("keep staging up every thu 18:00-22:00 until 2026-12-03");
    await curfew.workspace.changes.setGroup("engineers", []);
    await at("2026-11-26T17:00:01Z");
    await directMessage(curfew, "alice", "You may no longer do this");
    await curfew.workspace.changes.setGroup("engineers", ["alice"]);
    await at("2026-12-03T17:00:01Z");
    await at("2026-12-03T21:00:10Z");
    expect(ends().at(-1)).toBe("2026-12-03T21:00:00.000Z");
    expect(shown(card)).toContain("It is partly done: 1 of 2 steps.");
    expect(buttonsOn(nowOf(curfew, card))).not.toContain("Try again");
  });

  it("is planned with its form, and edited with it", async () => {
    const sent = changesSentTo(curfew);
    await openForm(curfew, "alice", "exclusion repeat");
    const { changeId, text } = await send(curfew, "alice", {
      What: "staging",
      Every: "thu, fri 18:00-22:00 until 2026-11-27",
    });
    expect(text).toContain("every Thu, Fri 18:00–22:00");
    await curfew.workspace.as("alice").press("Edit…", await cardOf(curfew, changeId));
    await curfew.workspace.waitFor(() => curfew.workspace.as("alice").openView(), { what: "the form" });
    const edited = await send(curfew, "alice", { Every: "fri 18:00-22:00 until 2026-11-27" });
    expect(edited.text).toContain("Once: Fri 18:00–22:00.");
    await at("2026-11-26T17:00:01Z");
    expect(sent()).toEqual([]);
    await at("2026-11-27T17:00:01Z");
    expect(sent()).toEqual(["CreateActionExclusion"]);
  });
});

describe("a series without the days of a calendar", () => {
  const line = "keep staging up every weekday 18:00-20:00 for 1 week not on holidays";

  it.each([
    ["that there is not", "", "There is no calendar “holidays”."],
    [
      "that cannot be read",
      calendars("none.ics"),
      "The calendar “holidays” can't be read just now: its file does not exist.",
    ],
  ])("%s is not planned", async (_why, more, said) => {
    await startWith(`${unlimitedConfig}${more}`);
    const { text } = await ask(curfew, "alice", line);
    expect(text).toContain(said);
    expect(text).toContain("Nothing was changed");
    expect((await ask(curfew, "alice", "history planned")).text).toContain("There are no such changes");
  });
});

/** Good Friday of 2027, and Easter Monday as a wrong, but recurring event on 29 March. */
const holidays = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Test//Holidays//EN
BEGIN:VEVENT
UID:good-friday@example.com
DTSTAMP:20260101T000000Z
DTSTART;VALUE=DATE:20270326
DTEND;VALUE=DATE:20270327
SUMMARY:Good Friday
END:VEVENT
BEGIN:VEVENT
UID:monday@example.com
DTSTAMP:20260101T000000Z
DTSTART;VALUE=DATE:20210329
RRULE:FREQ=YEARLY
SUMMARY:A day off each year
END:VEVENT
BEGIN:VEVENT
UID:meeting@example.com
DTSTAMP:20260101T000000Z
DTSTART:20270325T090000Z
DTEND:20270325T100000Z
SUMMARY:Not all day
END:VEVENT
END:VCALENDAR
`.replaceAll("\n", "\r\n");
