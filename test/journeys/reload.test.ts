import { expect, it } from "vitest";
import { parseSettings } from "../../src/config/read-settings.ts";
import { ask, askWithNewId, changesSentTo, textOf } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

const { curfew } = oneBot({ config: unlimitedConfig });

async function reload(config: string): Promise<void> {
  const parsed = parseSettings(config, "curfew.yaml");
  if ("problems" in parsed) throw new Error(parsed.problems.join("\n"));
  await curfew().app.reload(parsed.settings);
}

it("a reload applies removed and restored rights to the next request", async () => {
  const sent = changesSentTo(curfew());
  await reload(unlimitedConfig.replace("members: [U02BOB]", "members: [U04DAVE]"));
  expect((await ask(curfew(), "bob", "user disable u-00000005")).text).toContain("You can't ");
  expect(sent()).toEqual([]);
  await reload(unlimitedConfig);
  expect((await askWithNewId(curfew(), "bob", "user disable u-00000005")).text).toContain("You disabled");
});

it("a reload updates the directory's names", async () => {
  await reload(unlimitedConfig.replace("name: Production }", "name: Live }"));
  expect((await ask(curfew(), "carol", 'project rename Live "Live again"')).text).toContain("You renamed project");
});

it("a reload reports problems in the admins' channel", async () => {
  await curfew().app.report("The config stays as it was:\ncurfew.yaml:3:5 <!channel>");
  const [message] = curfew().workspace.channel("admins").messages.slice(-1);
  expect(message && textOf(message)).toContain("The config stays as it was:\ncurfew.yaml:3:5 &lt;!channel&gt;");
  await curfew().app.reportMended("The config is taken over now.");
  const [mended] = curfew().workspace.channel("admins").messages.slice(-1);
  expect(mended && textOf(mended)).toContain(":white_check_mark: The config is taken over now.");
});
