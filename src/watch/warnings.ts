import { isDeepStrictEqual } from "node:util";
import type { Bulletin, NewBulletin, WarnedAction, WarnedGroup, WarningContent } from "../changes/bulletin.ts";
import type { OwnWarning } from "../changes/queries/own-warnings.ts";
import {
  endAmong,
  expiryOf,
  instant,
  isSwitchedOff,
  processesOf,
  stillHeld,
} from "../commands/exclusion/exclusion-body.ts";
import { heldBack } from "../commands/lookup/holding.ts";
import type { Entity, ResourceGroup } from "../directory/directory.ts";
import { allGroups } from "../directory/group-index.ts";
import { accountOf } from "../service/account-ids.ts";
import { actionsNamed, actsOn, isFor } from "../service/action-types.ts";
import { resourceKeys, resourceTypes } from "../service/resources.ts";
import { formatTime } from "../time/format-moment.ts";
import { wallClockAt } from "../time/wall-clock.ts";
import type { WarningEntry, WatchSettings, WatchSources } from "./watch-store.ts";
import type { Poll, WatchedAction } from "./watched-action.ts";

export interface WarningOptions {
  readonly store: WatchSources;
  readonly settings: () => WatchSettings;
  /** The IANA zone of a channel or a person. */
  readonly zoneOf: (to: string) => Promise<string>;
}

type Seen = Pick<Poll, "now" | "actions" | "watched">;

/**
 * What a poll means for warnings: new ones of what comes up, one for each recipient and minute, and those that must be drawn again.
 * Nobody is warned twice of an action on one day of their zone, nor of anything that is past.
 */
export async function warningEffects(poll: Seen, { store, settings, zoneOf }: WarningOptions) {
  const { warnings, resourceGroups } = settings();
  const [open, own] = await Promise.all([store.openBulletins("warning"), store.ownWarnings()]);
  const runs = comingUp(poll, Math.max(0, ...[...warnings, ...own].map(({ beforeMs }) => beforeMs)));
  if (open.length === 0 && runs.length === 0) return { bulletins: [], redrawn: [], isWarned: false };
  const groups = allGroups(await store.groups(), resourceGroups);
  const actionsOf = namedAmong(poll, runs, groups);
  const rules: readonly Rule[] = [
    ...(await Promise.all(
      warnings.map(async (entry) => channelRule(entry, poll.now, await zoneOf(entry.channel), actionsOf)),
    )),
    ...own.flatMap((each) => ownRule(each, groups, actionsOf)),
  ];
  const warned = warningsIn(open);
  const fresh = await newlyWarned(wantedBy(rules, runs, poll.now), warned, { store, zoneOf, now: poll.now });
  const { now, actions, watched } = poll;
  const nowAs = async (content: WarningContent) => {
    const sources: WarningSources = {
      ...{ now, actions, watched, groups, zone: await zoneOf(content.to) },
      liveExclusions: store.liveExclusions,
    };
    return { ...(await warningNow(content, sources)), to: content.to };
  };
  const redrawn: NewBulletin[] = [];
  for (const { id, at, content } of warned) {
    const added = fresh.get(id)?.actions ?? [];
    fresh.delete(id);
    const former = added.length > 0 ? { ...content, actions: [...content.actions, ...added] } : content;
    const known = await nowAs(former);
    if (known.content === content) continue;
    redrawn.push({ ...known, id, at });
  }
  const bulletins: NewBulletin[] = [];
  for (const [id, content] of fresh) bulletins.push({ ...(await nowAs(content)), id, at: now });
  // Whether any warning may have to be drawn again later.
  return { bulletins, redrawn, isWarned: bulletins.length > 0 || open.length > 0 };
}

/** The next run of an action. */
interface Run {
  readonly action: WarnedAction;
  readonly at: number;
}

/** Only what is still ahead. */
function comingUp({ now, watched }: Seen, beforeMs: number): readonly Run[] {
  const runs: Run[] = [];
  for (const action of watched.values()) {
    const { nextAt: at, missingSince, facts } = action;
    if (at === null || at <= now || at - now > beforeMs || missingSince !== null || facts.isEnabled === false) continue;
    const process = (["stop", "start"] as const).find((each) => isFor(each, facts));
    if (process) runs.push({ action: warnedAction(action, process, at), at });
  }
  return runs;
}

/** Who wants to be warned of what, how early. */
interface Rule {
  readonly to: string;
  readonly beforeMs: number;
  readonly isFor: (action: WarnedAction) => boolean;
}

function channelRule(
  { channel, accounts, projects, groups, processes, beforeMs, quiet }: WarningEntry,
  now: number,
  zone: string,
  actionsOf: ReturnType<typeof namedAmong>,
): Rule {
  const isQuiet = quiet !== undefined && isWithin(quiet, now, zone);
  const named = groups && actionsOf([...groups.keys()]);
  return {
    to: channel,
    beforeMs,
    isFor: ({ process, projectId, actionId }) =>
      !isQuiet &&
      processes.has(process) &&
      (accounts?.has(accountOf(actionId)) ?? true) &&
      (projects?.has(projectId ?? "") ?? true) &&
      (named?.has(actionId) ?? true),
  };
}

