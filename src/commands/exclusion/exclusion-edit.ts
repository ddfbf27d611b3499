import { isDeepStrictEqual } from "node:util";
import type { OperationInput } from "../../service/operations.ts";
import { type ActionExclusion, resourceTypes } from "../../service/resources.ts";
import { isChangeId } from "../about-changes/about-changes.ts";
import { type CommandButton, type Fact, nothingDiffers, type Problem, yesOrNo } from "../answer.ts";
import { type CommandContext, defineChange } from "../command.ts";
import { choice, type Input, moment, recurrence, reference, resourceIds, text } from "../field.ts";
import {
  effects,
  expiryOf,
  expiryProblem,
  givesEndBack,
  holdsMore,
  instant,
  isOfParts,
  isSameMoment,
  madeByChange,
  mayAlter,
  namedIds,
  processesOf,
  processWords,
  resourcesOfChange,
  resourceWords,
  startOf,
  stillHeld,
  targetOfChange,
  timestampOf,
  untilFact,
  wholeBody,
} from "./exclusion-body.ts";

/** The ways seen in real services (API.md, "Observed"). */
const methods = ["by-resource-id", "by-resource-tag", "all"] as const;
/** One of parts (changes/steps/parts.ts) keeps what it holds: only its name and its end are edited. */
const isOne = ({ exclusion }: Input): boolean => typeof exclusion !== "string" || !isOfParts(exclusion);
const namesResources = ({ method, ...input }: Input): boolean =>
  isOne(input) && (method === undefined || method === "by-resource-id");

export const exclusionEdit = defineChange({
  words: "exclusion edit",
  aliases: ["edit"],
  title: "Edit what is kept",
  summary: "Change what is kept, how or until when",
  operation: "ModifyActionExclusion",
  about: "exclusion",
  fields: {
    exclusion: reference("exclusion", {
      label: "What",
      hint: "A group, a machine, or the name or id",
      positional: true,
      redraws: true,
    }),
    name: text({ label: "Name", example: '"Demo at eight"', maxLength: 200 }),
    until: moment({ label: "Until", redraws: true }),
    every: recurrence({ label: "Times", isPart: true, hidden: "form", optional: true }),
    process: choice(effects, {
      label: "Effect",
      hint: "What becomes of the resources; processes that Curfew doesn't know stay",
      optional: true,
      when: isOne,
    }),
    enabled: yesOrNo({ label: "Enabled", when: isOne }),
    type: choice(
      resourceTypes.map((type) => ({ value: type, label: type })),
      { label: "Resource type", optional: true, when: isOne },
    ),
    method: choice(
      methods.map((method) => ({ value: method, label: method })),
      { label: "Resources named by", optional: true, redraws: true, when: isOne },
    ),
    resourceIds: resourceIds({
      label: "Resource ids",
      when: namesResources,
      typedBy: "type",
      of: { kind: "exclusion", field: "exclusion" },
    }),
  },
  subjectId: (input) => input.exclusion,
  fill: async ({ exclusion: id }, context) => {
    if (!id) return {};
    const entity = await context.directory.get("exclusion", id);
    if (!entity) return isChangeId(id) ? onlyPlanned : unknownExclusion;
    if (!mayAlter(entity, "ModifyActionExclusion", context)) return mayNot;
    return editInput(entity.body);
  },
  request: (input, context, before) => editRequest(input, context, before),
  target: async (occurrence, now, directory) => {
    const { expiryDate, resourceType } = occurrence.request;
    const target = await targetOfChange(occurrence, { until: Date.parse(expiryDate), now }, directory);
    return [target, { ...target, resourceType, resourceIds: namedIds(occurrence.request) }];
  },
  resources: resourcesOfChange,
  makes: madeByChange,
  describe: ({ request, before, after }) => {
    const name = `“${before?.name ?? request.name}”`;
    // A whole keeps its machines, though what is over is not sent any more.
    const held = before?.curfewParts ? { resourceIds: before.resourceIds } : {};
    const gone = takenOut(before, { ...request, ...held });
    return {
      done: gone ? `took ${gone} out of ${name}` : `changed ${name}`,
      asked: gone ? `take ${gone} out of ${name}` : `change ${name}`,
      facts: [
        ...changes(before, { ...request, ...after, ...held }),
        ...(before?.projectId ? [{ label: "Project", value: before.projectId }] : []),
        { label: "Id", value: request.id },
      ],
    };
  },
  undo: (occurrence) => {
    const { request, before } = occurrence;
    return before && givesEndBack(occurrence)
      ? { words: "exclusion edit", input: { exclusion: request.id, ...editInput(before) } }
      : undefined;
  },
});

