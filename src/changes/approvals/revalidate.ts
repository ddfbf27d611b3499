import { isDeepStrictEqual } from "node:util";
import { isProblem, type Problem } from "../../commands/answer.ts";
import { commandOf } from "../../commands/catalogue.ts";
import type { ChangeCommand } from "../../commands/command.ts";
import type { Named } from "../../permissions/account-care.ts";
import { authorize } from "../authorize/authorize.ts";
import type { Authorized } from "../authorize/decide-change.ts";
import { newChange } from "../authorize/new-change.ts";
import {
  approverRolesOf,
  type Change,
  isAskedFor,
  nobodyCanApprove,
  notAllowedNow,
  notPossibleNow,
  occurrenceOf,
} from "../change.ts";
import type { Pipeline } from "../ports.ts";
import { isInParts } from "../steps/parts.ts";
import { planOf } from "../steps/series.ts";
import { planUndo } from "../undo.ts";
import { whyNotApproved, whyTooFew } from "./who-may-approve.ts";

type WhyNot = NonNullable<Change["error"]>;

/**
 * The reason why an approved change must not be performed: the requester no longer may, it is no longer possible, the
 * request would differ from the one shown to the approvers, or an approval no longer counts. Builds the request again from
 * the same input. Throws if Slack cannot say who the requester or an approver is.
 */
export async function revalidate(pipeline: Pipeline, change: Change): Promise<WhyNot | undefined> {
  const again = await authorizeAgain(pipeline, change);
  if (isProblem(again)) return { code: notPossibleNow, message: again.problem };
  const { command, approved, authorized } = again;
  switch (authorized.kind) {
    case "refused":
      return { code: notAllowedNow, message: `Who asked may not do this any more: ${authorized.decision.reason}` };
    case "invalid":
      return { code: notPossibleNow, message: authorized.problem.problem };
    case "authorized": {
      if (!isApprovedEnough(approved, authorized)) return approvalChangedSince;
      return isAsApproved(change, command, authorized)
        ? approvalLost(pipeline, approved, authorized.approval?.except)
        : changedSince;
    }
  }
}

/** Decides anew whether the requester may make the change. `approved`: the change with its approval. */
async function authorizeAgain(pipeline: Pipeline, change: Change) {
  const { actorOf, settings, directory, now } = pipeline;
  const command = await commandFor(pipeline, change);
  if (isProblem(command)) return command;
  const { userId, name, timeZone } = change.actor;
  // With the name they had then: it may be part of the request, and does not affect rights.
  const actor = { ...(await actorOf(userId)), name, timeZone };
  const context = { actor, channelId: change.channelId, now: now(), directory, settings: settings() };
  const undoes = change.undoes ?? undefined;
  const plan = command.series && planOf(change);
  // A step was approved with its series.
  const approved = (change.parentId !== undefined && (await pipeline.store.find(change.parentId))) || change;
  const asked = { command, input: change.input, context, isAsking: isAskedFor(approved), plan };
  const ask = { ...asked, ...(undoes ? { undoes } : {}) };
  // Parts that are made have changed their subject. Who makes the rest has looked for other changes.
  const isBegun = isInParts(change) && change.children?.some(({ state }) => state !== "failed");
  const before = (isBegun && change.before) || undefined;
  const authorized = await authorize(pipeline, ask, { heldMs: approved.approval?.heldMs, before });
  return { command, context, approved, authorized };
}

/** Why a change that waits needs the approval of others by now, or of more; undefined if it does not. */
export async function whyOutdated(pipeline: Pipeline, change: Change): Promise<WhyNot | undefined> {
  const again = await authorizeAgain(pipeline, change);
  if (isProblem(again) || again.authorized.kind !== "authorized") return undefined;
  const { authorized, command, context } = again;
  const { approval } = authorized;
  if (!approval || isApprovedEnough(change, authorized)) return undefined;
  const { settings, now } = pipeline;
  const draft = newChange({ command, context }, authorized, settings(), {
    ...{ id: "", idempotencyKey: "", requestedAt: now() },
  });
  const tooFew = await whyTooFew(pipeline, draft, approval, context.actor);
  const roles = approval.approvers.map((role) => `“${role}”`).join(" or ");
  const count = approval.count === 1 ? "the approval" : `${approval.count} approvals`;
  const message = `By now it takes ${count} of ${roles}.`;
  return tooFew
    ? {
        code: nobodyCanApprove,
        message: `${message} Too few people could give that: ask the people who run Curfew for more approvers.`,
      }
    : { code: approvalChangedSince.code, message };
}

async function approvalLost(
  pipeline: Pipeline,
  change: Change,
  except: readonly Named[] | undefined,
): Promise<WhyNot | undefined> {
  const why = await whyNotApproved(pipeline, change, except);
  return why === undefined
    ? undefined
    : { code: "ApprovalLost", message: `It lacks an approval by now. ${why} Ask again.` };
}

const changedSince: WhyNot = {
  code: "ChangedSince",
  message: "Its subject was changed after the request, so it is not what was approved. Ask again.",
};

const approvalChangedSince: WhyNot = {
  code: "ApprovalChangedSince",
  message: "By now it takes the approval of others, or of more of them, than it was given. Ask again.",
};

/** Whether the approvals satisfy the present config: enough of them, from roles that may still approve. */
function isApprovedEnough({ approval }: Change, { approval: rule }: Authorized): boolean {
  if (!rule) return true;
  const roles = approval ? approverRolesOf(approval) : [];
  return approval !== null && approval.count >= rule.count && roles.every((role) => rule.approvers.includes(role));
}

async function commandFor(
  { store, now }: Pick<Pipeline, "store" | "now">,
  { words, undoes }: Change,
): Promise<ChangeCommand | Problem> {
  // Its requester has answered what was asked about the state before.
  const plan = undoes === null ? undefined : await planUndo(store, undoes, now(), { isAnswered: true });
  if (plan) return isProblem(plan) ? plan : plan.command;
  const command = commandOf(words);
  return command?.kind === "change" ? command : { problem: `Curfew has no command “${words}” any more.` };
}

/** Whether the request equals the recorded one and its card would say the same. */
function isAsApproved(change: Change, command: ChangeCommand, { request, before }: Authorized): boolean {
  const asked = occurrenceOf(change);
  const present = { ...asked, request, ...(change.before === null ? {} : { before }) };
  return (
    isDeepStrictEqual(asStored(request), change.request) &&
    isDeepStrictEqual(command.describe(present), command.describe(asked))
  );
}

/** Without fields that JSON leaves out, since they make no difference. */
function asStored(request: object): unknown {
  return JSON.parse(JSON.stringify(request));
}
