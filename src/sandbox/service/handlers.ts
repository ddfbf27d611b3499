import type { z } from "zod";
import type { OperationName, operations, PathParameter, SentAnswer } from "../../service/operations.ts";
import { resourceTypes } from "../../service/resources.ts";
import { ianaZone } from "../../time/zone.ts";
import type { Account, Action, ActionExclusion, Credential, Plan, Selector, User } from "./account.ts";
import { nextExecutionDate } from "./runs.ts";

type Rows = typeof operations;
type Part<O extends OperationName, K extends "query" | "body"> =
  Rows[O] extends Record<K, infer S extends z.ZodType> ? z.output<S> : unknown;

/** The request's path parameters, query and body in one object, validated and with defaults filled in. */
export type HandlerInput<O extends OperationName> = { [K in PathParameter<Rows[O]["path"]>]: string } & Part<
  O,
  "query"
> &
  Part<O, "body">;

export interface HandlerContext {
  readonly account: Account;
  readonly now: () => number;
  /** A new id of the observed shape (API.md, "Observed": Id shapes), such as `cred-00000101`. */
  readonly newId: (prefix: string) => string;
}

/** Performs the operation on the account and answers, or throws an `ApiError` before anything has changed. */
type Handler<O extends OperationName> = (input: HandlerInput<O>, context: HandlerContext) => SentAnswer<O>;

/** A missing handler does not compile. */
export const handlers: { readonly [O in OperationName]: Handler<O> } = {
  /** An action id gives the latest version, an action version id that version (API.md, "GetAction"). */
  GetAction: ({ id, include = [] }, { account, now }) => {
    const { actions, earlierActionVersions } = account;
    const isVersion = (each: Action) => each.actionVersionId === id;
    const action = actions.get(id) ?? earlierActionVersions.get(id) ?? [...actions.values()].find(isVersion);
    if (action === undefined) throw notFound("Action", id);
    return { ...actionAnswer(action, now()), ...Object.fromEntries(include.map((name) => [name, action[name]])) };
  },
  ListActions: (_, { account, now }) => [...account.actions.values()].map((action) => actionAnswer(action, now())),

  CreateActionExclusion: ({ projectId, ...input }, context) => {
    const change = modified(context);
    return saveExclusion(
      {
        actionExclusionId: context.newId("aex"),
        projectId: owningProjectId(context.account, projectId),
        createdDate: change.lastModifiedDate,
        startDate: change.lastModifiedDate,
        timeZoneId: "UTC",
        ...exclusionSettings(input),
        ...change,
      },
      context,
    );
  },
  /** Project, creation date and start do not change (API.md, "ActionExclusion": the project is set on creation only). */
  ModifyActionExclusion: ({ id, ...input }, context) => {
    const exclusion = findOrThrow(context.account.exclusions, "ActionExclusion", id);
    return saveExclusion({ ...exclusion, ...exclusionSettings(input), ...modified(context) }, context);
  },
  DeleteActionExclusion: ({ id }, { account }) => {
    account.exclusions.delete(findOrThrow(account.exclusions, "ActionExclusion", id).actionExclusionId);
  },

  CreateManagedServicesPlan: ({ projectId, ...input }, context) => {
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
  },

  GetManagedServicesSelector: (input, { account }) => selectorOfPlan(account, input, input.isIncludeDeleted),
  /** Replaces the whole selector: a field that is not sent is unset, and a missing `selectorCode` is generated. */
  ModifyManagedServicesSelector: ({ planId, selectorId, ...input }, context) => {
    const { account } = context;
    const selector = selectorOfPlan(account, { planId, selectorId }, false);
    for (const credentialId of input.credentialIds) findOrThrow(account.credentials, "Credential", credentialId);
    if (input.selectorCode !== undefined) requireUnusedCode(account, input.selectorCode, selector.selectorId);
    const changed: Selector = {
      ...selector,
      ...input,
      regionNames: input.regionNames?.length ? input.regionNames : null,
      resourceIds: input.resourceIds ?? [],
      resourceIdComparisons: input.resourceIdComparisons ?? [],
      resourceTagComparisons: input.resourceTagComparisons ?? [],
      groupIdComparisons: input.groupIdComparisons ?? [],
      selectorCode: input.selectorCode ?? context.newId("sc"),
      ...modified(context),
    };
    account.selectors.set(changed.selectorId, changed);
    return changed;
  },

  /**
   * Changes only the fields that are sent. API.md requires the key object of the credential's type but also makes the whole body
   * optional, so here a body without a key object keeps the key. A key object of another type is refused.
   */
  ModifyCredential: ({ id, name, cloudProviderSubTypeId, ...keys }, context) => {
    const { credentials } = context.account;
    const credential = findOrThrow(credentials, "Credential", id);
    const changed: Credential = {
      ...credential,
      name: name ?? credential.name,
      cloudProviderSubTypeId,
      ...visibleKeys(credential, keys),
      ...modified(context),
    };
    credentials.set(changed.credentialId, changed);
    return changed;
  },
  DeleteCredential: ({ id }, { account }) => {
    const { credentialId } = findOrThrow(account.credentials, "Credential", id);
    const user = [...account.selectors.values()].find(
      (selector) => selector.state !== "deleted" && selector.credentialIds.includes(credentialId),
    );
    if (user !== undefined)
      throw new ApiError(400, "CredentialInUse", `Credential ${id} is in use by selector ${user.selectorId}.`);
    account.credentials.delete(credentialId);
  },

  ModifyUser: ({ id, emailAddress, status }, { account }) => {
    const user = findOrThrow(account.users, "User", id);
    if (emailAddress !== undefined) requireUnusedEmail(emailAddress, user.userId, account);
    const changed = { ...user, emailAddress: emailAddress ?? user.emailAddress, status: status ?? user.status };
    return saveUser(changed, account);
  },
  RemoveUserMfa: ({ id, mfaType }, { account }) => {
    const user = findOrThrow(account.users, "User", id);
    if (user.mfaType !== mfaType) throw invalidValue("mfaType", `The user's MFA type is not ${mfaType}.`);
    return saveUser({ ...user, mfaType: "none" }, account);
  },
  DetachManagedPolicy: ({ id, managedPolicyId }, { account }) => {
    const user = findOrThrow(account.users, "User", id);
    findOrThrow(account.managedPolicies, "ManagedPolicy", managedPolicyId);
    const managedPolicies = user.managedPolicies.filter((policy) => policy.managedPolicyId !== managedPolicyId);
    const message = `ManagedPolicy ${managedPolicyId} is not attached to the user.`;
    if (managedPolicies.length === user.managedPolicies.length)
      throw new ApiError(400, "ManagedPolicyNotAttached", message);
    return { ...saveUser({ ...user, managedPolicies }, account), managedPolicies };
  },

  ModifyProject: ({ id, name }, context) => {
    const { projects } = context.account;
    const project = { ...findOrThrow(projects, "Project", id), name, ...modified(context) };
    projects.set(project.projectId, project);
    return project;
  },
  GetManagedPolicy: ({ id }, { account }) => findOrThrow(account.managedPolicies, "ManagedPolicy", id),
};

