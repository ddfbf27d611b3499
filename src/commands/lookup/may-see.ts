import type { Directory, Entity, PlacedDirectory } from "../../directory/directory.ts";
import type { ResourcePlace } from "../../directory/resources.ts";
import { type Machine, machinesNamed } from "../../directory/resources.ts";
import { unknownProject } from "../../permissions/decide.ts";
import { accountOf, accountSaid, mainAccount } from "../../service/account-ids.ts";
import type { OperationName } from "../../service/operations.ts";
import type { FillContext } from "../command.ts";

/** What is done to users. Who may do none of these sees nothing of them. */
export const userOperations = [
  "ModifyUser",
  "RemoveUserMfa",
  "DetachManagedPolicy",
] as const satisfies readonly OperationName[];

/** Those of one account of the service, or of any. */
export const maySeeUsers = ({ may, settings }: Pick<FillContext, "may" | "settings">, account?: string): boolean => {
  const accounts = account === undefined ? [mainAccount, ...Object.keys(settings.accounts)] : [account];
  return userOperations.some((operation) => accounts.some((each) => may(operation, { account: each })));
};

/** No operation lists exclusions, projects or plans (API.md), so the right to list a project's actions stands for it. */
export const maySeeProject = ({ may }: Pick<FillContext, "may">, projectId: string | null | undefined): boolean =>
  may("ListActions", { projectId: projectId ?? unknownProject });

/** Whether the requester may know where a machine is. */
export const mayKnowPlace =
  ({ may }: Pick<FillContext, "may">) =>
  ({
    id,
    projectId = unknownProject,
    types: [resourceType],
  }: Pick<ResourcePlace, "id" | "projectId" | "types">): boolean =>
    knownBy.thing.some((operation) =>
      may(operation, { projectId, resourceType, resourceIds: [id], exclusionLengthMs: 0 }),
    );

/** Whether the requester may read about an entity here. */
export async function maySee(
  entity: Entity,
  context: Pick<FillContext, "may" | "settings"> & { readonly directory: Pick<Directory, "get"> },
): Promise<boolean> {
  const { kind, id, projectId, body } = entity;
  const maySeeIn = (project: string | null | undefined) =>
    context.may("ListActions", { account: accountOf(project ?? id), projectId: project ?? unknownProject });
  switch (kind) {
    case "user":
      return maySeeUsers(context, accountOf(id));
    case "policy":
      return context.may("GetManagedPolicy", { account: accountOf(id) });
    case "project":
      return maySeeProject(context, id);
    case "selector": {
      const planId = "planId" in body && typeof body.planId === "string" ? body.planId : undefined;
      const plan = planId === undefined ? undefined : await context.directory.get("plan", planId);
      return maySeeIn(plan?.projectId);
    }
    case "action":
    case "credential":
    case "exclusion":
    case "group":
    case "machine":
    case "plan":
      return maySeeIn(projectId);
  }
}

/** The imported machines of this name that the requester may see, or keep running. */
export const knownMachines = (
  word: string,
  context: { readonly directory: Pick<PlacedDirectory, "machines"> } & Pick<FillContext, "may" | "settings">,
): readonly Machine[] => {
  const [account, name] = accountSaid(word, context.settings.accounts) ?? [undefined, word];
  return machinesNamed(context.directory.machines(), name).filter(
    ({ id, type, project }) =>
      (account ?? accountOf(id)) === accountOf(id) && mayKnowPlace(context)({ id, projectId: project, types: [type] }),
  );
};

/** Who may do one of these where a thing is may know its name. */
export const knownBy = {
  thing: ["ListActions", "CreateActionExclusion"],
  person: userOperations,
  action: ["ListActions"],
  project: ["ListActions", "CreateActionExclusion", "ModifyProject", "CreateManagedServicesPlan"],
  plan: ["ListActions", "GetManagedServicesSelector", "ModifyManagedServicesSelector"],
  policy: ["GetManagedPolicy", "DetachManagedPolicy"],
  credential: ["ListActions", "ModifyCredential", "DeleteCredential"],
  selector: ["ListActions", "GetManagedServicesSelector", "ModifyManagedServicesSelector"],
} as const satisfies Readonly<Record<string, readonly OperationName[]>>;
