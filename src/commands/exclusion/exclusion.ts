import { resourceTypes } from "../../service/resources.ts";
import type { Fact } from "../answer.ts";
import { type CommandContext, defineChange, defineQuery } from "../command.ts";
import { choice, moment, reference, resourceIds, text, toggle } from "../field.ts";
import { pageField } from "../lookup/page-of.ts";
import { alreadyExcluded } from "./already-excluded.ts";
import { derivePlace } from "./derive-place.ts";
import {
  effects,
  exclusionFacts,
  expiryOf,
  expiryProblem,
  momentFact,
  processesOf,
  processWords,
  resourceWords,
  targetOfChange,
  timestampOf,
  untilFact,
} from "./exclusion-body.ts";
import { exclusionEdit } from "./exclusion-edit.ts";
import { exclusionExtend, exclusionField } from "./exclusion-extend.ts";
import { exclusionNotes } from "./exclusion-notes.ts";
import { previewEnd, previewExclusion } from "./exclusion-preview.ts";
import { listExclusions } from "./list-exclusions.ts";
import { groupOf } from "./resource-context.ts";
import { skip } from "./skip.ts";

const usualEnds = [
  { label: "1 h", words: "for 1h" },
  { label: "2 h", words: "for 2h" },
  { label: "Tonight", words: "until tonight" },
  { label: "Tomorrow morning", words: "until tomorrow morning" },
];

export const exclusionCreate = defineChange({
  words: "exclusion create",
  aliases: [
    "exclude",
    "keep <resourceIds> up",
    "keep <resourceIds> running",
    "keep <resourceIds> on",
    "keep <resourceIds> alive",
    "leave <resourceIds> running",
    "don't stop <resourceIds>",
    "dont stop <resourceIds>",
    "do not stop <resourceIds>",
    "exclude <resourceIds> from stopping",
    "exclude <resourceIds> from stop",
    { phrase: "exclude <resourceIds> from starting", sets: { process: "start" } },
    { phrase: "exclude <resourceIds> from start", sets: { process: "start" } },
    { phrase: "exclude <resourceIds> from start and stop", sets: { process: "both" } },
    { phrase: "exclude <resourceIds> from starting and stopping", sets: { process: "both" } },
    { phrase: "keep <resourceIds> off", sets: { process: "start" } },
    { phrase: "don't start <resourceIds>", sets: { process: "start" } },
    { phrase: "do not start <resourceIds>", sets: { process: "start" } },
    { phrase: "leave <resourceIds> alone", sets: { process: "both" } },
  ],
  title: "New exclusion",
  summary: "Keep resources out of their schedule for a while",
  submit: ({ process = "stop" }) => effects.find(({ value }) => value === process)?.label ?? "Keep running",
  operation: "CreateActionExclusion",
  about: "exclusion",
  fields: {
    resourceIds: resourceIds({
      label: "What",
      hint: "Resource groups, ids or links, separated by spaces, commas or lines",
      positional: "rest",
      redraws: true,
      typedBy: "type",
      placedBy: "project",
    }),
    type: choice(
      resourceTypes.map((type) => ({ value: type, label: type })),
      {
        label: "Resource type",
        hint: "If the ids don't show it",
        redraws: true,
        derivedFrom: "resourceIds",
        folded: true,
      },
    ),
    project: reference("project", {
      label: "Project",
      hint: "Its name or id, if the ids don't show it",
      redraws: true,
      derivedFrom: "resourceIds",
      folded: true,
    }),
    until: moment({ label: "Until", redraws: true, quick: usualEnds }),
    reason: text({ label: "Why", maxLength: 500, optional: true }),
    process: choice(effects, { label: "Effect", initial: "stop", redraws: true, folded: true }),
    name: text({
      label: "Name",
      hint: "If empty, made from your name and the resources or their group",
      maxLength: 200,
      optional: true,
      folded: true,
    }),
    another: toggle({ label: "Another one", hidden: "form", optional: true }),
    projectFrom: text({ label: "Project known from", maxLength: 60, hidden: "all", optional: true }),
  },
  subjectId: () => null,
  complete: async (input, context) => ({
    process: "stop",
    until: context.now + context.settings.exclusions.defaultMs,
    ...(await derivePlace(input.resourceIds ?? [], input, context)),
  }),
  already: (input, context) => alreadyExcluded(input, context),
  notes: (input, context) => exclusionNotes(input, context),
  preview: (input, context) => previewExclusion(input, context),
  // Fixed at the request: the group may have changed by the time of the approval.
  prepare: async (input, context) => ({ ...input, name: input.name ?? nameFor(context, input.resourceIds) }),
  request: (input, context) =>
    expiryProblem(input.until, context.now, context, input) ?? {
      projectId: input.project,
      name: input.name ?? nameFor(context, input.resourceIds),
      isEnabled: true,
      expiryDate: timestampOf(input.until),
      resourceType: input.type,
      resourceIdentificationMethod: "by-resource-id",
      resourceIds: [...input.resourceIds],
      processes: [...processesOf[input.process]],
    },
  target: ({ request }, now) => ({
    projectId: request.projectId,
    resourceType: request.resourceType,
    exclusionLengthMs: Date.parse(request.expiryDate) - now,
  }),
  resources: ({ request }) => ({ claimed: request.resourceIds ?? [], resourceType: request.resourceType, before: [] }),
  describe: ({ request, after }) => {
    const resources = `${resourceWords(request.resourceIds)} from ${processWords(request.processes)}`;
    const made = { ...request, actionExclusionId: after?.actionExclusionId };
    return {
      done: `excluded ${resources}`,
      asked: `exclude ${resources}`,
      facts: [untilFact(request.expiryDate), ...exclusionFacts(made)],
    };
  },
  undo: ({ after }) => after && { words: "exclusion end", input: { exclusion: after.actionExclusionId } },
});

