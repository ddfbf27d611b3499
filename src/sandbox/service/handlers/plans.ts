import { ianaZone } from "../../../time/zone.ts";
import type { Plan } from "../account.ts";
import { notFound } from "../api-error.ts";
import type { Handler, Handlers } from "../handler.ts";
import { modified } from "../handler.ts";
import { owningProjectId } from "./projects.ts";

const createManagedServicesPlan: Handler<"CreateManagedServicesPlan"> = ({ projectId, ...input }, context) => {
  const { timeZoneId } = input.schedule;
  if (ianaZone(timeZoneId) === undefined) throw notFound("TimeZone", timeZoneId);
  const change = modified(context);
  const plan: Plan = {
    planId: context.newId("plan"),
    projectId: owningProjectId(context.account, projectId),
    state: "active",
    isDeleted: false,
    createdDate: change.lastModifiedDate,
    ...input,
    ...change,
  };
  context.account.plans.set(plan.planId, plan);
  return plan;
};

export const planHandlers = {
  CreateManagedServicesPlan: createManagedServicesPlan,
} satisfies Partial<Handlers>;
