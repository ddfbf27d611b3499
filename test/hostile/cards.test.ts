import { expect, it } from "vitest";
import { askFor, configWith } from "../support/approval-journey.ts";
import { ask, cardOf, textOf, threadOf } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";

const config = configWith(
  "{ operations: [CreateActionExclusion], approvers: [helpdesk], channel: C0SEC, when: { projects: [p-prod] } }",
);
const { curfew, clock } = oneBot({ config });

const machines = (count: number) =>
  Array.from({ length: count }, (_, index) => `i-0a${index.toString(16).padStart(15, "0")}`);
const type = "--type amazon-ec2-instance --project p-dev";

it.each([
  ["the last", (ids: readonly string[]) => [...ids.slice(0, -1), "i-0dead"], ["i-0dead", machines(25)[24]]],
  ["the last, which is removed", (ids: readonly string[]) => ids.slice(0, -1), [machines(25)[24]]],
  ["one more", (ids: readonly string[]) => [...ids, "i-0dead"], ["i-0dead"]],
])("an edit's line names the changed resources in a long list when that is %s", async (_what, edit, named) => {
  const ids = machines(25);
  const made = await ask(curfew(), "carol", `exclude ${ids.join(" ")} ${type} for 1h --another`);
  await curfew().app.idle();
  clock.advance(1000);
  const line = `exclusion edit ${made.exclusionId} --resource-ids ${edit(ids).join(",")}`;
  const { changeId } = await ask(curfew(), "carol", line);
  const card = await cardOf(curfew(), changeId);
  await curfew().app.idle();
  const [edited] = threadOf(curfew(), card);
  for (const shown of [edited && textOf(edited), (await ask(curfew(), "carol", `history ${changeId}`)).text]) {
    expect(shown).toContain("Resources");
    for (const id of named) expect(shown).toContain(id);
  }
});

it("a card shows the changed text of a long selector", async () => {
  const regions = Array.from({ length: 30 }, (_, index) => `eu-west-${index}`);
  const selector = "selector edit plan-00000001 sel-00000001";
  await ask(curfew(), "carol", `${selector} --regions ${regions.join(",")}`);
  await curfew().app.idle();
  const { changeId } = await ask(curfew(), "carol", `${selector} --regions ${[...regions, "us-east-1"].join(",")}`);
  const card = textOf(await cardOf(curfew(), changeId));
  expect(card).toMatch(/eu-west-29 → .*eu-west-29, us-east-1/);
});

it.each([
  ["reverses the text", "\u202e", "\\u202e"],
  ["has no width", "\u200b", "\\u200b"],
  ["joins", "\u200d", "\\u200d"],
  ["hyphenates", "\u00ad", "\\u00ad"],
  ["only looks like a blank", "\u3164", "\\u3164"],
  ["is a tag", "\u{e0041}", "\\udb40\\udc41"],
])("Details spell out a character that %s in the exact request for approvers", async (_what, sign, spelled) => {
  const line = `exclude i-0b9 --type amazon-ec2-instance --project p-prod --name "a${sign}b" for 1h`;
  const { changeId } = await askFor(curfew(), "carol", line, "security");
  const { message } = await ask(curfew(), "bob", `history ${changeId}`);
  const shown = JSON.stringify(message.blocks.filter(({ type: kind }) => kind === "rich_text"));
  expect(shown).not.toContain(sign);
  expect(shown).toContain(JSON.stringify(`"a${spelled}b"`).slice(1, -1));
});
