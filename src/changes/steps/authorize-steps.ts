import { formButton, isProblem, type Problem } from "../../commands/answer.ts";
import { commandOf } from "../../commands/catalogue.ts";
import type { ChangeCommand, SeriesPlan, Step } from "../../commands/command.ts";
import { reasonAndTicket } from "../../commands/field.ts";
import { combinedApproval } from "../../permissions/approval-rules.ts";
import { decide, whoCouldAll } from "../../permissions/decide.ts";
import type { ApprovalRule } from "../../permissions/policy.ts";
import { accountOf } from "../../service/account-ids.ts";
import {
  type Authorization,
  type Authorized,
  type Denied,
  type Invalid,
  nobodyForAll,
  rightsOf,
} from "../authorize/decide-change.ts";
import type { Asked, ChangeSettings } from "../ports.ts";

/**
 * Decides whether a series is permitted: every step must be, before any is made. Its approval satisfies the rules of all steps. A plan
 * that was recorded is taken as it is, so that exactly what was approved is done.
 */
export async function authorizeSeries(
  { command, input, context, isAsking, plan: recorded }: Asked,
  authorized: Authorized,
  { policy }: Pick<ChangeSettings, "policy">,
  authorizeStep: (step: Asked) => Promise<Authorization>,
): Promise<Authorization> {
  const { series } = command;
  if (!series) return authorized;
  const may = rightsOf({ policy }, context.actor, context.channelId);
  const plan: SeriesPlan | Problem = recorded ?? (await series.plan(input, { ...context, may }));
  if (isProblem(plan)) return { kind: "invalid", problem: plan };
  // What is made at its own times never lacks a step, and each is judged by what it names.
  for (const operation of series.isTimed ? [] : series.operations) {
    const account = authorized.subjectId === null ? undefined : accountOf(authorized.subjectId);
    const ask = { actor: context.actor, channelId: context.channelId, account };
    const decision = decide(policy, { ...ask, operation });
    if (decision.kind === "denied")
      return { kind: "refused", decision: { ...decision, couldDo: whoCouldAll(policy, ask, series.operations) } };
  }
  const rules = new Map<string, ApprovalRule>();
  const needs = (rule: ApprovalRule | undefined) => rule && rules.set(`${rule.rule} ${rule.approvers.join()}`, rule);
  let { beyond } = authorized;
  let heldMs = 0;
  for (const step of plan.steps) {
    const found = await authorizeStep({
      command: commandOfStep(step),
      input: { ...(step.judgedAs ?? step.input), ...reasonAndTicket(input) },
      context,
      isAsking: series.isTimed && isAsking,
    });
    if (found.kind === "refused")
      return {
        kind: "refused",
        decision: series.isTimed ? ofTime(step, found.decision) : ofStep(step, found.decision),
      };
    // What became impossible since it was recorded is found out when it is its turn.
    if (found.kind === "invalid" && !recorded) return step.judgedAs ? withoutGaps(found, { command, input }) : found;
    if (found.kind !== "authorized") continue;
    needs(found.approval);
    beyond ??= found.beyond;
    heldMs = Math.max(heldMs, found.approval?.heldMs ?? 0);
  }
  needs(authorized.approval);
  const approval = combinedApproval([...rules.values()]);
  if (approval === "none together") return { kind: "refused", decision: nobodyForAll };
  const needed = approval && { ...approval, ...(heldMs > 0 ? { heldMs } : {}) };
  return { ...authorized, approval: needed, beyond, request: { ...authorized.request, ...plan } };
}

const noGaps = "Its times have less than an hour between them. So they count as one.";

/** All times of a series are of the same kind, so others may be asked for the whole. */
function ofTime({ judgedAs }: Step, decision: Denied): Denied {
  const { reason, toActor = reason } = decision;
  return judgedAs ? { ...decision, reason: `${noGaps} ${reason}`, toActor: `${noGaps} ${toActor}` } : decision;
}

/** It offers a single exclusion instead, which nobody asked for. */
function withoutGaps(
  { problem: { problem } }: Invalid,
  { command: { words }, input }: Pick<Asked, "command" | "input">,
): Invalid {
  const buttons = [formButton("Change the times…", words, input)];
  return { kind: "invalid", problem: { field: "every", problem: `${noGaps} ${problem}`, buttons } };
}

export function commandOfStep({ words }: Pick<Step, "words">): ChangeCommand {
  const command = commandOf(words);
  if (command?.kind !== "change") throw new Error(`a step names no change: ${words}`);
  return command;
}

/** Others are asked for the whole, never for one step. */
function ofStep({ asked }: Step, { mayAsk, reason, toActor = reason, ...decision }: Denied): Denied {
  const about = `Nothing was done, since one step is refused: ${asked}.`;
  return { ...decision, reason: `${about} ${reason}`, toActor: `${about} ${toActor}` };
}
