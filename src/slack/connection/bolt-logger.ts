import { type Logger as BoltLogger, LogLevel } from "@slack/bolt";
import type { Logger } from "../../observability/log.ts";

/** Bolt's log lines, in ours. Its debug lines hold whole payloads, so they are left out. */
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
