import { isFor } from "../../service/action-types.ts";
import type { Action } from "../../service/resources.ts";
import { shortMoment } from "../../time/format-moment.ts";
import { actionMenu, momentPart, placeWords } from "../action.ts";
import type { Line, LinePart, Sign } from "../answer.ts";
import type { QueryContext } from "../command.ts";
import { resourceWords } from "../exclusion/exclusion-body.ts";
import { comingRun } from "../exclusion/next-run.ts";
import { whatOf } from "../exclusion/planned/plans.ts";
import { groupsOf, type Run } from "./coming-runs.ts";
import type { Hold } from "./holding.ts";
import { keepRunningButtons } from "./keep-running.ts";
import { toleranceMs } from "./outcome-of-run.ts";
import { heldAt, idsOf, type KnownRun, lastRun, readRuns } from "./read-runs.ts";
import { lastParts } from "./run-line.ts";

/** How an action's verb goes: of a run to come, of one that was, and after "was due to". */
const verbs = {
  stop: ["stops", "stopped", "stop"],
  start: ["starts", "started", "start"],
  backup: ["backs up", "backed up", "back up"],
  other: ["runs for", "ran for", "run for"],
} as const;

export type Verb = keyof typeof verbs;

export const verbOf = (action: Action): Verb =>
  (["stop", "start", "backup"] as const).find((verb) => isFor(verb, action)) ?? "other";

interface About {
  /** The resources that were asked about; without them, those of the groups that name the action. */
  readonly ids: readonly string[] | undefined;
  /** Also when it ran last. */
  readonly hasLast: boolean;
}

/** A run on one line: when, what it acts on, and whether it takes or took place. */
export async function dueLine({ action, at }: Run, context: QueryContext, { ids, hasLast }: About): Promise<Line> {
  const { now } = context;
  const acted = idsOf(action, { ids }, context);
  const held = await heldAt(at, action, acted, context);
  const last = at <= now ? await lastRun(action, context, { isNamed: true }) : undefined;
  const outcome = last && Math.abs(last.at - at) <= toleranceMs ? last.outcome : undefined;
  const isWell = last?.problem === undefined;
  const groups = groupsOf(action, context);
  const what = (ids ? whatOf(ids, context) : groups.join(", ")) || (await placeWords(action, context));
  const machines = resourceWords(acted);
  const happens = happensTo(what, { verb: verbOf(action), isPast: at <= now, outcome, isWell });
  const isNext = at === comingRun(action, now) && !held.isPrevented;
  const { keep, forms } = isNext ? keepRunningButtons({ action, at }, context) : { forms: [] };
  return {
    id: `${action.actionId} ${at}`,
    sign: signOf({ isPrevented: held.isPrevented, isPast: at <= now, outcome, isWell }),
    name: action.name || action.actionId,
    parts: [
      momentPart(at, now),
      ...(held.by.length === 0 ? [happens.plain] : await heldParts(held, happens, verbOf(action), context)),
      ...(hasLast ? lastParts((await readRuns(action, context, { ids, isNamed: true })).last) : []),
      ...(acted.length > 0 && machines !== what ? [machines] : []),
    ],
    menu: [...forms, ...actionMenu(action.actionId)],
    button: keep,
  };
}

interface Went {
  readonly isPast: boolean;
  readonly outcome: string | undefined;
  readonly isWell: boolean;
}

function signOf({ isPrevented, isPast, outcome, isWell }: Went & { readonly isPrevented: boolean }): Sign {
  if (isPrevented) return "off";
  if (!isPast) return "run";
  return outcome === undefined ? "unknown" : isWell ? "done" : "failed";
}

interface Happens {
  readonly plain: string;
  /** In front of what holds it back, for all of the resources. */
  readonly not: string;
}

function happensTo(what: string, { verb, isPast, outcome, isWell }: Went & { readonly verb: Verb }): Happens {
  const [does, did, due] = verbs[verb];
  const not = `${isPast ? "did" : "does"} not ${due} ${what}`;
  if (!isPast) return { plain: `${does} ${what}`, not };
  if (outcome === undefined) return { plain: `was due to ${due} ${what}, how it went is not known`, not };
  return { plain: isWell ? `${did} ${what} (${outcome})` : `was due to ${due} ${what}: ${outcome}`, not };
}

/** "does not stop web: kept up by alice until today 19:00 (load test)" */
async function heldParts(
  { by, held, isPrevented }: Omit<KnownRun, "at">,
  { plain, not }: Happens,
  verb: Verb,
  context: QueryContext,
): Promise<readonly LinePart[]> {
  const lead = isPrevented ? not : `${plain}, but not ${resourceWords(held)}`;
  const parts = await holdParts(by, verb === "start" ? "kept off" : "kept up", context);
  return parts.map((part, index) => (index === 0 ? leading(`${lead}: `, part) : part));
}

const leading = (lead: string, part: LinePart): LinePart =>
  typeof part === "string" ? `${lead}${part}` : { ...part, before: `${lead}${part.before ?? ""}` };

/** "kept up by alice until today 19:00 (load test)", each. */
export async function holdParts(
  holds: readonly Hold[],
  kept: string,
  context: QueryContext,
): Promise<readonly LinePart[]> {
  const origins = await context.origins(holds.flatMap(({ id }) => id ?? []));
  return holds.map((hold) => holdPart(hold, kept, hold.reason ?? origins.get(hold.id ?? "")?.reason, context));
}

const longestReason = 100;

function holdPart(
  { name, ownerId, until, isPlanned }: Hold,
  kept: string,
  reason: string | undefined,
  { actor, now }: QueryContext,
): LinePart {
  const cut = reason && reason.length > longestReason ? `${reason.slice(0, longestReason)}…` : reason;
  const why = [isPlanned ? "planned" : undefined, cut].filter(Boolean).join(": ");
  const end = until === undefined ? "" : ` until ${shortMoment(until, actor.timeZone, now)}`;
  const after = `${end}${why ? ` (${why})` : ""}`;
  if (ownerId === null) return `${kept} by “${name}”, made outside Curfew,${after}`;
  return ownerId === actor.userId ? `${kept} by you${after}` : { before: `${kept} by `, person: ownerId, after };
}
