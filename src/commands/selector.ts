import { isDeepStrictEqual } from "node:util";
import type { Directory } from "../directory/directory.ts";
import { unknownProject } from "../permissions/decide.ts";
import type { OperationInput } from "../service/operations.ts";
import { resourceTypes, type Selector } from "../service/resources.ts";
import { type Answer, type Fact, factsIn, formButton, nothingDiffers, type Problem, serviceProblem } from "./answer.ts";
import { defineChange, defineQuery, type FillContext, type NamedResources, type Target } from "./command.ts";
import {
  choice,
  defined,
  type Input,
  json,
  list,
  reference,
  resourceIds,
  rules,
  type TagRule,
  text,
  toggle,
} from "./field.ts";
import { planFacts } from "./plan.ts";

const plan = { label: "Plan", hint: "Its name or id", positional: true } as const;
const selector = { label: "Selector", hint: "Its name or id", positional: true, of: "plan" } as const;
const mayBeAzure = ({ resourceType }: Input): boolean =>
  resourceType === undefined || resourceType === "azure-virtual-machine";

const selectorShow = defineQuery({
  words: "selector show",
  title: "Show selector",
  summary: "Show which resources a plan applies to",
  operation: "GetManagedServicesSelector",
  fields: {
    plan: reference("plan", plan),
    selector: reference("selector", selector),
    deleted: toggle({ label: "Even if it was deleted", optional: true }),
  },
  answer: async ({ plan: planId, selector: selectorId, deleted }, context) => {
    const input = { planId, selectorId, ...(deleted ? { isIncludeDeleted: true } : {}) };
    const result = await context.read("GetManagedServicesSelector", input);
    if (result.kind !== "succeeded") return serviceProblem(result.error);
    if (!result.answer) return { problem: "The service's answer could not be read." };
    return showAnswer(planId, result.answer, context);
  },
});

export const selectorEdit = defineChange({
  words: "selector edit",
  title: "Edit selector",
  summary: "Change which resources a plan applies to",
  operation: "ModifyManagedServicesSelector",
  about: "selector",
  fields: {
    plan: reference("plan", { ...plan, redraws: true }),
    selector: reference("selector", { ...selector, redraws: true }),
    name: text({ label: "Name", example: '"Staging machines"', maxLength: 200 }),
    resourceType: choice(
      resourceTypes.map((type) => ({ value: type, label: type })),
      { label: "Resource type", redraws: true },
    ),
    credentials: reference("credential", { label: "Credentials", multiple: true, optional: true }),
    regions: list({ label: "Regions", hint: "If empty, all regions", optional: true }),
    resourceIds: resourceIds({
      label: "Resource ids",
      optional: true,
      typedBy: "resourceType",
      of: { kind: "selector", field: "selector" },
    }),
    tags: rules({ label: "Tags", hint: "Environment=staging, or one a line: name equals value", optional: true }),
    groups: json({
      label: "Groups (JSON)",
      hint: "A list of comparisons, in the form of the service's answers",
      list: true,
      optional: true,
      when: mayBeAzure,
    }),
  },
  subjectId: (input) => input.selector,
  complete: async ({ plan: given, selector: id }, { directory }) => {
    const planId = given ?? (id && (await directory.get("selector", id))?.body.planId);
    return planId ? { plan: planId } : {};
  },
  fill: async (input, context) => {
    if (!input.plan || !input.selector) return {};
    const { plan: planId, selector: selectorId } = input;
    const result = await context.read("GetManagedServicesSelector", { planId, selectorId });
    if (result.kind !== "succeeded") return { problem: `${serviceProblem(result.error).problem} Nothing was changed.` };
    if (!result.answer) return { problem: "The service's answer could not be read. Nothing was changed." };
    const [target] = await selectorTargets(planId, [result.answer.resourceType], context.directory);
    if (!context.may("ModifyManagedServicesSelector", target ?? {})) return mayNot;
    return planProblem(planId, result.answer) ?? selectorInput(result.answer);
  },
  request: (input, _context, before) => selectorRequest(input, before),
  target: async ({ request, before }, _now, directory) => [
    ...(await selectorTargets(
      request.planId,
      [request.resourceType, before?.resourceType ?? request.resourceType],
      directory,
    )),
    ...(await changedCredentialTargets(request, before, directory)),
  ],
  resources: ({ request, before }) => selectorResources(request, before),
  describe: ({ request, before, after }) => {
    const name = before?.name ?? request.name;
    return {
      done: `changed selector ${name}`,
      asked: `change selector ${name}`,
      facts: [
        ...selectorChanges(before ?? {}, { ...request, ...after }),
        { label: "Selector", value: request.selectorId },
        { label: "Plan", value: request.planId },
      ],
    };
  },
  undo: ({ request, before }) => {
    const was = before && selectorInput(before);
    return was?.name && was.resourceType
      ? { words: "selector edit", input: { plan: request.planId, selector: request.selectorId, ...was } }
      : undefined;
  },
});

