import { type Logger as BoltLogger, LogLevel } from "@slack/bolt";
import type { Logger } from "../../observability/log.ts";

/** Writes Bolt's log lines to our log. Debug lines are left out, since they hold whole payloads. */
export function boltLogger(log: Logger): BoltLogger {
  const line = (parts: unknown[]) => parts.map(String).join(" ");
  return {
    debug: () => undefined,
    info: (...parts) => log.debug(line(parts)),
    warn: (...parts) => log.warn(line(parts)),
    error: (...parts) => log.error(line(parts)),
    setLevel: () => undefined,
    getLevel: () => LogLevel.INFO,
    setName: () => undefined,
  };
}
