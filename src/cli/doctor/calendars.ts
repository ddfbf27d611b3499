import { createCalendars } from "../../directory/calendars/calendars.ts";
import { type CheckResult, checkResultsOf } from "../../observability/check-result.ts";
import { createLogger } from "../../observability/log.ts";
import type { Config } from "../read-setup.ts";

type Read = Pick<Config, "settings" | "configFile">;

/** The calendars that cannot be read, a line each. */
export async function calendarProblems({ settings, configFile }: Read): Promise<readonly string[]> {
  const calendars = createCalendars({
    ...{ sources: () => settings.calendars, configFile, fetch, now: Date.now },
    log: createLogger({ level: "silent" }),
  });
  const unread = await calendars.load();
  return unread.map(({ name, reason }) => `The calendar “${name}” can't be read: ${reason}`);
}

export async function checkCalendars(config: Read): Promise<CheckResult> {
  const { ok, failed } = checkResultsOf("calendars");
  const problems = await calendarProblems(config);
  if (problems.length > 0) return failed(problems.join("\n"), "Correct its url or file under `calendars`.");
  return ok(config.settings.calendars.map(({ name }) => name).join(", "));
}
