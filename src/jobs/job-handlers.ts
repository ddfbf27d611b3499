import {
  buttonUpdates,
  cardUpdates,
  firstCardIn,
  followedIn,
  inAskedThread,
  setterOf,
  shownOn,
} from "../changes/announce.ts";
import type { ApprovalJobKind, Approvals } from "../changes/approvals/decide-approval.ts";
import { stillEndsBy } from "../changes/change.ts";
import {
  buildDigest,
  type DigestSettings,
  type DigestSources,
  digestDue,
  digestId,
  nextDigest,
  nextDigests,
  zoneOf,
} from "../changes/digest.ts";
import type { NewJob } from "../changes/job.ts";
import type { UnknownOutcomes } from "../changes/outcomes/unknown-outcomes.ts";
import type { ChangeStore, OutboxStore } from "../changes/ports.ts";
import type { DirectoryStore } from "../directory/directory.ts";
import type { JobHandler, JobHandlers, JobWorkerOptions } from "./worker.ts";

export interface JobHandlerOptions extends ExclusionJobOptions, CleaningOptions {
  readonly store: ExclusionJobOptions["store"] & CleaningOptions["store"];
  readonly approvals: Pick<Approvals, "onJob" | "giveUp">;
  readonly outcomes: Pick<UnknownOutcomes, "onJob" | "onLeftParts">;
  readonly digest: Omit<DigestJobOptions, "now">;
}

/** One handler per kind of job. */
export function createJobHandlers(options: JobHandlerOptions): JobHandlers {
  const { approvals, outcomes, now, digest } = options;
  const approvalJob =
    (kind: ApprovalJobKind): JobHandler =>
    async (changeId, dueAt) => {
      await approvals.onJob(kind, changeId, dueAt);
      return {};
    };
  return {
    ...createExclusionJobs(options),
    "approval-reminder": approvalJob("approval-reminder"),
    "approval-expiry": approvalJob("approval-expiry"),
    "planned-change": approvalJob("planned-change"),
    "approved-change": approvalJob("approved-change"),
    "outcome-check": outcomes.onJob,
    "left-parts": outcomes.onLeftParts,
    digest: createDigestJob({ ...digest, now }),
    cleaning: createCleaning(options),
  };
}

/** Ends the change that a job was to perform; where the job only looks after something, that goes on with the next job. */
export function createGiveUp({
  approvals,
  now,
  digest,
}: Pick<JobHandlerOptions, "approvals" | "now" | "digest">): JobWorkerOptions["giveUp"] {
  return async (kind, subjectId) => {
    if (kind === "planned-change" || kind === "approved-change") await approvals.giveUp(subjectId);
    if (kind === "cleaning") return { jobs: [nextCleaning(now())] };
    return kind === "digest" ? { jobs: nextDigests(digest.settings(), now()) } : {};
  };
}

export interface DigestJobOptions extends DigestSources {
  readonly settings: () => DigestSettings & ReturnType<DigestSources["settings"]>;
  readonly now: () => number;
}

/** One that is later than this is left out: the next one shows more. */
const maxLateMs = 24 * 3_600_000;

/** Posts the weekly digest. A job for a time that the config no longer names does nothing: the one that replaced it is scheduled. */
function createDigestJob(options: DigestJobOptions): JobHandler {
  const { settings, now } = options;
  return async (key, dueAt) => {
    const digest = digestDue(settings(), key, dueAt);
    if (!digest) return {};
    const at = Math.max(now(), dueAt);
    const jobs = nextDigest(digest, settings(), dueAt);
    if (at - dueAt > maxLateMs) return { jobs };
    const zone = zoneOf(digest, settings());
    const content = await buildDigest(options, digest, zone, at);
    return { jobs, bulletins: [{ id: digestId(digest, zone, dueAt), content, at, overAt: null, to: digest.channel }] };
  };
}

