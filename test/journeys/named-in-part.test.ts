import { afterEach, beforeEach, expect, it } from "vitest";
import type { StoredMessage } from "../../src/sandbox/workspace/state.ts";
import { createClock } from "../support/clock.ts";
import { ask, buttonsOn, cardOf, messagesAfter } from "../support/journey.ts";
import { lastBody } from "../support/one-bot.ts";
import { type Curfew, startCurfew, unlimitedConfig } from "../support/start-curfew.ts";

const hourMs = 3_600_000;
let running: Curfew | undefined;
const curfew = (): Curfew => {
  if (!running) throw new Error("The bot has not been started.");
  return running;
};
// What one test holds or saves is named in the next one's lines too.
beforeEach(async () => {
  /** A Monday, 09:00 in London. */
  const clock = createClock(Date.parse("2027-04-05T08:00:00Z"));
  running = await startCurfew({ config: unlimitedConfig, now: clock.now, elapsedMs: clock.elapsedMs });
});
afterEach(() => running?.stop());
const told = async (who: string, line: string) => (await ask(curfew(), who, line)).text;
const resources = (id: string) => curfew().service.account.exclusions.get(id)?.resourceIds;
const inCard = (who: string, text: string, card: StoredMessage) =>
  messagesAfter(curfew(), who, () => curfew().workspace.as(who).type(`@Curfew ${text}`, "ops", card.ts), "ops");
const made = async (who: string, line: string) => {
  const answer = await ask(curfew(), who, line);
  const card = await cardOf(curfew(), answer.changeId);
  await curfew().app.idle();
  return { ...answer, card };
};

it("one machine of an exclusion is let go alone, by its maker at once and by others with one button", async () => {
  const { exclusionId } = await ask(curfew(), "alice", "keep staging up for 2h");
  const { text, message } = await ask(curfew(), "carol", "end i-0a1");
  expect(text).toContain("by alice. Nothing was changed yet.");
  expect(buttonsOn(message)).toEqual(["End it for i-0a1"]);
  expect(resources(exclusionId)).toEqual(["i-0a1", "i-0a2"]);
  expect(await told("alice", "end i-0a1 because tested")).toContain("You took i-0a1 out of “alice: staging”.");
  expect(resources(exclusionId)).toEqual(["i-0a2"]);
});

it("one machine of an exclusion gets another end alone", async () => {
  const { exclusionId } = await ask(curfew(), "alice", "keep staging up for 2h");
  const end = () => curfew().service.account.exclusions.get(exclusionId)?.expiryDate;
  const before = end();
  const longer = await ask(curfew(), "alice", "extend i-0a1 1h");
  expect(end()).toBe(before);
  expect(resources(longer.exclusionId)).toEqual(["i-0a1"]);
  await ask(curfew(), "alice", "shorten i-0a2 by 1h");
  expect(resources(exclusionId)).toEqual(["i-0a1"]);
  expect(lastBody(curfew(), "CreateActionExclusion")).toMatchObject({
    resourceIds: ["i-0a2"],
    expiryDate: new Date(Date.parse(String(before)) - hourMs).toISOString(),
  });
});

it("what a card holds is held again at another time, and other machines with it", async () => {
  const { card } = await made("alice", "keep staging up until 20:00 because demo");
  for (const line of ["same tomorrow", "extend on wednesday until 20:00"])
    expect((await inCard("alice", line, card)).text, line).toContain("You plan to keep staging running from");
  const mine = await told("alice", "exclusions mine");
  expect(mine.match(/demo/g)).toHaveLength(3);
  await inCard("alice", "keep i-0b9 --project p-dev up", card);
  const held = [...curfew().service.account.exclusions.values()].slice(-2).map(({ expiryDate }) => expiryDate);
  expect(held[1]).toBe(held[0]);
  expect((await inCard("alice", "warn me 30m before", card)).text).toContain("30 min before staging stops");
});

it("what goes beyond one's right is asked for at once, if the line says so", async () => {
  for (const line of ["keep staging up for 30h --ask", "ask carol to keep staging up for 31h"])
    expect(await told("alice", line), line).toMatch(/(?:waits|waiting) for approval/);
  expect(await told("alice", "keep staging up for 32h")).toContain("Ask");
});

it("a saved group takes project and type from its machines, and is added to and taken from", async () => {
  expect(await told("alice", "group save smoke i-0a1 i-0a2")).toContain("Project: p-dev");
  expect(await told("alice", "remove i-0a2 from group smoke")).toContain("Replaced group smoke");
  expect(await told("alice", "group show smoke")).not.toContain("i-0a2");
  expect(await told("alice", "add i-0a2 to group smoke")).toContain("Replaced group smoke");
  expect(await told("alice", "group add staging i-0b9")).toContain("comes from the config file");
});

it("`undo rename` shows the change of that kind", async () => {
  await ask(curfew(), "carol", "project rename p-dev Dev");
  const { text, message } = await ask(curfew(), "carol", "undo rename");
  expect(text).toContain("carol renamed project");
  expect(buttonsOn(message)).toContain("Undo");
});
