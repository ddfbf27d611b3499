import { expiryOf, isSwitchedOff, namedIds, resourceWords, startOf } from "../commands/exclusion/exclusion-body.ts";
import { groupOf } from "../commands/exclusion/resource-context.ts";
import { isUnscheduled, nextScheduledRun } from "../commands/schedule-facts.ts";
import type { Directory, Entity, ResourceGroup } from "../directory/directory.ts";
import type { Actor } from "../permissions/actor.ts";
import { mayBeOfGroups } from "../permissions/conditions.ts";
import type { Scope } from "../permissions/config-values.ts";
import { accountOf } from "../service/account-ids.ts";
import { actionsNamed, isFor } from "../service/action-types.ts";
import { type Action, resourceKeys } from "../service/resources.ts";
import { groupBy } from "../time/group-by.ts";
import { type Interval, lengthWithin } from "../time/intervals.ts";
import { nextDailyRun } from "../time/schedule.ts";
import { addDays, momentOf, readClock, type Weekday, wallClockAt } from "../time/wall-clock.ts";
import { startOfDay, weekAt } from "../time/week.ts";
import type { DigestContent, ExcludedNow, HoursOf } from "./bulletin.ts";
import { type ExclusionRecord, type ExclusionRecords, type Kept, keptBy } from "./hours/kept-running.ts";
import type { NewJob } from "./job.ts";
import type { GroupStore } from "./ports.ts";

export interface DigestSources {
  readonly store: ExclusionRecords & Pick<Directory, "get" | "liveExclusions"> & Pick<GroupStore, "groups">;
  readonly settings: () => {
    readonly resourceGroups: Readonly<Record<string, ResourceGroup>>;
    readonly exclusions: { readonly dayEnds: string };
  };
  /** Undefined for somebody whom Slack does not know. Throws if Slack cannot say. */
  readonly person: (slackUserId: string) => Promise<Pick<Actor, "name" | "membership"> | undefined>;
  /** Undefined when the service cannot be read. */
  readonly actions: () => Promise<readonly Action[] | undefined>;
}

type Groups = Readonly<Record<string, ResourceGroup>>;

/** The figures of a digest, for the seven days before the day of `at`. */
export async function buildDigest(
  sources: DigestSources,
  digest: Digest,
  zone: string,
  at: number,
): Promise<DigestContent> {
  const { store, settings } = sources;
  const today = wallClockAt(at, zone);
  const [before, from, to] = [-14, -7, 0].map((days) => startOfDay(addDays(today, days), zone));
  const [past, week] = [rangeOf(before, from), rangeOf(from, to)];
  const groups = { ...(await store.groups()), ...settings().resourceGroups };
  const isMeant = (projectId: string | null, resourceIds: readonly string[]) =>
    (digest.accounts === undefined || (projectId !== null && digest.accounts.has(accountOf(projectId)))) &&
    (digest.projects === undefined || (projectId !== null && digest.projects.has(projectId))) &&
    mayBeOfGroups(digest.groups, { projectId: projectId ?? undefined, resourceIds });
  const keptIn = (record: ExclusionRecord) =>
    keptBy(record).filter(({ projectId, resource }) => isMeant(projectId, [resource.id]));
  const records = await store.exclusionsKeeping(past.from);
  const kept = records.flatMap(keptIn);
  const projects = await Promise.all(
    sumsBy(kept, ({ projectId }) => projectId, week, past).map(async (each) => ({
      ...each,
      name: (each.id === null ? undefined : (await store.get("project", each.id))?.name) ?? each.id ?? "no project",
    })),
  );
  const people = await Promise.all(
    sumsBy(kept, ({ by }) => by, week, past).map(async (each) => ({
      ...each,
      name: each.id === null ? "nobody" : ((await sources.person(each.id))?.name ?? each.id),
    })),
  );
  const live = (await store.liveExclusions(at)).filter(
    ({ projectId, body }) => isMeant(projectId, namedIds(body)) && !isSwitchedOff(body),
  );
  const things = thingsIn(records, keptIn, groups);
  const listed = kept.length > 0 ? await sources.actions() : undefined;
  return {
    ...{ kind: "digest", zone, ...week, projects, people },
    ms: resourceHours(kept, week),
    beforeMs: resourceHours(kept, past),
    known: knownHours(groupBy(kept, ({ resource }) => resource.key).values(), week, groups, listed),
    excluded: await Promise.all(live.map((each) => excludedNow(each, groups, sources))),
    longest: [...things]
      .map(([what, kept]) => ({ what, ms: lengthWithin(kept, week) }))
      .filter(({ ms }) => ms > 0)
      .sort((one, other) => other.ms - one.ms)
      .slice(0, shownLongest),
    repeated: repeatedOf(things, week, zone, groups, { settings, listed }),
  };
}

