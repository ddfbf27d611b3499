import type * as resources from "../../service/resources.ts";

/** A resource as the service keeps it: every field that spec.md lists for it, none of them missing. */
type Kept<T> = { [K in keyof T as string extends K ? never : K]-?: NonNullable<T[K]> };

export type Project = Kept<resources.Project>;
export type User = Kept<resources.User>;
export type ManagedPolicy = Kept<resources.ManagedPolicy>;
export type Plan = Kept<resources.Plan>;
export type Selector = Omit<Kept<resources.Selector>, "regionNames"> & { regionNames: string[] | null };
/** Without `nextExecutionDate`, which is worked out on every read; `lastExecution` is null for an action that never ran. */
export type Action = Omit<Kept<resources.Action>, "nextExecutionDate" | "lastExecution"> & {
  lastExecution: NonNullable<resources.Action["lastExecution"]> | null;
};
/** Without `status`, which follows from the clock. */
export type ActionExclusion = Omit<Kept<resources.ActionExclusion>, "status">;

type CredentialKeys = "amazonIamRole" | "amazonIamAccessKey" | "googleServiceAccountKey";
export type Credential = Omit<Kept<resources.Credential>, CredentialKeys> & Pick<resources.Credential, CredentialKeys>;

/** Everything the sandbox's service knows, by id. Handlers replace values, they never edit one in place. */
export interface Account {
  /** The user to whom the API key was issued: the `lastModifiedBy` of what is changed through it. */
  readonly apiUserId: string;
  readonly projects: Map<string, Project>;
  readonly users: Map<string, User>;
  readonly managedPolicies: Map<string, ManagedPolicy>;
  readonly credentials: Map<string, Credential>;
  readonly plans: Map<string, Plan>;
  /** Deleted selectors stay, with the state `deleted`. */
  readonly selectors: Map<string, Selector>;
  readonly exclusions: Map<string, ActionExclusion>;
  /** The current version of each action, by action id. */
  readonly actions: Map<string, Action>;
  /** Versions that have been replaced, by action version id. */
  readonly earlierActionVersions: Map<string, Action>;
}
