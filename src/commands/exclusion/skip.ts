import { z } from "zod";
import type { Entity } from "../../directory/directory.ts";
import type { NamedGroup } from "../../directory/group-index.ts";
import { unknownProject } from "../../permissions/decide.ts";
import { isFor } from "../../service/action-types.ts";
import { shortDay, shortMoment } from "../../time/format-moment.ts";
import { isoDay } from "../../time/recurrence.ts";
import { momentOf, wallClockAt } from "../../time/wall-clock.ts";
import type { CommandButton, Problem } from "../answer.ts";
import type { FillContext, Inverse, ShortcutCommand } from "../command.ts";
import { choice, type Input, moment, text, ticket } from "../field.ts";
import { keepRunningButtons } from "../lookup/run-line.ts";
import { hasWord, longestWord } from "../thing.ts";
import { exclusionOperation } from "./exclusion-body.ts";
import { afterRunMs, dayOf, keptUntil, type Lasting, lastings } from "./kept-until.ts";
import { comingRun, groupsOfAction, nextRunOf } from "./next-run.ts";
import { timePlanned, without } from "./planned/leave-out.ts";
import { groupTarget } from "./resource-context.ts";

/** Excludes a group, or the group of an action, until just after its next run. */
export const skip: ShortcutCommand = {
  kind: "shortcut",
  words: "skip",
  aliases: ["skip <thing> on <day>"],
  title: "Skip a run",
  summary: "Keep a group out of its next run, or a later one",
  operation: exclusionOperation,
  fields: {
    thing: text({
      label: "Group or action",
      hint: "A resource group, or an action by its name or id",
      example: "staging",
      maxLength: 1000,
      positional: "rest",
    }),
    day: moment({ label: "Day", isDay: true, hidden: "form", optional: true }),
    // A warning says of which run it is, and how long its choices last.
    run: moment({ label: "Run", hidden: "all", optional: true }),
    lasting: choice(lastings, { label: "Lasting", hidden: "all", optional: true }),
    process: choice(
      [
        { value: "stop", label: "Stop" },
        { value: "start", label: "Start" },
      ],
      { label: "Process", hidden: "all", optional: true },
    ),
    reason: text({ label: "Reason", maxLength: 500, optional: true }),
    ticket,
  },
  leadsTo: async ({ thing, day, run, lasting, process: warnedOf, ...said }, context) => {
    const warned = warnedRun.safeParse({ run, lasting, process: warnedOf }).data;
    if (warned) return skipWarned(String(thing), warned, said, context);
    const on = typeof day === "number" ? day : undefined;
    const planned = on === undefined ? undefined : await timePlanned(String(thing), on, context);
    if (planned) return without(planned);
    const skipped = await runToSkip(String(thing), on === undefined ? context : fromDay(on, context), on);
    if ("problem" in skipped) return skipped;
    const { group, at, process } = skipped;
    if (on !== undefined && !isOfDay(at, on, context)) return notOn(String(thing), on, at, context);
    const { ids, type, project } = group[1];
    // Other runs before it are none of its business.
    const isNow = process === "stop" && isOfDay(at, context.now, context);
    const from = isNow ? {} : { from: Math.max(at - afterRunMs, context.now) };
    return {
      words: "exclusion create",
      input: { resourceIds: ids, type, project, process, ...from, until: at + afterRunMs, ...said },
    };
  },
};

/** The small hours belong to the evening before, too: “tonight”. */
const nightMs = 6 * 3_600_000;

/** Whether a run is on that day, or in the night after it. */
function isOfDay(at: number, day: number, { actor }: FillContext): boolean {
  const that = isoDay(wallClockAt(day, actor.timeZone));
  return [at, at - nightMs].some((each) => isoDay(wallClockAt(each, actor.timeZone)) === that);
}

/** As somebody sees it at the beginning of that day, if it is not today. */
function fromDay(day: number, context: FillContext): FillContext {
  const { timeZone } = context.actor;
  const at = momentOf({ ...wallClockAt(day, timeZone), hour: 0, minute: 0 }, timeZone);
  return { ...context, now: Math.max(context.now, at - 1) };
}

