import { describe, expect, it } from "vitest";
import type { StoredMessage } from "../../src/sandbox/workspace/state.ts";
import { ask, buttonsOn, cardOf, menusOn, nowOf, textOf, threadOf } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";

const { curfew, clock } = oneBot();
const hourMs = 3_600_000;
const now = (card: StoredMessage) => nowOf(curfew(), card);
const shown = (card: StoredMessage) => textOf(now(card));
const linesIn = (card: StoredMessage) => threadOf(curfew(), card).map(textOf);
const seconds = (timestamp: string | undefined) => Math.floor(Date.parse(timestamp ?? "") / 60_000) * 60;
const endOf = (id: string) => seconds(curfew().service.account.exclusions.get(id)?.expiryDate);

async function excluded(line = "exclude staging for 2h") {
  const { changeId, exclusionId } = await ask(curfew(), "alice", `${line} --another --name "Demo ${clock.now()}"`);
  return { id: exclusionId, madeBy: changeId, card: await cardOf(curfew(), changeId) };
}

async function then(line: string) {
  const result = await ask(curfew(), "alice", line);
  await curfew().app.idle();
  return result;
}

describe("the card of an exclusion", () => {
  it("shows the current end and who edited it, and its thread says in words what was edited", async () => {
    const { id, card } = await excluded();
    const first = endOf(id);
    await then(`exclusion edit ${id} --name Longer --process both for 5h`);
    expect(shown(card)).toContain(
      `:large_green_circle: <@U01ALICE> is leaving *staging* alone until *<!date^${endOf(id)}^`,
    );
    expect(shown(card)).toContain("edited by <@U01ALICE>");
    expect(shown(card)).not.toContain(`<!date^${first}^`);
    expect(buttonsOn(now(card))).toEqual(["Extend 1 h", "Extend…", "End now"]);
    const [line, ...others] = linesIn(card);
    expect(others).toEqual([]);
    expect(line).toContain(`:pencil2: <@U01ALICE>: Until: <!date^${first}^`);
    expect(line).toContain(`→ <!date^${endOf(id)}^`);
    expect(line).toMatch(/, Name: Demo \d+ → Longer, Holds back: stopping → starting and stopping$/);
  });

  it("stays the only one: its thread lists all changes in order", async () => {
    const { id, card } = await excluded();
    await then(`exclusion extend ${id} for 1h`);
    for (const name of ["Second", "Third", "Fourth"]) {
      const { changeId } = await then(`exclusion edit ${id} --name ${name}`);
      expect((await cardOf(curfew(), changeId)).ts).toBe(card.ts);
    }
    expect(linesIn(card)).toEqual([
      expect.stringMatching(/^:alarm_clock: <@U01ALICE>: <!date.* → <!date/),
      expect.stringMatching(/^:pencil2: <@U01ALICE>: Name: Demo \d+ → Second$/),
      expect.stringContaining("Name: Second → Third"),
      expect.stringContaining("Name: Third → Fourth"),
    ]);
    expect(shown(card)).toContain("edited by <@U01ALICE>");
    expect(shown(card), "only the last change").not.toContain("extended by");
  });

  it("says when the exclusion is switched off, and has no Extend button", async () => {
    const { id, card } = await excluded();
    await then(`exclusion edit ${id} --enabled no`);
    expect(shown(card)).toContain(
      `:mute: *staging* is no longer kept running: this is switched off, and would last until *<!date^${endOf(id)}^`,
    );
    expect(linesIn(card)).toEqual([expect.stringContaining("Enabled: yes → no")]);
    expect(buttonsOn(now(card))).toEqual(["Edit…", "End now"]);
    await then(`exclusion edit ${id} --enabled yes`);
    expect(shown(card)).toContain(`is keeping *staging* running until *<!date^${endOf(id)}^`);
    expect(shown(card)).not.toContain("switched off");
    expect(buttonsOn(now(card))).toEqual(["Extend 1 h", "Extend…", "End now"]);
  });

  it("says that a switched-off exclusion never ended as planned, and offers nothing afterwards", async () => {
    const { id, card } = await excluded();
    const { changeId } = await then(`exclusion edit ${id} --enabled no`);
    clock.advance(2 * hourMs + 5000);
    await curfew().app.idle();
    expect(shown(card)).toMatch(
      /\*staging\* is no longer kept running: this was switched off, and its end has passed: <!date\^/,
    );
    expect(shown(card)).not.toMatch(/again|made by/);
    expect(buttonsOn(now(card))).toEqual([]);
    expect(buttonsOn((await ask(curfew(), "alice", `history ${changeId}`)).message)).toEqual([]);
  });

  it("says who ended it, and its planned end is in the history", async () => {
    const { id, card, madeBy } = await excluded();
    const { changeId } = await then(`undo ${madeBy}`);
    expect(curfew().service.account.exclusions.has(id)).toBe(false);
    expect(shown(card)).toMatch(/^:white_circle: .*<@U01ALICE> ended it <!date\^/);
    expect(shown(card)).not.toMatch(/until|Next stop/);
    expect(buttonsOn(now(card))).toEqual([]);
    expect((await ask(curfew(), "alice", `history ${changeId}`)).text).toContain("Would have ended: <!date^");
  });
});

describe("the reply to a change of an exclusion", () => {
  const off = "It is switched off: it has no effect.";

  it("says that it is switched off, also after an extension", async () => {
    const { id } = await excluded();
    for (const line of [`exclusion edit ${id} --enabled no`, `exclusion extend ${id} for 1h`]) {
      const { text, message } = await then(line);
      expect(text).toContain(off);
      expect(message.text).toContain(off);
    }
    const { text } = await then(`exclusion edit ${id} --enabled yes`);
    expect(text).not.toContain("switched off");
  });
});

describe("the list of exclusions", () => {
  it("includes and marks switched-off ones until their end", async () => {
    const { id } = await excluded("exclude staging for 3h");
    await then(`exclusion edit ${id} --enabled no --name Asleep`);
    const { text, message } = await ask(curfew(), "alice", "exclusions mine");
    expect(text).toMatch(/mute: \*Asleep\* · staging · switched off · would end <!date/);
    expect(menusOn(message)).toContainEqual(["End now…", "Edit…", "History"]);
    clock.advance(3 * hourMs);
    expect((await ask(curfew(), "alice", "exclusions mine")).text).not.toContain("Asleep");
  });
});
