import { findOrThrow } from "../api-error.ts";
import type { Handler, Handlers } from "../handler.ts";

const getManagedPolicy: Handler<"GetManagedPolicy"> = ({ id }, { account }) =>
  findOrThrow(account.managedPolicies, "ManagedPolicy", id);

export const policyHandlers = {
  GetManagedPolicy: getManagedPolicy,
} satisfies Partial<Handlers>;
