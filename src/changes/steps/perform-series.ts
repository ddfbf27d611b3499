import { z } from "zod";
import type { ChangeCommand, CommandContext } from "../../commands/command.ts";
import { type Input, reasonAndTicket } from "../../commands/field.ts";
import type { Directory } from "../../directory/directory.ts";
import { authorize } from "../authorize/authorize.ts";
import type { Authorization, Authorized } from "../authorize/decide-change.ts";
import { newChange } from "../authorize/new-change.ts";
import {
  type Change,
  isRemoval,
  isServiceChange,
  notAllowedNow,
  type ServiceChange,
  type Settlement,
} from "../change.ts";
import { perform } from "../perform/perform.ts";
import { recordOutcome } from "../perform/record-outcome.ts";
import type { Pipeline } from "../ports.ts";
import { commandOfStep } from "./authorize-steps.ts";
import { isPartStep, isSeries, type SeriesStep, seriesSettlement, stepKey, stepOnceKey, stepsLeft } from "./series.ts";

/** Performs a change: with one call, or a series step by step. Never throws. */
export function performAny(pipeline: Pipeline, change: ServiceChange): Promise<Settlement> {
  return isSeries(change) ? performSeries(pipeline, change) : perform(pipeline, change);
}

/**
 * Makes the steps that are left, one after the other, each at most once. A step that fails does not stop the others, unless the service
 * cannot be reached. Stops when another instance has settled the series.
 */
async function performSeries(pipeline: Pipeline, series: ServiceChange): Promise<Settlement> {
  const { store, directory, log, now } = pipeline;
  const tried = new Set<string>();
  let last: Change = { ...series, children: series.children ?? [] };
  try {
    const context = await contextOf(pipeline, series);
    for (;;) {
      const present = await store.find(series.id);
      if (present?.state !== "performing") break;
      last = present;
      const next = (await stepsLeft(directory, last)).find((step) => !tried.has(stepKey(step)));
      if (!next) break;
      tried.add(stepKey(next));
      const { change, isUnreached } = await performStep(pipeline, last, next, context);
      last = { ...last, children: [...(last.children ?? []), change] };
      if (isUnreached) break;
    }
  } catch (error) {
    log.error({ err: error, changeId: series.id }, "a series was interrupted; what is left of it can be tried again");
  }
  return seriesSettlement(directory, last, now()).catch(() => seriesSettlement(noDirectory, last, now()));
}

/** Then nothing is known to be over. */
const noDirectory: Pick<Directory, "get"> = { get: async () => undefined };

/** The requester as they are now, with the name they had then. */
export async function contextOf(
  { actorOf, directory, settings, now }: Pipeline,
  { actor: { userId, name, timeZone }, channelId, askedIn }: Change,
): Promise<CommandContext> {
  const actor = { ...(await actorOf(userId)), name, timeZone };
  return { actor, channelId, askedIn, now: now(), directory, settings: settings() };
}

interface StepDone {
  readonly change: Change;
  readonly isUnreached: boolean;
}

/** The series holds the lock of its own subject. */
function performStep(pipeline: Pipeline, series: Change, step: SeriesStep, context: CommandContext): Promise<StepDone> {
  const { about, subjectId } = commandOfStep(step);
  const id = subjectId(step.input);
  const isHeld = isPartStep(step) || (about === series.subjectKind && id === series.subjectId);
  const work = () => performStepNow(pipeline, series, step, context);
  return isHeld ? work() : pipeline.withLock(about, id, work);
}

async function performStepNow(
  pipeline: Pipeline,
  series: Change,
  step: SeriesStep,
  context: CommandContext,
): Promise<StepDone> {
  const command = commandOfStep(step);
  const input = { ...step.input, ...reasonAndTicket(series.input) };
  const authorized = isPartStep(step)
    ? asPart(series, command, input, step.request)
    : await authorize(pipeline, { command, input, context });
  const idempotencyKey = stepOnceKey(series, step);
  const asRecorded = authorized.kind === "authorized" ? authorized : refusedStep(series, command, input);
  const { newId, now, settings } = pipeline;
  // The series was approved as a whole.
  const allowed = { ...asRecorded, approval: undefined };
  const made = newChange({ command, context }, allowed, settings(), {
    id: newId(),
    idempotencyKey,
    requestedAt: now(),
  });
  const change: ServiceChange = { ...made, parentId: series.id };
  const earlier = await pipeline.store.begin(change);
  if (earlier) return { change: await goOn(pipeline, earlier), isUnreached: false };
  const whyNot = whyNotNow(authorized);
  const settlement = whyNot ? notSent(change, whyNot, now()) : goneIsDone(change, await performAny(pipeline, change));
  const outcome = await recordOutcome(pipeline, change, settlement);
  return { change: outcome.change, isUnreached: settlement.isUnreached ?? false };
}

/** Makes what is left of a step that is of several parts itself. */
async function goOn(pipeline: Pipeline, step: Change): Promise<Change> {
  if (step.state !== "partly" || !isServiceChange(step)) return step;
  const move = { from: ["partly"], to: "performing", at: pipeline.now() } as const;
  if (!(await pipeline.store.move(step.id, move))) return step;
  const performing: ServiceChange = { ...step, state: "performing", settledAt: null };
  return (await recordOutcome(pipeline, performing, await performAny(pipeline, performing))).change;
}

function asPart(series: Change, command: ChangeCommand, input: Input, request: object): Authorized {
  const subjectId = withId.safeParse(request).data?.id ?? null;
  return { ...refusedStep(series, command, input), request, subjectId };
}

const withId = z.object({ id: z.string() });

/** A step that is refused by now is recorded all the same, as one that failed. */
export function refusedStep({ role, rule }: Change, command: ChangeCommand, input: Input): Authorized {
  const subjectId = command.subjectId(input);
  const decision = { kind: "allowed", role, rule } as const;
  const request = { id: subjectId };
  return { ...{ kind: "authorized", input, request, subjectId, decision }, ...nothingKnown };
}

const nothingKnown = { before: undefined, approval: undefined, beyond: undefined };

function whyNotNow(authorized: Authorization): Change["error"] {
  switch (authorized.kind) {
    case "authorized":
      return null;
    case "refused":
      return { code: notAllowedNow, message: authorized.decision.reason };
    case "invalid":
      return { code: "NotPossibleNow", message: authorized.problem.problem };
  }
}

const notSent = ({ subjectId }: Change, error: Change["error"], settledAt: number): Settlement => ({
  ...{ state: "failed", answer: null, subjectId, isSubjectGone: false, error, note: null, settledAt },
});

/** The service's answer to a detachment that is not needed (API.md). */
const notAttached = "ManagedPolicyNotAttached";

/** What was to be removed is not there any more. */
function goneIsDone(change: Change, settlement: Settlement): Settlement {
  const isRemoved = settlement.isSubjectGone && isRemoval(change);
  const isGone = settlement.state === "failed" && (isRemoved || settlement.error?.code === notAttached);
  return isGone ? { ...settlement, state: "succeeded", error: null, note: "The service had it no more." } : settlement;
}
