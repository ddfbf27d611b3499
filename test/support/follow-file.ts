import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { App } from "../../src/app.ts";
import { followConfig } from "../../src/cli/follow-config.ts";
import { parseSettings } from "../../src/config/read-settings.ts";
import { quietLog } from "../changes/build.ts";

export interface FollowedFile {
  readonly file: string;
  write(text: string): void;
  /** Acts as SIGHUP does. */
  reload(): Promise<void>;
  stop(): Promise<void>;
}

export interface FollowOptions {
  /** Runs between two polls; without it nothing does. */
  readonly pause?: () => Promise<unknown>;
  readonly pollMs?: number;
  readonly isSandbox?: boolean;
  readonly print?: (text: string) => void;
  /** The file's first content, when it differs from the config that the app started with. */
  readonly written?: string;
}

/** Makes a running app follow its own config file, which starts with the app's first config. */
export async function followFile(app: App, config: string, options: FollowOptions = {}): Promise<FollowedFile> {
  const { pause = async () => undefined, pollMs = 20, written = config, ...rest } = options;
  const folder = mkdtempSync(join(tmpdir(), "curfew-followed-"));
  const file = join(folder, "curfew.yaml");
  writeFileSync(file, written);
  const started = parseSettings(config, file);
  if ("problems" in started) throw new Error(started.problems.join("\n"));
  let reload = async (): Promise<void> => undefined;
  const running = { ...app, start: async () => ({ port: 0 }), stop: async () => undefined };
  const follower = followConfig(running, {
    ...{ file, started: started.settings, pause, pollMs, log: quietLog, ...rest },
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
