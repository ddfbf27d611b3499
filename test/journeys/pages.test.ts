import { expect, it } from "vitest";
import { ask, buttonsOn, type CommandReply, messagesAfter, openForm, send } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

const { curfew } = oneBot({ config: unlimitedConfig });
const next = (on: CommandReply) =>
  messagesAfter(curfew(), "carol", () => curfew().workspace.as("carol").press("Next", on.message));

it("a narrowed history keeps its filter on every page, also from its form", async () => {
  for (let n = 1; n <= 16; n++) await ask(curfew(), "carol", `project rename p-dev "Name ${n}"`);
  await ask(curfew(), "carol", "user email u-00000005 erin@example.org");
  await openForm(curfew(), "carol", "history --page first");
  const first = await send(curfew(), "carol", { Filter: "carol p-dev" });
  expect(first.text).toContain("renamed project Name 15");
  expect(first.text).not.toContain("e-mail");
  expect(buttonsOn(first.message)).not.toContain("Previous");
  const second = await next(first);
  expect(second.text).toContain("renamed project Development");
  expect(buttonsOn(second.message)).not.toContain("Next");
});

it("the pages of exclusions show each of them, and their number", async () => {
  for (let n = 1; n <= 11; n++) await ask(curfew(), "carol", `exclude i-0e${n} --project p-prod for 5h`);
  await ask(curfew(), "carol", "exclude staging for 5h");
  const first = await ask(curfew(), "carol", "exclusions p-prod");
  expect(first.text).toContain("*11 kept running or off in Production*\nPage 1 of 2\n");
  expect(first.text.match(/ left\)/g)).toHaveLength(10);
  expect(first.text).not.toContain("more.");
  const second = await next(first);
  expect(second.text).toContain("Page 2 of 2");
  expect(second.text.match(/ left\)/g)).toHaveLength(1);
  expect(buttonsOn(second.message)).toEqual(["Previous"]);
});
