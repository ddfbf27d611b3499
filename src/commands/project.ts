import type { Entity } from "../directory/directory.ts";
import { type Line, serviceProblem } from "./answer.ts";
import { defineChange, defineQuery, type FillContext, type QueryContext } from "./command.ts";
import { reference, text, toggle } from "./field.ts";
import { maySeeProject } from "./lookup/may-see.ts";
import { listAnswer, listFields, matching, searchWords } from "./lookup/page-of.ts";

export const projectRename = defineChange({
  words: "project rename",
  aliases: [
    ...["project rename <project> to <name>", "rename <project> to <name>"],
    "rename project <project> to <name>",
  ],
  title: "Rename project",
  summary: "Give a project another name",
  operation: "ModifyProject",
  about: "project",
  fields: {
    project: reference("project", { label: "Project", hint: "Its name or id", positional: true }),
    name: text({ label: "New name", example: "Development", maxLength: 200, positional: "rest" }),
    anyway: toggle({ label: "Rename anyway", hidden: "all", optional: true }),
  },
  subjectId: (input) => input.project,
  preview: async (input, context) => ({ lines: await sameName(input, context), buttons: [] }),
  already: async (input, context) => {
    const [warning] = input.anyway || context.needsApproval ? [] : await sameName(input, context);
    if (warning === undefined) return undefined;
    const renamed = { ...input, anyway: true };
    return {
      problem: `${warning} People would take one for the other. Nothing was changed.`,
      buttons: [
        { label: "Rename anyway", words: "project rename", opens: "result", input: renamed },
        { label: "Another name…", words: "project rename", opens: "form", input: { project: input.project } },
      ],
    };
  },
  request: (input) => ({ id: input.project, name: input.name }),
  target: ({ request }) => ({ projectId: request.id }),
  describe: ({ request, before, after }) => ({
    done: `renamed project ${before?.name ?? request.id} to ${after?.name ?? request.name}`,
    asked: `rename project ${before?.name ?? request.id} to ${request.name}`,
    saysAll: true,
    facts: [
      { label: "Name", value: after?.name ?? request.name, before: before?.name ?? undefined },
      { label: "Project", value: request.id },
    ],
  }),
  undo: ({ request, before }) =>
    before?.name ? { words: "project rename", input: { project: request.id, name: before.name } } : undefined,
});

/** A warning of another project with this name, as far as Curfew knows them. Its id is for those who may see it. */
async function sameName(
  { project: own, name }: { readonly project?: string | undefined; readonly name?: string | undefined },
  context: FillContext,
): Promise<readonly string[]> {
  const found = name === undefined ? [] : await context.directory.match("project", name);
  const others = found.filter((each) => each.id !== own && each.name?.toLowerCase() === name?.toLowerCase());
  const [other] = [...others.filter(({ id }) => maySeeProject(context, id)), ...others];
  if (!other) return [];
  return [`Another project is called ${other.name} already${maySeeProject(context, other.id) ? `: ${other.id}` : ""}.`];
}

export const projectList = defineQuery({
  words: "project list",
  aliases: ["projects", "list projects", "show projects"],
  title: "Projects",
  summary: "Show the projects that Curfew knows",
  // No operation lists projects (API.md), so the right to list their actions stands for it.
  operation: "ListActions",
  fields: listFields,
  answer: async ({ words = "", page = 1 }, context) => {
    const found = await searchWords("project", words, context);
    const projects = found.filter(({ id }) => maySeeProject(context, id));
    return listAnswer({
      ...{ all: projects, page, noun: "project", narrowed: matching(words) },
      command: { words: "project list", input: words ? { words } : {} },
      note: "Only those that Curfew knows: the service cannot list its projects.",
      whenEmpty: "Curfew learns them from the service's answers and its config file.",
      lines: (shown) => shown.map((project) => projectLine(project, context)),
    });
  },
});

function projectLine({ id, name }: Entity<"project">, { may }: QueryContext): Line {
  const rename = { label: "Rename…", words: "project rename", opens: "form", input: { project: id } } as const;
  return {
    ...{ id, sign: "none", name: name ?? id, parts: name ? [id] : [] },
    menu: [
      { label: "Status", words: "status", opens: "result", input: { thing: id } },
      { label: "What runs next", words: "next", opens: "result", input: { thing: id } },
      { label: "Exclusions", words: "exclusion list", opens: "result", input: { which: `project ${id}` } },
      ...(may("ModifyProject", { projectId: id }) ? [rename] : []),
      { label: "History", words: "history", opens: "result", input: { which: `project ${id}` } },
    ],
  };
}

export const policyList = defineQuery({
  words: "policy list",
  aliases: ["policies", "list policies", "show policies"],
  title: "Managed policies",
  summary: "Show the managed policies that Curfew knows",
  operation: "GetManagedPolicy",
  fields: listFields,
  answer: async ({ words = "", page = 1 }, context) => {
    // `find` searches this list for everybody.
    const all = context.may("GetManagedPolicy", {}) ? await searchWords("policy", words, context) : [];
    return listAnswer({
      ...{ all, page, noun: "managed policy", narrowed: matching(words) },
      command: { words: "policy list", input: words ? { words } : {} },
      note: "Only those that Curfew knows: the service cannot list its policies.",
      whenEmpty: "“policy show” with an id reads one.",
      lines: (shown) => shown.map((policy) => policyLine(policy)),
    });
  },
});

export function policyLine({ id, name }: Entity<"policy">): Line {
  const menu = [{ label: "Details", words: "policy show", opens: "result", input: { policy: id } }] as const;
  return { id, sign: "none", name: name ?? id, parts: name ? [id] : [], menu };
}

export const policyShow = defineQuery({
  words: "policy show",
  title: "Show policy",
  summary: "Show a managed policy",
  operation: "GetManagedPolicy",
  fields: { policy: reference("policy", { label: "Policy", hint: "Its name or id", positional: true }) },
  answer: async ({ policy: id }, context) => {
    const result = await context.read("GetManagedPolicy", { id });
    if (result.kind !== "succeeded") return serviceProblem(result.error);
    const { name, managedPolicyId } = result.answer ?? { managedPolicyId: id };
    return {
      title: `Managed policy ${name ?? managedPolicyId}`,
      items: [{ title: "", facts: [{ label: "Policy", value: managedPolicyId }] }],
    };
  },
});

export const projectCommands = [projectRename, projectList, policyList, policyShow] as const;
