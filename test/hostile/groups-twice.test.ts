import { afterEach, expect, it } from "vitest";
import { ask, messagesAfter } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";

const { curfew } = oneBot();
const save = (id: string) => `group save ledger ${id} --type amazon-ebs-volume --project p-dev`;
const shown = async () => (await ask(curfew(), "carol", "group show ledger")).text;

afterEach(() => ask(curfew(), "carol", "group delete ledger"));

/** Slack delivers a line again after another person changed the same group. */
async function deliveredAgain(line: string, since: string): Promise<string> {
  await ask(curfew(), "carol", line);
  const first = curfew().workspace.appRequests.at(-1);
  if (first === undefined) throw new Error("Nothing was delivered.");
  await ask(curfew(), "carol", since);
  return (await messagesAfter(curfew(), "carol", () => curfew().workspace.redeliver(first))).text;
}

it("a repeated delivery of a line does not save a group again", async () => {
  const text = await deliveredAgain(save("vol-0a1"), save("vol-0b2"));
  expect(text).toContain("saved resource group ledger");
  expect(await shown()).toContain("vol-0b2");
});

it("a repeated delivery of a line does not delete the next group with that name", async () => {
  await ask(curfew(), "carol", save("vol-0a1"));
  const text = await deliveredAgain("group delete ledger", save("vol-0c3"));
  expect(text).toContain("deleted resource group ledger");
  expect(await shown()).toContain("vol-0c3");
});

it("the same line typed again counts as another request", async () => {
  await ask(curfew(), "carol", save("vol-0d4"));
  await ask(curfew(), "carol", save("vol-0e5"));
  await ask(curfew(), "carol", save("vol-0d4"));
  expect(await shown()).toContain("vol-0d4");
});
