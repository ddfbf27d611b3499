import { unknownProject } from "../../permissions/decide.ts";
import { resourceTypes } from "../../service/resources.ts";
import { type Answer, type Problem, serviceProblem } from "../answer.ts";
import { defineChange, defineQuery, type FillContext } from "../command.ts";
import { choice, type Input, json, list, reference, resourceIds, rules, text, toggle } from "../field.ts";
import { planFacts } from "./plan-times.ts";
import {
  changedCredentialTargets,
  planProblem,
  selectorChanges,
  selectorFacts,
  selectorInput,
  selectorRequest,
  selectorResources,
  selectorTargets,
} from "./selector-body.ts";

const plan = { label: "Plan", hint: "Its name or id", positional: true } as const;
const selector = { label: "Selector", hint: "Its name or id", positional: true, of: "plan" } as const;
const mayBeAzure = ({ resourceType }: Input): boolean =>
  resourceType === undefined || resourceType === "azure-virtual-machine";

export const selectorShow = defineQuery({
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

type Shown = Parameters<typeof selectorInput>[0];

async function showAnswer(planId: string, shown: Shown, context: FillContext): Promise<Answer | Problem> {
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
          ...[
            state ? [{ label: "State", value: state }] : [],
            syncState ? [{ label: "Sync", value: syncState }] : [],
          ].flat(),
          { label: "Plan", value: owner?.name ? `${owner.name} (${planId})` : planId },
          ...schedule,
          { label: "Selector", value: selectorId },
          ...(selectorCode ? [{ label: "Selector code", value: selectorCode }] : []),
        ],
      },
    ],
    buttons: mayEdit ? [{ label: "Edit…", words: "selector edit", opens: "form", input }] : [],
  };
}

export const selectorCommands = [selectorShow, selectorEdit] as const;
