import { resourceTypes } from "../../../service/resources.ts";
import type { ActionExclusion } from "../account.ts";
import { findOrThrow, invalidValue } from "../api-error.ts";
import type { Handler, HandlerAnswer, HandlerContext, HandlerInput, Handlers } from "../handler.ts";
import { modified } from "../handler.ts";
import { owningProjectId } from "./projects.ts";

const identificationMethods = ["all", "by-resource-id", "by-resource-tag"];

const createActionExclusion: Handler<"CreateActionExclusion"> = ({ projectId, ...input }, context) => {
  const change = modified(context);
  const exclusion = {
    actionExclusionId: context.newId("aex"),
    projectId: owningProjectId(context.account, projectId),
    createdDate: change.lastModifiedDate,
    startDate: change.lastModifiedDate,
    timeZoneId: "UTC",
    ...settings(input),
    ...change,
  };
  return save(exclusion, context);
};

/** Project, creation date and start do not change (API.md, "ActionExclusion": the project is set on creation only). */
const modifyActionExclusion: Handler<"ModifyActionExclusion"> = ({ id, ...input }, context) => {
  const exclusion = findOrThrow(context.account.exclusions, "ActionExclusion", id);
  return save({ ...exclusion, ...settings(input), ...modified(context) }, context);
};

const deleteActionExclusion: Handler<"DeleteActionExclusion"> = ({ id }, { account }) => {
  account.exclusions.delete(findOrThrow(account.exclusions, "ActionExclusion", id).actionExclusionId);
};

/** API.md shows only `active`; `expired` is our own value. */
export function exclusionStatus({ expiryDate }: ActionExclusion, nowMs: number): "active" | "expired" {
  return nowMs < Date.parse(expiryDate) ? "active" : "expired";
}

function settings(input: Omit<HandlerInput<"ModifyActionExclusion">, "id">) {
  requireOneOf("resourceType", resourceTypes, input.resourceType);
  requireOneOf("resourceIdentificationMethod", identificationMethods, input.resourceIdentificationMethod);
  return { ...input, resourceIds: input.resourceIds ?? [] };
}

function requireOneOf(field: string, allowed: readonly string[], value: string): void {
  if (!allowed.includes(value)) throw invalidValue(field, `${field} must be one of ${allowed.join(", ")}.`);
}

function save(exclusion: ActionExclusion, { account, now }: HandlerContext): HandlerAnswer<"CreateActionExclusion"> {
  account.exclusions.set(exclusion.actionExclusionId, exclusion);
  return { ...exclusion, status: exclusionStatus(exclusion, now()) };
}

export const exclusionHandlers = {
  CreateActionExclusion: createActionExclusion,
  ModifyActionExclusion: modifyActionExclusion,
  DeleteActionExclusion: deleteActionExclusion,
} satisfies Partial<Handlers>;
