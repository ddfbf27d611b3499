import type { Description, StepLine } from "../commands/answer.ts";
import { commandOf } from "../commands/catalogue.ts";
import type { AnyOccurrence, ChangeCommand, Target } from "../commands/command.ts";
import type { Directory } from "../directory/directory.ts";
import { accountOf } from "../service/account-ids.ts";
import { type Change, isOver, occurrenceOf } from "./change.ts";
import { isInParts, machinesDone } from "./steps/parts.ts";
import { isSeries, planOf, type SeriesStep, seriesOf, stepsOf } from "./steps/series.ts";
import { hasWayBack } from "./undo.ts";

/** The change as its command describes it; by the command's words alone if the command no longer exists. */
export function describeChange(change: Change): Description {
  const command = commandOf(change.words);
  const describe = command?.kind === "change" || command?.kind === "query" ? command.describe : undefined;
  const described = describe?.(occurrenceOf(change)) ?? {
    done: `did “${change.words}”`,
    asked: change.words,
    facts: [],
  };
  const steps = stepLines(change);
  return steps.length > 0 ? { ...described, steps } : described;
}

/** The steps of a series and how each went, and what its reader must know beside them; none for another change. */
function stepLines(change: Change): readonly StepLine[] {
  if (!isSeries(change) || (isInParts(change) && !isShownInParts.has(change.state))) return [];
  const { notes, ahead } = planOf(change);
  const isUndoable = hasWayBack(change);
  const stays = isUndoable ? [seriesOf(change.words)?.staysUndone ?? []].flat() : [];
  const said = [...(isOver(change.state) ? [] : ahead), ...notes, ...stays];
  const steps = stepsOf(change);
  const isBegun = ({ change }: SeriesStep) => change !== undefined && change.state !== "planned";
  const begun = isCalledOff.has(change.state) ? steps.filter(isBegun) : steps;
  const left = steps.length - begun.length;
  return [
    ...begun.map((step) => stepLine(change, step)),
    ...(left === 0 ? [] : [{ sign: "over", text: `${left} not done` } as const]),
    ...said.map((text) => ({ sign: "none", text }) as const),
  ];
}

/** Parts are shown only while something is open or wrong. */
const isShownInParts: ReadonlySet<string> = new Set(["performing", "partly", "failed", "unknown"]);

/** The steps that are left share one line. */
const isCalledOff: ReadonlySet<string> = new Set(["withdrawn", "denied", "expired"]);

/** "2 of 3 steps". */
export function stepsDone(change: Change): string {
  const steps = stepsOf(change);
  if (isInParts(change)) return machinesDone(steps);
  const done = steps.filter((step) => step.change?.state === "succeeded");
  return `${done.length} of ${steps.length} steps`;
}

function stepLine(series: Change, { asked, change }: SeriesStep): StepLine {
  if (change === undefined || change.state === "planned") return { sign: "over", text: `${asked}${notTried(series)}` };
  switch (change.state) {
    case "succeeded":
      return { sign: "done", text: asked, id: change.id };
    case "failed":
      return { sign: "failed", text: `${asked}: ${change.error?.message ?? "it failed"}`, id: change.id };
    case "partly":
      return { sign: "failed", text: `${asked}: done in part`, id: change.id };
    case "performing":
      if (!isOver(series.state)) return { sign: "waiting", text: `${asked}: under way`, id: change.id };
      return { sign: "unknown", text: `${asked}: it may have happened`, id: change.id };
    case "withdrawn":
      return { sign: "over", text: `${asked}: ${leftOutWords(change)}`, id: change.id };
    case "expired":
      return { sign: "failed", text: `${asked}: missed`, id: change.id };
    case "approved":
      return { sign: "waiting", text: `${asked}: tried again`, id: change.id };
    default:
      return { sign: "unknown", text: `${asked}: it may have happened`, id: change.id };
  }
}

/** By whom, if not by its requester. */
const leftOutWords = ({ note }: Change): string => note?.replace(/^L/, "l") ?? "left out";

/** A series is done when what is left need not be done. */
function notTried({ state }: Change): string {
  if (!isOver(state)) return "";
  return state === "succeeded" ? ": over already" : ": not done";
}

interface When {
  readonly subjectId: string | null;
  readonly now: number;
  readonly directory: Pick<Directory, "get">;
}

/** Where a change acts, with the account of the service: users and policies have no project that would say it. */
export async function targetsIn(
  command: Pick<ChangeCommand, "target">,
  occurrence: AnyOccurrence,
  { subjectId, now, directory }: When,
): Promise<readonly [Target, ...Target[]]> {
  const targets = [await command.target(occurrence, now, directory)].flat();
  const [first = {}, ...others] = targets.map((target) => ({
    account: accountOf(subjectId ?? target.projectId ?? ""),
    ...target,
  }));
  return [first, ...others];
}
