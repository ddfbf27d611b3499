import { type Directory, type Entity, type EntityKind, isOfKind } from "../../directory/directory.ts";
import { unknownProject } from "../../permissions/decide.ts";
import { type CommandButton, formButton, type Line, type LinePart, resultButton } from "../answer.ts";
import type { QueryCommand, QueryContext } from "../command.ts";
import { policyLine } from "../project.ts";
import { scheduleWords } from "../schedule-facts.ts";
import { planProblem, selectorFacts } from "../selector.ts";
import { maySee } from "./may-see.ts";
import { counted, defineList, learnt, searchWords } from "./page-of.ts";

/*
 * What Curfew remembers of things that the service does not list (API.md). The right to list a project's actions stands for the right
 * to see them.
 */

export const planList = knownList("plan", planWithSelectors, {
  title: "Plans",
  summary: "Show the plans that Curfew knows",
  whenEmpty: "“plan create” makes one.",
});
export const selectorList = knownList("selector", selectorLine, {
  title: "Selectors",
  summary: "Show the selectors that Curfew knows, with their plans",
  whenEmpty: "“selector show” reads one by its id.",
});
export const credentialList = knownList("credential", credentialLine, {
  title: "Credentials",
  summary: "Show the credentials that Curfew knows",
  whenEmpty: learnt,
});

function knownList<K extends "plan" | "selector" | "credential">(
  kind: K,
  line: (entity: Entity<K>, context: QueryContext) => Line | Promise<Line>,
  said: { readonly title: string; readonly summary: string; readonly whenEmpty: string },
): QueryCommand {
  return defineList({
    ...{ ...said, words: `${kind} list`, called: `${kind}s`, noun: `known ${kind}`, line },
    operation: "ListActions",
    find: async (words, context) => {
      const found = [...(await searchWords(kind, words, context)), ...(await plansSelecting(kind, words, context))];
      const seeing = { ...context, directory: { ...context.directory, get: onceEach(context.directory) } };
      const isSeen = await Promise.all(found.map((entity) => maySee(entity, seeing)));
      return found.filter((_entity, index) => isSeen[index]);
    },
  });
}

/** The plans that are named by none of these words, with a selector that is. */
async function plansSelecting<K extends EntityKind>(kind: K, words: string, context: QueryContext) {
  if (kind !== "plan" || words === "") return [];
  const named = new Set((await searchWords(kind, words, context)).map(({ id }) => id));
  const selectors = await searchWords("selector", words, context);
  const ids = new Set(selectors.flatMap(({ body: { planId } }) => (planId && !named.has(planId) ? planId : [])));
  const plans = await Promise.all([...ids].map((id) => context.directory.get(kind, id)));
  return plans.filter((plan) => plan !== undefined);
}

/** Many selectors share a few plans. */
function onceEach(directory: Pick<Directory, "get">): Directory["get"] {
  const found = new Map<string, Promise<Entity | undefined>>();
  return async (kind, id) => {
    const key = `${kind} ${id}`;
    const known = found.get(key) ?? directory.get(kind, id);
    found.set(key, known);
    const entity = await known;
    return entity && isOfKind(entity, kind) ? entity : undefined;
  };
}

async function planLine({ id, name, projectId, body }: Entity<"plan">, context: QueryContext): Promise<Line> {
  const { planType, schedule, isEnabled } = body;
  return {
    id,
    sign: isEnabled === true ? "on" : isEnabled === false ? "off" : "none",
    name: name ?? id,
    parts: [
      ...(isEnabled === false ? ["switched off"] : []),
      ...(planType ? [planType] : []),
      ...(schedule ? [scheduleWords(schedule, context.now)] : []),
      ...(await placeParts(projectId, context)),
      id,
    ],
    menu: [
      resultButton("Selectors", "selector list", { words: id }),
      ...(projectId === null ? [] : [resultButton("What runs next", "next", { thing: projectId })]),
      resultButton("History", "history", { which: `plan ${id}` }),
    ],
  };
}

async function planWithSelectors(plan: Entity<"plan">, context: QueryContext): Promise<Line> {
  const [line, selectors] = await Promise.all([planLine(plan, context), searchWords("selector", plan.id, context)]);
  const names = selectors.slice(0, shownSelectors).map(({ id, name }) => name ?? id);
  return names.length === 0 ? line : { ...line, parts: [`selects ${names.join(", ")}`, ...line.parts] };
}