export const exclusionEnd = defineChange({
  words: "exclusion end",
  aliases: ["end", "unexclude", "stop excluding", "cancel"],
  title: "End exclusion",
  summary: "End an exclusion now",
  operation: "DeleteActionExclusion",
  about: "exclusion",
  confirms: "Its resources follow their schedule again now, unless another exclusion covers them.",
  fields: { exclusion: exclusionField },
  subjectId: (input) => input.exclusion,
  preview: (input, context) => previewEnd(input.exclusion, context),
  request: (input) => ({ id: input.exclusion }),
  target: (occurrence, _now, directory) => targetOfChange(occurrence, undefined, directory),
  resources: ({ before }) => ({ claimed: [], resourceType: undefined, before: before?.resourceIds ?? [] }),
  describe: ({ request, before, at }) => {
    const name = `exclusion ${before?.name ?? request.id}`;
    const hadEnded = at !== undefined && before !== undefined && (expiryOf(before) ?? at) < at;
    const label = hadEnded ? "Ended before, as planned" : "Would have ended";
    const end: Fact[] = before?.expiryDate ? [{ label, value: momentFact(before.expiryDate) }] : [];
    return {
      done: `ended ${name}`,
      asked: `end ${name}`,
      facts: [...end, ...exclusionFacts({ ...before, actionExclusionId: request.id })],
    };
  },
});

export const exclusionList = defineQuery({
  words: "exclusion list",
  aliases: [
    ...["exclusions", "list", "list exclusions", "show exclusions", "what's excluded", "what is excluded"],
    { phrase: "my exclusions", sets: { which: "mine" } },
  ],
  title: "Exclusions",
  summary: "Show the exclusions in force or switched off, soonest to end first",
  // No operation lists exclusions (API.md), so the right to list actions stands for it.
  operation: "ListActions",
  fields: {
    which: text({
      label: "Filter",
      hint: "“mine”, “others”, a person, resource, group or other thing, “since monday”",
      example: "mine",
      maxLength: 200,
      positional: "rest",
      keepsMentions: true,
      optional: true,
    }),
    page: pageField,
  },
  answer: ({ which = "", page = 1 }, context) => listExclusions(which, page, context),
});

function nameFor({ actor, settings }: CommandContext, ids: readonly string[]): string {
  const resources = groupOf(ids, settings.resourceGroups) ?? resourceWords(ids);
  // Half of a surrogate pair at the end could not be sent.
  return `${actor.name}: ${resources}`.slice(0, 200).replace(/\p{Surrogate}$/u, "");
}

export const exclusionCommands = [
  exclusionCreate,
  skip,
  exclusionList,
  exclusionExtend,
  exclusionEdit,
  exclusionEnd,
] as const;