const rangeOf = (from = 0, to = 0): Interval => ({ from, to });

/** The hours of each resource together. */
function resourceHours(kept: readonly Kept[], range: Interval): number {
  const byResource = groupBy(kept, ({ resource }) => resource.key);
  return [...byResource.values()].reduce((sum, each) => sum + lengthWithin(each, range), 0);
}

function sumsBy(kept: readonly Kept[], idOf: (kept: Kept) => string | null, week: Interval, past: Interval) {
  return [...groupBy(kept, idOf)]
    .map(([id, own]): Omit<HoursOf, "name"> => {
      return { id, ms: resourceHours(own, week), beforeMs: resourceHours(own, past) };
    })
    .filter(({ ms, beforeMs }) => ms > 0 || beforeMs > 0)
    .sort((one, other) => other.ms - one.ms || other.beforeMs - one.beforeMs);
}

/** What people call it, with the times in which it was kept running. */
function thingsIn(
  records: readonly ExclusionRecord[],
  keptIn: typeof keptBy,
  groups: Groups,
): ReadonlyMap<string, readonly Kept[]> {
  const things = new Map<string, Kept[]>();
  for (const record of records) {
    const named = record.steps.findLast(({ keeps }) => keeps.resources.length > 0)?.keeps.resources ?? [];
    const what = whatIs(
      named.map(({ id }) => id),
      groups,
    );
    things.set(what, [...(things.get(what) ?? []), ...keptIn(record)]);
  }
  return things;
}

const whatIs = (ids: readonly string[], groups: Groups): string => groupOf(ids, groups) ?? resourceWords(ids, 2);

const shownLongest = 3;

/** From so many evenings on, another schedule may be better. */
const oftenEvenings = 3;

function repeatedOf(
  things: ReadonlyMap<string, readonly Kept[]>,
  week: Interval,
  zone: string,
  groups: Groups,
  { settings, listed }: Pick<DigestSources, "settings"> & { readonly listed: readonly Action[] | undefined },
): DigestContent["repeated"] {
  const evenings = eveningsIn(week, zone, settings().exclusions.dayEnds);
  const often = [...things]
    .map(([what, kept]) => ({ what, evenings: evenings.filter((each) => lengthWithin(kept, each) > 0).length }))
    .filter((each) => each.evenings >= oftenEvenings)
    .sort((one, other) => other.evenings - one.evenings);
  return often.map(({ what, evenings: count }) => {
    const group = groups[what];
    const stops = group && listed ? actionsNamed(group, listed).find((action) => isFor("stop", action)) : undefined;
    return { what, evenings: count, of: evenings.length, actionId: stops?.actionId ?? null };
  });
}

/** From the end of the team's day to midnight, from Monday to Friday. */
function eveningsIn(week: Interval, zone: string, dayEnds: string): readonly Interval[] {
  const first = wallClockAt(week.from, zone);
  return Array.from({ length: 7 }, (_, index) => addDays(first, index))
    .filter(({ weekday }) => weekday !== "saturday" && weekday !== "sunday")
    .map((day) => ({
      from: momentOf({ ...day, hour: 0, minute: 0, ...readClock(dayEnds) }, zone),
      to: startOfDay(addDays(day, 1), zone),
    }));
}