function isWithin({ from, to }: NonNullable<WarningEntry["quiet"]>, now: number, zone: string): boolean {
  const { hour, minute } = wallClockAt(now, zone);
  const time = formatTime({ hour, minute });
  return from < to ? time >= from && time < to : time >= from || time < to;
}

function ownRule(
  { userId, group: name, beforeMs, during }: OwnWarning,
  groups: Readonly<Record<string, ResourceGroup>>,
  actionsOf: ReturnType<typeof namedAmong>,
): readonly Rule[] {
  if (!groups[name.toLowerCase()]) return [];
  const named = actionsOf([name]);
  const isThen = (at: number) => during === null || (during.from <= at && at < during.to);
  const isWarned = ({ process, actionId, warnedAt }: WarnedAction) =>
    process === "stop" && named.has(actionId) && isThen(warnedAt);
  return [{ to: userId, beforeMs, isFor: isWarned }];
}

/** The ids of the actions with these runs that groups name. */
function namedAmong({ actions }: Seen, runs: readonly Run[], groups: Readonly<Record<string, ResourceGroup>>) {
  const coming = new Set(runs.map(({ action }) => action.actionId));
  const listed = actions.filter(({ actionId }) => coming.has(actionId));
  return (names: readonly string[]): ReadonlySet<string> =>
    new Set(
      names
        .flatMap((name) => groups[name.toLowerCase()] ?? [])
        .flatMap((group) => actionsNamed(group, listed).map(({ actionId }) => actionId)),
    );
}

interface Wanted extends Run {
  readonly to: string;
}

/** Once for each recipient and run. */
function wantedBy(rules: readonly Rule[], runs: readonly Run[], now: number): readonly Wanted[] {
  return [...new Set(rules.map(({ to }) => to))].flatMap((to) => {
    const own = rules.filter((rule) => rule.to === to);
    const isWanted = ({ action, at }: Run) => own.some((rule) => at - now <= rule.beforeMs && rule.isFor(action));
    return runs.filter(isWanted).map((run) => ({ to, ...run }));
  });
}

type Warning = Bulletin & { readonly content: WarningContent };

const warningsIn = (bulletins: readonly Bulletin[]): readonly Warning[] =>
  bulletins.flatMap(({ content, ...rest }) => (content.kind === "warning" ? [{ ...rest, content }] : []));

/** The longest day and the longest warning. */
const warnedForMs = 50 * 3_600_000;

const minuteMs = 60_000;

/** The warnings that these runs make, by id: without the actions that their recipient was warned of on that day. */
async function newlyWarned(
  wanted: readonly Wanted[],
  open: readonly Warning[],
  { store, zoneOf, now }: Pick<WarningOptions, "store" | "zoneOf"> & Pick<Poll, "now">,
): Promise<Map<string, WarningContent>> {
  const found = new Map<string, WarningContent>();
  const isOpen = ({ to, action }: Wanted) =>
    open.some(({ content }) => content.to === to && content.actions.some((each) => isSameRun(each, action)));
  const others = wanted.filter((each) => !isOpen(each));
  if (others.length === 0) return found;
  const recent = warningsIn(await store.bulletinsSince("warning", now - warnedForMs));
  const earlier = new Set<string>();
  const key = (to: string, { actionId }: WarnedAction, day: string) => `${to} ${day} ${actionId}`;
  for (const { content } of recent) {
    const zone = await zoneOf(content.to);
    for (const action of content.actions) earlier.add(key(content.to, action, dayOf(action.warnedAt, zone)));
  }
  for (const { to, action, at } of others) {
    if (earlier.has(key(to, action, dayOf(at, await zoneOf(to))))) continue;
    const minute = Math.floor(at / minuteMs) * minuteMs;
    const id = `warning:${to}:${minute / minuteMs}`;
    const content = found.get(id) ?? {
      ...({ kind: "warning", groups: [], isOver: false, changedAt: now } as const),
      ...{ to, at: minute, actions: [] },
    };
    found.set(id, { ...content, actions: [...content.actions, action] });
  }
  return found;
}

const isSameRun = (one: WarnedAction, other: WarnedAction): boolean =>
  one.actionId === other.actionId && one.warnedAt === other.warnedAt;

/** What the content of a warning is made from. */
export interface WarningSources extends Pick<Poll, "now" | "actions" | "watched"> {
  readonly groups: Readonly<Record<string, ResourceGroup>>;
  readonly liveExclusions: WatchSources["liveExclusions"];
  /** Of its recipient. */
  readonly zone: string;
}

