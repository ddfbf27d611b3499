import type { OperationInput } from "../../service/operations.ts";
import { type ResourceType, resourceTypes } from "../../service/resources.ts";
import type { Fact, Problem } from "../answer.ts";
import type { CommandContext } from "../command.ts";
import { choice, reference, resourceIds, text, things, toggle } from "../field.ts";
import { effects, processesOf, resourceWords, timestampOf } from "./exclusion-body.ts";
import { groupOf } from "./resource-context.ts";

export interface NewExclusion {
  readonly resourceIds: readonly string[];
  readonly type: ResourceType;
  readonly project: string;
  readonly process: keyof typeof processesOf;
  readonly name?: string | undefined;
  /** In epoch ms. */
  readonly until: number;
}

/** What the service is sent. */
export const newExclusion = (
  input: NewExclusion,
  context: CommandContext,
): OperationInput<"CreateActionExclusion"> => ({
  projectId: input.project,
  name: nameOf(input, context),
  isEnabled: true,
  expiryDate: timestampOf(input.until),
  resourceType: input.type,
  resourceIdentificationMethod: "by-resource-id",
  resourceIds: [...input.resourceIds],
  processes: [...processesOf[input.process]],
});

/** The name that was given, or one made from its maker and resources. */
export function nameOf(
  { name, resourceIds }: Pick<NewExclusion, "name" | "resourceIds">,
  { actor, settings }: CommandContext,
): string {
  if (name !== undefined) return name;
  const resources = groupOf(resourceIds, settings.resourceGroups) ?? resourceWords(resourceIds);
  // Half of a surrogate pair at the end could not be sent.
  return `${actor.name}: ${resources}`.slice(0, 200).replace(/\p{Surrogate}$/u, "");
}

/* The fields that every new exclusion has, made now, planned, or several times. */

export const whatFields = {
  resourceIds: resourceIds({
    label: "What",
    hint: "Resource groups, ids or links",
    positional: "rest",
    redraws: true,
    typedBy: "type",
    placedBy: "project",
    chosenIn: "chosen",
  }),
  chosen: things({ label: "Or choose", hidden: "line", redraws: true, optional: true }),
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
} as const;

/** Whoever may not do it asks those who may allow it, without a refusal first. */
export const askField = toggle({ label: "Ask to allow it", hidden: "form", optional: true });

export const howFields = {
  process: choice(effects, { label: "Effect", initial: "stop", redraws: true, folded: true }),
  name: text({
    label: "Name",
    hint: "If empty, made from your name and the resources or their group",
    maxLength: 200,
    optional: true,
    folded: true,
  }),
  ask: askField,
  replaces: text({ label: "In place of", maxLength: 40, hidden: "all", isKept: true, optional: true }),
  projectFrom: text({ label: "Project known from", maxLength: 60, hidden: "all", optional: true }),
} as const;

type Phrase = string | { readonly phrase: string; readonly sets: Readonly<Record<string, string>> };

/** How people ask for an exclusion. */
export const exclusionPhrases: readonly Phrase[] = [
  "exclude",
  "keep <resourceIds> up",
  "keep <resourceIds> running",
  // Before “on”: “keep staging off on friday”.
  { phrase: "keep <resourceIds> off", sets: { process: "start" } },
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
  { phrase: "don't start <resourceIds>", sets: { process: "start" } },
  { phrase: "do not start <resourceIds>", sets: { process: "start" } },
  { phrase: "leave <resourceIds> alone", sets: { process: "both" } },
];

/** The same several times: "keep staging up every thu 18:00-22:00". */
export const repeatPhrases: readonly Phrase[] = [...exclusionPhrases, "exclusion repeat"].flatMap((each) => {
  const { phrase, sets } = typeof each === "string" ? { phrase: each, sets: {} } : each;
  const whole = phrase.includes("<resourceIds>") ? phrase : `${phrase} <resourceIds>`;
  return ["every", "each"].map((word) => ({ phrase: `${whole} ${word} <every>`, sets }));
});

interface Planned {
  /** In epoch ms; undefined for one that begins now. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
}

/** When an exclusion begins, in epoch ms: now, unless it is planned for later. */
export const beginning = ({ from }: Planned, { now }: Pick<CommandContext, "now">): number =>
  Math.max(from ?? now, now);

const longestAheadMs = 366 * 86_400_000;

/** Why an exclusion cannot be planned for then. */
export function planProblem({ from, until }: Planned, { now }: Pick<CommandContext, "now">): Problem | undefined {
  if (from === undefined || from <= now) return undefined;
  if (from - now > longestAheadMs)
    return {
      field: "from",
      problem: "Curfew plans for at most 366 days ahead. Nothing was changed: give an earlier start.",
    };
  if (until === undefined || until > from) return undefined;
  return {
    field: "until",
    problem: "The end must come after the start. Nothing was changed: give a later end, or an earlier start.",
  };
}

/** The start of an exclusion that was planned. */
export const fromFact = (startsAt: number | undefined): readonly Fact[] =>
  startsAt === undefined ? [] : [{ label: "From", value: { at: startsAt } }];
