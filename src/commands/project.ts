import type { Entity } from "../directory/directory.ts";
import { accountOf } from "../service/account-ids.ts";
import { formButton, type Line, resultButton, serviceProblem } from "./answer.ts";
import { defineChange, defineQuery, type FillContext, type QueryContext } from "./command.ts";
import { reference, text, toggle } from "./field.ts";
import { maySeeProject } from "./lookup/may-see.ts";
import { defineList, learnt, searchWords } from "./lookup/page-of.ts";

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
        resultButton("Rename anyway", "project rename", renamed),
        formButton("Another name…", "project rename", { project: input.project }),
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
  const isBeside = (id: string) => own === undefined || accountOf(id) === accountOf(own);
  const others = found.filter(
    (each) => each.id !== own && isBeside(each.id) && each.name?.toLowerCase() === name?.toLowerCase(),
  );
  const [other] = [...others.filter(({ id }) => maySeeProject(context, id)), ...others];
  if (!other) return [];
  return [`Another project is called ${other.name} already${maySeeProject(context, other.id) ? `: ${other.id}` : ""}.`];
}

export const projectList = defineList({
  ...{ words: "project list", called: "projects", title: "Projects", noun: "known project" },
  summary: "Show the projects that Curfew knows",
  // No operation lists projects (API.md), so the right to list their actions stands for it.
  operation: "ListActions",
  whenEmpty: learnt,
  find: async (words, context) =>
    (await searchWords("project", words, context)).filter(({ id }) => maySeeProject(context, id)),
  line: projectLine,
});

function projectLine({ id, name }: Entity<"project">, { may }: QueryContext): Line {
  const rename = formButton("Rename…", "project rename", { project: id });
  return {
    ...{ id, sign: "none", name: name ?? id, parts: name ? [id] : [] },
    menu: [
      resultButton("Status", "status", { thing: id }),
      resultButton("What runs next", "next", { thing: id }),
      resultButton("What is kept", "exclusion list", { which: `project ${id}` }),
      ...(may("ModifyProject", { projectId: id }) ? [rename] : []),
      resultButton("History", "history", { which: `project ${id}` }),
    ],
  };
}

export const policyList = defineList({
  ...{ words: "policy list", called: "policies", title: "Managed policies", noun: "known policy" },
  summary: "Show the managed policies that Curfew knows",
  operation: "GetManagedPolicy",
  whenEmpty: "“policy show” with an id reads one.",
  // `find` searches this list for everybody.
  find: async (words, context) =>
    (await searchWords("policy", words, context)).filter(({ id }) => mayReadPolicy(id, context)),
  line: policyLine,
});

const mayReadPolicy = (id: string, { may }: Pick<QueryContext, "may">): boolean =>
  may("GetManagedPolicy", { account: accountOf(id) });

export function policyLine({ id, name }: Entity<"policy">): Line {
  const menu = [resultButton("Details", "policy show", { policy: id })] as const;
  return { id, sign: "none", name: name ?? id, parts: name ? [id] : [], menu };
}

export const policyShow = defineQuery({
  words: "policy show",
  title: "Show policy",
  summary: "Show a managed policy",
  operation: "GetManagedPolicy",
  fields: { policy: reference("policy", { label: "Policy", hint: "Its name or id", positional: true }) },
  answer: async ({ policy: id }, context) => {
    if (!mayReadPolicy(id, context))
      return { problem: `You can't read about policies of the account ${accountOf(id)}. Ask somebody who may.` };
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