const notOn = (thing: string, day: number, at: number, { actor, now }: FillContext): Problem => ({
  problem: `${thing} has no run on ${shortDay(day, actor.timeZone)}. The next one after that is ${shortMoment(at, actor.timeZone, now)}. Nothing was changed.`,
});

interface Skipped {
  readonly group: NamedGroup;
  readonly at: number;
  readonly process: "start" | "stop";
}

async function runToSkip(thing: string, context: FillContext, day: number | undefined): Promise<Skipped | Problem> {
  const groups = Object.entries(context.settings.resourceGroups);
  const named = groups.find(([name]) => name.toLowerCase() === thing.toLowerCase());
  if (named) return skippedRun(named, await nextRunOf({ group: named[1] }, context));
  // A machine comes and goes with its group.
  const [own, ...elsewhere] = groups.filter(([, { ids }]) => ids.includes(thing));
  if (own && elsewhere.length === 0)
    return skippedRun([thing, { ...own[1], ids: [thing] }], await nextRunOf({ group: own[1] }, context));
  const found = await groupsOfAction(thing, context);
  if ("problem" in found) return found;
  const actions = (await context.directory.match("action", thing)).filter((action) => mayList(action, context));
  const like = actions.length > 0 ? actions : await actionsLike(thing, context);
  const [whole, ...others] = actions.length > 0 ? [] : like.filter(({ name }) => namesAll(name ?? "", thing));
  if (whole && others.length === 0) return runToSkip(whole.id, context, day);
  const [action, ...more] = like;
  if (action && more.length === 0 && isFor("backup", action.body)) return notOfBackups(action);
  const [group, ...otherGroups] = found;
  if (otherGroups.length > 0) return severalGroups(thing, found, day);
  if (action && (more.length > 0 || actions.length === 0)) return severalActions(thing, [action, ...more], day);
  if (action && group) return skippedRun(group, await nextRunOf({ actionId: action.id }, context));
  return action ? unnamedMachines(action, context) : unclear(thing);
}

const mayList = ({ projectId }: Entity<"action">, { may }: FillContext): boolean =>
  may("ListActions", { projectId: projectId ?? unknownProject });

const maxSearched = 100;
const shownChoices = 5;

async function actionsLike(thing: string, context: FillContext): Promise<readonly Entity<"action">[]> {
  const found = await context.directory.search("action", longestWord(thing), maxSearched);
  const like = found.filter(({ name }) => name !== null && (hasWord(name, thing) || namesAll(name, thing)));
  return like.filter((action) => mayList(action, context)).slice(0, shownChoices);
}

/** "build stop" says all that matters of “Stop the build machines”. */
function namesAll(name: string, thing: string): boolean {
  const words = thing
    .toLowerCase()
    .split(/\W+/)
    .filter((word) => word !== "" && !small.has(word));
  return words.length > 1 && words.every((word) => hasWord(name, word));
}

const small: ReadonlySet<string> = new Set(["the", "of", "a", "run", "job", "s"]);

function skippedRun(group: NamedGroup, run: Awaited<ReturnType<typeof nextRunOf>>): Skipped | Problem {
  if (run === undefined) return { problem: `Nothing is due that would stop ${group[0]}. Nothing was changed.` };
  if ("problem" in run) return { problem: `${run.problem} Nothing was changed.` };
  return { group, at: run.at, process: isFor("start", run.action) ? "start" : "stop" };
}

/** API.md names two processes that exclusions hold back: starts and stops. */
function notOfBackups({ id, name }: Entity<"action">): Problem {
  return {
    problem: `${name ?? id} is a backup, and only stops and starts can be skipped. Nothing was changed. Change its schedule in the service itself.`,
    buttons: [{ label: "Next runs", words: "next", opens: "result", input: { thing: id } }],
  };
}

const skipThis = (label: string, thing: string, day: number | undefined): CommandButton => ({
  ...{ label, words: "skip", opens: "result", input: { thing, ...(day === undefined ? {} : { day }) } },
});

function severalGroups(thing: string, groups: readonly NamedGroup[], day: number | undefined): Problem {
  const shown = groups.slice(0, shownChoices).map(([name]) => name);
  return {
    problem: `“${thing}” is about more than one group. Nothing was changed. Which one?`,
    buttons: shown.map((name) => skipThis(name, name, day)),
  };
}

