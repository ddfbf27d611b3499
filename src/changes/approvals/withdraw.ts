import type { Ruling } from "../../commands/about-changes/about-changes.ts";
import type { Problem } from "../../commands/answer.ts";
import { commandOf } from "../../commands/catalogue.ts";
import { plannedStart, type Target } from "../../commands/command.ts";
import { exclusionEnd } from "../../commands/exclusion/exclusion.ts";
import type { Actor } from "../../permissions/actor.ts";
import { decide } from "../../permissions/decide.ts";
import { cardUpdates, lateOutcome } from "../announce.ts";
import type { Denied, Invalid } from "../authorize/decide-change.ts";
import { type Change, type ChangeState, occurrenceOf } from "../change.ts";
import { leaveOut, putBack, withSeriesLock } from "../planned/begin-occurrences.ts";
import type { Pipeline } from "../ports.ts";
import { notAMember } from "./who-may-approve.ts";

/** Who decides, and where they do. */
export interface Decider {
  readonly actor: Actor;
  readonly channelId: string | null;
  readonly receiptId?: string | undefined;
}

const withdrawable: readonly ChangeState[] = ["awaiting-approval", "planned", "approved"];

/** Ends a change that waits for approval, or is planned, before it is made. */
export async function withdraw(
  pipeline: Pipeline,
  changeId: string,
  ruling: Ruling,
  by: Decider,
): Promise<DecisionOutcome> {
  const { actor, channelId, receiptId } = by;
  const change = await pipeline.store.find(changeId);
  const occurrence = change && plannedStart(change.input);
  // A time that was put back is left out of its series again.
  if (change?.state === "planned" && change.parentId !== undefined && occurrence !== undefined)
    return withdraw(pipeline, change.parentId, { ...ruling, occurrence }, by);
  const whyNot = await whyNotWithdraw(pipeline, change, actor, channelId);
  if (whyNot) return { kind: "refused", decision: whyNot };
  if (!change || !(change.approval || withdrawable.includes(change.state)))
    return { kind: "invalid", problem: nothingToApprove(changeId) };
  const { store, now } = pipeline;
  if (ruling.occurrence !== undefined) return ofOccurrence(pipeline, change, ruling, ruling.occurrence, actor);
  return withSeriesLock(pipeline, change, async () => {
    const isOwn = change.actor.userId === actor.userId;
    const updates = cardUpdates(change, await store.cardChannels(changeId));
    const isKnown = isOwn && change.executionId === undefined;
    const outbox = isKnown ? updates : [...updates, ...lateOutcome(change)];
    const note = isOwn ? undefined : `Withdrawn by ${actor.name}`;
    const step = { from: withdrawable, to: "withdrawn", at: now(), note } as const;
    const isWithdrawn = await store.move(changeId, step, { outbox, receiptId });
    return isWithdrawn
      ? { kind: "decided", ruling, change: { ...change, state: "withdrawn" } }
      : { kind: "overtaken", ruling, change: (await store.find(changeId)) ?? change };
  });
}

async function ofOccurrence(
  pipeline: Pipeline,
  change: Change,
  ruling: Ruling,
  startsAt: number,
  { userId, name }: Actor,
): Promise<DecisionOutcome> {
  const note = userId === change.actor.userId ? undefined : `Left out by ${name}`;
  const isDone = await (ruling.isBack
    ? putBack(pipeline, change, startsAt)
    : leaveOut(pipeline, change, startsAt, note));
  if (typeof isDone === "object") return { kind: "invalid", problem: isDone };
  const present = (await pipeline.store.find(change.id)) ?? change;
  return { kind: isDone ? "decided" : "overtaken", ruling, change: present };
}

/** Its requester may withdraw a change, and who could end such an exclusion may withdraw a planned one. */
export async function whyNotWithdraw(
  { settings, directory }: Pick<Pipeline, "settings" | "directory">,
  change: Change | undefined,
  actor: Actor,
  channelId: string | null,
): Promise<Denied | undefined> {
  const { policy } = settings();
  if (actor.membership !== "member") return notAMember(policy, actor);
  if (!change || change.actor.userId === actor.userId) return undefined;
  const only = `Only who asked for a change can withdraw it: ask ${change.actor.name}.`;
  if (change.state !== "planned")
    return change.approval ? { kind: "denied", reason: only, rule: "default deny", couldDo: [] } : undefined;
  const command = commandOf(change.words);
  const targets: readonly Target[] =
    command?.kind === "change"
      ? [await command.target(occurrenceOf(change), change.requestedAt, directory)].flat()
      : [{}];
  const ask = { actor, channelId, operation: exclusionEnd.operation, isOwn: false } as const;
  const denied = targets
    .map((target) => decide(policy, { ...ask, ...target, exclusionLengthMs: 0 }))
    .find(({ kind }) => kind === "denied");
  return denied?.kind === "denied" ? denied : undefined;
}

export type DecisionOutcome =
  | { readonly kind: "refused"; readonly decision: Denied }
  | Invalid
  /** The decision counted: `change` is the change after it. */
  | { readonly kind: "decided"; readonly ruling: Ruling; readonly change: Change }
  /** The decision came too late, or twice: `change` is the change as it is now. */
  | { readonly kind: "overtaken"; readonly ruling: Ruling; readonly change: Change };

export function nothingToApprove(changeId: string): Problem {
  return {
    problem: `There is no change ${changeId} that needs an approval or is planned. Nothing was changed. “approvals” shows what waits.`,
  };
}
