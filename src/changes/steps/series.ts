import { createHash } from "node:crypto";
import { z } from "zod";
import { commandOf } from "../../commands/catalogue.ts";
import type { ChangeCommand, Inverse, SeriesPlan, Step } from "../../commands/command.ts";
import type { Directory } from "../../directory/directory.ts";
import { operations } from "../../service/operations.ts";
import type { Change, Settlement } from "../change.ts";
import { isAbout, isPassing, unknownId } from "../perform/perform.ts";
import { isInParts, wholeAfter } from "./parts.ts";

/**
 * A series is a change that is made of others, its steps: "offboard bob" disables bob, detaches each policy and ends exclusions. It is
 * asked for, approved and undone as one. Each step is a change by itself, with its own request, outcome and history, and names the
 * series. The state of the series follows from theirs.
 */
export const isSeries = ({ words, request }: Pick<Change, "words" | "request">): boolean =>
  seriesOf(words) !== undefined || isInParts({ request });

/** Whether each of its steps is made at another time. */
export const isTimedSeries = ({ words }: Pick<Change, "words">): boolean => seriesOf(words)?.isTimed === true;

export function seriesOf(words: string): ChangeCommand["series"] {
  const command = commandOf(words);
  return command?.kind === "change" ? command.series : undefined;
}

const input = z.record(z.string(), z.unknown());

const recordedPlan: z.ZodType<SeriesPlan> = z.object({
  steps: z.array(
    z.object({ words: z.string(), input, asked: z.string(), judgedAs: input.optional(), request: input.optional() }),
  ),
  notes: z.array(z.string()),
  ahead: z.array(z.string()),
  times: z.string().optional(),
});

/** The steps that were asked for, as they were recorded. */
export function planOf({ request }: Pick<Change, "request">): SeriesPlan {
  return recordedPlan.safeParse(request).data ?? { steps: [], notes: [], ahead: [] };
}

export interface SeriesStep extends Step {
  /** Its last try; undefined for one that was not begun. */
  readonly change: Change | undefined;
}

/** The steps that were asked for, and those that followed from an answer. */
export function stepsOf(series: Change): readonly SeriesStep[] {
  const { children = [], words } = series;
  const further = children.flatMap((child) =>
    child.state === "succeeded" ? (seriesOf(words)?.further(child, child.answer) ?? []) : [],
  );
  const steps = new Map([...further, ...planOf(series).steps].map((step) => [stepKey(step), step]));
  const order = [...planOf(series).steps, ...further].map(stepKey);
  const lastTries = new Map(children.map((child) => [stepKey(child), child]));
  return [...new Set(order)].flatMap((key) => {
    const step = steps.get(key);
    return step ? [{ ...step, change: lastTries.get(key) }] : [];
  });
}

/** The same for every try of one step. */
export function stepKey({ words, input: { reason, ticket, ...input } }: Inverse): string {
  return `${words} ${JSON.stringify(Object.entries(input).sort())}`;
}

/** Recognises a step that is recorded again. A long one is hashed: PostgreSQL indexes no longer text. */
export function stepOnceKey({ id }: Pick<Change, "id">, step: Inverse): string {
  const key = stepKey(step);
  return `step:${id}:${key.length > longestKey ? createHash("sha256").update(key).digest("hex") : key}`;
}

const longestKey = 2000;

/** Whether it is a part of what was decided on as a whole (parts.ts), with a request of its own. */
export const isPartStep = <S extends Step>(step: S): step is S & { readonly request: object } =>
  step.request !== undefined;

/** The steps that were not made and still can be. What is over already need not be ended. */
export async function stepsLeft(directory: Pick<Directory, "get">, series: Change): Promise<readonly SeriesStep[]> {
  const open = stepsOf(series).filter(({ change }) => change === undefined || isLeft.has(change.state));
  const needed = await Promise.all(open.map((step) => isNeeded(directory, step)));
  return open.filter((_step, index) => needed[index]);
}

/** A step may be of several parts (parts.ts). */
const isLeft: ReadonlySet<string> = new Set(["failed", "partly"]);

async function isNeeded(directory: Pick<Directory, "get">, step: Step): Promise<boolean> {
  const { words, input } = step;
  const command = commandOf(words);
  if (isPartStep(step)) return true;
  if (command?.kind !== "change" || operations[command.operation].effect !== "delete") return true;
  const subjectId = command.subjectId(input);
  return subjectId === null || (await directory.get(command.about, subjectId))?.endedAt == null;
}

/** What came of a series, as its steps are now. */
export async function seriesSettlement(
  directory: Pick<Directory, "get">,
  series: Change,
  settledAt: number,
): Promise<Settlement> {
  const left = await stepsLeft(directory, series);
  const tries = stepsOf(series).flatMap(({ change }) => change ?? []);
  const done = tries.filter(({ state }) => state === "succeeded" || state === "partly");
  const unsure = tries.find(({ state }) => state === "unknown" || state === "performing");
  const failed = tries.find(({ state }) => state === "failed");
  const ofSubject = done.filter(
    ({ subjectKind, subjectId }) => subjectKind === series.subjectKind && subjectId === series.subjectId,
  );
  const common = { subjectId: series.subjectId, isSubjectGone: false, note: null, settledAt, error: null };
  const settled = {
    ...common,
    answer: ofSubject.at(-1)?.answer ?? null,
    ...(isInParts(series) ? ofParts(series) : {}),
  };
  if (unsure) return { ...settled, state: "unknown", error: unsure.error };
  if (left.length === 0) return { ...settled, state: "succeeded" };
  if (done.length > 0) return { ...settled, state: "partly" };
  const error = failed?.error ?? notBegun;
  return { ...settled, state: "failed", error, isUnreached: isPassing(error.code) };
}

/** The outcome of an exclusion that is made of parts. */
function ofParts(series: Change): Pick<Settlement, "answer" | "subjectId" | "isSubjectGone" | "note"> {
  const steps = stepsOf(series);
  const changes = steps.flatMap(({ change }) => change ?? []);
  const lost = changes.some(({ state, note }) => state === "succeeded" && note === unknownId(series));
  const isSubjectGone =
    steps.length > 0 && steps.every(({ change }) => change?.error && isAbout(series, change.error.code));
  return { ...wholeAfter(series, steps), isSubjectGone, note: lost ? unknownId(series) : null };
}

const notBegun = { code: "NotBegun", message: "Curfew stopped before the first step." };
