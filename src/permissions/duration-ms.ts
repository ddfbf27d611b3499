import { z } from "zod";
import { parseDuration } from "../time/duration.ts";

/** A length of time as curfew.yaml writes it, in milliseconds. */
export const durationMs = z
  .string("must be a length of time such as 45m, 4h, 2h30m, 3d or 1w")
  .transform((text, context) => {
    const read = parseDuration(text);
    if (read.kind === "duration") return read.ms;
    context.addIssue({ code: "custom", message: `"${text}": ${read.reason}` });
    return z.NEVER;
  });
