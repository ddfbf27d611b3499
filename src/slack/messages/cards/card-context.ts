import type { WebClient } from "@slack/web-api";
import { followedIn } from "../../../changes/announce.ts";
import { type ConcernPorts, concernsAbout } from "../../../changes/approvals/concerns.ts";
import { type Change, isRemoval, whenExclusionEnds } from "../../../changes/change.ts";
import type { PostedCard } from "../../../changes/outbox-message.ts";
import { createPlans } from "../../../changes/planned/plans.ts";
import type { ChangeSettings, ChangeStore, GroupStore, OutboxStore } from "../../../changes/ports.ts";
import type { Sentence } from "../../../commands/answer.ts";
import type { Thread } from "../../../commands/command.ts";
import { expiryOf, idInService, startOf } from "../../../commands/exclusion/exclusion-body.ts";
import { runAfter } from "../../../commands/exclusion/next-run.ts";
import { alsoHeld, exclusionsHolding } from "../../../commands/exclusion/overlapping-exclusions.ts";
import { groupOf } from "../../../commands/exclusion/resource-context.ts";
import { exclusionHolds, type Hold, heldBack, holdingAny } from "../../../commands/lookup/holding.ts";
import { type Off, offAmong } from "../../../commands/lookup/running.ts";
import type { Plan } from "../../../commands/query-ports.ts";
import type { DirectoryStore, ResourceGroup } from "../../../directory/directory.ts";
import { allGroups } from "../../../directory/group-index.ts";
import type { Logger } from "../../../observability/log.ts";
import { consoleAddress } from "../../../permissions/requirements.ts";
import { actionsNamed, isFor } from "../../../service/action-types.ts";
import { type Action, ActionExclusion } from "../../../service/resources.ts";
import { groupBy } from "../../../time/group-by.ts";
import { within } from "../../../time/within.ts";
import { link, type Mrkdwn, md } from "../text.ts";

/** What a card shows beside its own change. */
export interface CardContext {
  /** The succeeded changes of the same thing since, oldest first. */
  readonly later: readonly Change[];
  readonly now: number;
  /** Where tickets are found. */
  readonly ticketUrl?: string | undefined;
  /** Of an exclusion: where the service's console shows it. */
  readonly address?: string | undefined;
  /** Of an exclusion: the name of its project, and of the group of exactly its resources. */
  readonly projectName?: string | undefined;
  readonly groupName?: string | undefined;
  /** The other exclusions that cover its resources, or some of them, when it is over. */
  readonly stillHeld?: { readonly by: number; readonly isWhole: boolean } | undefined;
  /** When a change of it found that the service no longer knew it. */
  readonly goneAt?: number | undefined;
  /** The first action of its group that stops it after its end. */
  readonly nextStop?: NextStop | undefined;
  /** Its group is off now by the schedule. */
  readonly off?: Off | undefined;
  /** "asked for in a thread", with a link to it, where it was. */
  readonly askedIn?: readonly Mrkdwn[] | undefined;
  /** Of a series: the exclusion of the time that has begun and is not over. */
  readonly running?: { readonly exclusionId: string; readonly endsAt: number } | undefined;
  /** What the approvers of a waiting change should look at. */
  readonly concerns?: readonly Sentence[] | undefined;
}

export interface CardSources extends ConcernPorts {
  readonly store: ConcernPorts["store"] &
    Pick<DirectoryStore, "get" | "exclusionsNaming" | "exclusionsSince" | "liveExclusions"> &
    Pick<GroupStore, "groups"> &
    Pick<ChangeStore, "planned" | "waiting"> &
    Pick<OutboxStore, "changeOfCard">;
  readonly threadLink: ThreadLink;
  readonly settings: () => Pick<ChangeSettings, "announce" | "resourceGroups" | "ticketUrl" | "consoleUrl">;
  /** The service's actions; undefined when they cannot be read. */
  readonly actions: () => Promise<readonly Action[] | undefined>;
}

const mostWarnings = 2;

