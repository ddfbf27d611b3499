import { expect, onTestFinished, test } from "vitest";
import { ask } from "../support/journey.ts";
import { urlOf } from "../support/new-database.ts";
import { startCurfew, unlimitedConfig } from "../support/start-curfew.ts";
import { runWithArgs } from "./run-with-args.ts";

const entries = 60_000;
const users = ["id,name,email,mfaType\n"]
  .concat(Array.from({ length: entries }, (_, at) => `u-9${at},user ${at},user${at}@example.com,none\n`))
  .join("");
const usedMib = () => process.memoryUsage().heapUsed / 1024 / 1024;
/** Far more than it needs: some 60 MiB for the entries, and what was not yet collected. */
const maxGrowthMib = 300;

test("60,000 users are imported and exported while people are answered", { timeout: 120_000 }, async () => {
  const curfew = await startCurfew({ config: unlimitedConfig });
  onTestFinished(() => curfew.stop());
  const given = { env: { DATABASE_URL: urlOf(curfew.database) }, files: { "users.csv": users } };
  const before = usedMib();
  let [hasEnded, most] = [false, 0];
  const importing = runWithArgs(["directory", "import", "users.csv"], given).finally(() => {
    hasEnded = true;
  });
  for (let answers = 0; !hasEnded && answers < 3; answers++) {
    const id = `i-0a${answers + 3}`;
    const { text } = await ask(curfew, "alice", `exclude ${id} --project p-dev for 1h`);
    expect(text).toContain(`Keeping ${id} running until `);
    most = Math.max(most, usedMib());
  }
  const { code, output } = await importing;
  expect([code, output]).toEqual([0, expect.stringMatching(/^60000 added, 0 changed, 0 unchanged\./)]);
  expect(output).toContain("and 59980 more");
  expect(most - before).toBeLessThan(maxGrowthMib);
  expect((await ask(curfew, "carol", "user show user59999@example.com")).text).toContain("user 59999");
  const exported = await runWithArgs(["directory", "export", "--kind", "users", "--format", "csv"], given);
  expect(exported.output.split("\r\n").length).toBeGreaterThan(entries);
  expect((await runWithArgs(["directory", "import", "users.csv"], given)).output).toBe(
    "0 added, 0 changed, 60000 unchanged.\n",
  );
});
