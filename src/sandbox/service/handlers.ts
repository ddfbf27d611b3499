import type { Handlers } from "./handler.ts";
import { actionHandlers } from "./handlers/actions.ts";
import { credentialHandlers } from "./handlers/credentials.ts";
import { exclusionHandlers } from "./handlers/exclusions.ts";
import { policyHandlers } from "./handlers/managed-policies.ts";
import { planHandlers } from "./handlers/plans.ts";
import { projectHandlers } from "./handlers/projects.ts";
import { selectorHandlers } from "./handlers/selectors.ts";
import { userHandlers } from "./handlers/users.ts";

/** A missing handler does not compile. */
export const handlers: Handlers = {
  ...actionHandlers,
  ...credentialHandlers,
  ...exclusionHandlers,
  ...policyHandlers,
  ...planHandlers,
  ...projectHandlers,
  ...selectorHandlers,
  ...userHandlers,
};