/** Looks up what a card shows beside its own change: of an exclusion, and of what waits for an approval. */
export async function cardContext(
  sources: CardSources,
  change: Change,
  later: readonly Change[],
  now: number,
): Promise<CardContext> {
  const { store, settings, actions } = sources;
  const { resourceGroups, ticketUrl } = settings();
  const concerns = await concernsAbout(change, sources, now, mostWarnings);
  const askedIn = await askedInWords([change, ...later], sources);
  if (change.subjectKind !== "exclusion") return { later, now, ticketUrl, concerns, askedIn };
  const exclusion = change.subjectId === null ? undefined : await store.get("exclusion", change.subjectId);
  const id = exclusion ? idInService(exclusion.body) : change.subjectId;
  const address = id ? consoleAddress(settings(), "exclusion", id) : undefined;
  const goneAt = exclusion?.endedAt ?? undefined;
  const state = exclusionState(change, later, now, goneAt);
  const body = bodyAfter([change, ...later]);
  const groups = allGroups(await store.groups(), resourceGroups);
  const groupName = groupOf(body.resourceIds ?? [], groups);
  const project = body.projectId ? await store.get("project", body.projectId) : undefined;
  const named = { projectName: project?.name ?? undefined, groupName };
  const running = change.state === "planned" ? await runningOf(change, store, now) : undefined;
  const known = { later, now, ticketUrl, address, concerns, askedIn, goneAt, running, ...named };
  if (state?.kind === "over" || state?.kind === "ended") {
    const endedAt = state.kind === "over" ? state.endsAt : ([change, ...later].find(isRemoval)?.settledAt ?? now);
    const others = exclusion ? await alsoHeld(exclusion, Math.max(endedAt, now), store) : [];
    const isHeld = (id: string, process: string) =>
      others.some(({ resourceIds, processes }) => resourceIds.includes(id) && processes.includes(process));
    const isWhole = (body.resourceIds ?? []).every((id) =>
      (body.processes ?? []).every((process) => isHeld(id, process)),
    );
    return { ...known, stillHeld: others.length > 0 ? { by: others.length, isWhole } : undefined };
  }
  const group = groupName === undefined ? undefined : groups[groupName];
  const isStopHeld = body.processes?.includes("stop-resource") ?? false;
  if (state?.kind !== "in-force" || !group?.actions?.length || !isStopHeld) return known;
  const ofGroup = actionsNamed(group, (await actions()) ?? []);
  const hasBegun = exclusion !== undefined && (startOf(exclusion.body) ?? 0) <= now;
  // Its machines are mostly held by the same: those are looked at once.
  const partsUnder = (holds: readonly Hold[]) => {
    const holding = holdingAny(holds.filter(({ body }) => body.processes?.includes(stop)));
    const holdersOf = (id: string) => holding([id]).map((hold) => holds.indexOf(hold));
    const alike = groupBy(group.ids, (id) => holdersOf(id).join());
    return [...alike.values()].map((ids) => ({ actions: ofGroup, holds: holding(ids) }));
  };
  return {
    ...known,
    nextStop: await nextStopAfter(group, ofGroup, state.endsAt, store),
    off: hasBegun ? await offAmong(partsUnder, () => exclusionHolds(group.ids, store, now), now) : undefined,
  };
}

/** The exclusion of the time of a series that is in force. */
async function runningOf(
  { children = [] }: Change,
  store: Pick<DirectoryStore, "get">,
  now: number,
): Promise<CardContext["running"]> {
  const exclusionId = children.findLast(({ state }) => state === "succeeded")?.subjectId ?? undefined;
  const exclusion = exclusionId === undefined ? undefined : await store.get("exclusion", exclusionId);
  if (exclusionId === undefined || !exclusion || exclusion.endedAt !== null) return undefined;
  const endsAt = expiryOf(exclusion.body);
  return endsAt === undefined || endsAt <= now ? undefined : { exclusionId, endsAt };
}

/** The state of an exclusion: ended by somebody, over by its end time, switched off, or in force. */
export type ExclusionState =
  | { readonly kind: "ended" }
  | { readonly kind: "over" | "off" | "off-and-over" | "in-force"; readonly endsAt: number };

/** Derived from a succeeded change, the later ones and the clock. `goneAt`: when the service no longer knew it. Undefined for other things, and when the end is not known. */
export function exclusionState(
  change: Change,
  later: readonly Change[],
  now: number,
  goneAt?: number | undefined,
): ExclusionState | undefined {
  if (change.subjectKind !== "exclusion" || change.state !== "succeeded") return undefined;
  const changes = [change, ...later];
  const lasting = whenExclusionEnds(changes.filter((each) => !isRemoval(each)));
  const removal = changes.find(isRemoval);
  const removedAt = removal ? (removal.settledAt ?? now) : goneAt;
  if (removedAt !== undefined && !(lasting && lasting.endsAt <= removedAt)) return { kind: "ended" };
  if (!lasting) return undefined;
  const { endsAt, isEnabled } = lasting;
  const isOver = endsAt <= (removedAt ?? now);
  if (!isEnabled) return { kind: isOver ? "off-and-over" : "off", endsAt };
  return { kind: isOver ? "over" : "in-force", endsAt };
}

/** Whether it is over: all that can still be done is to make it last again. */
export function isPast(state: ExclusionState | undefined): boolean {
  return state?.kind === "ended" || state?.kind === "over" || state?.kind === "off-and-over";
}

const bodyShown = ActionExclusion.pick({
  name: true,
  projectId: true,
  resourceIds: true,
  resourceType: true,
  processes: true,
  resourceIdentificationMethod: true,
  expiryDate: true,
  curfewParts: true,
}).partial();
export type ExclusionBody = ReturnType<typeof bodyShown.parse>;

