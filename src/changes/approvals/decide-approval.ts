import type { Ruling } from "../../commands/about-changes/about-changes.ts";
import { announcementChannels, cardUpdates, lateOutcome, newCards } from "../announce.ts";
import { reminderTimes } from "../authorize/new-change.ts";
import { type Change, type ChangeState, isServiceChange } from "../change.ts";
import { describeChange } from "../change-command.ts";
import type { JobKind } from "../job.ts";
import { performPlanned } from "../planned/begin-occurrences.ts";
import { isStillAhead, planJobs } from "../planned/plan-times.ts";
import { type Again, planAgain } from "../planned/replace-plan.ts";
import type { Effects, Pipeline } from "../ports.ts";
import { giveUpInterrupted, performApproved, performingMs } from "./perform-approved.ts";
import { whyOutdated } from "./revalidate.ts";
import { isAccountOwner, whyNotApprover } from "./who-may-approve.ts";
import { type Decider, type DecisionOutcome, nothingToApprove, whyNotWithdraw, withdraw } from "./withdraw.ts";

export type ApprovalJobKind = Extract<
  JobKind,
  "approval-reminder" | "approval-expiry" | "approved-change" | "planned-change"
>;

export type Approvals = ReturnType<typeof createApprovals>;

/** Decisions about waiting changes, and their reminders, expiry and execution. */
export function createApprovals(pipeline: Pipeline) {
  const { store } = pipeline;
  const whyNot = async (changeId: string, verdict: Ruling["verdict"], { actor, channelId }: Decider) => {
    const change = await store.find(changeId);
    return verdict === "withdrawn"
      ? whyNotWithdraw(pipeline, change, actor, channelId)
      : whyNotApprover(pipeline, change, actor, verdict);
  };
  return {
    /** Records a decision about a waiting or planned change. The rights of who decides are checked now. */
    decide: (changeId: string, ruling: Ruling, by: Decider): Promise<DecisionOutcome> =>
      ruling.verdict === "withdrawn"
        ? withdraw(pipeline, changeId, ruling, by)
        : approveOrDeny(pipeline, changeId, { ...ruling, verdict: ruling.verdict }, by),
    /** The reason why this actor may not make this decision; undefined if they may, or if there is no such change. */
    whyNot,
    /** The request in words, for those who may make this decision. */
    requestOf: async (changeId: string, verdict: Ruling["verdict"], by: Decider) => {
      const change = (await whyNot(changeId, verdict, by)) ? undefined : await store.find(changeId);
      return change && { requester: change.actor.name, asked: describeChange(change).asked };
    },
    /** Whether there is such a change, and it is to begin later. */
    isPlanned: async (changeId: string) => (await store.find(changeId))?.state === "planned",
    /** How a withdrawn plan is planned again; undefined for another change. */
    planAgain: (changeId: string): Promise<Again | undefined> => planAgain(store, changeId),
    /** Withdraws what waits for an approval that does not suffice any more. */
    withdrawOutdated: () => withdrawAllOutdated(pipeline),
    /** Ends a change that was to be performed, and that ended the process each time. */
    giveUp: (changeId: string) => giveUpInterrupted(pipeline, changeId),
    /** Runs a job of a change. Does nothing if the job is outdated or too early, and no harm if it runs twice. */
    onJob: async (kind: ApprovalJobKind, changeId: string, dueAt: number): Promise<void> => {
      // The job may be due by another instance's clock, and must not count as too early here.
      const then = { ...pipeline, now: () => Math.max(pipeline.now(), dueAt) };
      switch (kind) {
        case "approval-reminder":
          return remind(then, changeId);
        case "approval-expiry":
          return expire(then, changeId);
        case "planned-change":
          return performPlanned(then, changeId);
        case "approved-change":
          await performApproved(then, changeId);
      }
    },
  };
}

async function approveOrDeny(
  pipeline: Pipeline,
  changeId: string,
  ruling: Ruling & { readonly verdict: "approved" | "denied" },
  { actor, receiptId }: Decider,
): Promise<DecisionOutcome> {
  const { store, now } = pipeline;
  const change = await store.find(changeId);
  const whyNot = await whyNotApprover(pipeline, change, actor, ruling.verdict);
  if (whyNot) return { kind: "refused", decision: whyNot };
  if (!change?.approval) return { kind: "invalid", problem: nothingToApprove(changeId) };
  if (now() >= change.approval.expiresAt) await expire(pipeline, changeId);
  else if (ruling.verdict === "approved") {
    const reason = await withdrawOutdated(pipeline, change);
    const { rule } = change.approval;
    if (reason) return { kind: "refused", decision: { kind: "denied", reason, rule, couldDo: [] } };
  }
  const at = now();
  const decision = { approverId: actor.userId, approverName: actor.name, ...ruling, at };
  const effects = await effectsOf(pipeline, change, at);
  // Until the call is made, the owner of an account can stop what others have approved.
  // An approver can deny even if Slack does not say who the owner is.
  const isOwner = ruling.verdict === "denied" && (await isAccountOwner(pipeline, change, actor).catch(() => false));
  const from: readonly ChangeState[] = isOwner ? ["awaiting-approval", "approved"] : ["awaiting-approval"];
  const reached = isStillAhead(change, at) ? "planned" : "approved";
  const state = await store.decide(changeId, decision, (state) => ({ ...effects(state), receiptId }), from, reached);
  if (state === undefined) return { kind: "overtaken", ruling, change: (await store.find(changeId)) ?? change };
  return { kind: "decided", ruling, change: await afterDecision(pipeline, { ...change, state }) };
}

