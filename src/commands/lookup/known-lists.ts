import { type Directory, type Entity, type EntityKind, isOfKind } from "../../directory/directory.ts";
import type { Answer, CommandButton, Line, LinePart } from "../answer.ts";
import { defineQuery, type QueryContext } from "../command.ts";
import type { Input } from "../field.ts";
import { policyLine } from "../project.ts";
import { scheduleWords } from "../schedule-facts.ts";
import { maySee } from "./may-see.ts";
import { listAnswer, listFields, matching } from "./page-of.ts";
import { searchWords } from "./search-words.ts";

/*
 * What Curfew remembers of things that the service does not list (API.md). The right to list a project's actions stands for the right
 * to see them.
 */

export const planList = defineQuery({
  words: "plan list",
  aliases: ["plans", "list plans", "show plans"],
  title: "Plans",
  summary: "Show the plans that Curfew knows",
  operation: "ListActions",
  fields: listFields,
  answer: ({ words, page }, context) =>
    knownAnswer("plan", { words, page, whenEmpty: "“plan create” makes one." }, planLine, context),
});

export const selectorList = defineQuery({
  words: "selector list",
  aliases: ["selectors", "list selectors", "show selectors"],
  title: "Selectors",
  summary: "Show the selectors that Curfew knows, with their plans",
  operation: "ListActions",
  fields: listFields,
  answer: ({ words, page }, context) =>
    knownAnswer("selector", { words, page, whenEmpty: "“selector show” reads one by its id." }, selectorLine, context),
});

export const credentialList = defineQuery({
  words: "credential list",
  aliases: ["credentials", "list credentials", "show credentials"],
  title: "Credentials",
  summary: "Show the credentials that Curfew knows",
  operation: "ListActions",
  fields: listFields,
  answer: ({ words, page }, context) =>
    knownAnswer(
      "credential",
      { words, page, whenEmpty: "Curfew learns them from the service's answers and its config file." },
      credentialLine,
      context,
    ),
});

interface Asked {
  readonly words: string | undefined;
  readonly page: number | undefined;
  readonly whenEmpty: string;
}

async function knownAnswer<K extends EntityKind>(
  kind: K,
  { words = "", page = 1, whenEmpty }: Asked,
  line: (entity: Entity<K>, context: QueryContext) => Line | Promise<Line>,
  context: QueryContext,
): Promise<Answer> {
  const found = await searchWords(kind, words, context);
  const seeing = { ...context, directory: { ...context.directory, get: onceEach(context.directory) } };
  const isSeen = await Promise.all(found.map((entity) => maySee(entity, seeing)));
  return listAnswer({
    all: found.filter((_entity, index) => isSeen[index]),
    ...{ page, noun: kind, narrowed: matching(words), whenEmpty },
    command: { words: `${kind} list`, input: words ? { words } : {} },
    note: `Only those that Curfew knows: the service cannot list its ${kind}s.`,
    lines: (shown) => Promise.all(shown.map((entity) => line(entity, context))),
  });
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
      result("Selectors", "selector list", { words: id }),
      ...(projectId === null ? [] : [result("What runs next", "next", { thing: projectId })]),
      result("History", "history", { which: `plan ${id}` }),
    ],
  };
}

async function selectorLine({ id, name, body }: Entity<"selector">, context: QueryContext): Promise<Line> {
  const { planId, resourceType } = body;
  const plan = planId ? await context.directory.get("plan", planId) : undefined;
  const target = { projectId: plan?.projectId ?? undefined, resourceType: resourceType ?? undefined };
  const input = { plan: planId, selector: id };
  const edit = { label: "Edit…", words: "selector edit", opens: "form", input } as const;
  return {
    ...{ id, sign: "none", name: name ?? id },
    parts: [...(planId ? [`of ${plan?.name ?? planId}`] : []), ...(resourceType ? [resourceType] : []), id],
    menu: [
      ...(planId && context.may("GetManagedServicesSelector", target) ? [result("Show", "selector show", input)] : []),
      ...(planId && context.may("ModifyManagedServicesSelector", target) ? [edit] : []),
      result("History", "history", { which: `selector ${id}` }),
    ],
  };
}

async function credentialLine(
  { id, name, projectId, body }: Entity<"credential">,
  context: QueryContext,
): Promise<Line> {
  const target = { projectId: projectId ?? undefined };
  const form = (label: string, words: string): CommandButton => ({
    ...{ label, words, opens: "form", input: { credential: id } },
  });
  return {
    ...{ id, sign: "none", name: name ?? id },
    parts: [...(body.credentialType ? [body.credentialType] : []), ...(await placeParts(projectId, context)), id],
    menu: [
      ...(context.may("ModifyCredential", target) ? [form("Edit…", "credential edit")] : []),
      ...(context.may("DeleteCredential", target) ? [form("Delete…", "credential delete")] : []),
      result("History", "history", { which: `credential ${id}` }),
    ],
  };
}

/** A plan with its selectors, a selector, a credential or a policy, one a line. */
export async function knownLines(
  { kind, id }: { readonly kind: "plan" | "selector" | "credential" | "policy"; readonly id: string },
  context: QueryContext,
): Promise<readonly Line[]> {
  const entity: Entity | undefined = await context.directory.get(kind, id);
  if (!entity) return [];
  if (isOfKind(entity, "selector")) return [await selectorLine(entity, context)];
  if (isOfKind(entity, "credential")) return [await credentialLine(entity, context)];
  if (isOfKind(entity, "policy")) return [policyLine(entity)];
  if (!isOfKind(entity, "plan")) return [];
  const selectors = (await searchWords("selector", id, context)).filter(({ body }) => body.planId === id);
  const lines = selectors.slice(0, shownSelectors).map((selector) => selectorLine(selector, context));
  return [await planLine(entity, context), ...(await Promise.all(lines))];
}

const shownSelectors = 5;

async function placeParts(projectId: string | null, { directory }: QueryContext): Promise<readonly LinePart[]> {
  return projectId === null ? [] : [`in ${(await directory.get("project", projectId))?.name ?? projectId}`];
}

const result = (label: string, words: string, input: Input): CommandButton => ({
  ...{ label, words, opens: "result", input },
});

export const knownLists = [planList, selectorList, credentialList] as const;
