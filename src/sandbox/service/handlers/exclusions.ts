import { resourceTypes } from "../../../service/resources.ts";
import type { ActionExclusion } from "../account.ts";
import type { Handler, HandlerAnswer, HandlerContext, HandlerInput } from "../handler.ts";
import { modified } from "../modified.ts";
import { found, invalidValue } from "../refusal.ts";
import { owningProjectId } from "./projects.ts";

const identificationMethods = ["all", "by-resource-id", "by-resource-tag"];

export const createActionExclusion: Handler<"CreateActionExclusion"> = ({ projectId, ...asked }, context) => {
  const change = modified(context);
  const exclusion = {
    actionExclusionId: context.newId("aex"),
    projectId: owningProjectId(context.account, projectId),
    createdDate: change.lastModifiedDate,
    startDate: change.lastModifiedDate,
    timeZoneId: "UTC",
    ...settings(asked),
    ...change,
  };
  return keep(exclusion, context);
};

/** Project, creation and start stay as they were (spec.md, "ActionExclusion": the project is set on creation only). */
export const modifyActionExclusion: Handler<"ModifyActionExclusion"> = ({ id, ...asked }, context) => {
  const exclusion = found(context.account.exclusions, "ActionExclusion", id);
  return keep({ ...exclusion, ...settings(asked), ...modified(context) }, context);
};

export const deleteActionExclusion: Handler<"DeleteActionExclusion"> = ({ id }, { account }) => {
  found(account.exclusions, "ActionExclusion", id);
  account.exclusions.delete(id);
};

/** `active` until it expires; the word for afterwards is ours, spec.md shows none. */
export function exclusionStatus({ expiryDate }: ActionExclusion, nowMs: number): "active" | "expired" {
  return nowMs < Date.parse(expiryDate) ? "active" : "expired";
}

function settings(asked: Omit<HandlerInput<"ModifyActionExclusion">, "id">) {
  requireOneOf("resourceType", resourceTypes, asked.resourceType);
  requireOneOf("resourceIdentificationMethod", identificationMethods, asked.resourceIdentificationMethod);
  return { ...asked, resourceIds: asked.resourceIds ?? [] };
}

function requireOneOf(field: string, allowed: readonly string[], value: string): void {
  if (!allowed.includes(value)) throw invalidValue(field, `${field} must be one of ${allowed.join(", ")}.`);
}

function keep(exclusion: ActionExclusion, { account, now }: HandlerContext): HandlerAnswer<"CreateActionExclusion"> {
  account.exclusions.set(exclusion.actionExclusionId, exclusion);
  return { ...exclusion, status: exclusionStatus(exclusion, now()) };
}
