import type { Entity } from "../../directory/directory.ts";
import { amongResources } from "../../directory/resources.ts";
import { actorKind } from "../../permissions/actor.ts";
import { unknownProject } from "../../permissions/decide.ts";
import { shortMoment } from "../../time/format-moment.ts";
import type { CommandButton, Problem } from "../answer.ts";
import type { FillContext } from "../command.ts";
import { type Input, reasonAndTicket } from "../field.ts";
import type { Span } from "../query-ports.ts";
import { endAmong, expiryOf, makerOf, mayAlter, processesOf, resourceWords, verbsFor } from "./exclusion-body.ts";
import { anHourMore } from "./exclusion-extend.ts";
import { beginning } from "./new-exclusion.ts";
import { exclusionsHolding } from "./overlapping-exclusions.ts";
import { plansFor, plansSeen, whatOf } from "./planned/plans.ts";
import { groupOf } from "./resource-context.ts";

/** What is to be held back. */
interface Held {
  readonly resourceIds: readonly string[];
  readonly type: string;
  readonly project: string;
  readonly process: keyof typeof processesOf;
  /** The id of the plan that it takes the place of. */
  readonly replaces?: string | undefined;
}

interface Planned extends Held {
  /** In epoch ms; undefined for one that begins now. */
  readonly from?: number | undefined;
  readonly until: number;
  readonly another?: true | undefined;
}

type Exclusion = Entity<"exclusion">;

/** Nobody asks again for less than this. */
const minuteMs = 60_000;

/** Why a new exclusion would be a second one for the same resources: one in force lasts as long, or could be extended. */
export async function alreadyExcluded(planned: Planned, context: FillContext): Promise<Problem | undefined> {
  if (planned.another) return undefined;
  const { resourceIds } = planned;
  const processes = processesOf[planned.process];
  const start = beginning(planned, context);
  const planning =
    start > context.now
      ? await alreadyPlanned(
          { ...planned, words: "exclusion create" },
          [{ startsAt: start, endsAt: planned.until }],
          context,
        )
      : undefined;
  if (planning) return planning;
  const holding = await exclusionsHolding(context.directory, { resourceIds, processes }, start);
  const there = holding.filter((each) => isOfSamePlace(each, planned));
  const inForce = there.map((exclusion) => ({ exclusion, isNamed: amongResources(exclusion.body.resourceIds) }));
  const ends = resourceIds.flatMap((id) =>
    processes.map((process) =>
      Math.max(
        0,
        ...inForce
          .filter(covers(id, process))
          .map(({ exclusion }) => endAmong(exclusion.body, [id]) ?? Number.POSITIVE_INFINITY),
      ),
    ),
  );
  const whole = inForce.filter((each) => resourceIds.every((id) => processes.every((one) => covers(id, one)(each))));
  const [longest] = whole.map(({ exclusion }) => exclusion).toSorted((one, other) => endOf(other) - endOf(one));
  const end = Math.min(...ends);
  const isLonger = planned.until - end >= minuteMs;
  if (isLonger && !longest) return undefined;
  const words = await alreadyWords(planned, { end, by: longest }, context);
  const problem = `${words}. Nothing was changed.${howToRepeat[actorKind(context.actor.userId)]}`;
  if (isLonger && longest) return { problem, ...longer(planned, longest, context) };
  return {
    ...{ field: "resourceIds", problem },
    met: { exclusion: longest && maySee(longest, context) ? longest.id : undefined, endsAt: finite(end) },
    buttons: [...(longest ? extendButtons(longest, context) : []), makeAnother(planned)],
  };
}

/** A program presses no button. */
const howToRepeat = {
  person: "",
  caller: " To make another one, add “--another” to the line.",
  workflow: " To make another one, set “Another one” in the step.",
} as const;

const makeAnother = (planned: Planned): CommandButton => ({
  ...{ label: "Make another", words: "exclusion create", opens: "result", input: { ...planned, another: true } },
});

const finite = (at: number): number | undefined => (Number.isFinite(at) ? at : undefined);

const maySee = ({ projectId }: Exclusion, { may }: FillContext): boolean =>
  may("ListActions", { projectId: projectId ?? unknownProject });

/** Ids of some types are names, which resources elsewhere may have too. */
function isOfSamePlace({ projectId, body }: Exclusion, { project, type }: Planned): boolean {
  return projectId === project && body.resourceType === type && body.resourceIdentificationMethod === "by-resource-id";
}

