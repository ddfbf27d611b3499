import { describe, expect, it } from "vitest";
import type { StoredMessage } from "../../src/sandbox/workspace/state/messages.ts";
import { ask, buttonsOn, cardOf, exclusionIdIn, nowOf, textOf } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";

const { curfew, clock } = oneBot();
const hourMs = 3_600_000;
const now = (card: StoredMessage) => nowOf(curfew(), card);
const shown = (card: StoredMessage) => textOf(now(card));
const seconds = (timestamp: string | undefined) => Math.floor(Date.parse(timestamp ?? "") / 60_000) * 60;
const endOf = (id: string) => seconds(curfew().service.account.exclusions.get(id)?.expiryDate);

async function excluded(line = "exclude staging for 2h") {
  const { text, changeId } = await ask(curfew(), "alice", `${line} --another --name "Demo ${clock.now()}"`);
  return { id: exclusionIdIn(text), card: await cardOf(curfew(), changeId) };
}

async function then(line: string) {
  const result = await ask(curfew(), "alice", line);
  await curfew().app.idle();
  return result;
}

describe("the card of an exclusion", () => {
  it("says in words what was edited, and shows the current end", async () => {
    const { id, card } = await excluded();
    const first = endOf(id);
    const { changeId } = await then(`exclusion edit ${id} --name Longer --process both for 5h`);
    const said = shown(card);
    expect(said).toContain(`Edited by <@U01ALICE> (change \`${changeId}\`): Until: <!date^${first}^`);
    expect(said).toMatch(/· Name: Demo \d+ → Longer · Holds back: stopping → starting and stopping/);
    expect(said).toMatch(new RegExp(`\\*Until\\*\\n<!date\\^${first}\\^.* → <!date\\^${endOf(id)}\\^`));
    expect(buttonsOn(now(card))).toEqual(["Extend", "End"]);
  });

  it("lists the latest three changes in order", async () => {
    const { id, card } = await excluded();
    await then(`exclusion extend ${id} for 1h`);
    await then(`exclusion edit ${id} --name Second`);
    expect(shown(card)).toMatch(/End moved to .*Edited by .*Name: Demo \d+ → Second/s);
    await then(`exclusion edit ${id} --name Third`);
    await then(`exclusion edit ${id} --name Fourth`);
    expect(shown(card)).toContain(":fast_forward: 1 earlier change.");
    expect(shown(card)).not.toContain("End moved");
  });

  it("says when the exclusion is switched off, and has no Extend button", async () => {
    const { id, card } = await excluded();
    const { changeId } = await then(`exclusion edit ${id} --enabled no`);
    const edit = await cardOf(curfew(), changeId);
    for (const each of [card, edit]) {
      expect(shown(each)).toContain(":mute: Switched off: it has no effect.");
      expect(shown(each)).toContain("*Would end*");
      expect(shown(each)).not.toContain("*Until*");
    }
    expect(shown(card)).toContain("Enabled: yes → no");
    expect(buttonsOn(now(card))).toEqual(["Edit", "End"]);
    expect(buttonsOn(now(edit))).toEqual(["Edit", "End", "Undo"]);
    await then(`exclusion edit ${id} --enabled yes`);
    expect(shown(card)).toContain("*Until*");
    expect(shown(card)).not.toContain("Switched off");
    expect(buttonsOn(now(card))).toEqual(["Extend", "End"]);
  });

  it("says that a switched-off exclusion never ended as planned, and offers nothing afterwards", async () => {
    const { id, card } = await excluded();
    const { changeId } = await then(`exclusion edit ${id} --enabled no`);
    const edit = await cardOf(curfew(), changeId);
    clock.advance(2 * hourMs + 5000);
    await curfew().app.idle();
    for (const each of [card, edit]) {
      expect(shown(each)).toContain(`:mute: Switched off, and past its end: <!date^`);
      expect(shown(each)).not.toContain("Ended as planned");
      expect(buttonsOn(now(each))).toEqual([]);
    }
    expect(buttonsOn((await ask(curfew(), "alice", `history ${changeId}`)).message)).toEqual([]);
  });

  it("shows the planned end of an exclusion that somebody ended", async () => {
    const { id, card } = await excluded();
    await then(`undo ${(await ask(curfew(), "alice", "history mine")).changeId}`);
    expect(curfew().service.account.exclusions.has(id)).toBe(false);
    expect(shown(card)).toContain("*Would have ended*");
    expect(shown(card)).not.toContain("*Until*");
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
      expect(text).toContain("*Would end*");
      expect(text).not.toContain("*Until*");
    }
    const { text } = await then(`exclusion edit ${id} --enabled yes`);
    expect(text).not.toContain("switched off");
    expect(text).toContain("*Until*");
  });
});

describe("the list of exclusions", () => {
  it("includes and marks switched-off ones until their end", async () => {
    const { id } = await excluded("exclude staging for 3h");
    await then(`exclusion edit ${id} --enabled no --name Asleep`);
    const { text, message } = await ask(curfew(), "alice", "exclusions mine");
    expect(text).toMatch(
      /\*Asleep\*\nState: switched off · Would hold back: stopping · Would end: <!date.*Resources: i-0a1, i-0a2/,
    );
    expect(buttonsOn(message)).toContain("Edit");
    clock.advance(3 * hourMs);
    expect((await ask(curfew(), "alice", "exclusions mine")).text).not.toContain("Asleep");
  });
});
