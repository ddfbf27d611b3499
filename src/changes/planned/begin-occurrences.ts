import type { Problem } from "../../commands/answer.ts";
import { plannedStart, type Step } from "../../commands/command.ts";
import { reasonAndTicket } from "../../commands/field.ts";
import { cardUpdates } from "../announce.ts";
import { performApproved, performingMs } from "../approvals/perform-approved.ts";
import { authorize } from "../authorize/authorize.ts";
import { newChange } from "../authorize/new-change.ts";
import { type Change, type ChangeState, isAskedFor, isOver, isServiceChange, type ServiceChange } from "../change.ts";
import { holdsOf } from "../hours/time-held.ts";
import type { NewJob } from "../job.ts";
import type { Pipeline } from "../ports.ts";
import { commandOfStep } from "../steps/authorize-steps.ts";
import { contextOf, refusedStep } from "../steps/perform-series.ts";
import { isTimedSeries, planOf, stepOnceKey, stepsOf } from "../steps/series.ts";
import { nextStep, type Occurrence, planTimes, stepsAhead } from "./plan-times.ts";

/**
 * Begins the occurrences of a series that are due, each as a change that its series has approved, and ends the series when none is
 * left. Safe to call often and concurrently: each occurrence is recorded once.
 */
export async function beginOccurrences(pipeline: Pipeline, seriesId: string): Promise<void> {
  const { store, now } = pipeline;
  const series = await store.find(seriesId);
  if (!series) return;
  const begun = await withSeriesLock(pipeline, series, async () => {
    const present = await store.find(seriesId);
    const due = present?.state === "planned" ? stepsAhead(present).filter(({ startsAt }) => startsAt <= now()) : [];
    const changes: Change[] = [];
    for (const step of due) changes.push(await recordOccurrence(pipeline, present ?? series, step, "approved"));
    return changes;
  });
  for (const { id } of begun) await performApproved(pipeline, id);
  await endSeries(pipeline, seriesId);
}

/** Leaves an occurrence out of a series, if it has not begun. `note`: who did it, if not its requester. */
export async function leaveOut(
  pipeline: Pipeline,
  series: Change,
  startsAt: number,
  note: string | undefined,
): Promise<boolean> {
  const isLeftOut = await withSeriesLock(pipeline, series, async () => {
    const present = await pipeline.store.find(series.id);
    const steps = present?.state === "planned" ? stepsAhead(present) : [];
    const step = steps.find((each) => each.startsAt === startsAt);
    if (!present || !step) return false;
    const { state } = await recordOccurrence(pipeline, present, step, "withdrawn", note);
    return state === "withdrawn";
  });
  await endSeries(pipeline, series.id);
  return isLeftOut;
}

/** Puts an occurrence back that was left out of a series, if the series goes on, its time is ahead and it is still permitted. */
export async function putBack(pipeline: Pipeline, series: Change, startsAt: number): Promise<boolean | Problem> {
  const { store, now } = pipeline;
  const judgeAndMove = async () => {
    const present = await store.find(series.id);
    const steps = present?.state === "planned" ? stepsOf(present) : [];
    const step = steps.find(({ input }) => plannedStart(input) === startsAt);
    const child = step?.change;
    if (!present || !step || child?.state !== "withdrawn" || startsAt <= now()) return false;
    const whyNot = await whyNotBack(pipeline, present, step);
    if (whyNot !== undefined) {
      const { asked, words, input } = step;
      const problem = `${asked} can't be put back. ${whyNot} Nothing was changed: plan that time anew.`;
      return { problem, buttons: [{ label: "Plan that time…", words, opens: "form", input } as const] };
    }
    const jobs: NewJob[] = [{ kind: "planned-change", subjectId: series.id, dueAt: startsAt }];
    const outbox = cardUpdates(series, await store.cardChannels(series.id));
    const move = { from: ["withdrawn"], to: "planned", at: now(), note: null } as const;
    const isBack = await store.move(child.id, move, { jobs, outbox });
    return isBack;
  };
  return withSeriesLock(pipeline, series, () =>
    isServiceChange(series) ? pipeline.withOwnTime(series, judgeAndMove) : judgeAndMove(),
  );
}

/** Judges an occurrence as a new plan, with what its requester has planned since. What its series was approved for needs no more. */
async function whyNotBack(pipeline: Pipeline, series: Change, step: Step): Promise<string | undefined> {
  const { store, settings } = pipeline;
  const command = commandOfStep(step);
  const context = await contextOf(pipeline, series);
  const since = context.now - 2 * settings().exclusions.maxLengthMs;
  const holds = holdsOf(store, series.actor.userId, { since, except: undefined });
  const input = { ...step.input, ...reasonAndTicket(series.input) };
  const found = await authorize(pipeline, { command, input, context, isAsking: isAskedFor(series) }, { holds });
  if (found.kind === "refused") return found.decision.toActor ?? found.decision.reason;
  if (found.kind === "invalid") return found.problem.problem;
  const isCovered = !found.approval || (series.approval && (found.approval.heldMs ?? 0) <= approvedMs(series));
  return isCovered ? undefined : "With what is planned by now, it needs an approval.";
}

/** The longest time that the approval of a series was given for. */
const approvedMs = (series: Change): number =>
  Math.max(
    series.approval?.heldMs ?? 0,
    ...planOf(series).steps.map(({ input, judgedAs = input }) => Number(judgedAs.until) - Number(judgedAs.from)),
  );

type Begun = Extract<ChangeState, "approved" | "withdrawn">;