const mayNot: Problem = {
  problem: "You may not change selectors of this plan here. Nothing was changed. “whoami” shows what you may do.",
};

type Read = Parameters<typeof selectorInput>[0];

async function showAnswer(planId: string, shown: Read, context: FillContext): Promise<Answer | Problem> {
  const [target = {}] = await selectorTargets(planId, [shown.resourceType], context.directory);
  const read = { ...target, projectId: target.projectId ?? unknownProject };
  if (!context.may("GetManagedServicesSelector", read))
    return { problem: "You may not see selectors of this plan. “whoami” shows what you may do." };
  if (planProblem(planId, shown)) return { problem: `This selector does not belong to the plan ${planId}.` };
  const { selectorId, name, state, syncState, selectorCode } = shown;
  const owner = (await context.directory.get("plan", planId))?.body;
  const input = { plan: planId, selector: selectorId };
  const mayEdit = state !== "deleted" && context.may("ModifyManagedServicesSelector", target);
  const schedule = planFacts(owner ?? {}, context.now).filter(({ label }) => label === "Schedule");
  return {
    title: name ?? selectorId,
    items: [
      {
        title: "",
        facts: [
          ...selectorFacts({ ...shown, name: undefined }),
          ...factsIn({
            ...{ State: state, Sync: syncState },
            Plan: owner?.name ? `${owner.name} (${planId})` : planId,
          }),
          ...schedule,
          ...factsIn({ Selector: selectorId, "Selector code": selectorCode }),
        ],
      },
    ],
    buttons: mayEdit ? [formButton("Edit…", "selector edit", input)] : [],
  };
}

export const selectorCommands = [selectorShow, selectorEdit] as const;

/** A selector as its form shows it. An absent field is empty. */
interface SelectorInput {
  readonly plan: string;
  readonly selector: string;
  readonly name: string;
  readonly resourceType: (typeof resourceTypes)[number];
  readonly credentials?: readonly string[];
  readonly regions?: readonly string[];
  readonly resourceIds?: readonly string[];
  readonly tags?: readonly TagRule[];
  readonly groups?: readonly Readonly<Record<string, unknown>>[];
}

/** The present values for the form, where the answer has them. */
function selectorInput(selector: Selector): Partial<Omit<SelectorInput, "plan" | "selector">> {
  const { name, credentialIds, regionNames, resourceIds: ids, resourceTagComparisons, groupIdComparisons } = selector;
  return defined({
    name: name || undefined,
    resourceType: resourceTypes.find((type) => type === selector.resourceType),
    credentials: credentialIds ?? [],
    regions: filled(regionNames),
    resourceIds: filled(ids),
    tags: filled(resourceTagComparisons?.map(tagRule)),
    groups: filled(groupIdComparisons),
  });
}

const filled = <T>(list: readonly T[] | undefined): readonly T[] | undefined => (list?.length ? list : undefined);

/** ModifyManagedServicesSelector takes the whole selector: values that no field shows are sent back as last answered. */
function selectorRequest(
  input: SelectorInput,
  before: Selector | undefined,
): OperationInput<"ModifyManagedServicesSelector"> | Problem {
  const wrongPlan = before && planProblem(input.plan, before);
  if (wrongPlan) return wrongPlan;
  if (!before?.selectorCode) {
    return {
      problem:
        "Curfew does not know this selector's code, and without it the service would assign another. Nothing was changed: check its plan and its id, and that the service can be reached.",
    };
  }
  const isAzure = input.resourceType === "azure-virtual-machine";
  if (!isAzure && input.groups?.length && !sameContent(input.groups, before.groupIdComparisons)) {
    return {
      field: "groups",
      problem: "Groups are for azure-virtual-machine only. Nothing was changed: leave them out, or choose that type.",
    };
  }
  const body = {
    name: input.name,
    credentialIds: [...(input.credentials ?? [])],
    resourceType: input.resourceType,
    ...defined({
      regionNames: sent(input.regions, before.regionNames),
      resourceIds: sent(input.resourceIds, before.resourceIds),
      resourceTagComparisons: sent(tagsToSend(input.tags, before), before.resourceTagComparisons),
      resourceIdComparisons: sent(before.resourceIdComparisons),
      groupIdComparisons: isAzure ? sent(input.groups, before.groupIdComparisons) : undefined,
    }),
    selectorCode: before.selectorCode,
  };
  return isDeepStrictEqual(selectorInput({ ...before, ...body }), selectorInput(before))
    ? nothingDiffers
    : { planId: input.plan, selectorId: input.selector, ...body };
}

