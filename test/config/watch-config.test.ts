import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Settings } from "../../src/config/settings.ts";
import { watchConfig } from "../../src/config/watch-config.ts";
import { exampleConfig } from "../support/start-curfew.ts";

function watching() {
  const folder = mkdtempSync(join(tmpdir(), "curfew-config-"));
  const file = join(folder, "curfew.yaml");
  writeFileSync(file, exampleConfig);
  const [taken, problems]: [Settings[], string[]] = [[], []];
  const watch = watchConfig({
    file,
    readFile: (path) => readFileSync(path, "utf8"),
    onSettings: async ({ settings }) => void taken.push(settings),
    pause: async () => undefined,
    onProblems: async (found) => void problems.push(...found),
  });
  onTestFinished(() => {
    watch.stop();
    rmSync(folder, { recursive: true });
  });
  return { file, taken, problems, watch };
}

test("hands over a config that was read again", async () => {
  const { file, taken, problems, watch } = watching();
  writeFileSync(file, exampleConfig.replace("perPersonPerMinute: 30", "perPersonPerMinute: 7"));
  await watch.reload();
  expect(taken.at(-1)?.limits.perPersonPerMinute).toBe(7);
  expect(problems).toEqual([]);
});

test("reports each problem of a faulty config with line and column", async () => {
  const { file, taken, problems, watch } = watching();
  writeFileSync(file, exampleConfig.replace("RemoveUserMfa]", "RemoveUserMfaa]"));
  await watch.reload();
  expect(taken).toEqual([]);
  expect(problems.join("\n")).toMatch(/curfew\.yaml:\d+:\d+ .*RemoveUserMfaa/);
});

test("reports a missing config and keeps the old settings", async () => {
  const { file, taken, problems, watch } = watching();
  rmSync(file);
  await watch.reload();
  expect(taken).toEqual([]);
  expect(problems).toEqual([`${file} cannot be read: ENOENT: no such file or directory`]);
});
