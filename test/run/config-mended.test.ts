import { expect, test } from "vitest";
import { createLogger } from "../../src/log.ts";
import { followConfig } from "../../src/run/follow-config.ts";
import { exampleConfig } from "../support/start-curfew.ts";

test("after a mistake was reported, the next good reading is told once, and no other is", async () => {
  const told: string[] = [];
  let text = exampleConfig;
  let reload = async (): Promise<void> => undefined;
  const app = {
    reload: async () => undefined,
    report: async (problem: string) => void told.push(problem),
    reportMended: async (mended: string) => void told.push(mended),
  };
  const unfollow = followConfig(app, {
    file: "/nowhere/curfew.yaml",
    readFile: () => text,
    onReloadAsked: (again) => {
      reload = again;
    },
    log: createLogger({ level: "error" }),
  });
  await reload();
  expect(told).toEqual([]);
  text = "roles: [";
  await reload();
  text = exampleConfig;
  await reload();
  await reload();
  unfollow();
  expect(told).toEqual([
    expect.stringContaining("The config stays as it was:"),
    "The config was read again, and is taken over now.",
  ]);
});