/** A selector's rights follow from its plan's project, so another plan must not be named instead. */
export function planProblem(planId: string, selector: Pick<Selector, "planId">): Problem | undefined {
  if (!selector.planId || selector.planId === planId) return undefined;
  return { field: "selector", problem: `This selector does not belong to the plan ${planId}. Nothing was changed.` };
}

/** The project is the plan's; where the type changes, both types must be allowed. */
async function selectorTargets(
  planId: string,
  types: readonly (string | null | undefined)[],
  directory: Pick<Directory, "get">,
): Promise<readonly Target[]> {
  const plan = await directory.get("plan", planId);
  return types.map((type) => ({ projectId: plan?.projectId ?? undefined, resourceType: type ?? undefined }));
}

/** The targets of added and dropped credentials: each needs the right for the credential's own project. */
async function changedCredentialTargets(
  {
    credentialIds,
    resourceType,
  }: Pick<OperationInput<"ModifyManagedServicesSelector">, "credentialIds" | "resourceType">,
  before: Selector | undefined,
  directory: Pick<Directory, "get">,
): Promise<readonly Target[]> {
  const former = before?.credentialIds ?? [];
  const changed = [...new Set([...credentialIds, ...former])].filter(
    (id) => !(credentialIds.includes(id) && former.includes(id)),
  );
  const credentials = await Promise.all(changed.map((id) => directory.get("credential", id)));
  return credentials.map((credential) => ({ projectId: credential?.projectId ?? undefined, resourceType }));
}

/** The resources that are added or dropped; all of them where the type changes. */
function selectorResources(
  request: Pick<OperationInput<"ModifyManagedServicesSelector">, "resourceIds" | "resourceType">,
  before: Selector | undefined,
): NamedResources {
  const [is, was] = [request.resourceIds ?? [], before?.resourceIds ?? []];
  const isSameType = request.resourceType === before?.resourceType;
  return {
    claimed: isSameType ? is.filter((id) => !was.includes(id)) : is,
    resourceType: request.resourceType,
    before: isSameType ? was.filter((id) => !is.includes(id)) : was,
  };
}

const labels = {
  name: "Name",
  resourceType: "Resource type",
  credentialIds: "Credentials",
  regionNames: "Regions",
  resourceIds: "Resources",
  resourceTagComparisons: "Tags",
  resourceIdComparisons: "Id rules",
  groupIdComparisons: "Groups",
} as const;

type ShownField = keyof typeof labels;
type Shown = Partial<Pick<Selector, ShownField>>;
const isShownField = (name: string): name is ShownField => Object.hasOwn(labels, name);
const shownFields = Object.keys(labels).filter(isShownField);

/** The values of a selector, without empty ones. */
export function selectorFacts(selector: Shown): readonly Fact[] {
  return shownFields.flatMap((field) => {
    const value = words(selector, field);
    return value ? [{ label: labels[field], value }] : [];
  });
}

/** The differences between two states of a selector, before → after. */
function selectorChanges(before: Shown, after: Shown): readonly Fact[] {
  return shownFields.flatMap((field) => {
    const [was, is] = [words(before, field), words(after, field)];
    return was === is ? [] : [{ label: labels[field], value: is || "none", before: was || "none" }];
  });
}

function words(selector: Shown, field: ShownField): string {
  const value = selector[field];
  if (field === "resourceTagComparisons") return (selector.resourceTagComparisons ?? []).map(tagWords).join("; ");
  if (!Array.isArray(value)) return value ?? "";
  return value.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join(", ");
}

type ReportedRule = Pick<
  NonNullable<Selector["resourceTagComparisons"]>[number],
  "tagName" | "compareType" | "tagValue"
>;

function tagWords({ tagName, compareType, tagValue }: ReportedRule): string {
  return [tagName, compareType, tagValue].filter(Boolean).join(" ");
}

function tagRule({ tagName, compareType, tagValue }: ReportedRule): TagRule {
  return { tagName, compareType, ...(tagValue ? { tagValue } : {}) };
}

/** An unchanged rule is sent back whole, with any unknown fields of the service. */
function tagsToSend(tags: readonly TagRule[] | undefined, { resourceTagComparisons }: Selector) {
  return tags?.map(
    (rule) => (resourceTagComparisons ?? []).find((former) => tagWords(former) === tagWords(rule)) ?? { ...rule },
  );
}

/** A list to send. A list that was emptied is sent empty, since an absent one would stay unchanged. */
const sent = <T>(list: readonly T[] | undefined, before?: readonly unknown[]): T[] | undefined =>
  list?.length || before?.length ? [...(list ?? [])] : undefined;

function sameContent(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
