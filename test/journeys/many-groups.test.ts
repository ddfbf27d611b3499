import { expect, it } from "vitest";
import { defaultSeed } from "../../src/sandbox/workspace/default-seed.ts";
import { ask } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

const more = Array.from({ length: 13 }, (_, at) => ({ id: `S0TEAM${at}`, name: `Team ${at}`, handle: `team-${at}` }));
const [engineers] = defaultSeed.userGroups;
const { curfew, clock } = oneBot({
  config: unlimitedConfig.replace("members: [S0ENGINEERS]", `members: [S0ENGINEERS, ${more.map(({ id }) => id)}]`),
  seed: {
    ...defaultSeed,
    userGroups: [...(engineers ? [engineers] : []), ...more.map((group) => ({ ...group, members: [] }))],
  },
  rateLimits: "slack",
});

it("roles for 14 user groups stay within Slack's limit, one change after the other", async () => {
  for (let minute = 0; minute < 2; minute++) {
    for (let at = 0; at < 12; at++) {
      clock.advance(5000);
      expect((await ask(curfew(), "alice", "exclude staging for 1h --another")).text).toContain("Keeping ");
    }
  }
  const read = curfew().workspace.calls.filter(({ method }) => method.startsWith("usergroups"));
  expect(read.map(({ status }) => status)).not.toContain(429);
  expect(read.length).toBeLessThanOrEqual(30);
});
