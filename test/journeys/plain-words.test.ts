import { expect, it } from "vitest";
import { config, linesAccount, seed, startAt } from "../language/lines-world.ts";
import { ask, buttonsOn, changesSentTo, messagesAfter } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";

const { curfew } = oneBot({ config, seed, account: linesAccount(), startAt });
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

it.each(["why not", "status week", "keep zzz up"])("“%s” is answered shortly, and matches no name", async (line) => {
  const reply = await say(line);
  expect(reply.text).not.toMatch(/Did you mean|The line is/);
  expect(reply.text.length).toBeLessThan(250);
});