function severalActions(thing: string, actions: readonly Entity<"action">[], day: number | undefined): Problem {
  const shown = actions.slice(0, shownChoices);
  return {
    problem: `“${thing}” is a part of the name of ${shown.map(({ id, name }) => name ?? id).join(" and ")}. Nothing was changed. Which run do you want to skip?`,
    buttons: shown.map(({ id, name }) => skipThis(`${name ?? id} (${id})`, id, day)),
  };
}

/** The actions of this name, which may leave out its verb: “staging databases” are what “Stop staging databases” stops. */
export async function actionsCalled(name: string, context: FillContext): Promise<readonly Entity<"action">[]> {
  const found = ["", "stop ", "start "].map((verb) => context.directory.match("action", `${verb}${name}`));
  return (await Promise.all(found)).flat().filter((action) => mayList(action, context));
}

/** An action does not name what it acts on (API.md). */
export function unnamedMachines({ id, name, body }: Entity<"action">, context: FillContext): Problem {
  const at = comingRun(body, context.now);
  return {
    problem: `No group names the machines of ${name ?? id}, so Curfew can't tell which to keep out of it. Nothing was changed. Name them once, or give their ids now.`,
    buttons: at === undefined ? [] : keepRunningButtons({ action: body, at }, context).forms,
  };
}

function unclear(thing: string): Problem {
  return {
    problem: `I don't know “${thing}” as a group, or as an action that you may see. Nothing was changed. “groups” shows the groups, and “actions” what runs.`,
  };
}

/** The run that somebody was warned of, and how long it should be held back. */
export const warnedRun = z.object({
  run: z.number(),
  lasting: z.enum(lastings.map(({ value }) => value)),
  process: z.enum(["stop", "start"]),
});

interface WarnedRun {
  readonly run: number;
  readonly lasting: Lasting;
  readonly process: "stop" | "start";
}

/** Excludes the group that a warning names; of several it asks which. What was said beside it is passed on. */
export function skipWarned(names: string, warned: WarnedRun, said: Input, context: FillContext): Inverse | Problem {
  const { run, lasting, process } = warned;
  const wanted = names.toLowerCase().split(" ");
  const groups = Object.entries(context.settings.resourceGroups).filter(([name]) => wanted.includes(name));
  const [first, ...others] = groups;
  if (!first)
    return {
      problem: `I don't know ${wanted.map((name) => `“${name}”`).join(" or ")} as a group that you may see. Nothing was changed. “groups” shows the groups.`,
      buttons: [formButton(run > context.now ? { until: run + afterRunMs } : {})],
    };
  if (others.length > 0) return whichGroup(groups, warned, context);
  const [name, { ids, type, project }] = first;
  if (run <= context.now) return isOver(name, { resourceIds: ids, type, project, process });
  const until = keptUntil(run, lasting, dayOf(context));
  return { words: "exclusion create", input: { resourceIds: ids, type, project, process, until, ...said } };
}

function whichGroup(groups: readonly NamedGroup[], warned: WarnedRun, { may, now }: FillContext): Problem {
  const until = Math.max(0, warned.run - now);
  const allowed = groups.filter(([, group]) => may("CreateActionExclusion", groupTarget(group, until)));
  // Whoever may exclude none of them is shown all: the answer says whom to ask.
  const shown = allowed.length > 0 ? allowed : groups;
  return {
    problem: "This is about more than one group. Nothing was changed yet. Which one?",
    select: {
      ...{ words: "skip", field: "thing", input: { ...warned }, placeholder: "Choose a group…" },
      options: shown.slice(0, maxOptions).map(([name]) => ({ label: name, value: name })),
    },
  };
}

/** Slack's limit of a select. */
const maxOptions = 100;

const formButton = (input: Input): CommandButton => ({
  ...{ label: "Open the form", words: "exclusion create", opens: "form", input },
});

const isOver = (name: string, input: Input): Problem => ({
  problem: `This run of ${name} was due already. Nothing was changed. You can skip the next one.`,
  buttons: [formButton(input)],
});