export interface ExclusionJobOptions {
  readonly store: Pick<ChangeStore, "find" | "about"> &
    Pick<OutboxStore, "cardChannels" | "changeOfCard" | "messagesOf"> &
    Pick<DirectoryStore, "get">;
  /** Refreshes the Home tabs, this person's first. */
  readonly refreshHomes: (userId: string) => void;
}

/** The jobs before and at an exclusion's end. Each belongs to the change that set the end, and does nothing when a later change moved it. */
function createExclusionJobs({ store, refreshHomes }: ExclusionJobOptions) {
  /**
   * Reminds in the thread of the exclusion's card in each channel, where it was asked for, and its owner. The sender checks again whether the reminder still
   * applies.
   */
  const warn: JobHandler = async (changeId) => {
    const found = await activeExclusion(store, changeId);
    if (!found) return {};
    const reminder = { changeId, kind: "reminder" } as const;
    const lines = [...firstCardIn(found.cards)].map(([to, underChangeId]) => ({ ...reminder, to, underChangeId }));
    const toOwner = found.ownerId ? [{ ...reminder, to: found.ownerId, underChangeId: null }] : [];
    const asked = await followedIn(found.changes, store);
    const inThreads = asked.flatMap((each) => inAskedThread({ id: changeId }, "asked-reminder", each));
    return { outbox: [...lines, ...inThreads, ...toOwner] };
  };
  /** Updates every card about the exclusion, which is over now, and says so in the threads where it was asked for. */
  const end: JobHandler = async (changeId) => {
    const found = await activeExclusion(store, changeId);
    if (!found) return {};
    if (found.ownerId) refreshHomes(found.ownerId);
    const asked = await followedIn(found.changes, store);
    const over = asked.flatMap((each) => inAskedThread({ id: changeId }, "asked-over", each));
    const cards = found.cards.flatMap(({ id, channels }) => cardUpdates({ id }, channels));
    return { outbox: [...cards, ...(await buttonUpdates([setterOf(found.changes)], store)), ...over] };
  };
  return { "exclusion-warning": warn, "exclusion-end": end };
}

/** The exclusion's owner, changes and cards, oldest first; undefined when this change no longer sets its end. */
async function activeExclusion(store: ExclusionJobOptions["store"], changeId: string) {
  const id = (await store.find(changeId))?.subjectId;
  const changes = id ? await store.about("exclusion", id) : [];
  if (!id || !stillEndsBy(changeId, changes)) return undefined;
  const cards = await Promise.all(
    shownOn(changes).map(async (each) => ({ id: each, channels: await store.cardChannels(each) })),
  );
  const ownerId = (await store.get("exclusion", id))?.ownerId;
  return { ownerId, changes, cards: cards.filter(({ channels }) => channels.length > 0) };
}

const dayMs = 24 * 3_600_000;
const batchSize = 500;

/** At the next midnight UTC. */
export function nextCleaning(after: number): NewJob {
  return { kind: "cleaning", subjectId: "daily", dueAt: (Math.floor(after / dayMs) + 1) * dayMs };
}

interface CleaningOptions {
  readonly store: {
    /** Deletes up to `limit` of each kind that were finished before this time. Gives the most deleted of one. */
    clean(before: number, limit: number): Promise<number>;
    /** Deletes what is older from the history, with its changes. */
    pruneHistory(before: number): Promise<void>;
  };
  /** What the config says. */
  readonly retention: () => { readonly historyMs: number | undefined; readonly transientMs: number };
  readonly now: () => number;
}

/** Every day, deletes messages that were sent or abandoned that long ago, bulletins that are over since then, and keys of requests. */
export function createCleaning({ store, retention, now }: CleaningOptions): JobHandler {
  return async (_subjectId, dueAt) => {
    const { historyMs, transientMs } = retention();
    while ((await store.clean(now() - transientMs, batchSize)) >= batchSize);
    if (historyMs !== undefined) await store.pruneHistory(now() - historyMs);
    return { jobs: [nextCleaning(Math.max(now(), dueAt))] };
  };
}
