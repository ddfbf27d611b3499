import type { OperationInput } from "../../service/operations.ts";
import type { ActionExclusion } from "../../service/resources.ts";
import { formatDuration } from "../../time/duration.ts";
import { shortMoment } from "../../time/format-moment.ts";
import { type CommandButton, isProblem, type Problem } from "../answer.ts";
import { type CommandContext, defineChange } from "../command.ts";
import { type Extension, extension, type Input, reference, toggle } from "../field.ts";
import {
  exclusionFacts,
  expiryOf,
  expiryProblem,
  givesEndBack,
  isSameMoment,
  madeByChange,
  mayAlter,
  namedWords,
  resourcesOfChange,
  startOf,
  stillHeld,
  targetOfChange,
  timestampOf,
  untilFact,
  wholeBody,
} from "./exclusion-body.ts";
import { excludeAnew } from "./exclusion-edit.ts";
import { askField } from "./new-exclusion.ts";

export const exclusionField = reference("exclusion", {
  label: "What",
  hint: "A group, a machine, or the name or id",
  positional: true,
});

const hourMs = 3_600_000;

/** Adds an hour to the end that its reader sees. */
export const anHourMore = (exclusion: string, endsAt: number | undefined): CommandButton =>
  extendButton(exclusion, { forMs: hourMs, from: endsAt });

const extendButton = (
  exclusion: string,
  { forMs, from }: Extract<Extension, { forMs: number }>,
  more = "",
): CommandButton => ({
  label: `Extend ${formatDuration(forMs)}${more}`,
  words: "exclusion extend",
  opens: "result",
  input: { exclusion, until: from === undefined ? { forMs } : { forMs, from } },
});

/** Opens the form for an earlier end. */
export const shortenButton = (exclusion: string): CommandButton => ({
  ...{ label: "Shorten…", words: "exclusion extend", opens: "form", input: { exclusion, shorter: true } },
});

export const exclusionExtend = defineChange({
  words: "exclusion extend",
  aliases: ["extend", "prolong", { phrase: "shorten", sets: { shorter: true } }],
  title: "Keep longer",
  summary: "Keep something longer, or until another time",
  step: { name: "extend_exclusion", title: "Keep longer", inputs: ["exclusion", "until"] },
  submit: ({ shorter }) => (shorter ? "Shorten" : "Extend"),
  formTitle: ({ shorter }) => (shorter ? "Shorten" : undefined),
  operation: "ModifyActionExclusion",
  about: "exclusion",
  fields: {
    exclusion: exclusionField,
    until: extension({ label: "Until", redraws: true }),
    shorter: toggle({ label: "Shorten it", hidden: "form", optional: true }),
    ask: askField,
  },
  subjectId: (input) => input.exclusion,
  propose: async ({ exclusion: id, until: asked, shorter }, context) => {
    if (asked && "until" in asked) return {};
    const { directory, settings, now } = context;
    const entity = id ? await directory.get("exclusion", id) : undefined;
    const end = entity && mayAlter(entity, "ModifyActionExclusion", context) ? expiryOf(entity.body) : undefined;
    if (end === undefined) return {};
    if (shorter) return asked ? { until: { until: end - asked.forMs } } : {};
    return { until: { until: Math.max(end, now) + (asked?.forMs ?? settings.exclusions.defaultMs) } };
  },
  request: (input, context, before) => {
    if (!before) return unknownExclusion;
    const end = input.shorter ? earlierEnd(input, before, context) : laterEnd(input, before, context);
    return isProblem(end) ? end : bodyWithEnd(end.at, before, context);
  },
  target: (occurrence, now, directory) =>
    targetOfChange(occurrence, { until: Date.parse(occurrence.request.expiryDate), now }, directory),
  resources: resourcesOfChange,
  makes: madeByChange,
  describe: ({ request, before, after }) => {
    const what = namedWords({ ...before, ...request });
    const isShorter = before !== undefined && (expiryOf(before) ?? 0) > Date.parse(request.expiryDate);
    return {
      done: `${isShorter ? "shortened" : "extended"} ${what}`,
      asked: `${isShorter ? "shorten" : "extend"} ${what}`,
      now: `${what}: now`,
      facts: [
        untilFact(request.expiryDate, before?.expiryDate),
        ...exclusionFacts({ ...before, ...request, ...after, actionExclusionId: request.id }),
      ],
    };
  },
  undo: (occurrence) => {
    const { request, before } = occurrence;
    const end = before && expiryOf(before);
    return end === undefined || !givesEndBack(occurrence)
      ? undefined
      : { words: "exclusion extend", input: { exclusion: request.id, until: { until: end } } };
  },
});

