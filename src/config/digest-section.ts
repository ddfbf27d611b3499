import { z } from "zod";
import { channelId, knownName, setOf } from "../permissions/config-values.ts";
import type { Weekday } from "../time/wall-clock.ts";

const days = {
  mon: "monday",
  tue: "tuesday",
  wed: "wednesday",
  thu: "thursday",
  fri: "friday",
  sat: "saturday",
  sun: "sunday",
} as const satisfies Readonly<Record<string, Weekday>>;
const dayNames = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const satisfies readonly (keyof typeof days)[];

const digest = (timeOfDay: z.ZodType<string>) =>
  z
    .strictObject({
      channel: channelId,
      day: knownName("day", dayNames).default("mon"),
      at: timeOfDay.default("09:00"),
      projects: setOf(z.string().min(1)).optional(),
    })
    .transform(({ day, ...rest }) => ({ ...rest, day: days[day] }));

/** The `digest` section of curfew.yaml: one, or a list. */
export const digestSchema = (timeOfDay: z.ZodType<string>) => {
  const one = digest(timeOfDay);
  // A union would report neither's problem.
  return z
    .unknown()
    .transform((given) => (Array.isArray(given) ? given : [given]))
    .pipe(z.array(one));
};
export type Digests = readonly Readonly<z.output<ReturnType<typeof digest>>>[];
