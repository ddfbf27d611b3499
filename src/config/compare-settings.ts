import { isDeepStrictEqual } from "node:util";
import { loosenedBudgets } from "../permissions/budgets/loosened-budgets.ts";
import { loosenedApprovals } from "../permissions/loosened-approvals.ts";
import { loosenedAsking } from "../permissions/loosened-asking.ts";
import { loosenedRequirements } from "../permissions/loosened-requirements.ts";
import { type Loosening, list, loosenedRoles, unique } from "../permissions/loosened-roles.ts";
import { type OperationName, operationNames, operations } from "../service/operations.ts";
import { formatDuration } from "../time/duration.ts";
import { inOneGo, type Sliced } from "../time/slices.ts";
import { loosenedCallers } from "./callers-section.ts";
import type { Settings } from "./settings.ts";
import { loosenedTeams, loosenedWorkflows } from "./workflows-section.ts";

export interface Comparison {
  /** Loosened settings, in full sentences; none when the new settings certainly loosen nothing. */
  readonly loosens: readonly string[];
  /** The paths in curfew.yaml that are tighter. */
  readonly tightens: readonly string[];
}

export const compareSettings = (next: Settings, old: Settings): Comparison => inOneGo(comparing(next, old));

/** A setting counts as loosened unless it is provably not. It is tighter when going back would loosen it. */
export function* comparing(next: Settings, old: Settings): Sliced<Comparison> {
  const looser = yield* loosenings(next, old);
  const tighter = unique((yield* loosenings(old, next)).map(({ path }) => path));
  return {
    loosens: unique(looser.map(({ text }) => text)),
    // A difference that may be either, such as another resource group, counts as looser.
    tightens: tighter.filter((path) => !looser.some((each) => each.path === path)),
  };
}

function* loosenings(next: Settings, old: Settings): Sliced<readonly Loosening[]> {
  const found: Loosening[] = [];
  for (const loosened of Object.values(sections)) found.push(...loosened(next, old));
  found.push(...(yield* loosenedDirectory(next, old)));
  return found;
}

type Section = (next: Settings, old: Settings) => readonly Loosening[];

/** One for each section of the settings but the directory; a new section does not compile without one. */
const sections = {
  policy: (next, old) => [
    ...loosenedRoles(next.policy, old.policy),
    ...loosenedAsking(next.policy, old.policy),
    ...loosenedApprovals(next, old),
    ...loosenedBudgets(next.policy, old.policy),
  ],
  require: ({ require: next }, { require: old }) => loosenedRequirements(next, old),
  ticketUrl: ({ ticketUrl: next }, { ticketUrl: old }) =>
    next === old
      ? []
      : [{ path: "ticketUrl", text: `Tickets link to ${next ?? "nothing"}, instead of ${old ?? "nothing"}.` }],
  announce: loosenedAnnouncements,
  exclusions: loosenedExclusions,
  channels: ({ channels: next }, { channels: old }) =>
    differing("channels", next, old, "Channels stand for other projects or zones"),
  limits: ({ limits: next }, { limits: old }) =>
    maxPerMinute(next) > maxPerMinute(old)
      ? [{ path: "limits.perPersonPerMinute", text: "One person may ask for more in a minute." }]
      : [],
  admins: ({ admins: next }, { admins: old }) =>
    next?.channel === old?.channel
      ? []
      : [
          {
            path: "admins.channel",
            text: `The admins' channel is ${next?.channel ?? "none"}, instead of ${old?.channel ?? "none"}.`,
          },
        ],
  service: ({ service: next }, { service: old }) =>
    next.stopTime === old.stopTime
      ? []
      : [
          {
            path: "service.stopTime",
            text: `Stop times of plans are counted as ${next.stopTime ?? "not known"}, instead of ${old.stopTime ?? "not known"}.`,
          },
        ],
  // What changes elsewhere is noticed later.
  watch: ({ watch: next }, { watch: old }) =>
    next.everyMs > old.everyMs
      ? [{ path: "watch.every", text: `The service's actions are read only every ${formatDuration(next.everyMs)}.` }]
      : [],
  warnings: loosenedWarnings,
  digest: loosenedDigests,
  // Curfew fetches their addresses, and series leave out their days. Texts of addresses may be secret.
  calendars: ({ calendars: next }, { calendars: old }) =>
    differing("calendars", byName(next), byName(old), "Calendars are read from another place, or not at all"),
  callers: ({ callers: next }, { callers: old }) => loosenedCallers(next, old),
  workflows: ({ workflows: next }, { workflows: old }) => loosenedWorkflows(next, old),
  teams: ({ teams: next }, { teams: old }) => loosenedTeams(next, old),
  resourceGroups: ({ resourceGroups: next }, { resourceGroups: old }) =>
    differing("resourceGroups", next, old, "Resource groups stand for other resources or actions"),
} satisfies Record<Exclude<keyof Settings, "directory">, Section>;

function loosenedAnnouncements(next: Settings, old: Settings): readonly Loosening[] {
  const channels = unique([...old.announce, ...next.announce].map(({ channel }) => channel));
  return channels.flatMap((channel) => {
    const missing = onlyIn(old, next, channel);
    const added = onlyIn(next, old, channel);
    return [
      ...(missing.length === 0 ? [] : [{ path: "announce", text: `${channel} no longer hears of ${list(missing)}.` }]),
      ...(added.length === 0 ? [] : [{ path: "announce", text: `${channel} hears of ${list(added)}.` }]),
    ];
  });
}

