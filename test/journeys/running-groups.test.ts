import { expect, it } from "vitest";
import { ask } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { reload, unlimitedConfig } from "../support/start-curfew.ts";

const { curfew } = oneBot({ config: unlimitedConfig });
const running = async (who = "alice") => (await ask(curfew(), who, "running")).text;
const staging = "ids: [i-0a1, i-0a2], actions";

it("shows what runs of saved groups, of one that is held in part, and of the config that was read again", async () => {
  expect(await running()).toContain("*staging*");
  expect(await running()).not.toContain("*pair*");

  expect(
    (await ask(curfew(), "alice", "group save pair i-0b7 i-0b8 --project p-dev --type amazon-ec2-instance")).text,
  ).toContain("pair");
  expect(await running()).toContain("*pair*");

  await ask(curfew(), "alice", "exclude i-0a2 for 2h");
  expect(await running()).toContain("*i-0a1 and i-0a2 are down now, pair is not known*");

  await reload(curfew(), unlimitedConfig.replace(staging, "ids: [i-0a9], actions"));
  const read = await running();
  expect(read).toContain("*staging*");
  expect(read).not.toContain("i-0a2");
});

it("shows nothing of groups in projects that its reader may not see", async () => {
  await reload(curfew(), unlimitedConfig);
  expect(await running("dave")).not.toContain("staging");
});
