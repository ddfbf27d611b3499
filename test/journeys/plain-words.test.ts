import { expect, it } from "vitest";
import { config, linesAccount, seed, startAt } from "../language/lines-world.ts";
import { ask, buttonsOn, changesSentTo, messagesAfter, openForm } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";

const { curfew, person } = oneBot({ config, seed, account: linesAccount(), startAt });
const say = (line: string) => ask(curfew(), "alice", line);

it("days that are ahead are planned from their start, and the answer names the times", async () => {
  const sent = changesSentTo(curfew());
  const { text } = await say("keep web up this weekend --another");
  expect(text).toMatch(/You plan to keep web running from .*Fri 27 Nov 2026, 18:00.* until .*Mon 30 Nov 2026, 08:00/);
  expect(text).toContain("Read “this weekend” as Fri 18:00 to Mon 08:00.");
  const { text: times } = await say("keep web up tomorrow from 20:00 to 22:00 --another");
  expect(times).toMatch(/You plan to keep .* from .*Thu 26 Nov 2026, 20:00.* until .*Thu 26 Nov 2026, 22:00/);
  const { message } = await say("keep staging up next weekend");
  const [, second = ""] = buttonsOn(message);
  expect(second).toBe("Fri 4 Dec, 18:00 to Mon 7 Dec, 08:00");
  const chosen = await messagesAfter(curfew(), "alice", () => curfew().workspace.as("alice").press(second, message));
  expect(chosen.text).toMatch(/You plan to keep .* from .*Fri 4 Dec 2026, 18:00.* until .*Mon 7 Dec 2026, 08:00/);
  expect(sent()).toEqual([]);
});

it("tonight lasts to the morning, and of two hours of the clock the next is meant", async () => {
  const { text } = await say("exclude i-0a1 tonight");
  expect(text).toContain("Read “tonight” as tomorrow 08:00 (the start of the day).");
  const again = await say("exclude i-0a1 for 1h");
  expect(again.text).toContain("is kept running already until tomorrow 08:00");
  expect(buttonsOn(again.message)).toEqual(["Extend 1 h", "Extend…", "Make another"]);
  expect((await say("exclude i-0a2 until 3:00")).text).toMatch(/until .*Wed 25 Nov 2026, 15:00/);
});

it("a series that comes less often than weekly is planned from its next day on", async () => {
  const { text } = await say("keep web up every 2 weeks on thu 18:00-22:00 until 2026-12-31");
  expect(text).toContain("3 times: tomorrow 18:00–22:00, Thu 10 Dec, 18:00–22:00, Thu 24 Dec, 18:00–22:00.");
});

it.each([
  ["warn me 1h before staging stops", /direct message 1 h before staging stops/, "Stop warning me"],
  ["warn me about i-0a1", /only groups can be warned about\. i-0a1 is in staging/, "Warn me about staging"],
  ["is staging up?", /^\*staging: (?:in part kept|kept|on schedule)/, "Why?"],
  ["next week", /\d+ runs next week \(Mon 30 Nov to Sun 6 Dec\)/, "Next"],
  ["next soon", /found no thing and no time/, "Next 24 hours"],
  ["status stagng", /Did you mean “staging”\?/, "staging"],
])("“%s” leads on", async (line, says, button) => {
  const reply = await say(line);
  expect(reply.text).toMatch(says);
  expect(buttonsOn(reply.message)).toContain(button);
});

it.each([
  ["disable dave, he left the company", "Disable dave? Reason: he left the company."],
  ["disable dave, compromised laptop", "Disable dave? Reason: compromised laptop."],
  ["disable dave – compromised laptop", "Disable dave? Reason: compromised laptop."],
])("“%s” shows its reason, and is confirmed by one press", async (line, says) => {
  const sent = changesSentTo(curfew());
  const { text, message } = await ask(curfew(), "bob", line);
  expect(text).toContain(`${says} Nothing was changed yet.`);
  expect(buttonsOn(message)).toHaveLength(1);
  expect(sent()).toEqual([]);
});

it.each([
  ["remove the MFA of alice, she lost her phone", "she lost her phone"],
  ["remove alice's mfa - new phone", "new phone"],
])("“%s” opens the form that asks for its reason, with it", async (line, reason) => {
  const sent = changesSentTo(curfew());
  const form = await openForm(curfew(), "bob", line);
  expect(form.title).toBe("Remove MFA");
  expect(JSON.stringify(form.values)).toContain(`"${reason}"`);
  expect(sent()).toEqual([]);
});

const anything = ["User dave", "Unlock dave…", "Enable dave…", "Disable dave…"];
it.each([
  ["dave left", ["Offboard dave…", "Disable dave…", "User dave"]],
  ["dave is gone", ["Offboard dave…", "Disable dave…", "User dave"]],
  ["dave is back, restore him", ["Enable dave…", "User dave"]],
  ["dave is back from leave", ["Enable dave…", "User dave"]],
  ["dave is back on monday", anything],
  ["dave hasn't left", anything],
  ["dave left his phone at home", anything],
  ["dave is on vacation", anything],
  ["dave is off today", anything],
])("“%s” only offers what fits the account", async (line, buttons) => {
  const sent = changesSentTo(curfew());
  expect(buttonsOn((await ask(curfew(), "carol", line)).message)).toEqual(buttons);
  expect(sent()).toEqual([]);
});

