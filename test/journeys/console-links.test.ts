import { expect, it } from "vitest";
import { ask, cardOf, textOf } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { reload, unlimitedConfig } from "../support/start-curfew.ts";

const address = "https://console.example.com";
const config = `${unlimitedConfig}
consoleUrl: { action: "${address}/actions/{id}", exclusion: "${address}/e?id={id}", user: "${address}/users/{id}" }
`;
const { curfew } = oneBot({ config });

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

it("the name of an exclusion in parts leads to its first part", async () => {
  const ids = Array.from({ length: 250 }, (_, at) => `i-0e${String(at).padStart(4, "0")}`);
  await reload(
    curfew(),
    config.replace(
      "resourceGroups:\n",
      `resourceGroups:\n  depot: { type: amazon-ec2-instance, project: p-dev, ids: [${ids.join(", ")}] }\n`,
    ),
  );
  const { changeId } = await ask(curfew(), "alice", "keep depot up for 2h");
  const [first] = [...curfew().service.account.exclusions.values()].filter(
    ({ resourceIds }) => resourceIds[0] === ids[0],
  );
  const name = `*<${address}/e?id=${first?.actionExclusionId}|depot>*`;
  expect(textOf(await cardOf(curfew(), changeId))).toContain(`is keeping ${name} running until`);
  expect((await ask(curfew(), "alice", "list")).text).toContain(`${name} · until `);
});
