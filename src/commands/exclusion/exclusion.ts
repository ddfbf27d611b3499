import type { Entity } from "../../directory/directory.ts";
import { unknownProject } from "../../permissions/decide.ts";
import { type ActionExclusion, resourceTypes } from "../../service/resources.ts";
import { formatDuration } from "../../time/duration.ts";
import type { CommandButton, Fact, FactValue } from "../answer.ts";
import { type CommandContext, defineChange, defineQuery, type FillContext } from "../command.ts";
import { choice, extension, moment, reference, resourceIds, text } from "../field.ts";
import {
  exclusionFacts,
  expiryOf,
  expiryProblem,
  instant,
  isSwitchedOff,
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
import { previewEnd, previewExclusion } from "./exclusion-preview.ts";
import { followingFrom, groupOf } from "./resource-context.ts";

const exclusion = reference("exclusion", { label: "Exclusion", hint: "Its name or id", positional: true });
const unknownExclusion = {
  field: "exclusion",
  problem:
    "Curfew does not know this exclusion: it was made elsewhere, or its id is mistyped. The service only accepts whole exclusions. Nothing was changed. `exclusion list` shows those you can extend.",
};

export const exclusionCreate = defineChange({
  words: "exclusion create",
  aliases: ["exclude"],
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
  },
  subjectId: () => null,
  complete: async (input, { now, settings }) => {
    return {
      process: "stop",
      until: now + settings.exclusions.defaultMs,
      ...followingFrom(input.resourceIds ?? [], settings.resourceGroups),
    };
  },
  preview: (input, context) => previewExclusion(input, context),
  // Fixed at the request: the group may have changed by the time of the approval.
  prepare: async (input, context) => ({ ...input, name: input.name ?? nameFor(context, input.resourceIds) }),
  request: (input, context) =>
    expiryProblem(input.until, context.now, context) ?? {
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
  aliases: ["exclusions"],
  title: "Exclusions",
  summary: "Show the exclusions in force or switched off, soonest to end first",
  // No operation lists exclusions (API.md), so the right to list actions stands for it.
  operation: "ListActions",
  fields: {
    whose: choice(
      [
        { value: "all", label: "Everybody's" },
        { value: "mine", label: "Mine" },
        { value: "others", label: "Other people's" },
      ],
      { label: "Whose", positional: true, optional: true },
    ),
  },
  answer: async ({ whose }, context) => {
    const live = await context.directory.liveExclusions(context.now);
    const shown = live
      .filter((entity) => context.may("ListActions", { projectId: entity.projectId ?? unknownProject }))
      .filter(({ ownerId }) => whose !== "mine" || ownerId === context.actor.userId)
      .filter(({ ownerId }) => whose !== "others" || ownerId !== context.actor.userId);
    return {
      title: shown.length === 1 ? "1 exclusion" : `${shown.length} exclusions`,
      note: "Only those that Curfew knows: the service cannot list exclusions made elsewhere.",
      items: shown.map((entity) => ({
        title: entity.body.name ?? entity.id,
        facts: [...stateFacts(entity.body, context.now), ...exclusionFacts({ ...entity.body, name: undefined })],
        buttons: exclusionButtons(entity, context),
      })),
    };
  },
});

/** The actions that an exclusion holds back, and its end, as if it were switched on. */
function stateFacts(body: ActionExclusion, now: number): readonly Fact[] {
  const end = body.expiryDate ? moments(body.expiryDate) : undefined;
  const held = processWords(body.processes);
  if (isSwitchedOff(body)) {
    const off: Fact[] = [
      { label: "State", value: "switched off" },
      { label: "Would hold back", value: held },
    ];
    return end ? [...off, { label: "Would end", value: end }] : off;
  }
  const until: Fact[] = end ? [{ label: "Until", value: end }] : [];
  return [...until, ...timeLeft(body, now), { label: "Holds back", value: held }];
}

/** The buttons that the requester may use. An exclusion that is switched off is edited instead of extended. */
function exclusionButtons(exclusion: Entity<"exclusion">, context: FillContext): readonly CommandButton[] {
  const input = { exclusion: exclusion.id };
  const buttons: CommandButton[] = [];
  if (mayAlter(exclusion, "ModifyActionExclusion", context)) {
    const isOff = isSwitchedOff(exclusion.body);
    const [label, words] = isOff ? (["Edit", "exclusion edit"] as const) : (["Extend", "exclusion extend"] as const);
    buttons.push({ label, words, opens: "form", input });
  }
  if (mayAlter(exclusion, "DeleteActionExclusion", context)) {
    buttons.push({ label: "End", words: "exclusion end", opens: "result", input });
  }
  return buttons;
}

function nameFor({ actor, settings }: CommandContext, ids: readonly string[]): string {
  const resources = groupOf(ids, settings.resourceGroups) ?? resourceWords(ids);
  // Half of a surrogate pair at the end could not be sent.
  return `${actor.name}: ${resources}`.slice(0, 200).replace(/\p{Surrogate}$/u, "");
}

function until(expiryDate: string, before?: string | null): Fact {
  return { label: "Until", value: moments(expiryDate), ...(before ? { before: moments(before) } : {}) };
}

function timeLeft(body: ActionExclusion, now: number): readonly Fact[] {
  const end = expiryOf(body);
  return end === undefined ? [] : [{ label: "Left", value: formatDuration(end - now) }];
}

function moments(timestamp: string): FactValue {
  const at = instant(timestamp);
  return at === undefined ? timestamp : { at };
}

export const exclusionCommands = [
  exclusionCreate,
  exclusionList,
  exclusionExtend,
  exclusionEdit,
  exclusionEnd,
] as const;