/** Records an occurrence as a change, together with the job for the next one. Gives the earlier record if there is one. */
async function recordOccurrence(
  pipeline: Pipeline,
  series: Change,
  step: Occurrence,
  state: Begun,
  note: string | null = null,
): Promise<Change> {
  const { store, now } = pipeline;
  const outbox = cardUpdates(series, await store.cardChannels(series.id));
  const change = step.change ?? (await newOccurrence(pipeline, series, step, { state, note }));
  const begins: NewJob = { kind: "approved-change", subjectId: change.id, dueAt: now() + performingMs };
  const jobs = [...(state === "approved" ? [begins] : []), nextJob(series, step, now())];
  if (!step.change) return (await store.begin(change, { jobs, outbox })) ?? change;
  const isMoved = await store.move(change.id, { from: ["planned"], to: state, at: now(), note }, { jobs, outbox });
  return isMoved ? { ...change, state } : ((await store.find(change.id)) ?? change);
}

async function newOccurrence(
  pipeline: Pipeline,
  series: Change,
  step: Occurrence,
  { state, note }: { readonly state: Begun; readonly note: string | null },
): Promise<ServiceChange> {
  const { settings, newId, now } = pipeline;
  const command = commandOfStep(step);
  const input = { ...step.input, ...reasonAndTicket(series.input) };
  const context = await contextOf(pipeline, series);
  const authorized = await authorize(pipeline, { command, input, context, isAsking: isAskedFor(series) });
  const refused = { ...refusedStep(series, command, input), request: requestOf(series, step) };
  const recorded = authorized.kind === "authorized" ? authorized : refused;
  const idempotencyKey = stepOnceKey(series, step);
  const made = newChange({ command, context }, { ...recorded, approval: undefined }, settings(), {
    ...{ id: newId(), idempotencyKey, requestedAt: now() },
  });
  const over = isOver(state) ? { settledAt: now() } : {};
  return { ...made, ...over, state, note, parentId: series.id };
}

/** What would be sent for an occurrence. One that is refused by now is recorded all the same, as one that failed. */
function requestOf({ request }: Change, { input }: Occurrence): object {
  const { steps, notes, ahead, times, ...body } = Object.fromEntries(Object.entries(request));
  return { ...body, expiryDate: expiryOf(input) };
}

/** For the occurrence after this one; after the last for the end of the series, when that is over. */
function nextJob(series: Change, { input, startsAt: own }: Occurrence, now: number): NewJob {
  const next = stepsAhead(series).find(({ startsAt }) => startsAt > own);
  const { endsAt = now } = planTimes({ input, request: { expiryDate: expiryOf(input) } }) ?? {};
  const { startsAt } = next ?? {};
  return { kind: "planned-change", subjectId: series.id, dueAt: startsAt ?? endsAt + endMarginMs };
}

/** Then the last exclusion has ended on every instance's clock. */
const endMarginMs = 5000;

const expiryOf = ({ until }: Occurrence["input"]): string | undefined =>
  typeof until === "number" ? new Date(until).toISOString() : undefined;

/** Ends a series of which nothing is left: by what came of its occurrences. */
async function endSeries({ store, now }: Pipeline, seriesId: string): Promise<void> {
  const series = await store.find(seriesId);
  if (series?.state !== "planned" || nextStep(series)) return;
  const steps = stepsOf(series);
  const endsAt = Math.max(0, ...steps.map(({ input: { until } }) => (typeof until === "number" ? until : 0)));
  const states = steps.flatMap(({ change }) => change?.state ?? []);
  const isAllLeftOut = states.every((state) => state === "withdrawn");
  if (!isAllLeftOut && now() < endsAt) return;
  // The job is tried again.
  if (!states.every(isOver)) throw new Error(`an occurrence of ${seriesId} is under way`);
  const outbox = cardUpdates(series, await store.cardChannels(seriesId));
  await store.move(seriesId, { from: ["planned"], to: stateOf(states), at: now() }, { outbox });
}

function stateOf(states: readonly ChangeState[]): ChangeState {
  const kept = states.filter((state) => state !== "withdrawn");
  if (kept.length === 0) return "withdrawn";
  if (kept.every((state) => state === "succeeded")) return "succeeded";
  return kept.some((state) => state === "succeeded" || state === "partly" || state === "unknown") ? "partly" : "failed";
}

/**
 * Begins a planned change when it is due: it becomes `approved`, and is performed like every approved change, after its requester's
 * rights were checked again. Safe to call often and concurrently: one caller begins it.
 */
export async function performPlanned(pipeline: Pipeline, changeId: string): Promise<void> {
  const { store, now } = pipeline;
  const change = await store.find(changeId);
  if (change?.state !== "planned") return;
  if (isTimedSeries(change)) return beginOccurrences(pipeline, changeId);
  const at = now();
  if (at < (planTimes(change)?.startsAt ?? at)) return;
  const jobs = [{ kind: "approved-change", subjectId: changeId, dueAt: at + performingMs } as const];
  if (!(await store.move(changeId, { from: ["planned"], to: "approved", at }, { jobs }))) return;
  await performApproved(pipeline, changeId);
}

/** An occurrence of a series begins, and the series is withdrawn, one after the other: what is withdrawn never begins. */
export const withSeriesLock = <T>(
  { withLock }: Pick<Pipeline, "withLock">,
  change: Pick<Change, "id" | "words" | "subjectKind">,
  work: () => Promise<T>,
): Promise<T> => (isTimedSeries(change) ? withLock(change.subjectKind, `series ${change.id}`, work) : work());
