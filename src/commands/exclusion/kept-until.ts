import { addDays, momentOf, readClock, wallClockAt } from "../../time/wall-clock.ts";
import type { CommandContext } from "../command.ts";

/** How much longer than until a run something is kept out of it. */
export const lastings = [
  { value: "1h", label: "1 h" },
  { value: "2h", label: "2 h" },
  { value: "tonight", label: "Tonight" },
  { value: "morning", label: "Tomorrow morning" },
] as const;
export type Lasting = (typeof lastings)[number]["value"];

/** The service's actions take a moment: so much after a run, it is surely past. */
export const afterRunMs = 5 * 60_000;

/** The small hours belong to the evening before. */
const nightEnds = 6;
/** From then on a night that ended at midnight would be too short. */
const isLate = 22;
const hourMs = 3_600_000;

/**
 * When something is kept out of a run no longer, in epoch ms. *1 h* and *2 h* count from the run. *Tonight* is until midnight, as in
 * the form, and for a run at night until 6:00; *Tomorrow morning* is until the start of the team's next day. Both last at least until
 * the run is past. The day of a run before 6:00 is the day before.
 */
export function keptUntil(
  at: number,
  lasting: Lasting,
  { dayZone, dayStarts }: Pick<Day, "dayZone" | "dayStarts">,
): number {
  if (lasting === "1h") return at + hourMs;
  if (lasting === "2h") return at + 2 * hourMs;
  const { hour: runsAt, ...day } = wallClockAt(at, dayZone);
  const next = addDays(day, runsAt < nightEnds ? 0 : 1);
  const nightLasts = runsAt < nightEnds || runsAt >= isLate ? nightEnds : 0;
  const clock = lasting === "tonight" ? { hour: nightLasts } : readClock(dayStarts);
  return Math.max(at + afterRunMs, momentOf({ ...next, hour: 0, minute: 0, ...clock }, dayZone));
}

interface Day {
  /** The requester's zone, in which times are read. */
  readonly zone: string;
  /** The zone of `dayStarts` and `dayEnds`: the channel's, else the requester's. */
  readonly dayZone: string;
  /** `HH:MM` */
  readonly dayStarts: string;
  readonly dayEnds: string;
}

/** Who asked, and where. */
export type Asked = Pick<CommandContext, "channelId" | "settings"> & {
  readonly actor: Pick<CommandContext["actor"], "timeZone">;
};

/** When a day without a time starts and ends, for this requester in this channel. */
export function dayOf({ actor, channelId, settings: { channels, exclusions } }: Asked): Day {
  const zone = actor.timeZone;
  const channel = channelId === null ? undefined : channels[channelId];
  const { dayStarts, dayEnds } = exclusions;
  return { zone, dayZone: channel?.zone ?? zone, dayStarts, dayEnds };
}
