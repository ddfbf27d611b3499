import type { HistoryEntry, HistoryFilter, WaitingEntry } from "../../commands/about-changes/about-changes.ts";
import type { Sentence, Sign } from "../../commands/answer.ts";
import { commandOf } from "../../commands/catalogue.ts";
import type { CommandContext, Target } from "../../commands/command.ts";
import { exclusionCreate, exclusionEnd } from "../../commands/exclusion/exclusion.ts";
import { exclusionEdit } from "../../commands/exclusion/exclusion-edit.ts";
import { groupTarget } from "../../commands/exclusion/resource-context.ts";
import { ticketOf } from "../../commands/field.ts";
import type { ExclusionOrigin } from "../../commands/query-ports.ts";
import { SavedGroup } from "../../directory/directory.ts";
import type { Actor } from "../../permissions/actor.ts";
import { mayApprove, othersNamed } from "../../permissions/approval-rules.ts";
import { mayOffer, unknownProject } from "../../permissions/decide.ts";
import type { Policy } from "../../permissions/policy.ts";
import { browseOperation } from "../../service/operations.ts";
import { needsApprovalStill } from "../approvals/who-may-approve.ts";
import {
  approverRolesOf,
  askedRolesOf,
  type Change,
  type ChangeState,
  cannotApprove,
  isServiceChange,
  lackingApprovals,
  occurrenceOf,
  stateWords,
} from "../change.ts";
import { describeChange, targetsIn } from "../change-command.ts";
import { verifiedWords } from "../outcomes/follow-up.ts";
import type { ChangeStore } from "../ports.ts";
import { isSeries } from "../steps/series.ts";

/** How many changes are read for each wanted one, since the requester may not see all; at least one batch. */
const readPerWanted = 10;
/** The latest ones are mostly enough. */
const firstBatch = 20;
/** The size of later reads, so that a far page takes no more memory than a near one. */
const batch = 200;

/** The latest changes that the requester may see in this channel. */
export async function visibleChanges(
  filter: HistoryFilter,
  store: Pick<ChangeStore, "list">,
  policy: Policy,
  context: CommandContext,
): Promise<readonly Change[]> {
  const visible: Change[] = [];
  const { skip = 0, limit, ...which } = filter;
  const wanted = skip + limit;
  // People see all their own changes.
  let left = which.actorId === context.actor.userId ? wanted : Math.max(batch, wanted * readPerWanted);
  let passedOver = 0;
  let before: Change | undefined;
  while (left > 0) {
    const changes = await store.list({ ...which, limit: Math.min(left, before ? batch : firstBatch), before });
    for (const change of changes) {
      if (!(await maySee(change, policy, context))) continue;
      if (passedOver < skip) passedOver++;
      else if (visible.push(change) === limit) return visible;
    }
    before = changes.at(-1);
    if (!before) return visible;
    left -= changes.length;
  }
  return visible;
}

/** Made, ended, and edited a few times. */
const changesEach = 6;

/** Who ended these exclusions, and why they were made and ended, as far as the requester may see those changes. */
export async function exclusionOrigins(
  ids: readonly string[],
  store: Pick<ChangeStore, "list">,
  policy: Policy,
  context: CommandContext,
): Promise<ReadonlyMap<string, ExclusionOrigin>> {
  const about = { subjects: ids.map((id) => ({ kind: "exclusion", id }) as const), resourceIds: [] };
  const commands = [exclusionCreate.words, exclusionEdit.words, exclusionEnd.words];
  const filter = { about, commands, states: ["succeeded"], limit: changesEach * ids.length } as const;
  const origins = new Map<string, ExclusionOrigin>();
  const found = await visibleChanges(filter, store, policy, context);
  const undone = new Set(found.map(({ undoes }) => undoes));
  for (const { id, subjectId, words, actor, reason, undoes } of found) {
    if (subjectId === null || (words === exclusionEdit.words && (undoes || undone.has(id)))) continue;
    const known = origins.get(subjectId);
    const isEnd = words === exclusionEnd.words;
    // The latest first: an edit says the reason anew.
    const more = isEnd
      ? { endedBy: actor.userId, endReason: reason ?? undefined }
      : { reason: known?.reason ?? reason ?? undefined };
    origins.set(subjectId, { ...known, ...more });
  }
  return origins;
}

/**
 * People see their own changes, those that they may approve, and those that they could make or read about in the same
 * projects.
 */
async function maySee(
  change: Change,
  policy: Policy,
  { actor, channelId, directory }: CommandContext,
): Promise<boolean> {
  if (change.actor.userId === actor.userId) return true;
  if (change.approval && mayApprove(policy, actor, approverRolesOf(change.approval))) return true;
  const command = commandOf(change.words);
  const targets =
    command?.kind === "change"
      ? await targetsIn(command, occurrenceOf(change), {
          subjectId: change.subjectId,
          now: change.requestedAt,
          directory,
        })
      : groupsOf(change);
  // A person who may exclude a group's resources may change the group.
  const operation = isServiceChange(change) ? change.operation : exclusionCreate.operation;
  return ([operation, browseOperation] as const).some((operation) =>
    [targets]
      .flat()
      .every(({ account, projectId = unknownProject, resourceIds }) =>
        mayOffer(policy, { actor, operation, channelId, account, projectId, resourceIds }),
      ),
  );
}

