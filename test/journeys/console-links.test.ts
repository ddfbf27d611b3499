import { expect, it } from "vitest";
import { ask, cardOf, textOf } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

const address = "https://console.example.com";
const { curfew } = oneBot({
  config: `${unlimitedConfig}
consoleUrl: { action: "${address}/actions/{id}", exclusion: "${address}/e?id={id}", user: "${address}/users/{id}" }
`,
});

it("the name on an exclusion's card and in lists leads to the service's console", async () => {
  const { changeId, exclusionId } = await ask(curfew(), "alice", "keep staging up for 2h");
  const name = `*<${address}/e?id=${exclusionId}|staging>*`;
  expect(textOf(await cardOf(curfew(), changeId))).toContain(`is keeping ${name} running until`);
  expect((await ask(curfew(), "alice", "list")).text).toContain(`${name} · until `);
});

it("the names of actions and users lead there too, and those of groups nowhere", async () => {
  expect((await ask(curfew(), "alice", "actions QA")).text).toContain(`*<${address}/actions/a-00000011|Stop QA>*`);
  expect((await ask(curfew(), "carol", "user list")).text).toContain(`*<${address}/users/u-00000004|dave>*`);
  expect((await ask(curfew(), "alice", "groups")).text).toContain("*staging* · ");
});
