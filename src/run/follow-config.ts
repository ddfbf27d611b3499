import type { App } from "../app.ts";
import type { ReadSettings } from "../config/settings.ts";
import type { Logger } from "../log.ts";
import type { Surroundings } from "./run.ts";
import { type ConfigWatch, watchConfig } from "./watch-config.ts";

interface Followed extends Pick<ConfigWatch, "file" | "readFile">, Pick<Surroundings, "onReloadAsked"> {
  readonly log: Logger;
  /** Beside the log, for somebody who looks on. */
  readonly tell?: (text: string) => void;
}

/** Has the app take over its config file whenever that changes, or the process is asked to; gives what ends it. */
export function followConfig(app: Pick<App, "reload" | "report" | "reportMended">, followed: Followed): () => void {
  const { file, readFile, log, onReloadAsked, tell = () => undefined } = followed;
  let isProblemTold = false;
  const watch = watchConfig({
    file,
    readFile,
    onSettings: async ({ settings, doubts }) => {
      await app.reload(settings);
      log.info({ configFile: file }, "the config was read again");
      logDoubts(doubts, log);
      tell(`${file} was read again.`);
      if (isProblemTold) await app.reportMended("The config was read again, and is taken over now.");
      isProblemTold = false;
    },
    onProblems: async (problems) => {
      isProblemTold = true;
      await app.report(["The config stays as it was:", ...problems].join("\n"));
    },
  });
  onReloadAsked(watch.reload);
  return watch.stop;
}

export function logDoubts({ error, warning }: ReadSettings["doubts"], log: Logger): void {
  const doubts = [...error, ...warning];
  if (doubts.length > 0) log.warn({ doubts }, "the config says something to no effect");
}
