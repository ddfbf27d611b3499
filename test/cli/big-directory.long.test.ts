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

const machineCount = 20_000;
const machineLine = (at: number) =>
  `i-${(0xa0000000 + at).toString(16)},app-${at % 300}-${at},amazon-ec2-instance,p-dev,g${at % 100},env=stg\n`;
const machines = ["id,name,type,project,group,tags\n"]
  .concat(Array.from({ length: machineCount }, (_, at) => machineLine(at)))
  .join("");
const rules = Array.from(
  { length: 300 },
  (_, at) => `  r${at}: { type: amazon-ec2-instance, project: p-dev, match: "app-${at}-*" }\n`,
).join("");
/** Far more than the three seconds that it takes. */
const maxImportMs = 30_000;
const maxAnswerMs = 1500;

test("20,000 machines in 400 groups are imported in seconds, and found by name without a pause", {
  timeout: 120_000,
}, async () => {
  const config = unlimitedConfig.replace("resourceGroups:\n", `resourceGroups:\n${rules}`);
  const curfew = await startCurfew({ config, overrides: { heartbeatEveryMs: 100 } });
  onTestFinished(() => curfew.stop());
  const given = { env: { DATABASE_URL: urlOf(curfew.database) }, files: { "machines.csv": machines } };
  const before = usedMib();
  const began = performance.now();
  const { code, output } = await runWithArgs(["directory", "import", "machines.csv"], given);
  const tookMs = performance.now() - began;
  expect([code, output]).toEqual([0, expect.stringMatching(/^20000 added, 0 changed, 0 unchanged\./)]);
  expect(usedMib() - before).toBeLessThan(maxGrowthMib);
  expect(tookMs).toBeLessThan(maxImportMs);
  await expect
    .poll(async () => (await ask(curfew, "alice", "status app-199-19999")).text, { timeout: 20_000 })
    .toContain("*i-a0004e1f: ");
  const answered = async (line: string) => {
    const asked = performance.now();
    const { text } = await ask(curfew, "alice", line);
    expect(performance.now() - asked, line).toBeLessThan(maxAnswerMs);
    return text;
  };
  expect(await answered("exclude app-7-1207 for 2h")).toContain("Keeping i-a00004b7 running until");
  expect(await answered("exclude r7 for 3h")).toContain("Keeping r7 running until");
  expect(await answered("exclude g8 for 3h")).toContain("Keeping g8 running until");
  expect(await answered("exclude i-0a9f for 1h --project p-dev")).toContain("Keeping i-0a9f running until");
});
