import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { StoredMessage } from "../../src/sandbox/workspace/state.ts";
import { createClock, type SettableClock } from "../support/clock.ts";
import {
  ask,
  buttonsOn,
  cardOf,
  changesSentTo,
  end,
  messagesAfter,
  nowOf,
  send,
  textOf,
  threadOf,
} from "../support/journey.ts";
import { type Curfew, reload, startCurfew, unlimitedConfig } from "../support/start-curfew.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Engineers may act anywhere, also in a direct message. */
const anywhere = unlimitedConfig.replace(/ +channels: \[C0OPS\].*\n/, "");

/** A working day in Berlin: another action stops staging at the weekend. */
const startAt = Date.parse("2026-11-25T12:00:00Z");
let clock: SettableClock;
let curfew: Curfew;
beforeEach(async () => {
  clock = createClock(startAt);
  curfew = await startCurfew({ config: anywhere, now: clock.now });
});
afterEach(() => curfew.stop());

const person = (who: string) => curfew.workspace.as(who);

/** Advances time and waits until what is due is done and sent. */
async function pass(ms: number): Promise<void> {
  await curfew.app.idle();
  clock.advance(ms);
  await curfew.app.idle();
}

async function exclude(line = "exclude staging for 2h", who = "alice") {
  const { changeId, exclusionId } = await ask(curfew, who, line);
  return { id: exclusionId, changeId, card: await cardOf(curfew, changeId) };
}