/** The audit fields that every change sets. */
function modified({ account, now }: HandlerContext) {
  return { lastModifiedDate: new Date(now()).toISOString(), lastModifiedBy: account.apiUserId };
}

/** The named project, else the account's default (API.md, "CreateManagedServicesPlan"). */
function owningProjectId({ projects }: Account, projectId: string | undefined): string {
  if (projectId !== undefined) return findOrThrow(projects, "Project", projectId).projectId;
  const defaultProject = [...projects.values()].find((project) => project.isDefault);
  if (defaultProject === undefined)
    throw new Error("The sandbox account has no default project; set isDefault on one of them.");
  return defaultProject.projectId;
}

/** Only the enabled, current version of an action has a next run. */
function actionAnswer(action: Action, nowMs: number): SentAnswer<"GetAction"> {
  const { displayData: _, lastExecution: __, parameters: ___, ...fields } = action;
  const runs = action.isEnabled && action.isCurrentVersion;
  return { ...fields, nextExecutionDate: runs ? nextExecutionDate(action.schedule, nowMs) : null };
}

/** API.md shows only `active`; `expired` is our own value. */
export function exclusionStatus({ expiryDate }: ActionExclusion, nowMs: number): "active" | "expired" {
  return nowMs < Date.parse(expiryDate) ? "active" : "expired";
}

const identificationMethods = ["all", "by-resource-id", "by-resource-tag"];

function exclusionSettings(input: Omit<HandlerInput<"ModifyActionExclusion">, "id">) {
  requireOneOf("resourceType", resourceTypes, input.resourceType);
  requireOneOf("resourceIdentificationMethod", identificationMethods, input.resourceIdentificationMethod);
  return { ...input, resourceIds: input.resourceIds ?? [] };
}

function requireOneOf(field: string, allowed: readonly string[], value: string): void {
  if (!allowed.includes(value)) throw invalidValue(field, `${field} must be one of ${allowed.join(", ")}.`);
}

function saveExclusion(exclusion: ActionExclusion, { account, now }: HandlerContext) {
  account.exclusions.set(exclusion.actionExclusionId, exclusion);
  return { ...exclusion, status: exclusionStatus(exclusion, now()) };
}

