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

/**
 * Has the app, as long as it runs, take over its config file whenever that changes, or the process is asked to. What is asked for
 * while it starts is done as soon as it has.
 */
export function followConfig(app: App, followed: Followed): App {
  const { file, readFile, log, onReloadAsked, tell = () => undefined } = followed;
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let isStopped = false;
  let isProblemTold = false;
  const whileRunning = async (act: () => Promise<void>): Promise<void> => {
    await begun;
    if (!isStopped) await act();
  };
  const watch = watchConfig({
    file,
    readFile,
    onSettings: ({ settings, doubts }) =>
      whileRunning(async () => {
        await app.reload(settings);
        log.info({ configFile: file }, "the config was read again");
        logDoubts(doubts, log);
        tell(`${file} was read again.`);
        if (isProblemTold) await app.reportMended("The config was read again, and is taken over now.");
        isProblemTold = false;
      }),
    onProblems: (problems) =>
      whileRunning(async () => {
        isProblemTold = true;
        await app.report(["The config stays as it was:", ...problems].join("\n"));
      }),
  });
  onReloadAsked(watch.reload);
  return {
    ...app,
    start: async () => {
      const started = await app.start();
      begin();
      return started;
    },
    stop: () => {
      isStopped = true;
      watch.stop();
      begin();
      return app.stop();
    },
  };
}

export function logDoubts({ error, warning }: ReadSettings["doubts"], log: Logger): void {
  const doubts = [...error, ...warning];
  if (doubts.length > 0) log.warn({ doubts }, "the config says something to no effect");
}