async function selectorLine({ id, name, body }: Entity<"selector">, context: QueryContext): Promise<Line> {
  const { planId, resourceType } = body;
  const rules = selectorFacts({ ...body, name: undefined, credentialIds: undefined });
  const plan = planId ? await context.directory.get("plan", planId) : undefined;
  const target = { projectId: plan?.projectId ?? undefined, resourceType: resourceType ?? undefined };
  const input = { plan: planId, selector: id };
  const edit = formButton("Edit…", "selector edit", input);
  return {
    ...{ id, sign: "none", name: name ?? id },
    parts: [
      ...(planId ? [`of ${plan?.name ?? planId}`] : []),
      ...rules.map(({ label, value }) => `${label}: ${value}`),
      id,
    ],
    menu: [
      ...(planId && context.may("GetManagedServicesSelector", target)
        ? [resultButton("Show", "selector show", input)]
        : []),
      ...(planId && context.may("ModifyManagedServicesSelector", target) ? [edit] : []),
      resultButton("History", "history", { which: `selector ${id}` }),
    ],
  };
}

async function credentialLine(
  { id, name, projectId, body }: Entity<"credential">,
  context: QueryContext,
): Promise<Line> {
  const target = { projectId: projectId ?? undefined };
  const form = (label: string, words: string): CommandButton => formButton(label, words, { credential: id });
  return {
    ...{ id, sign: "none", name: name ?? id },
    parts: [...(body.credentialType ? [body.credentialType] : []), ...(await placeParts(projectId, context)), id],
    menu: [
      ...(context.may("ModifyCredential", target) ? [form("Edit…", "credential edit")] : []),
      ...(context.may("DeleteCredential", target) ? [form("Delete…", "credential delete")] : []),
      resultButton("History", "history", { which: `credential ${id}` }),
    ],
  };
}

/** A plan with its selectors, a selector, a credential with the selectors that use it, or a policy, one a line. */
export async function knownLines(
  { kind, id }: { readonly kind: "plan" | "selector" | "credential" | "policy"; readonly id: string },
  context: QueryContext,
): Promise<{ readonly lines: readonly Line[]; readonly note?: string }> {
  const entity: Entity | undefined = await context.directory.get(kind, id);
  if (!entity) return { lines: [] };
  if (isOfKind(entity, "policy")) return { lines: [policyLine(entity)] };
  if (isOfKind(entity, "selector"))
    return { lines: [await selectorLine(await asItIs(entity, context), context)], note: byRules };
  if (isOfKind(entity, "credential")) return usesOf(entity, context);
  if (!isOfKind(entity, "plan")) return { lines: [] };
  const selectors = await selectorsWhere(({ body }) => body.planId === id, context);
  const lines = selectors.slice(0, shownSelectors).map((selector) => selectorLine(selector, context));
  const isKnown = entity.body.isEnabled !== undefined && entity.body.isEnabled !== null;
  return {
    lines: [await planLine(entity, context), ...(await Promise.all(lines))],
    note: [
      ...(selectors.length > 0 ? [byRules] : ["Curfew knows no selector of it, so not what it covers."]),
      ...(isKnown ? [] : ["Whether it is active and when it runs is not known: the service has no read for plans."]),
    ].join(" "),
  };
}

const byRules = "It covers what matches the rules below. Which machines have a tag is known to the service only.";
const shownSelectors = 5;
/** Each is read. */
const mostSelectors = 50;

async function usesOf(credential: Entity<"credential">, context: QueryContext) {
  const using = await selectorsWhere(({ body }) => body.credentialIds?.includes(credential.id) ?? false, context);
  const lines = using.slice(0, shownSelectors).map((selector) => selectorLine(selector, context));
  const used = using.length === 0 ? "No selector" : counted(using.length, "selector");
  return {
    lines: [await credentialLine(credential, context), ...(await Promise.all(lines))],
    note: `${used} that Curfew knows ${using.length > 1 ? "use" : "uses"} it. The service doesn't tell what else does.`,
  };
}

/** The selectors that the requester may see, as they are now. */
async function selectorsWhere(isMeant: (selector: Entity<"selector">) => boolean, context: QueryContext) {
  const known = (await searchWords("selector", "", context)).slice(0, mostSelectors);
  const all = await Promise.all(known.map((each) => asItIs(each, context)));
  return all.filter(isMeant);
}

/** As the service shows it now, where the requester may read it; else as it was last known. */
async function asItIs(selector: Entity<"selector">, context: QueryContext): Promise<Entity<"selector">> {
  const { planId, resourceType } = selector.body;
  const plan = planId ? await context.directory.get("plan", planId) : undefined;
  const target = { projectId: plan?.projectId ?? unknownProject, resourceType: resourceType ?? undefined };
  if (!planId || !context.may("GetManagedServicesSelector", target)) return selector;
  const { answer } = {
    answer: undefined,
    ...(await context.read("GetManagedServicesSelector", { planId, selectorId: selector.id })),
  };
  return answer && !planProblem(planId, answer) ? { ...selector, body: answer } : selector;
}

async function placeParts(projectId: string | null, { directory }: QueryContext): Promise<readonly LinePart[]> {
  return projectId === null ? [] : [`in ${(await directory.get("project", projectId))?.name ?? projectId}`];
}

export const knownLists = [planList, selectorList, credentialList] as const;
