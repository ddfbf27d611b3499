import { resourceTypes } from "../../service/resources.ts";
import type { Fact } from "../answer.ts";
import { type CommandContext, defineChange, defineQuery } from "../command.ts";
import { choice, extension, moment, reference, resourceIds, text, toggle } from "../field.ts";
import { pageField } from "../lookup/page-of.ts";
import { alreadyExcluded } from "./already-excluded.ts";
import { derivePlace } from "./derive-place.ts";
import {
  exclusionFacts,
  expiryOf,
  expiryProblem,
  madeByChange,
  mayAlter,
  processesOf,
  processWords,
  resourcesOfChange,
  resourceWords,
  startOf,
  targetOfChange,
  wholeBody,
} from "./exclusion-body.ts";
import { exclusionEdit } from "./exclusion-edit.ts";
import { moments } from "./exclusion-items.ts";
import { previewEnd, previewExclusion } from "./exclusion-preview.ts";
import { listExclusions } from "./list-exclusions.ts";
import { groupOf } from "./resource-context.ts";
import { skip } from "./skip.ts";

const exclusion = reference("exclusion", { label: "Exclusion", hint: "Its name or id", positional: true });
const unknownExclusion = {
  field: "exclusion",
  problem:
    "Curfew does not know this exclusion: it was made elsewhere, or its id is mistyped. The service only accepts whole exclusions. Nothing was changed. `exclusion list` shows those you can extend.",
};

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
  operation: "CreateActionExclusion",
  about: "exclusion",
  fields: {
    resourceIds: resourceIds({
      label: "Resource ids",
      hint: "Ids separated by spaces, commas or lines, or the name of a resource group",
      positional: "rest",
      typedBy: "type",
      placedBy: "project",
    }),
    type: choice(
      resourceTypes.map((type) => ({ value: type, label: type })),
      { label: "Resource type", hint: "If the ids don't show it", redraws: true, derivedFrom: "resourceIds" },
    ),
    project: reference("project", {
      label: "Project",
      hint: "Its name or id, if the ids don't show it",
      redraws: true,
      derivedFrom: "resourceIds",
    }),
    process: choice(
      [
        { value: "stop", label: "Stopping" },
        { value: "start", label: "Starting" },
        { value: "both", label: "Both" },
      ],
      { label: "Process", hint: "What the exclusion holds back", initial: "stop", redraws: true },
    ),
    until: moment({ label: "Until", redraws: true }),
    name: text({
      label: "Name",
      hint: "If empty, made from your name and the resources or their group",
      maxLength: 200,
      optional: true,
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
  preview: (input, context) => previewExclusion(input, context),
  // Fixed at the request: the group may have changed by the time of the approval.
  prepare: async (input, context) => ({ ...input, name: input.name ?? nameFor(context, input.resourceIds) }),
  request: (input, context) =>
    expiryProblem(input.until, context.now, context, input) ?? {
      projectId: input.project,
      name: input.name ?? nameFor(context, input.resourceIds),
      isEnabled: true,
      expiryDate: new Date(input.until).toISOString(),
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
      facts: [until(request.expiryDate), ...exclusionFacts(made)],
    };
  },
  undo: ({ after }) => after && { words: "exclusion end", input: { exclusion: after.actionExclusionId } },
});

export const exclusionExtend = defineChange({
  words: "exclusion extend",
  aliases: ["extend", "prolong"],
  title: "Extend exclusion",
  summary: "Let an exclusion last longer, or end at another time",
  operation: "ModifyActionExclusion",
  about: "exclusion",
  fields: { exclusion, until: extension({ label: "Until" }) },
  subjectId: (input) => input.exclusion,
  propose: async ({ exclusion: id, until: asked }, context) => {
    if (asked && "until" in asked) return {};
    const { directory, settings, now } = context;
    const entity = id ? await directory.get("exclusion", id) : undefined;
    const end = entity && mayAlter(entity, "ModifyActionExclusion", context) ? expiryOf(entity.body) : undefined;
    const lengthMs = asked?.forMs ?? settings.exclusions.defaultMs;
    return end === undefined ? {} : { until: { until: Math.max(end, now) + lengthMs } };
  },
  request: (input, context, before) => {
    if (!before) return unknownExclusion;
    // Time is added to a past end from now on, or the new end might already be over.
    const present = Math.max(expiryOf(before) ?? 0, context.now);
    const end = "until" in input.until ? input.until.until : present + input.until.forMs;
    return (
      expiryProblem(end, startOf(before), context) ?? wholeBody(before, { expiryDate: new Date(end).toISOString() })
    );
  },
  target: (occurrence, now, directory) =>
    targetOfChange(occurrence, { until: Date.parse(occurrence.request.expiryDate), now }, directory),
  resources: resourcesOfChange,
  makes: madeByChange,
  describe: ({ request, before, after }) => ({
    done: `moved the end of exclusion ${request.name}`,
    asked: `move the end of exclusion ${request.name}`,
    facts: [
      until(request.expiryDate, before?.expiryDate),
      ...exclusionFacts({ ...before, ...request, ...after, actionExclusionId: request.id }),
    ],
  }),
  undo: ({ request, before }) => {
    const end = before && expiryOf(before);
    return end === undefined
      ? undefined
      : { words: "exclusion extend", input: { exclusion: request.id, until: { until: end } } };
  },
});

export const exclusionEnd = defineChange({
  words: "exclusion end",
  aliases: ["end", "unexclude", "stop excluding", "cancel"],
  title: "End exclusion",
  summary: "End an exclusion now",
  operation: "DeleteActionExclusion",
  about: "exclusion",
  confirms: "Its resources follow their schedule again right away, unless another exclusion covers them.",
  fields: { exclusion },
  subjectId: (input) => input.exclusion,
  preview: (input, context) => previewEnd(input.exclusion, context),
  request: (input) => ({ id: input.exclusion }),
  target: (occurrence, _now, directory) => targetOfChange(occurrence, undefined, directory),
  resources: ({ before }) => ({ claimed: [], resourceType: undefined, before: before?.resourceIds ?? [] }),
  describe: ({ request, before, at }) => {
    const name = `exclusion ${before?.name ?? request.id}`;
    const hadEnded = at !== undefined && before !== undefined && (expiryOf(before) ?? at) < at;
    const label = hadEnded ? "Ended before, as planned" : "Would have ended";
    const end: Fact[] = before?.expiryDate ? [{ label, value: moments(before.expiryDate) }] : [];
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
      hint: "“mine”, “others”, a person, a resource, a group or another thing, “since monday”, in any order",
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

function until(expiryDate: string, before?: string | null): Fact {
  return { label: "Until", value: moments(expiryDate), ...(before ? { before: moments(before) } : {}) };
}

export const exclusionCommands = [
  exclusionCreate,
  skip,
  exclusionList,
  exclusionExtend,
  exclusionEdit,
  exclusionEnd,
] as const;
