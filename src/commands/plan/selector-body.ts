import { isDeepStrictEqual } from "node:util";
import type { Directory } from "../../directory/directory.ts";
import type { OperationInput } from "../../service/operations.ts";
import { resourceTypes, type Selector } from "../../service/resources.ts";
import { type Fact, nothingDiffers, type Problem } from "../answer.ts";
import type { TagRule } from "../field.ts";
import type { NamedResources, Target } from "../occurrence.ts";

/** A selector as its form shows it. An absent field is empty. */
export interface SelectorInput {
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
export function selectorInput(selector: Selector): Partial<Omit<SelectorInput, "plan" | "selector">> {
  const resourceType = resourceTypes.find((type) => type === selector.resourceType);
  const { name, credentialIds, regionNames, resourceIds, resourceTagComparisons, groupIdComparisons } = selector;
  return {
    ...(name ? { name } : {}),
    ...(resourceType ? { resourceType } : {}),
    credentials: credentialIds ?? [],
    ...filled("regions", regionNames),
    ...filled("resourceIds", resourceIds),
    ...filled("tags", resourceTagComparisons?.map(tagRule)),
    ...filled("groups", groupIdComparisons),
  };
}

/** ModifyManagedServicesSelector takes the whole selector: values that no field shows are sent back as last answered. */
export function selectorRequest(
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
    ...sent("regionNames", input.regions, before.regionNames),
    ...sent("resourceIds", input.resourceIds, before.resourceIds),
    ...sent("resourceTagComparisons", tagsToSend(input.tags, before), before.resourceTagComparisons),
    ...sent("resourceIdComparisons", before.resourceIdComparisons, undefined),
    ...(isAzure ? sent("groupIdComparisons", input.groups, before.groupIdComparisons) : {}),
    selectorCode: before.selectorCode,
  };
  return isDeepStrictEqual(selectorInput({ ...before, ...body }), selectorInput(before))
    ? nothingDiffers("selector")
    : { planId: input.plan, selectorId: input.selector, ...body };
}

/** A selector's rights follow from its plan's project, so another plan must not be named instead. */
export function planProblem(planId: string, selector: Pick<Selector, "planId">): Problem | undefined {
  if (!selector.planId || selector.planId === planId) return undefined;
  return { field: "selector", problem: `This selector does not belong to the plan ${planId}. Nothing was changed.` };
}

/** The project is the plan's; where the type changes, both types must be allowed. */
export async function selectorTargets(
  planId: string,
  types: readonly (string | null | undefined)[],
  directory: Pick<Directory, "get">,
): Promise<readonly Target[]> {
  const plan = await directory.get("plan", planId);
  return types.map((type) => ({ projectId: plan?.projectId ?? undefined, resourceType: type ?? undefined }));
}

/** The targets of added and dropped credentials: each needs the right for the credential's own project. */
export async function changedCredentialTargets(
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
export function selectorResources(
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

type Shown = Partial<Pick<Selector, (typeof shownFields)[number]>>;
const shownFields = [
  "name",
  "resourceType",
  "credentialIds",
  "regionNames",
  "resourceIds",
  "resourceTagComparisons",
  "resourceIdComparisons",
  "groupIdComparisons",
] as const;

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

/** The values of a selector, without empty ones. */
export function selectorFacts(selector: Shown): readonly Fact[] {
  return shownFields.flatMap((field) => {
    const value = words(selector, field);
    return value ? [{ label: labels[field], value }] : [];
  });
}

/** The differences between two states of a selector, before → after. */
export function selectorChanges(before: Shown, after: Shown): readonly Fact[] {
  return shownFields.flatMap((field) => {
    const [was, is] = [words(before, field), words(after, field)];
    return was === is ? [] : [{ label: labels[field], value: is || "none", before: was || "none" }];
  });
}

function words(selector: Shown, field: (typeof shownFields)[number]): string {
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

function filled<K extends string, T>(name: K, list: readonly T[] | undefined): { [P in K]?: readonly T[] } {
  return list?.length ? entry(name, list) : {};
}

/** A list to send. A list that was emptied is sent empty, since an absent one would stay unchanged. */
function sent<K extends string, T>(
  name: K,
  list: readonly T[] | undefined,
  before: readonly unknown[] | undefined,
): { [P in K]?: T[] } {
  return list?.length || before?.length ? entry(name, [...(list ?? [])]) : {};
}

function entry<K extends string, V>(name: K, value: V): { [P in K]?: V } {
  const one: { [P in K]?: V } = {};
  one[name] = value;
  return one;
}

function sameContent(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
