import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { App } from "../../src/app.ts";
import { followConfig } from "../../src/cli/follow-config.ts";
import { parseSettings } from "../../src/config/read-settings.ts";
import { quietLog } from "../changes/build.ts";
import { exampleConfig } from "../support/start-curfew.ts";

/** An app that records its calls. Tests write its config file. */
function following(broken: Partial<App> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "curfew-config-"));
  const file = join(folder, "curfew.yaml");
  writeFileSync(file, exampleConfig);
  const did: string[] = [];
  const started = parseSettings(exampleConfig, file);
  if ("problems" in started) throw new Error(started.problems.join("\n"));
  let reload = async (): Promise<void> => undefined;
  const app = followConfig(
    {
      start: async () => {
        did.push("start");
        return { port: 1 };
      },
      watch: async () => undefined,
      idle: async () => undefined,
      reload: async ({ limits }) => void did.push(`reload ${limits.perPersonPerMinute}`),
      report: async (text) => void did.push(`report ${text.split("\n")[0]}`),
      holdConfig: ({ loosens }) => void did.push(`hold ${loosens.join(" ")}`),
      noteInvalid: () => undefined,
      dropConfig: async () => void did.push("drop"),
      notify: async (text) => void did.push(`notify ${text.split("\n")[0]}`),
      reportMended: async (text) => void did.push(`mended ${text}`),
      stop: async () => void did.push("stop"),
      ...broken,
    },
    {
      file,
      readFile: (path) => readFileSync(path, "utf8"),
      pause: async () => undefined,
      started: started.settings,
      log: quietLog,
      onReloadAsked: (given) => {
        reload = given;
      },
    },
  );
  onTestFinished(async () => {
    await app.stop();
    rmSync(folder, { recursive: true });
  });
  const write = (limit: number) =>
    writeFileSync(file, exampleConfig.replace("perPersonPerMinute: 30", `perPersonPerMinute: ${limit}`));
  return { app, did, file, write, reload: () => reload() };
}

test("applies a reload requested during the start after the start", async () => {
  const { app, did, write, reload } = following();
  write(7);
  const asked = reload();
  await app.start();
  await asked;
  const reloads = () => did.filter((each) => /^(?:start|reload)/.test(each));
  expect(reloads()).toEqual(["start", "reload 7"]);
  write(8);
  await reload();
  expect(reloads()).toEqual(["start", "reload 7", "reload 8"]);
});

test("ignores a reload after the stop, and reports no mistakes", async () => {
  const { app, did, file, write, reload } = following();
  await app.start();
  await app.stop();
  write(7);
  await reload();
  writeFileSync(file, "permissions: none");
  await reload();
  expect(did).toEqual(["start", "stop"]);
});

test("a reload before a stop without a start ends", async () => {
  const { app, did, reload } = following();
  const asked = reload();
  await app.stop();
  await asked;
  expect(did).toEqual(["stop"]);
});

test("reports only the first good config after a reported mistake", async () => {
  const { app, did, file, write, reload } = following();
  await app.start();
  write(7);
  await reload();
  writeFileSync(file, "roles: [");
  await reload();
  write(8);
  await reload();
  await reload();
  expect(did.filter((each) => /^(?:start|report|mended)/.test(each))).toEqual([
    "start",
    "report The config stays as it was:",
    "mended The config was read again, and is taken over now.",
  ]);
});

test("a reload survives an app that can neither apply nor report", async () => {
  const fail = async () => {
    throw new Error("no database");
  };
  const { app, file, write, reload } = following({ reload: fail, report: fail, dropConfig: fail });
  await app.start();
  write(7);
  await reload();
  writeFileSync(file, "roles: [");
  await reload();
});

test("finishes what an operator asked for and failed halfway, and asks nobody about it", {
  timeout: 10_000,
}, async () => {
  let fails = 1;
  const { app, did, write, reload } = following({
    reload: async ({ limits }) => {
      did.push(`reload ${limits.perPersonPerMinute}`);
      if (fails-- > 0) throw new Error("the database is away");
    },
  });
  await app.start();
  write(99);
  await reload();
  await expect.poll(() => did.filter((each) => each === "reload 99").length, { timeout: 8000 }).toBe(2);
  expect(did.filter((each) => each.startsWith("hold"))).toEqual([]);
});

test("takes the old config back after a newer one failed halfway", { timeout: 15_000 }, async () => {
  let use = async (): Promise<boolean> => false;
  const { app, did, write } = following({
    holdConfig: (held) => {
      use = held.use;
      did.push("hold");
    },
    reload: async ({ limits }) => {
      did.push(`reload ${limits.perPersonPerMinute}`);
      if (limits.perPersonPerMinute === 99) throw new Error("the database is away");
    },
  });
  await app.start();
  write(99);
  await expect.poll(() => did.includes("hold"), { timeout: 6000 }).toBe(true);
  await expect(use()).rejects.toThrow("the database is away");
  write(30);
  await expect.poll(() => did.at(-1), { timeout: 6000 }).toBe("reload 30");
});