/** The exclusion after its changes: what each asked for and what the service answered. */
export function bodyAfter(changes: readonly Change[]): ExclusionBody {
  const parts = changes.flatMap(({ before, request, answer }) => [before, request, answer]);
  const known = parts.flatMap((part) => Object.entries(bodyShown.safeParse(part).data ?? {}));
  return Object.fromEntries(known.filter(([, value]) => value !== undefined && value !== null));
}

interface NextStop {
  readonly action: string;
  /** In epoch ms. */
  readonly at: number;
}

type Store = Pick<ChangeStore, "planned" | "waiting"> & Pick<DirectoryStore, "liveExclusions">;

const stop = "stop-resource";
/** After so many that are prevented, the next one is not known. */
const mostRuns = 100;

/**
 * When an action of the group stops it first after `end`, as far as the service's next runs and daily schedules say. A run that another
 * exclusion or a plan keeps from all of the group stops nothing.
 */
async function nextStopAfter(
  group: ResourceGroup,
  ofGroup: readonly Action[],
  end: number,
  store: Store,
): Promise<NextStop | undefined> {
  const stops = ofGroup.filter((action) => action.isEnabled !== false && isFor("stop", action));
  // At the very moment of its end an exclusion holds nothing back any more.
  let next = firstAfter(stops, end - 1);
  if (!next) return undefined;
  const plans = await createPlans(store)();
  for (let runs = 0; next && runs < mostRuns; runs++) {
    if (!(await isPrevented(group, next.at, plans, store))) return next;
    next = firstAfter(stops, next.at);
  }
  return undefined;
}

function firstAfter(stops: readonly Action[], after: number): NextStop | undefined {
  const runs = stops.flatMap((action) => {
    const at = runAfter(action, after);
    return at === undefined ? [] : [{ action: action.name || action.actionId, at }];
  });
  return runs.sort((one, other) => one.at - other.at)[0];
}

async function isPrevented({ ids }: ResourceGroup, at: number, plans: readonly Plan[], store: Store): Promise<boolean> {
  const live = await exclusionsHolding(store, { resourceIds: ids, processes: [stop] }, at);
  const then = plans.filter(
    ({ processes, spans }) =>
      processes.includes(stop) && spans.some(({ startsAt, endsAt }) => startsAt <= at && endsAt > at),
  );
  return heldBack(ids, [...live, ...then.map((body) => ({ body }))], stop).length === ids.length;
}

/** The link to a posted card; undefined when Slack gives none, as for a deleted one. Never throws. */
type LinkTo = (card: PostedCard) => Promise<string | undefined>;

export const createLinkTo =
  ({ client, log }: { readonly client: WebClient; readonly log: Logger }): LinkTo =>
  async ({ channelId: channel, ts }) => {
    try {
      return (await client.chat.getPermalink({ channel, message_ts: ts })).permalink || undefined;
    } catch (error) {
      log.debug({ err: error, channel, ts }, "could not get the link to a card");
      return undefined;
    }
  };

/** The link to the card on which a change waits for approval; undefined when there is no card or Slack gives no link. */
export type CardLink = (change: Pick<Change, "id" | "approval">) => Promise<string | undefined>;

export const createCardLink =
  (store: Pick<OutboxStore, "cardOf">, linkTo: LinkTo): CardLink =>
  async ({ id, approval }) => {
    const card = approval ? await store.cardOf(id, approval.channelId).catch(() => undefined) : undefined;
    return card && linkTo(card);
  };

/** The link to the message that a thread is under; undefined when Slack gives none. Never throws. */
type ThreadLink = (thread: Thread) => Promise<string | undefined>;

const maxLinks = 1000;

/** Cards are drawn often, and a link stays the same. */
export function createThreadLink(linkTo: LinkTo): ThreadLink {
  const known = new Map<string, string>();
  return async ({ channelId, ts }) => {
    const key = `${channelId}:${ts}`;
    const link = known.get(key) ?? (await linkTo({ channelId, ts, threadTs: null }));
    if (link === undefined) return undefined;
    known.set(key, link);
    const [oldest] = known.keys();
    if (known.size > maxLinks && oldest !== undefined) known.delete(oldest);
    return link;
  };
}

/** A card does not wait for its link. */
const linkMs = 1500;

/** "asked for in a thread", of what was; the first thread of an exclusion that was asked about in several. */
async function askedInWords(
  changes: readonly Change[],
  { store, threadLink }: { readonly store: Pick<OutboxStore, "changeOfCard">; readonly threadLink: ThreadLink },
): Promise<readonly Mrkdwn[]> {
  const [first] = await followedIn(changes, store);
  if (!first) return [];
  const address = await within(linkMs, threadLink(first.askedIn));
  return [md`asked for in ${address === undefined ? "a thread" : link(address, "a thread")}`];
}
