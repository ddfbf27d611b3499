import type { Fact } from "../answer.ts";
import { defineChange, defineQuery } from "../command.ts";
import { moment, span, text, toggle } from "../field.ts";
import { pageField } from "../lookup/page-of.ts";
import { alreadyExcluded } from "./already-excluded.ts";
import { derivePlace } from "./derive-place.ts";
import {
  effects,
  exclusionFacts,
  expiryOf,
  expiryProblem,
  hasOneEnd,
  keepWords,
  momentFact,
  namedIds,
  namedWords,
  stillHeld,
  targetOfChange,
  untilFact,
} from "./exclusion-body.ts";
import { exclusionEdit } from "./exclusion-edit.ts";
import { exclusionExtend, exclusionField } from "./exclusion-extend.ts";
import { madeAgain, ofSomebodyElse } from "./exclusion-over.ts";
import { exclusionNotes, previewEnd, previewExclusion } from "./exclusion-preview.ts";
import { listExclusions } from "./list-exclusions.ts";
import {
  beginning,
  exclusionPhrases,
  fromFact,
  howFields,
  nameOf,
  newExclusion,
  planProblem,
  whatFields,
} from "./new-exclusion.ts";
import { exclusionRepeat } from "./planned/exclusion-repeat.ts";
import { leaveOutOne, moveOne } from "./planned/leave-out.ts";
import { skip } from "./skip.ts";

const usualEnds = [
  { label: "1 h", words: "for 1h" },
  { label: "2 h", words: "for 2h" },
  { label: "Tonight", words: "until midnight" },
  { label: "Tomorrow morning", words: "until tomorrow morning" },
];

export const exclusionCreate = defineChange({
  words: "exclusion create",
  aliases: exclusionPhrases,
  shownAs: "keep <resourceIds> up",
  title: "Keep running",
  summary: "Keep something running or off for a while",
  step: {
    ...{ name: "keep_running", title: "Keep resources running" },
    inputs: ["resourceIds", "until", "project", "type", "another"],
    sets: { process: "stop" },
  },
  submit: ({ process = "stop" }) => effects.find(({ value }) => value === process)?.label ?? "Keep running",
  operation: "CreateActionExclusion",
  about: "exclusion",
  fields: {
    ...whatFields,
    from: moment({
      label: "From",
      hint: "If empty, it begins now",
      isStart: true,
      optional: true,
      redraws: true,
      folded: true,
    }),
    until: moment({ label: "Until", redraws: true, quick: usualEnds }),
    reason: text({ label: "Why", maxLength: 500, optional: true }),
    ...howFields,
    another: toggle({ label: "Another one", hidden: "form", optional: true }),
  },
  subjectId: () => null,
  complete: async (input, context) => ({
    process: "stop",
    until: beginning(input, context) + context.settings.exclusions.defaultMs,
    ...(await derivePlace(input.resourceIds ?? [], input, context)),
  }),
  already: (input, context) => alreadyExcluded(input, context),
  notes: (input, context) => exclusionNotes(input, context),
  preview: (input, context) => previewExclusion(input, context),
  // Fixed at the request: the group may have changed by the time of the approval.
  prepare: async (input, context) => ({ ...input, name: nameOf(input, context) }),
  request: (input, context) =>
    planProblem(input, context) ??
    expiryProblem(input.until, undefined, { ...context, now: beginning(input, context) }, input) ??
    newExclusion(input, context),
  replaces: (input) => input.replaces,
  target: ({ request, startsAt }, now) => ({
    projectId: request.projectId,
    resourceType: request.resourceType,
    resourceIds: namedIds(request),
    exclusionLengthMs: Date.parse(request.expiryDate) - beginning({ from: startsAt }, { now }),
  }),
  resources: ({ request }) => ({ claimed: request.resourceIds ?? [], resourceType: request.resourceType, before: [] }),
  describe: ({ request, after, startsAt }) => {
    const { actionExclusionId, curfewParts } = after ?? {};
    const made = { ...request, actionExclusionId, curfewParts };
    const doing = keepWords(request, "doing");
    return {
      done: keepWords(request, "did"),
      asked: keepWords(request, "want"),
      now: `${doing.charAt(0).toUpperCase()}${doing.slice(1)}`,
      facts: [...fromFact(startsAt), untilFact(request.expiryDate), ...exclusionFacts(made)],
    };
  },
  undo: ({ after }) => after && { words: "exclusion end", input: { exclusion: after.actionExclusionId } },
});

export const exclusionEnd = defineChange({
  words: "exclusion end",
  aliases: ["end", "unexclude", "stop excluding", "cancel"],
  title: "Stop keeping",
  summary: "Stop keeping something running or off",
  step: { name: "end_exclusion", title: "Stop keeping", inputs: ["exclusion"] },
  operation: "DeleteActionExclusion",
  about: "exclusion",
  confirms: "The schedule counts again now. Others may still keep it.",
  fields: { exclusion: exclusionField },
  subjectId: (input) => input.exclusion,
  asksFirst: (input, context) => ofSomebodyElse(input, context),
  preview: (input, context) => previewEnd(input.exclusion, context),
  request: (input) => ({ id: input.exclusion }),
  target: (occurrence, _now, directory) => targetOfChange(occurrence, undefined, directory),
  resources: ({ before }) => ({ claimed: [], resourceType: undefined, before: before?.resourceIds ?? [] }),
  describe: ({ request, before, at }) => {
    const doing = before ? keepWords(before, "doing", namedWords(before)) : request.id;
    const hadEnded = at !== undefined && before !== undefined && (expiryOf(before) ?? at) < at;
    const label = hadEnded ? "Ended before, as planned" : "Would have ended";
    const end: Fact[] = before?.expiryDate ? [{ label, value: momentFact(before.expiryDate) }] : [];
    return {
      done: before ? `stopped ${doing}` : `ended ${doing}`,
      asked: before ? `stop ${doing}` : `end ${doing}`,
      facts: [...end, ...exclusionFacts({ ...before, actionExclusionId: request.id })],
    };
  },
  undo: ({ before, at = 0 }) => (before && hasOneEnd(before, at) ? madeAgain(stillHeld(before, at)) : undefined),
});

export const exclusionList = defineQuery({
  words: "exclusion list",
  aliases: [
    ...["list", "exclusions", "list exclusions", "show exclusions", "what's excluded", "what is excluded"],
    { phrase: "my exclusions", sets: { which: "mine" } },
  ],
  title: "What is kept",
  summary: "Show what is kept, by whom, until when and why",
  // No operation lists exclusions (API.md), so the right to list actions stands for it.
  operation: "ListActions",
  fields: {
    which: text({
      label: "Filter",
      hint: "“mine”, “others”, a person, resource, group or other thing",
      example: "mine",
      maxLength: 200,
      positional: "rest",
      keepsMentions: true,
      optional: true,
    }),
    when: span({ label: "When", hint: "A day or a time, also a past one", optional: true }),
    page: pageField,
  },
  answer: ({ which = "", when, page = 1 }, context) => listExclusions({ which, when, page }, context),
});

export const exclusionCommands = [
  exclusionCreate,
  exclusionRepeat,
  skip,
  leaveOutOne,
  moveOne,
  exclusionList,
  exclusionExtend,
  exclusionEdit,
  exclusionEnd,
] as const;