const unknownExclusion: Problem = {
  field: "exclusion",
  problem: "Curfew doesn't know this one: it was made elsewhere. Nothing was changed. “list” shows those you can edit.",
};
const onlyPlanned: Problem = {
  field: "until",
  problem:
    "That is a plan, or what came of one, and its new time is not clear. Nothing was changed: say it whole, such as “until 23:00”, or edit it on its card.",
};
const notPlanned: Problem = {
  field: "until",
  problem: "It is in force, so it has no other times. Nothing was changed: give its new end, such as “until 22:30”.",
};
const inSeveral: Problem = {
  field: "exclusion",
  problem:
    "It is too large for one exclusion of the service, so only its name and its end can be edited. Nothing was changed: give those alone, or end it and keep what you want.",
};
const mayNot: Problem = {
  field: "exclusion",
  problem: "You can't change this one here. Nothing was changed. “list mine” shows yours.",
};

interface EditInput {
  readonly exclusion: string;
  readonly name: string;
  readonly until: number;
  readonly every?: unknown;
  readonly process?: keyof typeof processesOf;
  readonly enabled?: "yes" | "no";
  readonly type?: (typeof resourceTypes)[number];
  readonly method?: (typeof methods)[number];
  readonly resourceIds?: readonly string[];
  readonly reason?: string;
}

/** The present values for the form. A value that no field can show is left out, and stays as it is. */
function editInput(exclusion: ActionExclusion): Partial<Omit<EditInput, "exclusion" | "every" | "reason">> {
  const until = expiryOf(exclusion);
  const process = processOf(exclusion.processes ?? []);
  const type = resourceTypes.find((each) => each === exclusion.resourceType);
  const method = methods.find((each) => each === exclusion.resourceIdentificationMethod);
  const common = { ...(exclusion.name ? { name: exclusion.name } : {}), ...(until === undefined ? {} : { until }) };
  if (exclusion.curfewParts) return common;
  return {
    ...common,
    ...(process ? { process } : {}),
    enabled: exclusion.isEnabled === false ? "no" : "yes",
    ...(type ? { type } : {}),
    ...(method ? { method } : {}),
    ...(exclusion.resourceIds?.length ? { resourceIds: exclusion.resourceIds } : {}),
  };
}

function editRequest(
  input: EditInput,
  context: CommandContext,
  before: ActionExclusion | undefined,
): OperationInput<"ModifyActionExclusion"> | Problem {
  if (!before) return unknownExclusion;
  if (input.every) return notPlanned;
  if (before.curfewParts) return editWhole(input, context, before);
  const resourceType = input.type ?? before.resourceType;
  const method = input.method ?? before.resourceIdentificationMethod;
  const processes = [...(input.process ? processesOf[input.process] : []), ...unnamed(before.processes ?? [])];
  if (!resourceType) return lacking("type", "its resource type");
  if (!method) return lacking("method", "how its resources are named");
  if (processes.length === 0) return lacking("process", "what it holds back");
  if (method === "by-resource-id" && !input.resourceIds?.length) return lacking("resourceIds", "its resource ids");
  const end = endOf(input.until, before);
  const body = {
    name: input.name,
    isEnabled: input.enabled !== "no",
    expiryDate: end.date,
    resourceType,
    resourceIdentificationMethod: method,
    processes,
    ...(method === "by-resource-id" && input.resourceIds ? { resourceIds: [...input.resourceIds] } : {}),
  };
  const isSame = isDeepStrictEqual(editInput({ ...before, ...body }), editInput(before));
  if (isSame && input.reason === undefined) return nothingDiffers;
  const request = { id: input.exclusion, ...body };
  // An exclusion that holds back more needs an end that a new one could have.
  const isLimited = end.isMoved || holdsMore(before, request);
  const late = isLimited ? expiryProblem(Date.parse(end.date), startOf(before), context) : undefined;
  return late ?? request;
}

