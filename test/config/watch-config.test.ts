import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { watchConfig } from "../../src/cli/follow-config.ts";
import type { Settings } from "../../src/config/settings.ts";
import { exampleConfig } from "../support/start-curfew.ts";

function watching(broken: Partial<Pick<Parameters<typeof watchConfig>[0], "onSettings" | "onProblems">> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "curfew-config-"));
  const file = join(folder, "curfew.yaml");
  writeFileSync(file, exampleConfig);
  const [taken, problems, failures]: [Settings[], string[], unknown[]] = [[], [], []];
  const watch = watchConfig({
    startedWith: "",
    file,
    readFile: (path) => readFileSync(path, "utf8"),
    onSettings: async ({ settings }) => void taken.push(settings),
    pause: async () => undefined,
    onProblems: async (found) => void problems.push(...found),
    onFailure: async (error) => void failures.push(error),
    ...broken,
  });
  onTestFinished(() => {
    watch.stop();
    rmSync(folder, { recursive: true });
  });
  return { file, taken, problems, failures, watch };
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

test.each([
  ["settings that cannot be applied", exampleConfig],
  ["problems that cannot be reported", "roles: ["],
])("a reload reports %s once, and does not throw", async (_, text) => {
  let isBroken = true;
  const fail = async () => {
    if (isBroken) throw new Error("no database");
  };
  const { file, failures, watch } = watching({ onSettings: fail, onProblems: fail });
  writeFileSync(file, text);
  await watch.reload();
  await watch.reload();
  expect(failures).toEqual([new Error("no database")]);
  isBroken = false;
  await watch.reload();
  isBroken = true;
  await watch.reload();
  expect(failures).toHaveLength(2);
});