async function effectsOf({ store, settings }: Pipeline, change: Change, at: number) {
  const posted = await store.cardChannels(change.id);
  const updates = cardUpdates(change, posted);
  const channels = isServiceChange(change) ? await announcementChannels(change, settings(), store) : new Set<string>();
  const approved = { kind: "approved-change", subjectId: change.id, dueAt: at + performingMs } as const;
  return (state: ChangeState): Effects => {
    switch (state) {
      case "denied":
        return { outbox: [...updates, ...lateOutcome(change)] };
      case "planned":
        return {
          outbox: [...updates, ...newCards(change, channels, posted), ...lateOutcome(change)],
          jobs: planJobs(change, at),
        };
      case "approved":
        return { outbox: updates, jobs: [approved] };
      default:
        return { outbox: updates };
    }
  };
}

/** Performs the change if that was its last approval. After an error the job retries, which is recorded with the approval. */
async function afterDecision(pipeline: Pipeline, change: Change): Promise<Change> {
  try {
    // Gives the change unperformed if it is not approved yet.
    return (await performApproved(pipeline, change.id)) ?? change;
  } catch (error) {
    pipeline.log.error({ err: error, changeId: change.id }, "could not act on a decision; the job retries it");
    return change;
  }
}

async function remind(pipeline: Pipeline, changeId: string): Promise<void> {
  const { store, now } = pipeline;
  const change = await store.find(changeId);
  if (change?.state !== "awaiting-approval" || !change.approval) return;
  const [halfway, late] = reminderTimes(change.requestedAt, change.approval);
  const { expiresAt, channelId } = change.approval;
  if (now() < halfway || now() >= expiresAt) return;
  if (await withdrawOutdated(pipeline, change)) return;
  const since = now() >= late ? late : halfway;
  const hasCard = (await store.cardChannels(changeId)).includes(channelId);
  // A card that could not be posted is tried again.
  const reminder = hasCard
    ? ({ kind: "approval-reminder", underChangeId: changeId } as const)
    : ({ kind: "card", underChangeId: null } as const);
  await store.remind({ changeId, to: channelId, ...reminder }, since, now());
}

/**
 * Withdraws a change that waits and needs the approval of others by now, or of more. Gives the reason; undefined if somebody was first.
 * Where that cannot be looked at, it is when the change is performed.
 */
async function withdrawOutdated(pipeline: Pipeline, change: Change): Promise<string | undefined> {
  const { store, now, log } = pipeline;
  if (change.state !== "awaiting-approval") return undefined;
  const error = await whyOutdated(pipeline, change).catch((err: unknown) => {
    log.warn({ err, changeId: change.id }, "could not look whether a request needs another approval by now");
    return undefined;
  });
  if (!error) return undefined;
  const outbox = [...cardUpdates(change, await store.cardChannels(change.id)), ...lateOutcome(change)];
  const step = { from: ["awaiting-approval"], to: "withdrawn", at: now(), error, note: "Withdrawn by Curfew" } as const;
  if (!(await store.move(change.id, step, { outbox }))) return undefined;
  return `${error.message} So the request was withdrawn. Contact ${change.actor.name}.`;
}

/** Looks at every request that waits, as after a change of the config. */
async function withdrawAllOutdated(pipeline: Pipeline): Promise<void> {
  const { store, log } = pipeline;
  const waiting = await store.waiting().catch((err: unknown) => {
    log.warn(
      { err },
      "could not look which requests need another approval by now; each is looked at when it is approved",
    );
    return [];
  });
  for (const change of waiting)
    await withdrawOutdated(pipeline, change).catch((err: unknown) => {
      log.warn({ err, changeId: change.id }, "could not withdraw a request; it is looked at when it is approved");
    });
}

/** Expires a waiting change, or an approved one that could not be performed in time. */
async function expire(pipeline: Pipeline, changeId: string): Promise<void> {
  const { store, now } = pipeline;
  const change = await store.find(changeId);
  if (change?.state === "approved") await performApproved(pipeline, changeId);
  if (change?.state !== "awaiting-approval" || !change.approval || now() < change.approval.expiresAt) return;
  const outbox = [...cardUpdates(change, await store.cardChannels(changeId)), ...lateOutcome(change)];
  await store.move(changeId, { from: ["awaiting-approval"], to: "expired", at: now() }, { outbox });
}
