import { z } from "zod";
import { operations } from "../service/operations.ts";
import { resourceTypes } from "../service/resources.ts";
import { setsExclusionLength } from "./conditions.ts";
import type { PermissionRequest } from "./decide.ts";
import { durationMs } from "./duration-ms.ts";
import { knownName } from "./known-name.ts";
import { operationSet } from "./operation-set.ts";
import type { Policy } from "./policy.ts";
import { setOf } from "./set-of.ts";

const whenSchema = z
  .strictObject({
    longerThan: durationMs.optional(),
    projects: setOf(z.string().min(1)).optional(),
    resourceTypes: setOf(knownName("resource type", resourceTypes)).optional(),
  })
  .transform(({ longerThan, ...when }) => ({ ...when, longerThanMs: longerThan }));

/** The `approvals` section of curfew.yaml (design.md, "Permissions"); approvers are roles, so their names must be given. */
export const approvalsSchema = (roleNames: readonly string[]) =>
  z.array(
    z
      .strictObject({
        operations: operationSet,
        approvers: z.array(knownName("role", roleNames)).min(1, "must name at least one role"),
        count: z.int("must be a whole number").min(1, "must be at least 1").default(1),
        expires: durationMs.prefault("4h"),
        when: whenSchema.prefault({}),
      })
      .transform(({ expires, ...rule }) => ({ ...rule, expiresMs: expires })),
  );
export type Approvals = z.output<ReturnType<typeof approvalsSchema>>;

/** One entry of `approvals`, with its path there. */
export type ApprovalRule = Readonly<Approvals[number]> & { readonly rule: string };

export const createApprovalRules = (approvals: Approvals): readonly ApprovalRule[] =>
  approvals.map((approval, index) => ({ ...approval, rule: `approvals.${index}` }));

/**
 * The first approval rule that applies, in the order of the file. A fact that `when` asks for and that is not known counts
 * as met, so that not knowing never spares anyone the approval. Reads need none.
 */
export function approvalFor(policy: Policy, request: PermissionRequest): ApprovalRule | undefined {
  if (operations[request.operation].effect === "read") return undefined;
  return policy.approvals.find((rule) => rule.operations.has(request.operation) && applies(rule, request));
}

function applies({ when }: ApprovalRule, request: PermissionRequest): boolean {
  return (
    isLonger(when.longerThanMs, request) &&
    mayBeIn(when.projects, request.projectId) &&
    mayBeIn(when.resourceTypes, request.resourceType)
  );
}

const isLonger = (longerThanMs: number | undefined, { operation, exclusionLengthMs }: PermissionRequest): boolean =>
  longerThanMs === undefined ||
  (setsExclusionLength(operation) && !(exclusionLengthMs !== undefined && exclusionLengthMs <= longerThanMs));

const mayBeIn = (names: ReadonlySet<string> | undefined, name: string | undefined): boolean =>
  names === undefined || name === undefined || names.has(name);
