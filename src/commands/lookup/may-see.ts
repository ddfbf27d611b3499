import type { Directory, Entity, PlacedDirectory } from "../../directory/directory.ts";
import { type Machine, machinesNamed } from "../../directory/machines.ts";
import { unknownProject } from "../../permissions/decide.ts";
import type { OperationName } from "../../service/operations.ts";
import type { FillContext } from "../command.ts";

/** What is done to users. Who may do none of these sees nothing of them. */
export const userOperations = [
  "ModifyUser",
  "RemoveUserMfa",
  "DetachManagedPolicy",
] as const satisfies readonly OperationName[];

export const maySeeUsers = ({ may }: Pick<FillContext, "may">): boolean =>
  userOperations.some((operation) => may(operation, {}));

/** No operation lists exclusions, projects or plans (API.md), so the right to list a project's actions stands for it. */
export const maySeeProject = ({ may }: Pick<FillContext, "may">, projectId: string | null | undefined): boolean =>
  may("ListActions", { projectId: projectId ?? unknownProject });

/** Whether the requester may read about an entity here. */
export async function maySee(
  entity: Entity,
  context: Pick<FillContext, "may"> & { readonly directory: Pick<Directory, "get"> },
): Promise<boolean> {
  const { kind, id, projectId, body } = entity;
  switch (kind) {
    case "user":
      return maySeeUsers(context);
    case "policy":
      return context.may("GetManagedPolicy", {});
    case "project":
      return maySeeProject(context, id);
    case "selector": {
      const planId = "planId" in body && typeof body.planId === "string" ? body.planId : undefined;
      const plan = planId === undefined ? undefined : await context.directory.get("plan", planId);
      return maySeeProject(context, plan?.projectId);
    }
    case "action":
    case "credential":
    case "exclusion":
    case "group":
    case "machine":
    case "plan":
      return maySeeProject(context, projectId);
  }
}

/** The imported machines of this name that the requester may see, or keep running. */
export const knownMachines = (
  word: string,
  { directory, may }: { readonly directory: Pick<PlacedDirectory, "machines"> } & Pick<FillContext, "may">,
): readonly Machine[] =>
  machinesNamed(directory.machines(), word).filter(({ id, type, project }) =>
    knownBy.thing.some((operation) =>
      may(operation, { projectId: project, resourceType: type, resourceIds: [id], exclusionLengthMs: 0 }),
    ),
  );

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
