/** The kinds of scheduled work. */
export const jobKinds = [
  "exclusion-warning",
  "exclusion-end",
  "approval-reminder",
  "approval-expiry",
  "planned-change",
  "approved-change",
  "outcome-check",
  "left-parts",
  "cleaning",
  "digest",
] as const;
export type JobKind = (typeof jobKinds)[number];

/**
 * Scheduled work. A handler checks the present state first: an outdated job (the exclusion's end has moved, the approval
 * was given, the outcome is known) does nothing, and running one twice does no harm. The same job is stored once.
 */
export interface NewJob {
  readonly kind: JobKind;
  /** The id of its change; for `cleaning` and `digest` a name. */
  readonly subjectId: string;
  /** In epoch ms. */
  readonly dueAt: number;
}

/** A job that an instance has claimed. Nobody else can claim it until the lease ends. */
export interface TakenJob extends Omit<NewJob, "kind"> {
  readonly id: number;
  /** As stored; this version may not know the kind. */
  readonly kind: string;
  /** How often it has been claimed, including this time. */
  readonly attempts: number;
  /** The same since it last failed: more than once if an instance was lost over it. */
  readonly tries: number;
}

/** What a claim took of a queue, and when to look again, in epoch ms. */
export interface Claimed<T> {
  readonly taken: readonly T[];
  readonly nextAt: number;
}

/** How long a claimed job is kept from others. It is renewed while the job runs. */
export const jobLeaseMs = 120_000;

/** What an instance was lost over is tried once more. */
export const maxTries = 2;
