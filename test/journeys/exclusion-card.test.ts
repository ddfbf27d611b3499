import { describe, expect, it } from "vitest";
import type { StoredMessage } from "../../src/sandbox/workspace/state.ts";
import {
  ask,
  buttonsOn,
  cardOf,
  cardsIn,
  changesSentTo,
  messagesAfter,
  nowOf,
  textOf,
  threadOf,
} from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";

const { curfew, clock, person } = oneBot();
const hourMs = 3_600_000;
const shown = (card: StoredMessage) => textOf(nowOf(curfew(), card));
const endOf = (id: string) => Date.parse(curfew().service.account.exclusions.get(id)?.expiryDate ?? "");
const cards = () => cardsIn(curfew().workspace, "ops").length;

async function excluded(line = "exclude staging for 2h", who = "alice") {
  const { changeId, exclusionId } = await ask(curfew(), who, `${line} --another --reason demo`);
  await curfew().app.idle();
  return { id: exclusionId, card: await cardOf(curfew(), changeId) };
}

describe("the card of an exclusion", () => {
  it("is the only message in its channel from making to end, with two lines and one row of buttons", async () => {
    const before = cards();
    const { id, card } = await excluded();
    for (const line of [`exclusion extend ${id} for 1h`, `exclusion edit ${id} --name Longer`]) {
      clock.advance(2000);
      await ask(curfew(), "alice", line);
      await curfew().app.idle();
      expect(nowOf(curfew(), card).blocks.map(({ type }) => type)).toEqual(["section", "context", "actions"]);
    }
    clock.advance(10 * hourMs);
    await curfew().app.idle();
    await curfew().workspace.waitFor(() => shown(card).startsWith(":white_circle:"));
    expect(cards()).toBe(before + 1);
    const [sentence = "", grey = ""] = shown(card).split("\n");
    expect(sentence).toMatch(/^:white_circle: \*staging\* follows its schedule again since <!date\^/);
    expect(grey).toMatch(
      /^demo · “Longer” · 2 × EC2 in Development · kept running by <@U01ALICE> for 3 h · edited by <@U01ALICE>$/,
    );
  });

  it.each([
    ["stop", "is keeping *i-0e1* running until"],
    ["start", "is keeping *i-0e1* off until"],
    ["both", "is leaving *i-0e1* alone until"],
  ])("says in words what is held back: %s", async (process, words) => {
    const { card } = await excluded(`exclude i-0e1 --project p-dev --process ${process} for 1h`);
    expect(shown(card)).toContain(words);
  });

  it("names two machines, and counts the others", async () => {
    const { card } = await excluded("exclude i-0e2 i-0e3 i-0e4 i-0e5 --project p-dev for 1h");
    expect(shown(card)).toContain("is keeping *i-0e2*, *i-0e3* and 2 more running");
  });

  it("extends by an hour with one click; a double click is one, a second click after it is another", async () => {
    const { id, card } = await excluded();
    const end = endOf(id);
    const sent = changesSentTo(curfew());
    await person("alice").press("Extend 1 h", nowOf(curfew(), card), { times: 2 });
    await curfew().app.idle();
    expect(sent()).toEqual(["ModifyActionExclusion"]);
    expect(endOf(id) - end).toBe(hourMs);
    clock.advance(2000);
    await curfew().workspace.waitFor(() => shown(card).includes("extended by"));
    await messagesAfter(curfew(), "alice", () => person("alice").press("Extend 1 h", nowOf(curfew(), card)));
    expect(endOf(id) - end).toBe(2 * hourMs);
  });

  it("says that an earlier end is one", async () => {
    const { id, card } = await excluded("exclude staging for 8h");
    const { text } = await ask(
      curfew(),
      "carol",
      `exclusion extend ${id} until ${new Date(endOf(id) - 2 * hourMs).toISOString()}`,
    );
    expect(text).toMatch(/staging: now until /);
    await curfew().workspace.waitFor(() => shown(card).includes("shortened by <@U03CAROL>"));
  });

  it("refuses the click of somebody without the right, and stays", async () => {
    const { id, card } = await excluded();
    const end = endOf(id);
    const { text } = await messagesAfter(curfew(), "dave", () => person("dave").press("Extend 1 h", card));
    expect(text).toMatch(/^:no_entry: You can't change what is kept/);
    expect(endOf(id)).toBe(end);
    expect(buttonsOn(nowOf(curfew(), card))).toContain("Extend 1 h");
  });

  it("has details, edit and history in its menu", async () => {
    const { card } = await excluded();
    const { text } = await messagesAfter(curfew(), "alice", () => person("alice").press("Details", card));
    expect(text).toContain("alice kept staging running");
    expect(text).toContain("Reason: demo");
    await person("alice").press("Edit…", card);
    const form = await curfew().workspace.waitFor(() => person("alice").openView(), { what: "the form" });
    expect(form.title).toBe("Edit what is kept");
    await person("alice").cancel();
  });

  it("says that another exclusion still covers the machines when it ends", async () => {
    await excluded("exclude staging for 9h");
    const { card } = await excluded("exclude staging for 1h");
    clock.advance(hourMs + 10_000);
    await curfew().app.idle();
    await curfew().workspace.waitFor(() => shown(card).startsWith(":white_circle:"));
    expect(shown(card)).toMatch(
      /^:white_circle: This ended <!date.* while (?:another|\d others) still kept \*staging\* running/,
    );
    expect(shown(card)).not.toContain("follows its schedule again");
  });

  it.each(["message_not_found", "edit_window_closed"])("is posted once more when Slack says %s", async (error) => {
    const { id, card } = await excluded();
    const before = cards();
    curfew().workspace.faults.failNext("chat.update", { error });
    await ask(curfew(), "alice", `exclusion extend ${id} for 2h`);
    await curfew().app.idle();
    const replaced = await curfew().workspace.waitFor(() => cardsIn(curfew().workspace, "ops").slice(before)[0]);
    expect(textOf(replaced)).toMatch(/This continues a card that can no longer be edited: https:.*p\d+/);
    await ask(curfew(), "alice", `exclusion extend ${id} for 1h`);
    await curfew().workspace.waitFor(() => threadOf(curfew(), replaced).length > 0, {
      what: "the line in the new thread",
    });
    expect(replaced.ts).not.toBe(card.ts);
    expect(cards()).toBe(before + 1);
  });
});

describe("too long an exclusion", () => {
  it("is offered for as long as its requester may", async () => {
    const { text, message } = await ask(curfew(), "alice", "exclude i-0e9 --project p-dev for 30h");
    expect(text).toContain(
      "You can keep machines running or off for at most 1 d from its start. This would be 1 d 6 h.",
    );
    const done = await messagesAfter(curfew(), "alice", () => person("alice").press("Use 1 d", message));
    expect(done.text).toMatch(/Keeping i-0e9 running until /);
  });

  it("is offered for as long as anybody may", async () => {
    const { message } = await ask(curfew(), "carol", "exclude i-0e8 --project p-dev for 20d");
    const done = await messagesAfter(curfew(), "carol", () => person("carol").press("Use 14 d", message));
    expect(done.text).toContain("Keeping i-0e8");
  });
});
