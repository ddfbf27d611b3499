import type { Change, Settlement } from "./change.ts";
import type { ChangeSettings, NewJob } from "./ports.ts";
import { endSetBy } from "./when-exclusion-ends.ts";

/** Instances' clocks differ a little: by then an exclusion is over on the clock of every one, so each draws it so. */
const clocksDifferMs = 5000;

const minuteMs = 60_000;
/** Less notice than this is given only where no more was wished for. */
const shortestNoticeMs = 5 * minuteMs;

/**
 * What is to be done later because of a settled change: the reminder before the end that it gave an exclusion, and that end itself.
 * Where less time is left than twice the wished notice, the reminder comes halfway, so that nobody is reminded of what they have
 * just said: of an exclusion for 20 minutes, after 10. The jobs of earlier ends stay: they find that they were overtaken.
 */
export function jobsAfter(
  change: Change,
  settlement: Settlement,
  { exclusions: { warnMs } }: Pick<ChangeSettings, "exclusions">,
): readonly NewJob[] {
  const endsAt = settlement.state === "succeeded" ? endSetBy({ ...change, ...settlement }) : undefined;
  if (endsAt === undefined) return [];
  const lengthMs = endsAt - settlement.settledAt;
  const noticeMs = Math.min(warnMs, Math.floor(lengthMs / 2));
  // Of ten minutes some milliseconds are gone when the service has answered.
  const saidMs = Math.round(lengthMs / minuteMs) * minuteMs;
  const isWorthIt = saidMs / 2 >= Math.min(warnMs, shortestNoticeMs);
  const subjectId = change.id;
  return [
    ...(isWorthIt ? [{ kind: "exclusion-warning", subjectId, dueAt: endsAt - noticeMs } as const] : []),
    { kind: "exclusion-end", subjectId, dueAt: endsAt + clocksDifferMs },
  ];
}
