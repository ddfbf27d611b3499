import { unknownProject } from "../../permissions/decide.ts";
import { isFor } from "../../service/action-types.ts";
import type { Action } from "../../service/resources.ts";
import type { QueryContext } from "../command.ts";
import { processesOf } from "../exclusion/exclusion-body.ts";
import { comingRun } from "../exclusion/next-run.ts";
import { groupsOf } from "./coming-runs.ts";
import { type Hold, heldBack, holdsOf, isHolding } from "./holding.ts";
import { reportedRun, toleranceMs } from "./outcome-of-run.ts";

export interface KnownRun {
  /** In epoch ms. */
  readonly at: number;
  /** The exclusions and plans that hold it back. */
  readonly by: readonly Hold[];
  /** The resources that it does nothing to. */
  readonly held: readonly string[];
  /** It does nothing to any of the resources. */
  readonly isPrevented: boolean;
}

export interface RunsOfAction {
  readonly next: KnownRun | undefined;
  /** `problem`: how it went, unless it went well. */
  readonly last: (KnownRun & { readonly problem: string | undefined }) | undefined;
}

export interface Reading {
  /** The resources that the reader asked about; without them, those of the groups that name the action. */
  readonly ids?: readonly string[] | undefined;
  /** The reader named something: the service is asked for the last run, too. */
  readonly isNamed?: boolean | undefined;
}

/** The next and the last run of an action, and what holds them back. `why`, `status` and `next` all show this. */
export async function readRuns(action: Action, context: QueryContext, reading: Reading): Promise<RunsOfAction> {
  const ids = idsOf(action, reading, context);
  const nextAt = comingRun(action, context.now);
  const last = await lastRun(action, context, reading);
  return {
    next: nextAt === undefined ? undefined : { at: nextAt, ...(await heldAt(nextAt, action, ids, context)) },
    last: last && { ...last, ...(await heldAt(last.at, action, ids, context)) },
  };
}

export const idsOf = (action: Action, { ids }: Reading, context: QueryContext): readonly string[] =>
  ids ?? [...new Set(groupsOf(action, context).flatMap((name) => context.settings.resourceGroups[name]?.ids ?? []))];

/** What holds a run back that is due at a moment. */
export async function heldAt(
  at: number,
  action: Action,
  ids: readonly string[],
  context: QueryContext,
): Promise<Omit<KnownRun, "at">> {
  const verb = (["stop", "start"] as const).find((each) => isFor(each, action));
  if (verb === undefined || ids.length === 0) return { by: [], held: [], isPrevented: false };
  const [process] = processesOf[verb];
  const by = (await holdsOf(ids, context)).filter((hold) => isHolding(hold, at, process));
  const held = heldBack(ids, by, process);
  return { by, held, isPrevented: held.length === ids.length };
}

/** The later one of the run that was last seen to be due and of the last one that the service reports. */
export async function lastRun(action: Action, context: QueryContext, { isNamed }: Reading) {
  const seenAt = (await context.seenAction(action.actionId))?.lastAt ?? undefined;
  const isReadable = isNamed && context.may("GetAction", { projectId: action.projectId ?? unknownProject });
  const ran = isReadable ? await reportedRun(action.actionId, context.read) : undefined;
  if (ran === undefined || (seenAt !== undefined && ran.at < seenAt - toleranceMs))
    return seenAt === undefined ? undefined : { at: seenAt, outcome: undefined, problem: undefined };
  return {
    at: seenAt !== undefined && ran.at <= seenAt + toleranceMs ? seenAt : ran.at,
    outcome: ran.outcome,
    problem: ran.isWell ? undefined : ran.outcome,
  };
}
