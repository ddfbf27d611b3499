import { isDeepStrictEqual } from "node:util";
import { isProblem, type Problem } from "../../commands/answer.ts";
import { commandOf } from "../../commands/catalogue.ts";
import type { ChangeCommand } from "../../commands/command.ts";
import type { PlacedDirectory } from "../../directory/directory.ts";
import type { Actor } from "../../permissions/actor.ts";
import { approvalFor } from "../../permissions/approval.ts";
import type { Policy } from "../../permissions/policy.ts";
import { authorize } from "../authorize.ts";
import { approverRolesOf, type Change, isServiceChange, notAllowedNow, occurrenceOf } from "../change.ts";
import type { Pipeline } from "../changes.ts";
import type { Authorized } from "../decide-change.ts";
import { approvalOf, touchedBy } from "../touched.ts";
import { planUndo } from "../undo.ts";
import { whyNotApproved } from "./approvers.ts";

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

/**
 * Whether the config, as it is by now, asks for an approval of what was asked for. Who asks makes no difference to that. As long as
 * nobody can tell what it is about, the approval that it was put to is still needed: one such change must not take a list away.
 */
export async function needsApprovalStill(
  policy: Policy,
  change: Change,
  directory: PlacedDirectory,
  actor: Actor,
): Promise<boolean> {
  if (!isServiceChange(change)) return false;
  const { operation, channelId, subjectId, requestedAt } = change;
  const ask = { actor, operation, channelId };
  const command = commandOf(change.words);
  if (command?.kind !== "change") return approvalFor(policy, ask) !== undefined;
  const occurrence = occurrenceOf(change);
  const touched = await touchedBy(command, occurrence, { subjectId, now: requestedAt, directory }).catch(
    () => undefined,
  );
  return !touched || approvalOf(policy, command, occurrence, touched, ask) !== undefined;
}