async function excludedNow(
  { id, projectId, ownerId, body }: Entity<"exclusion">,
  groups: Groups,
  { store, person }: DigestSources,
): Promise<ExcludedNow> {
  const project = projectId === null ? null : ((await store.get("project", projectId))?.name ?? projectId);
  const owner = ownerId === null ? undefined : await person(ownerId);
  const isHere = owner !== undefined && owner.membership !== "deleted";
  return {
    ...{ id, project, what: whatIs(body.resourceIds ?? [], groups) },
    since: startOf(body) ?? null,
    until: expiryOf(body) ?? null,
    by: isHere ? ownerId : null,
  };
}

/**
 * The hours from a stop that an exclusion prevented to the next start, and the hours of resources whose stops are not known. Stops are
 * known where a group lists its actions. Uses today's schedules.
 */
function knownHours(
  byResource: Iterable<readonly Kept[]>,
  week: Interval,
  groups: Readonly<Record<string, ResourceGroup>>,
  listed: readonly Action[] | undefined,
): DigestContent["known"] {
  const naming = Object.values(groups).filter(({ actions }) => actions !== undefined);
  const offTimes = new Map(naming.map((group) => [group, listed && offTimesOf(group, listed, week)]));
  let [preventedMs, unknownMs] = [0, 0];
  for (const times of byResource) {
    const keys = new Set(times.flatMap(({ resource }) => resourceKeys(resource.id)));
    const own = naming.filter(
      ({ ids, project }) =>
        project === times[0]?.projectId && ids.some((id) => resourceKeys(id).some((key) => keys.has(key))),
    );
    const offs = own.map((group) => offTimes.get(group));
    if (own.length === 0 || offs.includes(undefined)) unknownMs += lengthWithin(times, week);
    else
      preventedMs += lengthWithin(
        offs.flatMap((off) => preventedIn(times, off ?? [])),
        week,
      );
  }
  return { preventedMs, unknownMs };
}

function preventedIn(times: readonly Interval[], offTimes: readonly Interval[]): readonly Interval[] {
  return times.flatMap(({ from, to }) =>
    offTimes
      .filter((off) => off.from >= from && off.from < to)
      .map((off) => ({ from: off.from, to: Math.min(off.to, to) })),
  );
}

/** A stop may have been prevented some days before. */
const earlierMs = 7 * 24 * 3_600_000;

/** The times from each stop of a group to its next start; undefined if one of its schedules cannot be read. */
function offTimesOf(group: ResourceGroup, listed: readonly Action[], week: Interval): readonly Interval[] | undefined {
  const named = actionsNamed(group, listed);
  if (named.length === 0 && group.actions?.length) return undefined;
  const enabled = named.filter(({ isEnabled, schedule }) => isEnabled !== false && !isUnscheduled(schedule));
  const stops = enabled.filter((action) => isFor("stop", action));
  if (stops.some(({ schedule }) => nextScheduledRun(schedule, week.from) === undefined)) return undefined;
  const starts = enabled.filter((action) => isFor("start", action));
  return stops.flatMap(({ schedule }) => {
    const times: Interval[] = [];
    let stop = nextScheduledRun(schedule, week.from - earlierMs);
    while (stop !== undefined && stop < week.to) {
      const at = stop;
      const next = starts.map((start) => nextScheduledRun(start.schedule, at) ?? Number.POSITIVE_INFINITY);
      times.push({ from: at, to: Math.min(...next, Number.POSITIVE_INFINITY) });
      stop = nextScheduledRun(schedule, at);
    }
    return times;
  });
}

/** A message once a week about what was kept running. */
interface Digest extends Scope {
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