it.each(["dave left us last week", "dave was fired", "dave doesn't work here any more"])(
  "“%s” opens the form to offboard",
  async (line) => {
    expect((await openForm(curfew(), "carol", line)).title).toBe("Offboard user");
  },
);

it.each(["change dave's email", "dave has a new email"])("“%s” leads on to his address", async (line) => {
  const { message } = await ask(curfew(), "bob", line);
  expect(buttonsOn(message)).toEqual(["Change email dave…", "User dave"]);
  await person("bob").press("Change email dave…", message);
  expect((await curfew().workspace.waitFor(() => person("bob").openView())).title).toBe("Change e-mail");
  await person("bob").cancel();
});

it("a series that is called off leaves alone what keeps its machine now", async () => {
  const sent = changesSentTo(curfew());
  const planned = await say("keep web up every thursday 18:00-22:00 until 2026-12-20 because build");
  expect(planned.text).toContain("Planned.");
  await say("keep web up for 2h --another");
  expect(sent()).toEqual(["CreateActionExclusion"]);
  for (const line of ["call off the whole series for web", "cancel the series of web"])
    expect((await say(line)).text).toMatch(/Nothing was changed.* do you want to withdraw\?/);
  expect(sent()).toEqual(["CreateActionExclusion"]);
});

it("who may not offboard is led on to what they may do, and nobody is told that a machine is unknown which nobody keeps", async () => {
  const { message, text } = await ask(curfew(), "bob", "dave left us last week");
  expect(text).toContain("You can't detach a managed policy from a user.");
  expect(buttonsOn(message)).toEqual(["Disable…"]);
  await person("bob").press("Disable…", message);
  const form = await curfew().workspace.waitFor(() => person("bob").openView());
  expect(form.title).toBe("Disable user");
  await person("bob").cancel();
  expect(buttonsOn((await ask(curfew(), "alice", "dave left us last week")).message)).toEqual([]);
  for (const line of ["stop keeping data-warehouse", "data-warehouse 1 hour less", "end i-0b9"])
    expect((await ask(curfew(), "carol", line)).text).toMatch(/Nobody keeps (?:data-warehouse|i-0b9) running or off/);
});

it("what is kept has the reason behind its length, is shortened and ended in people's words", async () => {
  const say = (line: string) => ask(curfew(), "carol", line);
  const sent = changesSentTo(curfew());
  expect((await say("data-warehouse 1 hour less")).text).toContain("Nobody keeps data-warehouse running or off");
  expect(sent()).toEqual([]);
  const { changeId } = await say("keep data-warehouse up for 3 days for the fair");
  expect((await say(`history ${changeId}`)).text).toContain("Reason: the fair");
  for (const [line, end] of [
    ["1 hour less for data-warehouse", "Sat 28 Nov 2026, 09:40"],
    ["data-warehouse 2h shorter please", "Sat 28 Nov 2026, 07:40"],
    ["data-warehouse an hour earlier", "Sat 28 Nov 2026, 06:40"],
  ] as const)
    expect((await say(line)).text, line).toContain(end);
  expect((await say("don't keep data-warehouse any longer than 18:00")).text).toContain("Nothing was changed");
  for (const line of ["stop keeping data-warehouse up", "don't keep data-warehouse any longer"]) {
    await say("keep data-warehouse up for 2h for the update");
    await say(line);
    expect(sent().at(-1), line).toBe("DeleteActionExclusion");
  }
});

it("evenings that come again have the team's hours, and the longest end is offered", async () => {
  const { text, message } = await say("keep staging up every thursday evening");
  expect(text).toContain("Read “evening” as 18:00 to 24:00. Until when?");
  expect(text).toMatch(/The longest is 53 times: every Thu 18:00–00:00 until Thu 25 Nov 2027/);
  expect(buttonsOn(message)).toEqual(["Until Thu 25 Nov 2027 (53 times)"]);
  const planned = await ask(curfew(), "carol", "keep data-warehouse up every thursday evening until christmas");
  expect(planned.text).toMatch(/5 times[\s\S]*Read “evening” as 18:00 to 24:00\./);
  await messagesAfter(curfew(), "carol", () => person("carol").press("Withdraw", planned.message));
});

it.each(["less", "the fair", "1 hour less"])("“%s” names nothing, and no status of it is offered", async (line) => {
  expect(buttonsOn((await say(line)).message)).toEqual([]);
});

it.each(["why not", "status week", "keep zzz up"])("“%s” is answered shortly, and matches no name", async (line) => {
  const reply = await say(line);
  expect(reply.text).not.toMatch(/Did you mean|The line is/);
  expect(reply.text.length).toBeLessThan(250);
});