/** A moved end is a line in the thread too. */
const isReminder = (message: StoredMessage): boolean => /^:alarm_clock: (?:This ends|You're )/.test(textOf(message));
const remindersIn = (card: StoredMessage) => threadOf(curfew, card).filter(isReminder);
const remindersTo = (who: string) => person(who).messages("dm").filter(isReminder);
/** Somebody may press a button before they see that it is gone. */
const slackKeepsItsMessages = () =>
  curfew.workspace.faults.failNext("chat.update", { error: "internal_error", times: Number.POSITIVE_INFINITY });
const shown = (card: StoredMessage) => textOf(nowOf(curfew, card));
const buttons = ["Extend 1 h", "Extend…", "End now"];
const inForce = ":large_green_circle: <@U01ALICE> is keeping *staging* running until";
const over = ":white_circle: *staging* follow";

/** The only such exclusion. */
function one<T>(all: readonly T[]): T {
  expect(all).toHaveLength(1);
  const [only] = all;
  if (only === undefined) throw new Error("There is none.");
  return only;
}

describe("a reminder half an hour before an exclusion ends", () => {
  it("goes to its card's thread and its owner once, with owner and end", async () => {
    const { card, id } = await exclude('exclude staging for 2h --name "Load <test>"');
    await pass(89 * minuteMs);
    expect([...remindersIn(card), ...remindersTo("alice")]).toEqual([]);
    await pass(minuteMs);
    const endsAt = Math.floor(Date.parse(curfew.service.account.exclusions.get(id)?.expiryDate ?? "") / minuteMs) * 60;
    const line = one(remindersIn(card));
    expect(textOf(line)).toContain(`This ends <date^${endsAt}^`.replace("<date", "<!date"));
    expect(textOf(line)).toContain("Then “Stop staging at 19:00” stops it <!date^");
    expect(line.text).toBe("30 min left of keeping i-0a1, i-0a2 (“Load &lt;test&gt;”) running");
    const reminder = one(remindersTo("alice"));
    expect(textOf(reminder)).toContain("You're keeping *staging* running (“Load &lt;test&gt;”) until <!date^");
    expect([line, reminder].map(buttonsOn)).toEqual([buttons, buttons]);
    await pass(minuteMs);
    expect([...remindersIn(card), ...remindersTo("alice")]).toHaveLength(2);
  });

  it.each(["thread", "direct message"])("has an Extend button in the %s, and a new reminder follows", async (where) => {
    const { card, id } = await exclude();
    await pass(90 * minuteMs);
    const message = one(where === "thread" ? remindersIn(card) : remindersTo("alice"));
    await person("alice").press("Extend…", message);
    const form = await curfew.workspace.waitFor(() => person("alice").openView());
    expect(form.title).toBe("Keep longer");
    const before = Date.parse(curfew.service.account.exclusions.get(id)?.expiryDate ?? "");
    await send(curfew, "alice");
    const after = Date.parse(curfew.service.account.exclusions.get(id)?.expiryDate ?? "");
    expect(after - before).toBeGreaterThan(3 * hourMs);
    await pass(31 * minuteMs);
    expect(shown(card)).toContain(inForce);
    expect([...remindersIn(card), ...remindersTo("alice")]).toEqual([]);
    await pass(after - clock.now() - 30 * minuteMs);
    expect(remindersIn(card)).toHaveLength(1);
    expect(remindersTo("alice")).toHaveLength(1);
  });

  it("adds an hour once by its buttons in the thread and the direct message", async () => {
    const { card, id } = await exclude();
    const endsAt = () => Date.parse(curfew.service.account.exclusions.get(id)?.expiryDate ?? "");
    const before = endsAt();
    await pass(90 * minuteMs);
    const [line, reminder] = [one(remindersIn(card)), one(remindersTo("alice"))];
    slackKeepsItsMessages();
    await messagesAfter(curfew, "alice", () => person("alice").press("Extend 1 h", line));
    const again = await messagesAfter(curfew, "alice", () => person("alice").press("Extend 1 h", reminder));
    expect(again.text).toContain("It has another end by now");
    expect(endsAt() - before).toBe(hourMs);
  });

  it.each(["thread", "direct message"])("has an End button in the %s", async (where) => {
    const { card, id } = await exclude();
    await pass(90 * minuteMs);
    const message = one(where === "thread" ? remindersIn(card) : remindersTo("alice"));
    const { text } = await messagesAfter(curfew, "alice", () => person("alice").press("End now", message));
    expect(text).toContain("You stopped keeping");
    expect(curfew.service.account.exclusions.has(id)).toBe(false);
    await pass(hourMs);
    expect(shown(card)).toContain(over);
    expect(shown(card)).toContain("<@U01ALICE> ended it <!date^");
    expect(shown(card)).not.toContain("since");
  });

  it("says what was to end, without buttons, when its exclusion moves, ends early or runs out", async () => {
    const { card, id } = await exclude();
    const remind = async (inMinutes = 90, of = card) => {
      await pass(inMinutes * minuteMs);
      return [one(remindersIn(of)), one(remindersTo("alice"))];
    };
    const say = (all: readonly StoredMessage[]) => {
      const [inThread, toOwner] = all.map((message) => nowOf(curfew, message));
      expect([inThread, toOwner].flatMap((each) => (each ? buttonsOn(each) : []))).toEqual([]);
      expect(inThread && textOf(inThread)).toMatch(/^:alarm_clock: This was to end <!date\^[^>]*>\.$/);
      expect(toOwner && textOf(toOwner)).toMatch(
        /^:alarm_clock: The plan was to keep \*staging\* running until <!date\^[^>]*>\.$/,
      );
    };
    const first = await remind();
    await ask(curfew, "carol", `exclusion extend ${id} for 2h`);
    await pass(0);
    say(first);
    const second = await remind(120);
    await end(curfew, "carol", id);
    await pass(0);
    say(second);
    const { card: other } = await exclude();
    const last = await remind(90, other);
    await pass(31 * minuteMs);
    say(last);
  });

  it("is not sent for an exclusion that was extended, ended or switched off", async () => {
    const extended = await exclude('exclude staging for 2h --name "Longer"');
    const ended = await exclude('exclude staging for 2h --another --name "Shorter"');
    const off = await exclude('exclude staging for 2h --another --name "Off"');
    await ask(curfew, "alice", `exclusion extend ${extended.id} for 3h`);
    await end(curfew, "alice", ended.id);
    await ask(curfew, "alice", `exclusion edit ${off.id} --enabled no`);
    await pass(91 * minuteMs);
    for (const { card } of [extended, ended, off]) expect(remindersIn(card)).toEqual([]);
    expect(remindersTo("alice")).toEqual([]);
    await pass(180 * minuteMs);
    expect(textOf(one(remindersTo("alice")))).toContain("(“Longer”)");
    expect(remindersIn(extended.card)).toHaveLength(1);
  });

  it("is not repeated when an edit keeps the end", async () => {
    const { id, card } = await exclude();
    await pass(80 * minuteMs);
    await ask(curfew, "alice", `exclusion edit ${id} --name "Another name"`);
    await pass(10 * minuteMs);
    expect(textOf(one(remindersTo("alice")))).toContain("(“Another name”)");
    await ask(curfew, "alice", `exclusion edit ${id} --name "Yet another"`);
    await pass(20 * minuteMs);
    expect(remindersIn(card)).toHaveLength(1);
  });

  it("is sent to each thread when two exclusions end at the same minute", async () => {
    const [one, other] = [
      await exclude('exclude staging for 2h --name "One"'),
      await exclude('exclude staging for 2h --another --name "Other"'),
    ];
    await pass(91 * minuteMs);
    expect(remindersIn(one.card).map(({ text }) => text)).toEqual([expect.stringContaining("(“One”)")]);
    expect(remindersIn(other.card).map(({ text }) => text)).toEqual([expect.stringContaining("(“Other”)")]);
    expect(remindersTo("alice")).toHaveLength(2);
  });

  it("names other exclusions that still hold the same resources, and until when", async () => {
    const { card } = await exclude();
    const other = await exclude('exclude i-0a1 --project p-dev --another --name "Until <late>" for 5h', "carol");
    const off = await exclude("exclude staging for 6h --another");
    await ask(curfew, "alice", `exclusion edit ${off.id} --enabled no`);
    await exclude("exclude staging --process start for 6h");
    await pass(90 * minuteMs);
    const endsAt =
      Math.floor(Date.parse(curfew.service.account.exclusions.get(other.id)?.expiryDate ?? "") / minuteMs) * 60;
    for (const message of [one(remindersIn(card)), one(remindersTo("alice"))]) {
      const said = textOf(message);
      expect(said).not.toContain("Then ");
      expect(said).toContain(`*Until &lt;late&gt;* still keeps i-0a1 from stopping until <!date^${endsAt}^`);
      expect(said.match(/still keeps/g)).toHaveLength(1);
    }
  });

  it("uses Curfew's last known state after an edit elsewhere, and its buttons show the service's answer", async () => {
    const { id, card } = await exclude();
    curfew.service.account.exclusions.delete(id);
    await pass(90 * minuteMs);
    const { text } = await messagesAfter(curfew, "alice", () =>
      person("alice").press("End now", one(remindersIn(card))),
    );
    expect(text).toContain("nothing was changed");
    expect(text).toContain("(ActionExclusionNotFound)");
  });

  it("is not sent when the service no longer knows the exclusion", async () => {
    const { id, card } = await exclude();
    curfew.service.account.exclusions.delete(id);
    expect((await ask(curfew, "alice", `exclusion extend ${id} for 1m`)).text).toContain("(ActionExclusionNotFound)");
    await pass(91 * minuteMs);
    expect([...remindersIn(card), ...remindersTo("alice")]).toEqual([]);
  });

  it("is not delayed by other changes", async () => {
    const { card } = await exclude();
    clock.advance(90 * minuteMs);
    await ask(curfew, "carol", "project rename p-prod Live");
    await curfew.workspace.waitFor(() => remindersIn(card).length === 1, { what: "the reminder" });
  });

  it("goes to the owner even when no channel gets it", async () => {
    await curfew.app.stop();
    await curfew.restart(
      {},
      anywhere.replace('operations: ["*", elsewhere], channel: C0OPS', "operations: [ModifyUser], channel: C0OPS"),
    );
    await ask(curfew, "alice", "exclude staging for 2h");
    await pass(90 * minuteMs);
    expect(buttonsOn(one(remindersTo("alice")))).toEqual(buttons);
  });

  it("links the right channel instead of buttons when the owner may act only there", async () => {
    await curfew.app.stop();
    await curfew.restart({}, unlimitedConfig);
    const { card } = await exclude();
    await pass(90 * minuteMs);
    const reminder = one(remindersTo("alice"));
    expect(buttonsOn(reminder)).toEqual([]);
    expect(textOf(reminder)).toContain("You can extend or end it in <#C0OPS>.");
    expect(buttonsOn(one(remindersIn(card)))).toEqual(buttons);
  });
});

describe("the time of a reminder", () => {
  it("is halfway for a short exclusion, and no reminder is sent for a few minutes", async () => {
    const [short, tiny] = [await exclude("exclude staging for 20m"), await exclude("exclude staging for 9m --another")];
    await pass(9 * minuteMs + 5000);
    expect([...remindersIn(short.card), ...remindersIn(tiny.card)]).toEqual([]);
    expect(shown(tiny.card)).toMatch(/^:white_circle: This ended .*, while another still kept \*staging\* running/);
    await pass(minuteMs);
    expect(one(remindersIn(short.card)).text).toMatch(/^10 min left of /);
  });

  it("is halfway for ten minutes, although some time passes before the service answers", async () => {
    const { card } = await exclude("exclude staging for 10m");
    await pass(5 * minuteMs);
    expect(one(remindersIn(card)).text).toMatch(/^5 min left of /);
  });

  it("follows the config at the time when the end was set", async () => {
    const { card, id } = await exclude("exclude staging for 5h");
    await reload(curfew, anywhere.replace("warn: 30m", "warn: 1h"));
    await pass(4 * hourMs + minuteMs);
    expect(remindersIn(card)).toEqual([]);
    await ask(curfew, "alice", `exclusion extend ${id} for 3h`);
    await pass(3 * hourMs);
    expect(one(remindersIn(card)).text).toMatch(/^59 min left of /);
  });
});

describe("an exclusion whose time is over", () => {
  it("is marked as over on its only card, without buttons", async () => {
    const { card, id } = await exclude();
    const moved = await ask(curfew, "alice", `exclusion extend ${id} for 30m`);
    expect((await cardOf(curfew, moved.changeId)).ts).toBe(card.ts);
    await pass(150 * minuteMs);
    expect(buttonsOn(nowOf(curfew, card))).toEqual(buttons);
    await pass(5000);
    const endsAt = Math.floor(Date.parse(curfew.service.account.exclusions.get(id)?.expiryDate ?? "") / minuteMs) * 60;
    expect(shown(card)).toContain(`:white_circle: *staging* follows its schedule again since <!date^${endsAt}^`);
    expect(shown(card)).toContain("for 2 h 30 min");
    expect(buttonsOn(nowOf(curfew, card))).toEqual([]);
  });

  it("is removed from its owner's Home tab", async () => {
    await exclude('exclude staging for 40m --name "Shown at home"');
    await person("alice").openHome();
    await curfew.workspace.waitFor(() => person("alice").home()?.text.includes("*Shown at home*"));
    await pass(41 * minuteMs);
    await curfew.workspace.waitFor(() => !person("alice").home()?.text.includes("*Shown at home*"), {
      what: "a new Home tab",
    });
  });

  it("shows its state when a button is pressed", async () => {
    const { card, id } = await exclude();
    await pass(90 * minuteMs);
    const reminder = one(remindersIn(card));
    slackKeepsItsMessages();
    await pass(hourMs);
    const sent = changesSentTo(curfew);
    expect(buttonsOn(reminder)).toEqual(buttons);
    const end = await messagesAfter(curfew, "alice", () => person("alice").press("End now", reminder));
    expect(end.text).toContain("You stopped keeping");
    expect(sent()).toEqual(["DeleteActionExclusion"]);
    expect((await ask(curfew, "alice", `history ${end.changeId}`)).text).toContain("Ended before, as planned: <!date^");
    const again = await ask(curfew, "alice", `exclusion extend ${id} for 1h`);
    expect(again.text).toContain("This has been ended already. Nothing was changed.");
    curfew.workspace.faults.clear();
    await pass(10 * minuteMs);
    expect(shown(card)).toMatch(/kept running by <@U01ALICE> for 2 h$/);
  });

  it("is not revived by a button of an old answer, which leads on to keeping it again", async () => {
    await exclude();
    const { message } = await ask(curfew, "alice", "keep staging up for 1h");
    expect(buttonsOn(message)).toContain("Extend 1 h");
    await pass(5 * hourMs);
    const sent = changesSentTo(curfew);
    const pressed = await messagesAfter(curfew, "alice", () => person("alice").press("Extend 1 h", message));
    expect(pressed.text).toContain("This was over ");
    expect(buttonsOn(pressed.message)).toContain("Keep again…");
    expect(sent()).toEqual([]);
  });

  it("can be extended from now on, and its card becomes active again", async () => {
    const { card, id } = await exclude();
    await pass(5 * hourMs);
    expect(shown(card)).toContain(over);
    const { text } = await ask(curfew, "alice", `exclusion extend ${id} for 1h`);
    expect(text).toContain(": now until");
    const end = Date.parse(curfew.service.account.exclusions.get(id)?.expiryDate ?? "");
    expect(Math.abs(end - clock.now() - hourMs)).toBeLessThan(minuteMs);
    await pass(0);
    expect(shown(card)).toContain(inForce);
    expect(buttonsOn(nowOf(curfew, card))).toEqual(buttons);
  });
});

describe("an outage", () => {
  it("delays due reminders and ends, and useful ones are sent as soon as it is over", async () => {
    const soon = await exclude('exclude staging for 2h --name "Soon over"');
    const ended = await exclude('exclude staging for 1h --another --name "Over"');
    await curfew.app.stop();
    clock.advance(100 * minuteMs);
    await curfew.restart();
    await curfew.app.idle();
    expect(one(remindersIn(soon.card)).text).toMatch(/^20 min left of /);
    expect(remindersIn(ended.card)).toEqual([]);
    expect(shown(ended.card)).toContain(":white_circle: This ended <!date^");
    expect(shown(soon.card)).toContain(inForce);
    expect(remindersTo("alice")).toHaveLength(1);
  });

  it("drops a reminder that Slack accepts only after the end", async () => {
    const { card } = await exclude();
    for (let times = 0; times < 2; times++) curfew.workspace.faults.failNext("chat.postMessage", { status: 503 });
    await pass(90 * minuteMs);
    await pass(hourMs);
    expect([...remindersIn(card), ...remindersTo("alice")]).toEqual([]);
    expect(shown(card)).toContain(over);
  });
});
