import { serviceProblem } from "./answer.ts";
import { defineChange, defineQuery } from "./command.ts";
import { reference, text } from "./field.ts";

export const projectRename = defineChange({
  words: "project rename",
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
    done: `renamed project ${before?.name ?? request.id}`,
    asked: `rename project ${before?.name ?? request.id}`,
    facts: [
      { label: "Name", value: after?.name ?? request.name, before: before?.name ?? undefined },
      { label: "Project", value: request.id },
    ],
  }),
  undo: ({ request, before }) =>
    before?.name ? { words: "project rename", input: { project: request.id, name: before.name } } : undefined,
});

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

export const projectCommands = [projectRename, policyShow] as const;
