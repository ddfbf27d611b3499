import { z } from "zod";
import { channelId, durationMs, setOf } from "../permissions/config-values.ts";

/** What a run does to its resources. */
const runProcesses = ["stop", "start"] as const;
export type RunProcess = (typeof runProcesses)[number];

/** Before these runs a channel is warned. */
export interface Warning {
  /** Undefined for all. */
  readonly projects?: ReadonlySet<string> | undefined;
  readonly processes: ReadonlySet<RunProcess>;
  readonly beforeMs: number;
  readonly channel: string;
  /** When nothing is posted, as `HH:MM` in the channel's zone. It may begin on one day and end on the next. */
  readonly quiet?: { readonly from: string; readonly to: string } | undefined;
}

const maxBeforeMs = 24 * 3_600_000;
const minBeforeMs = 60_000;

/** Two digits each, so that times compare as text. */
const quietHours = z
  .string('must be two times of day such as "22:00-07:00"')
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d-(?:[01]\d|2[0-3]):[0-5]\d$/, {
    error: 'must be two times of day such as "22:00-07:00"',
    abort: true,
  })
  .transform((text) => ({ from: text.slice(0, 5), to: text.slice(6) }))
  .refine(({ from, to }) => from !== to, "must not end when it begins");

/** The `warnings` section of curfew.yaml. */
export const warningsSchema = z.array(
  z
    .strictObject({
      projects: setOf(z.string().min(1, "must not be empty")).optional(),
      processes: setOf(z.enum(runProcesses)).default(new Set<RunProcess>(["stop"])),
      before: durationMs
        .prefault("30m")
        .refine((ms) => ms >= minBeforeMs && ms <= maxBeforeMs, "must be from 1m to 24h"),
      channel: channelId,
      quiet: quietHours.optional(),
    })
    .transform(({ before, ...rest }): Warning => ({ ...rest, beforeMs: before })),
);
