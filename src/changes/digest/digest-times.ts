import type { Scope } from "../../permissions/config-values.ts";
import { nextDailyRun } from "../../time/schedule.ts";
import type { Weekday } from "../../time/wall-clock.ts";
import { weekAt } from "../../time/week.ts";
import type { NewJob } from "../job.ts";

/** A message once a week about what was kept running. */
export interface Digest extends Scope {
  readonly channel: string;
  readonly day: Weekday;
  /** `HH:MM`, in the channel's zone. */
  readonly at: string;
}

export interface DigestSettings {
  readonly digest: readonly Digest[];
  readonly channels: Readonly<Record<string, { readonly zone?: string | undefined }>>;
}

export const zoneOf = ({ channel }: Digest, { channels }: DigestSettings): string => channels[channel]?.zone ?? "UTC";

/** The next one of each, as jobs. A job for a time that is no longer in the config does nothing. */
export const nextDigests = (settings: DigestSettings, after: number): readonly NewJob[] =>
  settings.digest.flatMap((digest) => nextDigest(digest, settings, after));

export function nextDigest(digest: Digest, settings: DigestSettings, after: number): readonly NewJob[] {
  const dueAt = nextTime(digest, settings, after);
  return dueAt === undefined ? [] : [{ kind: "digest", subjectId: keyOf(digest), dueAt }];
}

/** The digest that a job is for; undefined if the config no longer has one at this time. */
export const digestDue = (settings: DigestSettings, key: string, dueAt: number): Digest | undefined =>
  settings.digest.find((digest) => keyOf(digest) === key && nextTime(digest, settings, dueAt - 1) === dueAt);

function nextTime(digest: Digest, settings: DigestSettings, after: number): number | undefined {
  const schedule = { days: [digest.day], timeOfDay: digest.at, timeZoneId: zoneOf(digest, settings) };
  return nextDailyRun(schedule, after) ?? undefined;
}

const named = ({ accounts, projects, groups }: Digest): readonly string[] =>
  [
    ...[...(accounts ?? [])].map((name) => `account ${name}`),
    ...(projects ?? []),
    ...[...(groups?.keys() ?? [])].map((name) => `group ${name}`),
  ].sort();

const keyOf = (digest: Digest): string => JSON.stringify([digest.channel, digest.day, digest.at, ...named(digest)]);

/** The same for every digest of a channel with the same scope in one week, so that there are never two. */
export function digestId(digest: Digest, zone: string, at: number): string {
  const monday = new Date(weekAt(at, zone).from).toISOString();
  return JSON.stringify(["digest", digest.channel, monday, ...named(digest)]);
}
