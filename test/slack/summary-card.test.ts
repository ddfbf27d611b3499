import { expect, test } from "vitest";
import type { SummedUp } from "../../src/changes/outbox-message.ts";
import { summaryCard } from "../../src/slack/messages/cards/change-card.ts";
import { noon } from "../changes/build.ts";
import { mrkdwnIn } from "./hostile-text.ts";

const one = (facts: Partial<SummedUp> = {}): SummedUp => ({
  words: "exclusion create",
  state: "succeeded",
  actorId: "U01ALICE",
  actorName: "alice",
  queuedAt: noon,
  ...facts,
});
const times = (count: number, facts: Partial<SummedUp> = {}) => Array.from({ length: count }, () => one(facts));

test("a summary counts the changes by person, state and command, most frequent first", () => {
  const card = summaryCard([
    ...times(4, { actorId: "U02BOB", actorName: "bob <b>", words: "user disable", state: "unknown" }),
    one({ actorId: "U02BOB", actorName: "bob <b>", queuedAt: noon + 8000 }),
    ...times(7),
  ]);
  expect(card.text).toBe("12 changes within 8 s: 7 by alice, 5 by bob &lt;b&gt;; 8 succeeded, 4 unknown");
  expect(mrkdwnIn(card.blocks).map(({ text }) => text)).toEqual([
    ":card_index_dividers: *12 changes within 8 s:* 7 by <@U01ALICE>, 5 by <@U02BOB>; 8 succeeded, 4 unknown",
    "8 × exclusion create, 4 × user disable",
    "Each change has its own card in this thread.",
  ]);
});

test("changes at the same moment count as within 1 s", () => {
  expect(summaryCard(times(6)).text).toBe("6 changes within 1 s: 6 by alice; 6 succeeded");
});

test("a summary of many people names the most active ones", () => {
  const changes = Array.from({ length: 300 }, (_none, index) =>
    times(index === 0 ? 2 : 1, { actorId: `U${index}`, actorName: `person ${index}` }),
  ).flat();
  const shown = mrkdwnIn(summaryCard(changes).blocks)[0]?.text ?? "";
  expect(shown).toContain("2 by <@U0>, 1 by <@U1>");
  expect(shown).toMatch(/1 by <@U19>, 280 more; 301 succeeded$/);
});