const covers =
  (id: string, process: string) =>
  ({ exclusion: { body }, isNamed }: Named): boolean =>
    (body.processes ?? []).includes(process) && isNamed(id);

interface Named {
  readonly exclusion: Exclusion;
  readonly isNamed: (id: string) => boolean;
}

/** An exclusion without an end lasts for ever. */
const endOf = ({ body }: Exclusion): number => expiryOf(body) ?? Number.POSITIVE_INFINITY;

/** "staging is kept running already until …, by alice". Who made what is said only to those who may see it. */
async function alreadyWords(
  { resourceIds, process }: Planned,
  { end, by }: { readonly end: number; readonly by: Exclusion | undefined },
  context: FillContext,
): Promise<string> {
  const { settings, actor, now } = context;
  const what = groupOf(resourceIds, settings.resourceGroups) ?? resourceWords(resourceIds);
  const { did, how } = verbsFor(processesOf[process]);
  const until = Number.isFinite(end) ? ` until ${shortMoment(wholeMinute(end), actor.timeZone, now)}` : "";
  const named = by && maySee(by, context) ? `, by ${await makerOf(by, context)}` : "";
  const isOne = resourceIds.length === 1 || what !== resourceWords(resourceIds);
  return `${what} ${isOne ? "is" : "are"} ${did} ${how} already${until}${named}`;
}

function longer(planned: Planned, longest: Exclusion, context: FillContext): Pick<Problem, "buttons" | "instead"> {
  const until = shortMoment(wholeMinute(planned.until), context.actor.timeZone, context.now);
  const extend: CommandButton = {
    label: `Extend that one to ${until}`,
    words: "exclusion extend",
    opens: "result",
    input: { exclusion: longest.id, until: { until: planned.until }, ...reasonAndTicket({ ...planned }) },
  };
  const another = makeAnother(planned);
  return mayAlter(longest, "ModifyActionExclusion", context)
    ? { buttons: [extend, another], instead: isOfThese(planned, longest) ? extend : another }
    : { buttons: [another] };
}

/** Whether it holds nothing else, which would last longer too. */
const isOfThese = ({ resourceIds }: Planned, { body }: Exclusion): boolean =>
  (body.resourceIds ?? []).every(amongResources(resourceIds));

/** For somebody who meant to have it longer. */
function extendButtons(longest: Exclusion, context: FillContext): readonly CommandButton[] {
  if (!mayAlter(longest, "ModifyActionExclusion", context) || expiryOf(longest.body) === undefined) return [];
  const input = { exclusion: longest.id };
  return [
    anHourMore(longest.id, expiryOf(longest.body)),
    { label: "Extend…", words: "exclusion extend", opens: "form", input },
  ];
}

const wholeMinute = (at: number): number => Math.floor(at / minuteMs) * minuteMs;

/** Why a plan would be a second one: another has all of these times. */
export async function alreadyPlanned(
  { words, ...planned }: Held & Input & { readonly words: string },
  spans: readonly Span[],
  context: FillContext,
): Promise<Problem | undefined> {
  const { resourceIds, project, type, process, replaces } = planned;
  const covering = (await plansFor(context, resourceIds)).find(
    (plan) =>
      plan.id !== replaces &&
      plan.projectId === project &&
      plan.resourceType === type &&
      processesOf[process].every((each) => plan.processes.includes(each)) &&
      resourceIds.every((id) => plan.resourceIds.some((each) => each.toLowerCase() === id.toLowerCase())) &&
      spans.every((span) =>
        plan.spans.some(({ startsAt, endsAt }) => startsAt <= span.startsAt && endsAt >= span.endsAt),
      ),
  );
  if (!covering) return undefined;
  const isSeen = (await plansSeen(context, resourceIds)).some(({ id }) => id === covering.id);
  const isOne = resourceIds.length === 1 || groupOf(resourceIds, context.settings.resourceGroups) !== undefined;
  const which = isSeen ? ` (change ${covering.id})` : "";
  const show = { label: "Show it", words: "history", opens: "result", input: { which: covering.id } } as const;
  const edit = { label: "Change the times…", words, opens: "form", input: planned } as const;
  return {
    problem: `${whatOf(resourceIds, context)} ${isOne ? "is" : "are"} planned already for all of that time${which}. Nothing was changed. Choose other times.`,
    buttons: [...(isSeen ? [show] : []), edit],
  };
}
