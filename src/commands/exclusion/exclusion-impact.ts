import { actionsByGroup, groupsWithAny, type NamedGroup } from "../../directory/group-index.ts";
import { actsOn, isFor, resourceTypeLabel } from "../../service/action-types.ts";
import type { Action } from "../../service/resources.ts";
import { dayAndTime, shortMoment } from "../../time/format-moment.ts";
import type { Sentence } from "../answer.ts";
import type { FillContext } from "../command.ts";
import { offNow } from "../lookup/running.ts";
import { instant, processesOf, processWords } from "./exclusion-body.ts";
import { beginning } from "./new-exclusion.ts";
import { isSoonAfter, mayRunAfter, runAfter } from "./next-run.ts";

export interface PlannedExclusion {
  readonly resourceIds?: readonly string[] | undefined;
  readonly type?: string | undefined;
  readonly project?: string | undefined;
  readonly process?: keyof typeof processesOf | undefined;
  /** In epoch ms; undefined for one that begins now. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
}

type Planned = { readonly [K in Exclude<keyof PlannedExclusion, "from">]-?: NonNullable<PlannedExclusion[K]> } & {
  readonly from?: number | undefined;
};

/** The next run of an action within the exclusion. */
interface Run {
  readonly action: Action;
  readonly at: number;
}

const shownRuns = 3;

/**
 * The runs that an exclusion prevents, as far as its resources' groups name their actions, and the others that are due in the project
 * for such resources: an action does not name its resources (API.md).
 */
export async function exclusionImpact(planned: PlannedExclusion, context: FillContext): Promise<Impact> {
  const { resourceIds = [], type, project, process, until, from } = planned;
  if (!type || !project || !process || until === undefined) return unknownImpact();
  if (!context.may("ListActions", { projectId: project })) return unknownImpact();
  const listed = await context.read("ListActions", {});
  if (listed.kind !== "succeeded") return unknownImpact("Curfew couldn't read from the service what this prevents.");
  const whole = { resourceIds, type, project, process, until, from };
  // At the very moment of its end an exclusion holds nothing back any more.
  const aMinuteOn = { ...whole, until: until + 60_000 };
  const { runs: all, unknown } = runsWithin(listed.answer ?? [], aMinuteOn, context.now);
  const runs = all.filter(({ at }) => at < until);
  const groups = groupsWithin(whole, context);
  const actionsOf = actionsByGroup(listed.answer ?? []);
  const named = new Set(groups.flatMap(([, group]) => actionsOf(group)));
  const isPrevented = ({ action }: Pick<Run, "action">) => named.has(action) && isForProcess(action, process) === true;
  const prevented = runs.filter(isPrevented);
  const others = runs.filter((run) => !isPrevented(run));
  const ofIt = unknown.filter((action) => isPrevented({ action }));
  const atEnd = all.find((run) => run.at >= until && isPrevented(run));
  const entity = await context.directory.get("project", project);
  const grouped = new Set(groups.flatMap(([, { ids }]) => ids));
  const isKnown = resourceIds.every((id) => grouped.has(id));
  const due = { ...whole, project: entity?.name ?? project, isAlone: groups.length === 0, isKnown };
  const next = isKnown ? nextOf([...named], whole) : undefined;
  const isStop = process === "stop" && beginning(whole, context) <= context.now;
  const off = isStop && resourceIds.length > 0 ? await offNow(resourceIds, listed.answer ?? [], context) : undefined;
  return {
    off: off ? offWords(off.startsAt, resourceIds) : [],
    // Only a form and an approval show them.
    get lines() {
      const own = prevented.length === 0 && ofIt.length > 0 ? [] : preventedLines(prevented, groups, whole, context);
      if (isKnown) return [...own, ...unknownLines(ofIt, context)];
      return [...own, ...dueLines(others, due, context), ...unknownLines(unknown, context)];
    },
    isIdle: prevented.length === 0 && !atEnd && (isKnown ? ofIt : [...others, ...unknown]).length === 0,
    inShort: inShort({ prevented, others, unknown: isKnown ? ofIt : unknown, atEnd, next }, due, context),
  };
}

/** A stop held back later starts nothing now. */
function offWords(startsAt: number | undefined, { length }: readonly string[]): Sentence {
  const until: Sentence = startsAt === undefined ? [] : [" until ", { at: startsAt }];
  return ["Off now", ...until, `: Curfew can't start ${length === 1 ? "it" : "them"}.`];
}

export interface Impact {
  /** That the resources are off now, and until when. */
  readonly off: Sentence;
  readonly lines: readonly string[];
  /** In one sentence; empty when it is not known. */
  readonly inShort: Sentence;
  /** Nothing would act on the resources in that time, as far as is known. */
  readonly isIdle: boolean;
}

const unknownImpact = (...lines: readonly string[]): Impact => ({
  ...{ off: [], lines, inShort: lines, isIdle: false },
});

interface Runs {
  readonly prevented: readonly Run[];
  readonly others: readonly Run[];
  /** That may run then. */
  readonly unknown: readonly Action[];
  /** A run of its groups that is due when it ends. */
  readonly atEnd: Run | undefined;
  /** The first run of its groups after its end. */
  readonly next: Run | undefined;
}

/** "“Stop staging” today 7 PM leaves it out.", what may be due, or that nothing is. */
function inShort(
  { prevented, others, unknown, atEnd, next }: Runs,
  { resourceIds, type, process, from, until, isKnown }: Planned & { readonly isKnown: boolean },
  context: FillContext,
): Sentence {
  const them = resourceIds.length === 1 ? "it" : "them";
  const words = ([first, ...more]: readonly Run[]): Sentence =>
    first ? [`“${nameOf(first.action)}” `, { at: first.at }, more.length > 0 ? ` and ${more.length} more.` : "."] : [];
  const soon: Sentence =
    next && isSoonAfter(until, next.at) ? [` “${nameOf(next.action)}” follows `, { at: next.at }, "."] : [];
  if (prevented.length > 0) return ["Prevents ", ...words(prevented), ...soon];
  if (atEnd) return [`“${nameOf(atEnd.action)}” comes just then, and is not prevented.`];
  const sure = isKnown ? [] : others.filter((run) => isCertain(run, type, process));
  if (sure.length === 0 && unknown.length > 0) return unknownLines(unknown, context);
  if (!isKnown && others.length > 0) return ["May prevent ", ...words(sure.length > 0 ? sure : others)];
  // Their groups name all of their actions.
  const nothing = isKnown ? "Nothing" : "Nothing known";
  const isLater = from !== undefined && from > context.now;
  // Something may stop them before a plan begins.
  const [when, never] = isLater ? ["from then until ", "then"] : ["before ", "before then"];
  const before: Sentence = next ? [when, { at: next.at }, "."] : [`${never}.`];
  return [`${nothing} ${verbsOf[process]} ${them} `, ...before];
}

const verbsOf = { stop: "stops", start: "starts", both: "stops or starts" } as const;

/** The first run after its end of the actions that its groups name. */
function nextOf(named: readonly Action[], { process, until }: Planned): Run | undefined {
  const runs = named
    .filter((action) => action.isEnabled !== false && isForProcess(action, process))
    .flatMap((action) => {
      const at = runAfter(action, until);
      return at === undefined ? [] : [{ action, at }];
    });
  return runs.sort((one, other) => one.at - other.at)[0];
}

interface RunsWithin {
  /** The first run of each action in that time, soonest first. */
  readonly runs: readonly Run[];
  /** Those that may run then: their schedules do not say. */
  readonly unknown: readonly Action[];
}

function runsWithin(listed: readonly Action[], planned: Planned, now: number): RunsWithin {
  const { type, project, process, until } = planned;
  const after = Math.max(beginning(planned, { now }) - 1, now);
  const actions = listed
    .filter(({ projectId, isEnabled }) => projectId === project && isEnabled !== false)
    .filter((action) => actsOn(action, type) !== false && isForProcess(action, process) !== false);
  const runs = actions.flatMap((action) => {
    const at = runAfter(action, after);
    return at !== undefined && at < until ? [{ action, at }] : [];
  });
  return {
    runs: runs.sort((one, other) => one.at - other.at),
    unknown: actions.filter((action) => mayRunAfter(action, after)),
  };
}

/** The groups that name their actions and whose resources are all excluded. */
function groupsWithin({ resourceIds, type, project }: Planned, { settings }: FillContext) {
  const ids = new Set(resourceIds);
  return groupsWithAny(resourceIds, settings.resourceGroups).filter(
    ([, group]) =>
      group.actions && group.type === type && group.project === project && group.ids.every((id) => ids.has(id)),
  );
}

function isForProcess(action: Action, process: Planned["process"]): boolean | undefined {
  return process === "both" ? isFor("start", action) || isFor("stop", action) : isFor(process, action);
}

/** Whether an action's own type says that it acts so on such resources. */
function isCertain({ action }: Run, type: string, process: Planned["process"]): boolean {
  return actsOn(action, type) === true && isForProcess(action, process) === true;
}

function preventedLines(
  runs: readonly Run[],
  groups: readonly NamedGroup[],
  planned: Planned,
  context: FillContext,
): readonly string[] {
  const { process, until } = planned;
  const { actor } = context;
  if (groups.length === 0) return [];
  const more = runs.length - shownRuns;
  if (runs.length > 0)
    return [
      ...runs.slice(0, shownRuns).map(({ action, at }) => {
        const later = (runAfter(action, at) ?? until) < until ? ", and its later runs before the end" : "";
        return `Prevents “${nameOf(action)}”: ${dayAndTime(at, actor.timeZone)}${later}.`;
      }),
      ...(more > 0
        ? [`Prevents ${more === 1 ? "1 more action" : `${more} more actions`} of ${quotedNames(groups)}.`]
        : []),
    ];
  const what = `for ${processWords(processesOf[process])} runs ${whenWords(planned, context)}`;
  return [`No action of ${quotedNames(groups)} ${what}.`];
}

function quotedNames(groups: readonly NamedGroup[]): string {
  return groups.map(([name]) => `“${name}”`).join(" and ");
}

/** Those of an unknown kind are only counted. `isAlone`: nothing is said of actions that are prevented. */
function dueLines(
  runs: readonly Run[],
  planned: Planned & { readonly isAlone: boolean },
  context: FillContext,
): readonly string[] {
  const { type, project, process, isAlone } = planned;
  const { actor } = context;
  const due = runs.filter((run) => isCertain(run, type, process));
  const unsure = runs.filter((run) => !due.includes(run));
  const where = `Due in ${project}, ${resourceTypeLabel(type)}`;
  const what = `for ${processWords(processesOf[process])} ${whenWords(planned, context)}`;
  const count = due.length === 1 ? "1 action" : `${due.length} actions`;
  const none = isAlone ? [`${where}: no known action ${what}.`] : [];
  const some = [
    `${where}: ${count} ${what}${due.length > shownRuns ? "; the next three" : ""}:`,
    ...due.slice(0, shownRuns).map(({ action, at }) => `• ${nameOf(action)}: ${dayAndTime(at, actor.timeZone)}`),
    `${due.length === 1 ? "It" : "They"} may be for other resources.`,
  ];
  return [...(due.length > 0 ? some : none), ...unsureLines(unsure)];
}

function unsureLines([first, ...others]: readonly Run[]): readonly string[] {
  if (!first) return [];
  const [more, they] = others.length === 0 ? ["", "it is"] : [` and ${others.length} more`, "they are"];
  return [`“${nameOf(first.action)}”${more} may be due too: Curfew cannot tell what kind of resources ${they} for.`];
}

/** Of actions whose schedules say nothing of that time. */
function unknownLines([first, ...others]: readonly Action[], { actor, now }: FillContext): readonly string[] {
  if (!first) return [];
  const [more, its] = others.length === 0 ? ["", "its"] : [` and ${others.length} more`, "the first one's"];
  const next = shortMoment(instant(first.nextExecutionDate) ?? now, actor.timeZone, now);
  return [`Curfew can't tell whether “${nameOf(first)}”${more} will run then: it knows only ${its} next run, ${next}.`];
}

const nameOf = ({ name, actionId }: Action): string => name ?? actionId;

function whenWords({ from, until }: Planned, { actor, now }: FillContext): string {
  const end = dayAndTime(until, actor.timeZone);
  return from !== undefined && from > now ? `between ${dayAndTime(from, actor.timeZone)} and ${end}` : `before ${end}`;
}
