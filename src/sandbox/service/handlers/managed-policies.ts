import type { Handler } from "../handler.ts";
import { found } from "../refusal.ts";

export const getManagedPolicy: Handler<"GetManagedPolicy"> = ({ id }, { account }) =>
  found(account.managedPolicies, "ManagedPolicy", id);