/** The changes that one config announces in a channel, and the other does not. */
const onlyIn = (one: Settings, other: Settings, channel: string): readonly string[] => [
  ...operationNames.filter(
    (name) => operations[name].effect !== "read" && isNotified(one, name, channel) && !isNotified(other, name, channel),
  ),
  ...(isElsewhere(one, channel) && !isElsewhere(other, channel) ? ["changes made elsewhere"] : []),
];

const isElsewhere = ({ announce }: Settings, channel: string): boolean =>
  announce.some((entry) => entry.channel === channel && entry.isElsewhere);

const isNotified = ({ announce }: Settings, name: OperationName, channel: string): boolean =>
  announce.some((entry) => entry.channel === channel && entry.operations.has(name));

/** A channel reads there what was excluded in these projects, and by whom. */
function loosenedDigests({ digest: next }: Settings, { digest: old }: Settings): readonly Loosening[] {
  return next
    .filter((each) => !old.some((former) => covers(former, each)))
    .map((each) => ({ path: "digest", text: `${each.channel} gets a weekly digest${ofProjects(each)}.` }));
}

/** A channel reads there what actions are called. Fewer or later warnings give nobody a right. */
function loosenedWarnings({ warnings: next }: Settings, { warnings: old }: Settings): readonly Loosening[] {
  return next
    .filter((each) => {
      const covering = old.filter((former) => covers(former, each));
      return ![...each.processes].every((process) => covering.some(({ processes }) => processes.has(process)));
    })
    .map((each) => {
      const what = list([...each.processes].map((process) => (process === "stop" ? "stops" : "starts")));
      return { path: "warnings", text: `${each.channel} is warned of ${what}${ofProjects(each)}.` };
    });
}

interface Posting {
  readonly channel: string;
  /** Undefined for all. */
  readonly projects?: ReadonlySet<string> | undefined;
}

const covers = (old: Posting, { channel, projects }: Posting): boolean =>
  old.channel === channel &&
  (old.projects === undefined || (projects !== undefined && [...projects].every((id) => old.projects?.has(id))));

const ofProjects = ({ projects }: Posting): string => (projects ? ` in ${list([...projects])}` : "");

const byName = <T extends { readonly name: string }>(items: readonly T[]): Readonly<Record<string, T>> =>
  Object.fromEntries(items.map((each) => [each.name, each]));

function loosenedExclusions({ exclusions: next }: Settings, { exclusions: old }: Settings): readonly Loosening[] {
  const lengths = {
    maxLengthMs: ["exclusions.longest", "An exclusion may last up to"],
    defaultMs: ["exclusions.default", "An exclusion of no given length lasts"],
    // The time of a reminder gives nobody a right.
    warnMs: undefined,
    ...dayTimes,
  } as const satisfies Record<keyof Settings["exclusions"], unknown>;
  const longer = (["maxLengthMs", "defaultMs"] as const).flatMap((key) => {
    const [path, sentence] = lengths[key];
    return next[key] > old[key] ? [{ path, text: `${sentence} ${formatDuration(next[key])}.` }] : [];
  });
  // An earlier time may make an exclusion longer too: after the end of the day, "eod" means midnight.
  const others = (["dayStarts", "dayEnds"] as const).flatMap((key) => {
    const [path, sentence] = dayTimes[key];
    return next[key] === old[key] ? [] : [{ path, text: `${sentence} ${next[key]}, instead of ${old[key]}.` }];
  });
  return [...longer, ...others];
}

const dayTimes = {
  dayStarts: ["exclusions.dayStarts", "An exclusion until a day without a time lasts until"],
  dayEnds: ["exclusions.dayEnds", "An exclusion until the end of the day lasts until"],
} as const;

const maxPerMinute = ({ perPersonPerMinute: max }: Settings["limits"]): number =>
  max === 0 ? Number.POSITIVE_INFINITY : max;

/** Any difference may give somebody a right: the directory maps names, account owners and projects. */
function* loosenedDirectory({ directory: next }: Settings, { directory: old }: Settings): Sliced<readonly Loosening[]> {
  const found: Loosening[] = [];
  const before: Readonly<Record<string, Entries>> = old;
  for (const [kind, entries] of Object.entries<Entries>(next)) {
    const changed = yield* changedEntries(entries, before[kind] ?? []);
    found.push(...oneDiffering(`directory.${kind}`, changed, "The directory says something else of"));
  }
  return found;
}

type Entries = readonly { readonly id: string }[];
const entriesAtATime = 500;

function* changedEntries(next: Entries, old: Entries): Sliced<readonly string[]> {
  const before = new Map(old.map((entry) => [entry.id, entry]));
  const added: string[] = [];
  for (const [index, entry] of next.entries()) {
    if (index % entriesAtATime === 0) yield;
    const former = before.get(entry.id);
    if (former === undefined) added.push(entry.id);
    else if (isDeepStrictEqual(entry, former)) before.delete(entry.id);
  }
  // What is left has another entry now, or none.
  return [...before.keys(), ...added];
}

function differing(
  path: string,
  next: Readonly<Record<string, unknown>>,
  old: Readonly<Record<string, unknown>>,
  says: string,
): readonly Loosening[] {
  const names = unique([...Object.keys(old), ...Object.keys(next)]);
  const changed = names.filter((name) => !isDeepStrictEqual(next[name], old[name]));
  return oneDiffering(path, changed, says);
}

function oneDiffering(path: string, changed: readonly string[], says: string): readonly Loosening[] {
  return changed.length === 0 ? [] : [{ path, text: `${says}: ${list(changed)} (${path}).` }];
}
