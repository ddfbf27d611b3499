import { randomBytes } from "node:crypto";
import type { Logger } from "./log.ts";

/** Logs an error with a new reference. That is all a person reads of it: the error's own text may hold what they must not see. */
export function logWithReference(
  log: Pick<Logger, "error">,
  err: unknown,
  message: string,
  facts: object = {},
): string {
  const reference = `err-${randomBytes(4).toString("hex")}`;
  log.error({ err, reference, ...facts }, message);
  return reference;
}
