import { isDeepStrictEqual } from "node:util";
import { isProblem, type Problem } from "../commands/answer.ts";
import { commandOf } from "../commands/catalogue.ts";
import type { ChangeCommand } from "../commands/command.ts";
import { authorize } from "./admit.ts";
import { whyNotApproved } from "./approvers.ts";
import type { Authorized } from "./authorise.ts";
import { approverRolesOf, type Change, notAllowedNow, occurrenceOf } from "./change.ts";
import type { Pipeline } from "./changes.ts";
import { planUndo } from "./undo.ts";

type WhyNot = NonNullable<Change["error"]>;

/**
 * Why an approved change must not be performed any more: its requester may not do it by now, it cannot be done, it would be another
 * one than the approvers were shown, or an approval counts no more. For that it is made anew, from the same input. Throws when Slack
 * cannot say who the requester or an approver is.
 */
export async function revalidate(pipeline: Pipeline, change: Change): Promise<WhyNot | undefined> {
  const { actorOf, settings, directory, now } = pipeline;
  const command = await commandFor(pipeline, change);
  if (isProblem(command)) return { code: "NotPossibleNow", message: command.problem };
  const { userId, name, timeZone } = change.actor;
  // By the name they had then: it may be part of the request, and says nothing of what they may do.
  const actor = { ...(await actorOf(userId)), name, timeZone };
  const context = { actor, channelId: change.channelId, now: now(), directory, settings: settings() };
  const authorized = await authorize(pipeline, { command, input: change.input, context });
  switch (authorized.kind) {
    case "refused":
      return { code: notAllowedNow, message: `Who asked may not do this any more: ${authorized.decision.reason}` };
    case "invalid":
      return { code: "NotPossibleNow", message: authorized.problem.problem };
    case "authorized":
      if (!isApprovedEnough(change, authorized)) return approvalChangedSince;
      return isAsApproved(change, command, authorized) ? approvalLost(pipeline, change) : changedSince;
  }
}

async function approvalLost(pipeline: Pipeline, change: Change): Promise<WhyNot | undefined> {
  const why = await whyNotApproved(pipeline, change);
  return why === undefined
    ? undefined
    : { code: "ApprovalLost", message: `It lacks an approval by now. ${why} Ask again.` };
}

const changedSince: WhyNot = {
  code: "ChangedSince",
  message: "What it is about has been changed since it was asked for, so it is not what was approved. Ask again.",
};

const approvalChangedSince: WhyNot = {
  code: "ApprovalChangedSince",
  message: "By now it takes the approval of others, or of more of them, than it was given. Ask again.",
};

/** Whether it was approved by as many, of the same roles, as the config asks for by now. */
function isApprovedEnough({ approval }: Change, { approval: rule }: Authorized): boolean {
  if (!rule) return true;
  const roles = approval ? approverRolesOf(approval) : [];
  return approval !== null && approval.count >= rule.count && roles.every((role) => rule.approvers.includes(role));
}

async function commandFor(
  { store, now }: Pick<Pipeline, "store" | "now">,
  { words, undoes }: Change,
): Promise<ChangeCommand | Problem> {
  const plan = undoes === null ? undefined : await planUndo(store, undoes, now());
  if (plan) return isProblem(plan) ? plan : plan.command;
  const command = commandOf(words);
  return command?.kind === "change" ? command : { problem: `Curfew has no command “${words}” any more.` };
}

/** Whether the request is the recorded one, and a card would say the same of it. */
function isAsApproved(change: Change, command: ChangeCommand, { request, before }: Authorized): boolean {
  const asked = occurrenceOf(change);
  const asNow = { ...asked, request, ...(change.before === null ? {} : { before }) };
  return (
    isDeepStrictEqual(asStored(request), change.request) &&
    isDeepStrictEqual(command.describe(asNow), command.describe(asked))
  );
}

/** What is left out of JSON makes no difference. */
function asStored(request: object): unknown {
  return JSON.parse(JSON.stringify(request));
}