function selectorOfPlan(account: Account, ids: { planId: string; selectorId: string }, includeDeleted: boolean) {
  const plan = findOrThrow(account.plans, "Plan", ids.planId);
  const selector = findOrThrow(account.selectors, "Selector", ids.selectorId);
  const isHidden = selector.state === "deleted" && !includeDeleted;
  if (selector.planId !== plan.planId || isHidden) throw notFound("Selector", ids.selectorId);
  return selector;
}

function requireUnusedCode({ selectors }: Account, code: string, selectorId: string): void {
  const other = [...selectors.values()].find((selector) => selector.selectorCode === code);
  if (other !== undefined && other.selectorId !== selectorId)
    throw new ApiError(400, "SelectorCodeInUse", `The selector code ${code} is already used by another selector.`);
}

/** The key object that belongs to each credential type (API.md, "ModifyCredential"). */
const keyOfType = {
  "amazon-access-key": "amazonIamAccessKey",
  "amazon-iam-role": "amazonIamRole",
  "google-service-account-key": "googleServiceAccountKey",
} as const;

type Keys = Pick<HandlerInput<"ModifyCredential">, (typeof keyOfType)[keyof typeof keyOfType]>;

/** Answers never contain the secret half of a key. */
function visibleKeys({ credentialType, amazonIamRole: before }: Credential, keys: Keys) {
  for (const [type, key] of Object.entries(keyOfType)) {
    if (keys[key] !== undefined && type !== credentialType)
      throw invalidValue(key, `${key} is not valid for a credential of type ${credentialType}.`);
  }
  const { amazonIamAccessKey, amazonIamRole, googleServiceAccountKey } = keys;
  return {
    ...(amazonIamAccessKey && { amazonIamAccessKey: visibleAccessKey(amazonIamAccessKey) }),
    ...(amazonIamRole && { amazonIamRole: { ...before, ...amazonIamRole } }),
    ...(googleServiceAccountKey && { googleServiceAccountKey: visibleServiceAccount(googleServiceAccountKey) }),
  };
}

function visibleAccessKey({ accessKeyId, secretAccessKey }: Record<string, unknown>) {
  if (typeof accessKeyId !== "string" || typeof secretAccessKey !== "string")
    throw invalidShape({ amazonIamAccessKey: ["accessKeyId and secretAccessKey are required."] });
  return { accessKeyId };
}

/** API.md shows no field names; these are from Google's own key file. */
function visibleServiceAccount({ project_id, client_email }: Record<string, unknown>) {
  return { project_id, client_email };
}

function requireUnusedEmail(emailAddress: string, id: string, { users }: Account): void {
  const wanted = emailAddress.toLowerCase();
  const isUsed = [...users.values()].some(
    (other) => other.userId !== id && other.emailAddress.toLowerCase() === wanted,
  );
  if (isUsed) throw new ApiError(400, "EmailAddressInUse", "The e-mail address is already used by another user.");
}

/** Only DetachManagedPolicy answers with policies (API.md, "User"). */
function saveUser(user: User, { users }: Account): SentAnswer<"ModifyUser"> {
  users.set(user.userId, user);
  const { managedPolicies: _, ...shown } = user;
  return shown;
}

/** An error answer in the observed form (API.md, "Observed": Error body, Status codes, Error codes seen). */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: string;
  readonly modelState: ModelState | undefined;

  constructor(status: number, code: string, message: string, modelState?: ModelState) {
    super(message);
    this.status = status;
    this.code = code;
    this.modelState = modelState;
  }
}

/** Messages by field. */
type ModelState = Readonly<Record<string, readonly string[]>>;

/** The request does not match its row's schema. */
export function invalidShape(modelState: ModelState): ApiError {
  return new ApiError(403, "ParameterValidationFailed", "The request is invalid.", modelState);
}

/** The request is well-formed, but the service rejects a value. */
function invalidValue(field: string, message: string): ApiError {
  return new ApiError(400, "InvalidParameter", message, { [field]: [message] });
}

/** The item with this id, in any case (API.md, "Observed": Paths), or the service's 404 for its kind (`UserNotFound`, …). */
function findOrThrow<T>(items: ReadonlyMap<string, T>, kind: string, id: string): T {
  const item = items.get(id) ?? [...items].find(([key]) => key.toLowerCase() === id.toLowerCase())?.[1];
  if (item === undefined) throw notFound(kind, id);
  return item;
}

function notFound(kind: string, id: string): ApiError {
  return new ApiError(404, `${kind}NotFound`, `${kind} ${id} was not found.`);
}
