import { beforeAll, describe, expect, it } from "vitest";
import { ask } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

const { curfew, clock } = oneBot({ config: unlimitedConfig });
const told = async (who: string, line: string) => (await ask(curfew(), who, line)).text;
/** Its blocks too: the list shows no ids, but each line's button or menu names its change. */
const answered = async (who: string, line: string) => {
  const { text, message } = await ask(curfew(), who, line);
  return `${text}\n${JSON.stringify(message.blocks)}`;
};
const idOf = async (who: string, line: string) => (await ask(curfew(), who, line)).changeId;
const hourMs = 3_600_000;

/** The changes that everything below looks for. */
const changes = { old: "", excluded: "", other: "", secret: "", renamed: "", disabled: "", failed: "" };

beforeAll(async () => {
  changes.old = await idOf("alice", "exclude i-0d9 --project p-dev for 1h");
  clock.advance(72 * hourMs);
  changes.excluded = await idOf("alice", "exclude staging for 2h");
  changes.other = await idOf("carol", "exclude i-0a1 --project p-dev for 3h --another");
  changes.secret = await idOf("carol", "exclude i-0d8 --project p-prod for 3h");
  changes.renamed = await idOf("carol", 'project rename p-dev "Dev team"');
  changes.disabled = await idOf("bob", "user disable dave@example.com");
  curfew().service.faults.next({ kind: "status", operation: "ModifyUser", status: 400 });
  changes.failed = await idOf("bob", "user enable dave@example.com");
});

/** The names of the changes in an answer, in the order above. */
const shownIn = (answer: string) =>
  Object.entries(changes)
    .filter(([, id]) => answer.includes(id))
    .map(([name]) => name);

describe("the history, for carol, who may see all of it", () => {
  it.each([
    ["bob", ["disabled", "failed"]],
    ["@bob", ["disabled", "failed"]],
    ["by Bob", ["disabled", "failed"]],
    ["bob failed", ["failed"]],
    ["failed by bob since 2 days", ["failed"]],
    ["bob failed since yesterday", ["failed"]],
    ["mine", ["other", "secret", "renamed"]],
    ["i-0a1", ["excluded", "other"]],
    ["alice i-0a1", ["excluded"]],
    ["staging", ["excluded", "other"]],
    ["i-0d8 i-0d9", ["old", "secret"]],
    ["p-dev", ["renamed"]],
    ['"Dev team"', ["renamed"]],
    ["user dave", ["disabled", "failed"]],
    ["dave@example.com done", ["disabled"]],
    ["exclude", ["old", "excluded", "other", "secret"]],
    ["exclusion create mine", ["other", "secret"]],
    ["CreateActionExclusion by alice since today", ["excluded"]],
    ["alice since last week", ["old", "excluded"]],
    ["changes of staging by carol", ["other"]],
    ["user disable or user enable", ["disabled", "failed"]],
  ])("narrowed by “%s” shows %j", async (words, names) => {
    expect(shownIn(await answered("carol", `history ${words}`))).toEqual(names);
  });

  it("names in its title what it is narrowed to", async () => {
    expect(await told("carol", "history failed @bob since 2 days")).toMatch(/^\*Changes, failed, by bob, since 2 days/);
    expect(await told("carol", "history mine failed")).toContain("There are no such changes that you may see.");
  });

  it.each([
    ["history faild", "I didn't understand “faild”, so nothing is shown. Did you mean “failed”?"],
    ["history stagin bob pronto", "I didn't understand “pronto”, so nothing is shown."],
    ["history since someday", "I didn't understand “since someday”"],
    ["history mine by bob", "Those are two people."],
    ["history alice bob", "Those are two people."],
    [`history ${"x ".repeat(20)}`, "at most 12 words"],
  ])("typed as “%s” shows nothing that was not asked for", async (line, words) => {
    const answer = await answered("carol", line);
    expect(answer).toContain(words);
    expect(answer).not.toMatch(/chg-/);
  });
});

describe("the history, narrowed by somebody who may not see everything", () => {
  it("says nothing of other projects, as if they did not exist", async () => {
    expect(shownIn(await answered("alice", "history exclude"))).toEqual(["old", "excluded", "other"]);
    expect(shownIn(await answered("alice", "history carol"))).toEqual(["other", "renamed"]);
    expect(await told("alice", "history i-0d8")).toContain("There are no such changes that you may see.");
    const [hidden, none] = [await told("alice", "history p-prod"), await told("alice", "history p-nowhere")];
    expect(hidden.replaceAll("p-prod", "it")).toBe(none.replaceAll("p-nowhere", "it"));
    expect(await told("alice", "history user dave")).toContain("I didn't understand");
    expect(await told("alice", "history Produc")).not.toMatch(/Production|p-prod/);
  });

  it("shows a person without a role nothing, not even who uses Curfew", async () => {
    const [known, unknown] = [await told("dave", "history carol"), await told("dave", "history nobody")];
    expect(known.replaceAll("carol", "x")).toBe(unknown.replaceAll("nobody", "x"));
    expect(await told("dave", "history staging")).toContain("I didn't understand “staging”");
    expect(await told("dave", "history mine")).toContain("There are no changes that you may see.");
  });
});

describe("the list of exclusions", () => {
  const named = (text: string) => ["staging", "i-0a1", "i-0d8"].filter((name) => text.includes(`*${name}*`));

  it.each([
    ["carol", "", ["staging", "i-0a1", "i-0d8"]],
    ["carol", "mine", ["i-0a1", "i-0d8"]],
    ["carol", "others", ["staging"]],
    ["carol", "@alice", ["staging"]],
    ["carol", "staging by carol", ["i-0a1"]],
    ["carol", "i-0a2", ["staging"]],
    ["carol", "p-prod", ["i-0d8"]],
    ["carol", "since today mine", ["i-0a1", "i-0d8"]],
    ["alice", "carol", ["i-0a1"]],
    ["alice", "i-0d8", []],
  ])("for %s, narrowed by “%s”, shows %j", async (who, words, names) => {
    expect(named(await told(who, `exclusion list ${words}`))).toEqual(names);
  });

  it("shows nothing when a word is not understood", async () => {
    const text = await told("carol", "exclusions ours");
    expect(text).toContain("I didn't understand “ours”, so nothing is shown.");
    expect(named(text)).toEqual([]);
  });
});
