import type { Account } from "../account.ts";
import { findOrThrow } from "../api-error.ts";
import type { Handler, Handlers } from "../handler.ts";
import { modified } from "../handler.ts";

const modifyProject: Handler<"ModifyProject"> = ({ id, name }, context) => {
  const project = { ...findOrThrow(context.account.projects, "Project", id), name, ...modified(context) };
  context.account.projects.set(project.projectId, project);
  return project;
};

/** The named project, else the account's default (API.md, "CreateManagedServicesPlan"). */
export function owningProjectId(account: Account, projectId: string | undefined): string {
  if (projectId !== undefined) return findOrThrow(account.projects, "Project", projectId).projectId;
  const defaultProject = [...account.projects.values()].find((project) => project.isDefault);
  if (defaultProject === undefined)
    throw new Error("The sandbox account has no default project; set isDefault on one of them.");
  return defaultProject.projectId;
}

export const projectHandlers = {
  ModifyProject: modifyProject,
} satisfies Partial<Handlers>;
