import { expect, it } from "vitest";
import { ask, askWithNewId, changesSentTo, textOf } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { reload, unlimitedConfig } from "../support/start-curfew.ts";

const { curfew } = oneBot({ config: unlimitedConfig });

it("a reload applies removed and restored rights to the next request", async () => {
  const sent = changesSentTo(curfew());
  await reload(curfew(), unlimitedConfig.replace("members: [U02BOB]", "members: [U04DAVE]"));
  expect((await ask(curfew(), "bob", "user disable u-00000005")).text).toContain("You can't ");
  expect(sent()).toEqual([]);
  await reload(curfew(), unlimitedConfig);
  expect((await askWithNewId(curfew(), "bob", "user disable u-00000005")).text).toContain("You disabled");
});

it("a reload updates the directory's names", async () => {
  await reload(curfew(), unlimitedConfig.replace("name: Production }", "name: Live }"));
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
