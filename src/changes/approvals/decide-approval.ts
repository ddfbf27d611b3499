import type { Ruling } from "../../commands/about-changes/about-changes.ts";
import type { Problem } from "../../commands/answer.ts";
import type { Actor } from "../../permissions/actor.ts";
import { cardUpdates, notifyRequester } from "../announce.ts";
import type { Denied, Invalid } from "../authorize/decide-change.ts";
import type { Change, ChangeState } from "../change.ts";
import type { JobKind } from "../job.ts";
import type { Effects, Pipeline } from "../ports.ts";
import { reminderTimes } from "./ask-approval.ts";
import { performApproved } from "./perform-approved.ts";
import { isAccountOwner, notAMember, whyNotApprover } from "./who-may-approve.ts";

export type DecisionOutcome =
  | { readonly kind: "refused"; readonly decision: Denied }
  | Invalid
  /** The decision counted: `change` is the change after it. */
  | { readonly kind: "decided"; readonly ruling: Ruling; readonly change: Change }
  /** The decision came too late, or twice: `change` is the change as it is now. */
  | { readonly kind: "overtaken"; readonly ruling: Ruling; readonly change: Change };

export type ApprovalJobKind = Extract<JobKind, "approval-reminder" | "approval-expiry" | "approved-change">;

export interface Approvals {
  /**
   * Records a decision about a waiting change: an approval or denial, or its requester's withdrawal. Their rights are
   * checked now.
   */
  decide(changeId: string, ruling: Ruling, actor: Actor, receiptId?: string): Promise<DecisionOutcome>;
  /** The reason why this actor may not make this decision; undefined if they may, or if there is no such change. */
  whyNot(changeId: string, verdict: Ruling["verdict"], actor: Actor): Promise<Denied | undefined>;
  /** Runs a job of a change. Does nothing if the job is outdated or too early, and no harm if it runs twice. */
  onJob(kind: ApprovalJobKind, changeId: string, dueAt: number): Promise<void>;
}

/** Decisions about waiting changes, and their reminders, expiry and execution. */
export function createApprovals(pipeline: Pipeline): Approvals {
  return {
    decide: (changeId, ruling, actor, receiptId) =>
      ruling.verdict === "withdrawn"
        ? withdraw(pipeline, changeId, ruling, actor, receiptId)
        : approveOrDeny(pipeline, changeId, { ...ruling, verdict: ruling.verdict }, actor, receiptId),
    whyNot: async (changeId, verdict, actor) => {
      const change = await pipeline.store.find(changeId);
      return verdict === "withdrawn"
        ? whyNotRequester(pipeline, change, actor)
        : whyNotApprover(pipeline, change, actor, verdict);
    },
    onJob: async (kind, changeId, dueAt) => {
      // The job may be due by another instance's clock, and must not count as too early here.
      const then = { ...pipeline, now: () => Math.max(pipeline.now(), dueAt) };
      switch (kind) {
        case "approval-reminder":
          return remind(then, changeId);
        case "approval-expiry":
          return expire(then, changeId);
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
  actor: Actor,
  receiptId: string | undefined,
): Promise<DecisionOutcome> {
  const { store, now, wake } = pipeline;
  const change = await store.find(changeId);
  const whyNot = await whyNotApprover(pipeline, change, actor, ruling.verdict);
  if (whyNot) return { kind: "refused", decision: whyNot };
  if (!change?.approval) return { kind: "invalid", problem: nothingToApprove(changeId) };
  if (now() >= change.approval.expiresAt) await expire(pipeline, changeId);
  const updates = cardUpdates(change, await store.cardChannels(changeId));
  const at = now();
  const decision = { approverId: actor.userId, approverName: actor.name, ...ruling, at };
  const effects = (state: ChangeState): Effects => ({
    receiptId,
    outbox: state === "denied" ? [...updates, notifyRequester(change)] : updates,
    jobs: state === "approved" ? [{ kind: "approved-change", subjectId: changeId, dueAt: at + performingMs }] : [],
  });
  // Until the call is made, the owner of an account can stop what others have approved.
  const from: readonly ChangeState[] =
    ruling.verdict === "denied" && (await isAccountOwner(pipeline, change, actor))
      ? ["awaiting-approval", "approved"]
      : ["awaiting-approval"];
  const state = await store.decide(changeId, decision, effects, from);
  wake();
  if (state === undefined) return { kind: "overtaken", ruling, change: (await store.find(changeId)) ?? change };
  return { kind: "decided", ruling, change: await afterDecision(pipeline, { ...change, state }) };
}

/** The last approver's request performs the change. If it has not after this time, the job does. */
const performingMs = 30_000;

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

function nothingToApprove(changeId: string): Problem {
  return {
    problem: `There is no change ${changeId} that needs an approval. Nothing was changed. \`approvals\` shows what waits.`,
  };
}

async function withdraw(
  pipeline: Pipeline,
  changeId: string,
  ruling: Ruling,
  actor: Actor,
  receiptId: string | undefined,
): Promise<DecisionOutcome> {
  const { store, now, wake } = pipeline;
  const change = await store.find(changeId);
  const whyNot = whyNotRequester(pipeline, change, actor);
  if (whyNot) return { kind: "refused", decision: whyNot };
  if (!change?.approval) return { kind: "invalid", problem: nothingToApprove(changeId) };
  const outbox = cardUpdates(change, await store.cardChannels(changeId));
  const from = ["awaiting-approval", "approved"] as const;
  const isWithdrawn = await store.move(changeId, { from, to: "withdrawn", at: now() }, { outbox, receiptId });
  wake();
  return isWithdrawn
    ? { kind: "decided", ruling, change: { ...change, state: "withdrawn" } }
    : { kind: "overtaken", ruling, change: (await store.find(changeId)) ?? change };
}

function whyNotRequester({ settings }: Pipeline, change: Change | undefined, actor: Actor): Denied | undefined {
  if (actor.membership !== "member") return notAMember(settings().policy, actor);
  if (!change?.approval || change.actor.userId === actor.userId) return undefined;
  const reason = `Only who asked for a change can withdraw it: ask ${change.actor.name}.`;
  return { kind: "denied", reason, rule: "default deny", couldDo: [] };
}

async function remind({ store, now, wake }: Pipeline, changeId: string): Promise<void> {
  const change = await store.find(changeId);
  if (change?.state !== "awaiting-approval" || !change.approval) return;
  const [halfway, late] = reminderTimes(change.requestedAt, change.approval);
  const { expiresAt, channelId } = change.approval;
  if (now() < halfway || now() >= expiresAt) return;
  const since = now() >= late ? late : halfway;
  const hasCard = (await store.cardChannels(changeId)).includes(channelId);
  // A card that could not be posted is tried again.
  const reminder = hasCard
    ? ({ kind: "approval-reminder", underChangeId: changeId } as const)
    : ({ kind: "card", underChangeId: null } as const);
  await store.remind({ changeId, to: channelId, ...reminder }, since, now());
  wake();
}

/** Expires a waiting change, or an approved one that could not be performed in time. */
async function expire(pipeline: Pipeline, changeId: string): Promise<void> {
  const { store, now, wake } = pipeline;
  const change = await store.find(changeId);
  if (change?.state === "approved") await performApproved(pipeline, changeId);
  if (change?.state !== "awaiting-approval" || !change.approval || now() < change.approval.expiresAt) return;
  const outbox = [...cardUpdates(change, await store.cardChannels(changeId)), notifyRequester(change)];
  await store.move(changeId, { from: ["awaiting-approval"], to: "expired", at: now() }, { outbox });
  wake();
}
