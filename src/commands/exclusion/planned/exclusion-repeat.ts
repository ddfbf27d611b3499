import { formatTime, shortMoment } from "../../../time/format-moment.ts";
import { wallClockAt } from "../../../time/wall-clock.ts";
import { isProblem } from "../../answer.ts";
import { defineChange, type FillContext, type Preview } from "../../command.ts";
import { recurrence, text } from "../../field.ts";
import { derivePlace } from "../derive-place.ts";
import { effects, exclusionFacts, processWords, resourceWords } from "../exclusion-body.ts";
import { howFields, whatFields } from "../exclusion-fields.ts";
import { exclusionNotes } from "../exclusion-notes.ts";
import { repeatPhrases } from "../exclusion-phrases.ts";
import { nameOf, newExclusion } from "../new-exclusion.ts";
import { alreadyPlanned } from "./already-planned.ts";
import { overlapLines } from "./overlapping-plans.ts";
import { longestIn, occurrencesFrom, type Repeated, repeatPlan, timesIn } from "./repeat-plan.ts";

/** An exclusion that comes again: each time is a change by itself, which its series has approved. */
export const exclusionRepeat = defineChange({
  words: "exclusion repeat",
  aliases: repeatPhrases,
  title: "Repeated exclusion",
  summary: "Keep resources out of their schedule again and again",
  submit: ({ process = "stop" }) => effects.find(({ value }) => value === process)?.label ?? "Keep running",
  operation: "CreateActionExclusion",
  about: "exclusion",
  fields: {
    ...whatFields,
    every: recurrence({
      label: "Every",
      hint: "Days, times and the last day; without days off: “not on holidays”",
      redraws: true,
    }),
    reason: text({ label: "Why", maxLength: 500, optional: true }),
    ...howFields,
    leftOut: text({ label: "Left out", maxLength: 700, hidden: "all", isKept: true, optional: true }),
  },
  subjectId: () => null,
  complete: async (input, context) => ({
    process: "stop",
    ...(await derivePlace(input.resourceIds ?? [], input, context)),
  }),
  notes: (input, context) => exclusionNotes(input, context),
  preview: previewRepeat,
  already: async (input, context) => {
    const planned = await repeatPlan(input, context);
    if (isProblem(planned)) return planned;
    return alreadyPlanned({ ...input, words: "exclusion repeat" }, planned.occurrences, context);
  },
  prepare: async (input, context) => ({ ...input, name: nameOf(input, context) }),
  request: (input, context) => {
    const occurrences = occurrencesFrom(input, context);
    return isProblem(occurrences)
      ? occurrences
      : newExclusion({ ...input, until: occurrences[0]?.endsAt ?? context.now }, context);
  },
  replaces: (input) => input.replaces,
  // Before its times are known, it is judged without a length; and then each of them is, too.
  target: ({ request }) => ({
    projectId: request.projectId,
    resourceType: request.resourceType,
    exclusionLengthMs: longestIn(request),
  }),
  resources: ({ request }) => ({ claimed: request.resourceIds ?? [], resourceType: request.resourceType, before: [] }),
  describe: ({ request }) => {
    const times = timesIn(request);
    const what = `${resourceWords(request.resourceIds)} from ${processWords(request.processes)}${times ? ` ${times}` : ""}`;
    return { done: `excluded ${what}`, asked: `exclude ${what}`, facts: exclusionFacts(request) };
  },
  series: {
    isTimed: true,
    operations: ["CreateActionExclusion"],
    plan: async (input, context) => {
      const planned = await repeatPlan(input, context);
      return isProblem(planned) ? planned : planned.plan;
    },
    further: () => [],
    staysUndone: "",
  },
});

const shownTimes = 3;

/** How often it is, when it is first, and what is left out. */
async function previewRepeat(
  {
    resourceIds,
    type,
    project,
    process,
    every,
    leftOut,
    replaces,
  }: Partial<Repeated> & {
    readonly replaces?: string | undefined;
  },
  context: FillContext,
): Promise<Preview> {
  if (!resourceIds || !type || !project || !process || !every) return { lines: [], buttons: [] };
  const planned = await repeatPlan({ resourceIds, type, project, process, every, leftOut }, context);
  if (isProblem(planned)) return { lines: [planned.problem], buttons: planned.buttons ?? [] };
  const { occurrences, daysOff } = planned;
  const { timeZone } = context.actor;
  const first = occurrences.slice(0, shownTimes).map(({ startsAt, endsAt }) => {
    const { hour, minute } = wallClockAt(endsAt, timeZone);
    return `${shortMoment(startsAt, timeZone, context.now)}–${formatTime({ hour, minute })}`;
  });
  const count = occurrences.length === 1 ? "Once" : `${occurrences.length} times`;
  const more = occurrences.length > shownTimes ? ", …" : "";
  const lines = [
    `${count}: ${first.join(", ")}${more}.`,
    ...(daysOff.length > 0 ? [`Left out: ${daysOff.slice(0, 10).join(", ")}${daysOff.length > 10 ? ", …" : ""}.`] : []),
  ];
  const others = await overlapLines({ resourceIds, process, replaces }, occurrences, context);
  return { lines: [...lines, ...others], buttons: [], answer: { effect: lines.join(" "), lines: others } };
}
