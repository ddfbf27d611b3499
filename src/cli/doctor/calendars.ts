import { createCalendars } from "../../directory/calendars/calendars.ts";
import { type CheckResult, checkResultsOf } from "../../observability/check-result.ts";
import type { Config } from "../read-setup.ts";

type Read = Pick<Config, "settings" | "configFile">;

/** The calendars that cannot be read, a line each. */
export async function calendarProblems({ settings, configFile }: Read): Promise<readonly string[]> {
  const calendars = createCalendars({
    ...{ sources: () => settings.calendars, configFile, now: Date.now, onProblem: () => undefined },
  });
  return calendars.load();
}

export async function checkCalendars(config: Read): Promise<CheckResult> {
  const { ok, failed } = checkResultsOf("calendars");
  const problems = await calendarProblems(config);
  if (problems.length > 0)
    return failed(problems.join("\n"), "Correct the calendar, or its url or file under `calendars`.");
  return ok(config.settings.calendars.map(({ name }) => name).join(", "));
}