const unknownExclusion: Problem = {
  field: "exclusion",
  problem:
    "Curfew doesn't know this one: it was made elsewhere, or its id is mistyped. Nothing was changed. “list” shows those you can extend.",
};

interface End {
  readonly at: number;
}

interface Moved {
  readonly exclusion: string;
  readonly until: Extension;
}

/** For so long after its end a button still adds time. */
const stillMeantMs = 10 * 60_000;

/**
 * Time is added to a past end from now on, or the new end might already be over. A button that was pressed by two people, or on two
 * messages, for the same end adds its time once.
 */
function laterEnd(
  { exclusion, until: asked }: Moved,
  before: ActionExclusion,
  { now, actor }: CommandContext,
): End | Problem {
  if ("until" in asked) return { at: asked.until };
  const present = expiryOf(before);
  // An old button: the person may think that it is still kept.
  if (present !== undefined && asked.from !== undefined && present < now - stillMeantMs)
    return {
      field: "until",
      problem: `This was over ${shortMoment(present, actor.timeZone, now)}. Nothing was changed.`,
      buttons: [excludeAnew(before)],
    };
  if (present === undefined || asked.from === undefined || isSameMoment(present, asked.from))
    return { at: Math.max(present ?? 0, now) + asked.forMs };
  return {
    field: "until",
    problem: `It has another end by now: ${shortMoment(present, actor.timeZone, now)}. Nothing was changed.`,
    buttons: [extendButton(exclusion, { forMs: asked.forMs, from: present }, " more")],
  };
}

function earlierEnd(
  { exclusion, until: asked }: Moved,
  before: ActionExclusion,
  { now, actor }: CommandContext,
): End | Problem {
  const present = expiryOf(before);
  if (present === undefined) return "until" in asked ? { at: asked.until } : noEnd;
  if ("until" in asked) {
    if (asked.until <= present) return { at: asked.until };
    return {
      field: "until",
      problem: `It ends before that, ${shortMoment(present, actor.timeZone, now)}. Nothing was changed.`,
      buttons: [{ label: "Extend it", words: "exclusion extend", opens: "result", input: { exclusion, until: asked } }],
    };
  }
  const at = present - asked.forMs;
  if (at > now) return { at };
  const left = present > now ? `It ends in ${formatDuration(present - now)}` : "It has ended";
  return {
    field: "until",
    problem: `${left}, so it can't be shortened by ${formatDuration(asked.forMs)}. Nothing was changed.`,
    buttons: [{ label: "End now", words: "exclusion end", opens: "result", input: { exclusion } }],
  };
}

const noEnd: Problem = {
  field: "until",
  problem: "Curfew does not know when it ends. Nothing was changed: give the new end, such as “to 18:00”.",
};

function bodyWithEnd(
  end: number,
  before: ActionExclusion,
  context: CommandContext,
): OperationInput<"ModifyActionExclusion"> | Problem {
  const problem = expiryProblem(end, startOf(before), context);
  if (problem) return problem;
  if (!isSameMoment(end, expiryOf(before)))
    return wholeBody(stillHeld(before, context.now), { expiryDate: timestampOf(end) });
  const { actor, now } = context;
  return {
    field: "until",
    problem: `It ends ${shortMoment(end, actor.timeZone, now)} already. Nothing was changed: choose another end.`,
    met: { exclusion: before.actionExclusionId, endsAt: end },
  };
}

/** "End in 3 h": the latest end that the limits leave. */
export function extendTo(input: Input, until: number, now: number): CommandButton {
  const { shorter: _shorter, ...rest } = input;
  const allowed = { ...rest, until: { until } };
  return { label: `End in ${formatDuration(until - now)}`, words: "exclusion extend", opens: "result", input: allowed };
}
