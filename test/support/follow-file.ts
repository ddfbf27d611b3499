import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { App } from "../../src/app.ts";
import { followConfig } from "../../src/cli/follow-config.ts";
import { parseSettings } from "../../src/config/settings.ts";
import { quietLog } from "../changes/build.ts";

export interface FollowedFile {
  readonly file: string;
  write(text: string): void;
  /** As SIGHUP does. */
  reload(): Promise<void>;
  stop(): Promise<void>;
}

export interface FollowOptions {
  /** Between two looks; none when not given. */
  readonly pause?: () => Promise<unknown>;
  readonly lookEveryMs?: number;
  readonly isSandbox?: boolean;
  readonly tell?: (text: string) => void;
  /** What the file says already, where that is not what the app started with. */
  readonly written?: string;
}

/** Has a running app follow a config file of its own, which says at first what the app was started with. */
export async function followFile(app: App, config: string, options: FollowOptions = {}): Promise<FollowedFile> {
  const { pause = async () => undefined, lookEveryMs = 20, written = config, ...rest } = options;
  const folder = mkdtempSync(join(tmpdir(), "curfew-followed-"));
  const file = join(folder, "curfew.yaml");
  writeFileSync(file, written);
  const started = parseSettings(config, file);
  if ("problems" in started) throw new Error(started.problems.join("\n"));
  let reload = async (): Promise<void> => undefined;
  const running = { ...app, start: async () => ({ port: 0 }), stop: async () => undefined };
  const follower = followConfig(running, {
    ...{ file, started, pause, lookEveryMs, log: quietLog, ...rest },
    readFile: (path) => readFileSync(path, "utf8"),
    onReloadAsked: (given) => {
      reload = given;
    },
  });
  await follower.start();
  return {
    file,
    write: (text) => writeFileSync(file, text),
    reload: () => reload(),
    stop: async () => {
      await follower.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
