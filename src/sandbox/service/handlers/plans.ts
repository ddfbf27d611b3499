import { ianaZone } from "../../../time/zone.ts";
import type { Plan } from "../account.ts";
import type { Handler } from "../handler.ts";
import { modified } from "../modified.ts";
import { notFound } from "../refusal.ts";
import { owningProjectId } from "./projects.ts";

export const createManagedServicesPlan: Handler<"CreateManagedServicesPlan"> = ({ projectId, ...asked }, context) => {
  const { timeZoneId } = asked.schedule;
  if (ianaZone(timeZoneId) === undefined) throw notFound("TimeZone", timeZoneId);
  const change = modified(context);
  const plan: Plan = {
    planId: context.newId("plan"),
    projectId: owningProjectId(context.account, projectId),
    state: "active",
    isDeleted: false,
    createdDate: change.lastModifiedDate,
    ...asked,
    ...change,
  };
  context.account.plans.set(plan.planId, plan);
  return plan;
};
