import { expect, it } from "vitest";
import type { StoredMessage } from "../../src/sandbox/workspace/state.ts";
import { configWith } from "../support/approval-journey.ts";
import { ask, buttonsOn, cardOf, end, messagesAfter, nowOf, textOf } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";

const { curfew } = oneBot({
  config: configWith("{ operations: [CreateActionExclusion], approvers: [admin, helpdesk], when: { longerThan: 8h } }"),
});
const inCard = (who: string, text: string, card: StoredMessage) =>
  messagesAfter(curfew(), who, () => curfew().workspace.as(who).type(`@Curfew ${text}`, "ops", card.ts), "ops");
const made = async (line: string) => {
  const answer = await ask(curfew(), "alice", line);
  const card = await cardOf(curfew(), answer.changeId);
  await curfew().app.idle();
  return { ...answer, card };
};

it("questions in the thread of a card are about what it made, and a reason given there stands on it", async () => {
  const { card, changeId } = await made("keep staging up for 2h --another because demo");
  for (const question of ["status", "why", "history", "next", "why it"])
    expect((await inCard("alice", question, card)).text, question).toMatch(/staging/);
  expect(JSON.stringify((await inCard("alice", "history", card)).message.blocks)).toContain(changeId);
  const { text } = await inCard("alice", "edit because the client stays longer", card);
  expect(text).toContain("You changed");
  await curfew().app.idle();
  expect(textOf(nowOf(curfew(), card))).toContain("the client stays longer");
  expect(textOf(nowOf(curfew(), card))).not.toContain("demo");
  expect((await ask(curfew(), "alice", "exclusion list mine")).text).toContain("the client stays longer");
});

it("what is over is said to be, and may be excluded anew", async () => {
  const { card, exclusionId } = await made("exclude i-0a1 for 2h --another");
  await end(curfew(), "carol", exclusionId);
  await curfew().app.idle();
  for (const line of ["extend 1h", "end", "edit until 23:59"]) {
    const { text, message } = await inCard("alice", line, card);
    expect(text, line).toContain("This has been ended already. Nothing was changed.");
    expect(buttonsOn(message), line).toContain("Keep again…");
  }
  expect((await inCard("alice", "status", card)).text).toContain("over");
  expect((await inCard("alice", "why", card)).text).toContain("Why alice: i-0a1 is up or down");
});

it("what waits for approval is shown with its state, and ending it withdraws it", async () => {
  const { card } = await made("keep staging up for 10h --another because demo");
  for (const question of ["status", "history"])
    expect((await inCard("alice", question, card)).text, question).toMatch(/waiting for/);
  expect((await inCard("alice", "why", card)).text).toMatch(/^\*i-0a1, i-0a2\*: /);
  expect((await inCard("alice", "approve", card)).text).toContain("You asked for this yourself");
  expect((await inCard("alice", "end", card)).text).toContain("You withdrew");
  expect((await inCard("alice", "status", card)).text).toContain("withdrawn");
});

it("what is planned is shown with its state", async () => {
  const { card } = await made("keep staging up from tomorrow 09:00 until tomorrow 10:00");
  expect((await inCard("alice", "status", card)).text).toContain("planned");
  expect((await inCard("alice", "why", card)).text).toMatch(/^\*i-0a1, i-0a2\*: /);
  expect((await inCard("alice", "end", card)).text).toContain("You withdrew");
});