/** The resource group, before and after the change. */
function groupsOf({ before, request }: Change): readonly Target[] {
  const groups = [before, request].flatMap((body) => SavedGroup.safeParse(body).data ?? []);
  return groups.length > 0 ? groups.map((group) => groupTarget(group)) : [{}];
}

/** Leaves out other people's changes for which the config no longer asks an approval: nobody can decide on them. */
export async function stillAskedFor(
  store: Pick<ChangeStore, "waiting">,
  policy: Policy,
  { actor, directory }: CommandContext,
): Promise<readonly Change[]> {
  const kept = async (change: Change): Promise<readonly Change[]> => {
    const isKept = change.actor.userId === actor.userId || (await needsApprovalStill(policy, change, directory, actor));
    return isKept ? [change] : [];
  };
  return (await Promise.all((await store.waiting()).map(kept))).flat();
}

interface WaitingReader {
  readonly actor: Actor;
  readonly now: number;
  /** What the approvers of a change should look at. */
  readonly concerns: (change: Change) => Promise<readonly Sentence[]>;
}

/** The waiting changes that the actor may decide on, and their own. */
export async function waitingEntries(
  changes: readonly Change[],
  policy: Policy,
  reader: WaitingReader,
): Promise<readonly WaitingEntry[]> {
  if (reader.actor.membership !== "member") return [];
  return (await Promise.all(changes.map((change) => waitingEntry(change, policy, reader)))).flat();
}

async function waitingEntry(
  change: Change,
  policy: Policy,
  { actor, now, concerns }: WaitingReader,
): Promise<readonly WaitingEntry[]> {
  const { id, approval, decisions, state, reason } = change;
  if (!approval || now >= approval.expiresAt) return [];
  const approvers = approverRolesOf(approval);
  const asked = askedRolesOf(approval, change.actor);
  const isOwn = change.actor.userId === actor.userId;
  const hasDecided = decisions.some(({ approverId }) => approverId === actor.userId);
  const mayDecide = state === "awaiting-approval" && !isOwn && !hasDecided && mayApprove(policy, actor, approvers);
  if (!isOwn && !mayDecide) return [];
  const entry = {
    id,
    description: describeChange(change),
    actorId: change.actor.userId,
    actorName: change.actor.name,
    reason,
    ticket: ticketOf(change.input),
    isApproved: state === "approved",
    beyond: approval.beyond && `${approval.beyond.how} ${change.actor.name}'s ${approval.beyond.what}`,
    concerns: mayDecide ? await concerns(change) : [],
    approvers: asked,
    deciders: [...new Set(othersNamed(policy, asked, ...cannotApprove(change)).flatMap(({ members }) => members))],
    lacking: lackingApprovals(change),
    requestedAt: change.requestedAt,
    expiresAt: approval.expiresAt,
    isOwn,
    mayDecide,
  };
  return [entry];
}

/** How each state looks at a glance. */
const signs: Readonly<Record<ChangeState, Sign>> = {
  "awaiting-approval": "waiting",
  planned: "planned",
  approved: "waiting",
  denied: "over",
  withdrawn: "over",
  expired: "over",
  performing: "waiting",
  succeeded: "done",
  partly: "failed",
  failed: "failed",
  unknown: "unknown",
};

/** What the approvers approve. */
export function exactRequest(change: Change): string | undefined {
  const { state, operation, words, request } = change;
  return state === "awaiting-approval"
    ? `${isSeries(change) ? words : operation}\n${JSON.stringify(request, null, 1)}`
    : undefined;
}

type Transitions = Awaited<ReturnType<ChangeStore["transitions"]>>;

const minuteMs = 60_000;

/**
 * Shows a repeated state once, and leaves out `approved` and `denied` where the decisions show them, and that it was under way where
 * that took less than a minute.
 */
function shownTransitions(transitions: Transitions, decisions: Change["decisions"]): Transitions {
  const shownElsewhere = new Set<string>(decisions.map(({ verdict }) => verdict));
  const lasting = transitions.filter(
    ({ state, at }, index) => state !== "performing" || (transitions[index + 1]?.at ?? at + minuteMs) - at >= minuteMs,
  );
  return lasting.filter(({ state }) => !shownElsewhere.has(state) && shownElsewhere.add(state));
}

/** A change as the history shows it, without what its reader may do with it. */
export function historyEntry(change: Change, transitions: Transitions): Omit<HistoryEntry, "isUndoable" | "followUp"> {
  const { id, words, actor, requestedAt, state, reason, note, approval, decisions, notices } = change;
  return {
    id,
    words,
    actorName: actor.name,
    requestedAt,
    state: stateWords[state],
    sign: signs[state],
    isDone: state === "succeeded",
    reason,
    ticket: ticketOf(change.input),
    note,
    verified: verifiedWords(change).map(({ by, words }) => `${by?.name ?? "Curfew"} ${words}`)[0],
    description: describeChange(change),
    isAwaited: state === "awaiting-approval",
    transitions: shownTransitions(transitions, decisions).map(({ state: then, at }) => ({
      state: stateWords[then],
      at,
    })),
    approvers: approval ? askedRolesOf(approval, actor) : [],
    decisions,
    notices,
    undoes: change.undoes ?? undefined,
    partOf: change.parentId,
    latestAt: change.settledAt ?? requestedAt,
  };
}