/** The warning as things stand now, and when it is over: after the last of its runs that day. Null when it is. */
export async function warningNow(
  content: WarningContent,
  sources: WarningSources,
): Promise<{ readonly content: WarningContent; readonly overAt: number | null }> {
  const { now, watched, zone } = sources;
  const actions = content.actions.map((action) => actionNow(action, watched.get(action.actionId), now));
  const due = actions.filter(({ off, at, warnedAt }) => off === null && dayOf(at, zone) === dayOf(warnedAt, zone));
  const overAt = Math.max(content.at, ...due.map(({ at }) => at));
  const isOver = now >= overAt;
  const groups = await groupsNow(due, content.groups, sources);
  const known = { ...content, actions, groups, isOver };
  return {
    content: isDeepStrictEqual(known, content) ? content : { ...known, changedAt: now },
    overAt: isOver ? null : overAt,
  };
}

export function warnedAction({ id, facts }: WatchedAction, process: WarnedAction["process"], at: number): WarnedAction {
  const resourceType = resourceTypes.find((type) => actsOn(facts, type) === true) ?? null;
  const { name, projectId } = facts;
  return { actionId: id, name: name ?? id, projectId, resourceType, process, warnedAt: at, at, off: null };
}

/** A calendar day in an IANA zone. */
function dayOf(at: number, zone: string): string {
  const { year, month, day } = wallClockAt(at, zone);
  return `${year}-${month}-${day}`;
}

/** The service's clock may be ahead: a run that is due just now was not moved. */
const sameMinuteMs = 60_000;

/** What was due stays as it is: its next run is another one. */
function actionNow(action: WarnedAction, watched: WatchedAction | undefined, now: number): WarnedAction {
  if (action.at <= now || watched?.missingSince) return action;
  if (!watched) return { ...action, off: "deleted" };
  if (watched.facts.isEnabled === false) return { ...action, off: "switched off" };
  const { nextAt } = watched;
  const isMoved = nextAt !== null && nextAt > now && action.at - now > sameMinuteMs;
  return { ...action, off: null, at: isMoved ? nextAt : action.at };
}

/** The groups that these actions act on. Once all of its runs are over, a group stays as it was. */
async function groupsNow(
  due: readonly WarnedAction[],
  former: readonly WarnedGroup[],
  { now, actions, groups, liveExclusions }: WarningSources,
): Promise<readonly WarnedGroup[]> {
  const ids = new Set(due.map(({ actionId }) => actionId));
  const listed = actions.filter(({ actionId }) => ids.has(actionId));
  const acted = Object.entries(groups).flatMap(([name, group]) => {
    const named = new Set(actionsNamed(group, listed).map(({ actionId }) => actionId));
    const runs = due.filter(({ actionId }) => named.has(actionId));
    const process = runs.some((run) => run.process === "stop") ? "stop" : "start";
    const ofProcess = runs.filter((run) => run.process === process);
    if (ofProcess.length === 0) return [];
    const at = Math.max(...ofProcess.map((run) => run.at));
    return [{ name, group, process, at, actionIds: ofProcess.map(({ actionId }) => actionId) } as const];
  });
  const soonest = Math.min(...acted.map(({ at }) => at));
  const keys = acted.flatMap(({ group }) => group.ids.flatMap((id) => resourceKeys(id)));
  const live = acted.length === 0 ? [] : await liveExclusions(soonest, keys);
  return acted.map(({ name, group: { project, type, ids }, process, at, actionIds }) => {
    const before = former.find((each) => each.name === name);
    const held = heldAt(at, ids, processesOf[process][0], live);
    const kept = at <= now ? (before?.held ?? null) : null;
    return { name, project, type, ids, process, actionIds, at, held: held ?? kept };
  });
}

/** What holds back a process of these resources at a moment. */
function heldAt(
  at: number,
  ids: readonly string[],
  process: string,
  live: readonly Entity<"exclusion">[],
): WarnedGroup["held"] {
  const holding = live
    .map((exclusion) => ({ ...exclusion, body: stillHeld(exclusion.body, at) }))
    .filter(
      ({ body }) =>
        !isSwitchedOff(body) &&
        (instant(body.startDate) ?? at) <= at &&
        (expiryOf(body) ?? Number.POSITIVE_INFINITY) > at,
    );
  const isHeldBy = (some: readonly Entity<"exclusion">[]) => heldBack(ids, some, process);
  const held = isHeldBy(holding);
  if (held.length === 0) return null;
  const ends = held.map((id) => {
    const its = holding.filter((each) => isHeldBy([each]).includes(id));
    return Math.max(...its.map(({ body }) => endAmong(body, [id]) ?? Number.POSITIVE_INFINITY));
  });
  const until = Math.min(...ends);
  const last = holding.filter((each) => isHeldBy([each]).length > 0).at(-1);
  return {
    until: Number.isFinite(until) ? until : null,
    by: last?.ownerId ?? null,
    isWhole: held.length === ids.length,
  };
}
