import type { OperationName } from "../../service/operations.ts";
import type { Handler } from "./handler.ts";
import { getAction, listActions } from "./handlers/actions.ts";
import { deleteCredential, modifyCredential } from "./handlers/credentials.ts";
import { createActionExclusion, deleteActionExclusion, modifyActionExclusion } from "./handlers/exclusions.ts";
import { getManagedPolicy } from "./handlers/managed-policies.ts";
import { createManagedServicesPlan } from "./handlers/plans.ts";
import { modifyProject } from "./handlers/projects.ts";
import { getManagedServicesSelector, modifyManagedServicesSelector } from "./handlers/selectors.ts";
import { detachManagedPolicy, modifyUser, removeUserMfa } from "./handlers/users.ts";

export const handlers: { readonly [O in OperationName]: Handler<O> } = {
  CreateManagedServicesPlan: createManagedServicesPlan,
  ModifyManagedServicesSelector: modifyManagedServicesSelector,
  GetManagedServicesSelector: getManagedServicesSelector,
  GetAction: getAction,
  ListActions: listActions,
  CreateActionExclusion: createActionExclusion,
  ModifyActionExclusion: modifyActionExclusion,
  DeleteActionExclusion: deleteActionExclusion,
  ModifyCredential: modifyCredential,
  DeleteCredential: deleteCredential,
  ModifyUser: modifyUser,
  RemoveUserMfa: removeUserMfa,
  DetachManagedPolicy: detachManagedPolicy,
  ModifyProject: modifyProject,
  GetManagedPolicy: getManagedPolicy,
};
