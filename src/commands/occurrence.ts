import type { EntityBody, EntityKind } from "../directory/directory.ts";
import type { ChangeOperation, OperationAnswer, OperationInput } from "../service/operations.ts";
import type { Input } from "./field.ts";

/** A requested change, with what is known of it so far. */
interface OccurrenceOf<Request, Before, After> {
  /** When it was asked for, in epoch ms; undefined before it is recorded. */
  readonly at?: number;
  /** When it is to begin, in epoch ms; undefined for one that begins when it is made. */
  readonly startsAt?: number | undefined;
  readonly request: Request;
  /** The last remembered answer about the entity before the change; undefined when Curfew did not know it. */
  readonly before: Before | undefined;
  /** The service's answer; undefined before it came, and where there is none. */
  readonly after: After | undefined;
}
export type Occurrence<O extends ChangeOperation, K extends EntityKind> = OccurrenceOf<
  OperationInput<O>,
  EntityBody<K>,
  OperationAnswer<O>
>;
export type AnyOccurrence = OccurrenceOf<unknown, EntityBody<EntityKind>, unknown>;

/** When an input says that the change is to begin, in epoch ms. */
export const plannedStart = ({ from }: Input): number | undefined => (typeof from === "number" ? from : undefined);

/** The facts of a request that permissions may depend on. */
export interface Target {
  readonly projectId?: string | undefined;
  readonly resourceType?: string | undefined;
  /** From the exclusion's start to its end. */
  readonly exclusionLengthMs?: number | undefined;
}

export type Targets = Target | readonly Target[];

/** The resources that a change names. */
export interface NamedResources {
  /** Resources that it claims are of this type and in its target's project. The directory must not contradict that. */
  readonly claimed: readonly string[];
  readonly resourceType: string | undefined;
  /** Resources that it named before the change. They are touched as well, so the right for them is needed. */
  readonly before: readonly string[];
}
