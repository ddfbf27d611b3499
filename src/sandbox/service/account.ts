import type * as resources from "../../service/resources.ts";

/** A resource as the service stores it: every field that API.md lists is present. */
type Stored<T> = { [K in keyof T as string extends K ? never : K]-?: NonNullable<T[K]> };

export type Project = Stored<resources.Project>;
export type User = Stored<resources.User>;
export type ManagedPolicy = Stored<resources.ManagedPolicy>;
export type Plan = Stored<resources.Plan>;
export type Selector = Omit<Stored<resources.Selector>, "regionNames"> & { regionNames: string[] | null };
/** `nextExecutionDate` is computed on every read. `lastExecution` is null for an action that never ran. */
export type Action = Omit<Stored<resources.Action>, "nextExecutionDate" | "lastExecution"> & {
  lastExecution: NonNullable<resources.Action["lastExecution"]> | null;
};
/** `status` is derived from the clock. */
export type ActionExclusion = Omit<Stored<resources.ActionExclusion>, "status" | "curfewParts">;

type CredentialKeys = "amazonIamRole" | "amazonIamAccessKey" | "googleServiceAccountKey";
export type Credential = Omit<Stored<resources.Credential>, CredentialKeys> &
  Pick<resources.Credential, CredentialKeys>;

/** Everything the embedded service stores, by id. Handlers replace values and never edit one in place. */
export interface Account {
  /** The owner of the API key, and so the `lastModifiedBy` of every change made with it. */
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
