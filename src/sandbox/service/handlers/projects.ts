import type { Account } from "../account.ts";
import type { Handler } from "../handler.ts";
import { modified } from "../modified.ts";
import { found } from "../refusal.ts";

export const modifyProject: Handler<"ModifyProject"> = ({ id, name }, context) => {
  const project = { ...found(context.account.projects, "Project", id), name, ...modified(context) };
  context.account.projects.set(id, project);
  return project;
};

/** The project that a new thing goes to: the named one, else the account's default (spec.md, "CreateManagedServicesPlan"). */
export function owningProjectId(account: Account, projectId: string | undefined): string {
  if (projectId !== undefined) return found(account.projects, "Project", projectId).projectId;
  const standard = [...account.projects.values()].find((project) => project.isDefault);
  if (standard === undefined) throw new Error("The sandbox's account has no default project.");
  return standard.projectId;
}
