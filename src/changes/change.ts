import type { AnyOccurrence, ChangeOperation } from "../commands/command.ts";
import type { Input, KnownKind } from "../commands/field.ts";
import type { KnownBody } from "../commands/known.ts";
import type { Actor } from "../permissions/actor.ts";

/**
 * A change's life. It is `performing` from the moment it is recorded, before the call goes out, until it is settled: `succeeded`;
 * `failed`, when the service certainly altered nothing; or `unknown`, when it may have, or when Curfew stopped in between.
 */
export const changeStates = ["performing", "succeeded", "failed", "unknown"] as const;
export type ChangeState = (typeof changeStates)[number];
export type SettledState = Exclude<ChangeState, "performing">;

export interface Change {
  readonly id: string;
  /** What makes a repeat of the same Slack delivery recognisable. */
  readonly deliveryKey: string;
  readonly words: string;
  readonly operation: ChangeOperation;
  readonly state: ChangeState;
  readonly input: Input;
  readonly request: object;
  /** The last remembered answer about the subject before the change. */
  readonly before: KnownBody<KnownKind> | null;
  readonly answer: unknown;
  readonly subjectKind: KnownKind;
  readonly subjectId: string | null;
  readonly actor: Pick<Actor, "teamId" | "userId" | "name" | "timeZone">;
  readonly channelId: string | null;
  readonly reason: string | null;
  /** The change that this one takes back. */
  readonly undoes: string | null;
  /** The role and the line of the permissions file that allowed it. */
  readonly role: string;
  readonly rule: string;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly note: string | null;
  readonly askedAt: number;
  readonly settledAt: number | null;
}

/** How a performed change ended. */
export interface Settlement {
  readonly state: SettledState;
  readonly answer: unknown;
  readonly subjectId: string | null;
  /** The service knows no such thing (any more). */
  readonly isSubjectGone: boolean;
  readonly error: Change["error"];
  readonly note: string | null;
  readonly settledAt: number;
}

/** The change as its command's `describe` takes it. */
export function occurrenceOf(change: Change): AnyOccurrence {
  const { request, before, answer, askedAt } = change;
  return { request, before: before ?? undefined, after: answer ?? undefined, at: askedAt };
}
