import { type CommandButton, serviceProblem } from "./answer.ts";
import { defineChange, defineQuery, type QueryContext } from "./command.ts";
import { reference, text } from "./field.ts";
import { maySeeProject } from "./lookup/may-see.ts";
import { pageField, pageOf } from "./lookup/page-of.ts";
import { searchWords } from "./lookup/search-words.ts";

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
  },
  subjectId: (input) => input.project,
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

export const projectList = defineQuery({
  words: "project list",
  aliases: ["projects", "list projects", "show projects"],
  title: "Projects",
  summary: "Show the projects that Curfew knows",
  // No operation lists projects (API.md), so the right to list their actions stands for it.
  operation: "ListActions",
  fields: {
    words: text({
      label: "Words",
      hint: "Of their name or id",
      example: "dev",
      maxLength: 200,
      positional: "rest",
      optional: true,
    }),
    page: pageField,
  },
  answer: async ({ words = "", page = 1 }, context) => {
    const found = await searchWords("project", words, context);
    const projects = found.filter(({ id }) => maySeeProject(context, id));
    const { items, note, buttons } = pageOf(projects, page, { words: "project list", input: words ? { words } : {} });
    const count = projects.length === 1 ? "1 project" : `${projects.length} projects`;
    return {
      title: `${count}${words ? ` matching “${words}”` : ""}`,
      note: [note, "Only those that Curfew knows: the service cannot list its projects."].filter(Boolean).join(". "),
      items: items.map(({ id, name }) => ({
        title: name ?? id,
        facts: [{ label: "Project", value: id }],
        buttons: projectButtons(id, context),
      })),
      count: projects.length,
      buttons,
    };
  },
});

function projectButtons(id: string, { may }: QueryContext): readonly CommandButton[] {
  const rename = { label: "Rename", words: "project rename", opens: "form", input: { project: id } } as const;
  return [
    { label: "Status", words: "status", opens: "result", input: { thing: id } },
    ...(may("ModifyProject", { projectId: id }) ? [rename] : []),
  ];
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

export const projectCommands = [projectRename, projectList, policyShow] as const;
