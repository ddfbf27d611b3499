import { expect, it } from "vitest";
import { press } from "../support/approval-journey.ts";
import { callLine } from "../support/as-caller.ts";
import { ask, cardOf, fillIn, openForm } from "../support/journey.ts";
import { withOneBot } from "../support/one-bot.ts";
import { configWithoutAsking } from "../support/start-curfew.ts";

withOneBot(
  (curfew) => {
    /** The refusals logged meanwhile. */
    const refusalsIn = async (work: () => Promise<unknown>): Promise<readonly unknown[]> => {
      const before = curfew().logged.length;
      await work();
      return curfew()
        .logged.slice(before)
        .map((line): Record<string, unknown> => JSON.parse(line))
        .filter(({ outcome }) => outcome === "refused");
    };

    it.each([
      ["dave", "exclude i-0a1 for 4h", "exclusion create", "default deny"],
      ["dave", "action list", "action list", "default deny"],
      ["gina", "help", "any command", "default deny"],
      ["alice", "exclude i-0a1 for 30h", "exclusion create", "permissions.roles.engineer.where.maxExclusion"],
      ["alice", "disable bob", "user disable", "default deny"],
    ])("logs who was refused what, where and by which rule: %s types “%s”", async (who, line, command, rule) => {
      expect(await refusalsIn(() => ask(curfew(), who, line))).toEqual([
        expect.objectContaining({
          ...{ msg: "command", decision: "refused" },
          ...{ actorId: curfew().workspace.as(who).id, channelId: "C0OPS", command, rule },
        }),
      ]);
    });

    it("logs the refusal of a button, of a sent form and of a pipeline", async () => {
      const card = await cardOf(curfew(), (await ask(curfew(), "alice", "exclude i-0a1 for 1h")).changeId);
      expect(await refusalsIn(() => press(curfew(), "dave", "End now", card))).toMatchObject([
        { command: "exclusion end", rule: "default deny" },
      ]);
      await openForm(curfew(), "alice", "exclude");
      const given = {
        ...{ What: "i-0a2", "Resource type": "amazon-ec2-instance", Project: "Development (p-dev)" },
        Until: Math.floor((Date.now() + 30 * 3_600_000) / 60_000) * 60,
      };
      await fillIn(curfew(), "alice", given);
      expect(await refusalsIn(() => curfew().workspace.as("alice").submit())).toMatchObject([
        { command: "exclusion create", rule: "permissions.roles.engineer.where.maxExclusion" },
      ]);
      expect(await refusalsIn(() => callLine(curfew(), "exclude i-0a1 for 30h", { key: "refused" }))).toMatchObject([
        { command: "exclusion create", actorId: "caller:deploy-bot" },
      ]);
    });
  },
  { config: configWithoutAsking },
);