/** All of what it still holds, with another name or end. A part that ends before the others keeps its end until that of the whole moves. */
function editWhole(
  input: EditInput,
  context: CommandContext,
  before: ActionExclusion,
): OperationInput<"ModifyActionExclusion"> | Problem {
  const { process, enabled, type, method, resourceIds } = input;
  if (process ?? enabled ?? type ?? method ?? resourceIds) return inSeveral;
  const end = endOf(input.until, before);
  if (!end.isMoved && input.name === before.name && input.reason === undefined) return nothingDiffers;
  const late = end.isMoved ? expiryProblem(Date.parse(end.date), startOf(before), context) : undefined;
  return late ?? wholeBody(stillHeld(before, context.now), { name: input.name, expiryDate: end.date });
}

function lacking(field: string, what: string): Problem {
  return {
    field,
    problem: `Curfew doesn't know ${what}, and the service takes no part of a change. Nothing was changed.`,
  };
}

/** A picker has whole minutes only, so an end that it rounded up counts as unchanged. */
function endOf(until: number, before: ActionExclusion): { readonly date: string; readonly isMoved: boolean } {
  const present = expiryOf(before);
  const isShown =
    present !== undefined && (isSameMoment(until, present) || until === Math.ceil(present / 60_000) * 60_000);
  return { date: isShown ? new Date(present).toISOString() : timestampOf(until), isMoved: !isShown };
}

const named: ReadonlySet<string> = new Set(processesOf.both);
const unnamed = (processes: readonly string[]): readonly string[] => processes.filter((each) => !named.has(each));

/** The form of a new exclusion in place of one that is over. */
export function excludeAnew({ resourceIds, resourceType, projectId, processes }: Shown): CommandButton {
  const [type, process] = [resourceTypes.find((each) => each === resourceType), processOf(processes ?? [])];
  const known = { ...(resourceIds ? { resourceIds } : {}), ...(type ? { type } : {}), ...(process ? { process } : {}) };
  const input = { ...known, ...(projectId ? { project: projectId } : {}) };
  return { label: "Keep again…", words: "exclusion create", opens: "form", input };
}

function processOf(processes: readonly string[]): keyof typeof processesOf | undefined {
  const [starts, stops] = ["start-resource", "stop-resource"].map((each) => processes.includes(each));
  if (starts && stops) return "both";
  if (starts) return "start";
  return stops ? "stop" : undefined;
}

type Shown = Partial<ActionExclusion>;

/** The resources that it no longer names, if that is all that differs. */
function takenOut(
  before: Shown | undefined,
  { id: _id, ...after }: Shown & { readonly id: string },
): string | undefined {
  const ids = after.resourceIds ?? [];
  const gone = before?.resourceIds?.filter((each) => !ids.includes(each)) ?? [];
  const isLess = before !== undefined && ids.length + gone.length === before.resourceIds?.length;
  const same = { ...before, ...after, resourceIds: before?.resourceIds ?? [] };
  return isLess && gone.length > 0 && changes(before, same).length <= 1 && !isMoved(before, after)
    ? resourceWords(gone)
    : undefined;
}

const isMoved = (before: Shown, after: Shown): boolean => instant(before.expiryDate) !== instant(after.expiryDate);

/** The end, and before → after for each other value that differs. */
function changes(before: Shown | undefined, after: Shown): readonly Fact[] {
  const end: Fact[] = after.expiryDate ? [untilFact(after.expiryDate, before?.expiryDate)] : [];
  const rest = words(after).flatMap(([label, value], index) => {
    const was = before && words(before)[index]?.[1];
    // Without a former value, only the new one is shown.
    if (was === undefined) return value ? [{ label, value }] : [];
    return value === was ? [] : [{ label, value: value || "none", before: was || "none" }];
  });
  return [...end, ...rest];
}

function words(exclusion: Shown): readonly (readonly [string, string])[] {
  return [
    ["Name", exclusion.name ?? ""],
    ["Holds back", exclusion.processes?.length ? processWords(exclusion.processes) : ""],
    ["Enabled", exclusion.isEnabled === false ? "no" : "yes"],
    ["Type", exclusion.resourceType ?? ""],
    ["Named by", exclusion.resourceIdentificationMethod ?? ""],
    ["Resources", (exclusion.resourceIds ?? []).join(", ")],
  ];
}
