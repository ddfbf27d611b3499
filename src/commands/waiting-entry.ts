import type { Description } from "./answer.ts";

/** A change that waits: for its approvers, or once it is approved for the service to be reached. */
export interface WaitingEntry {
  readonly id: string;
  readonly description: Description;
  readonly actorName: string;
  readonly reason: string | null;
  readonly isApproved: boolean;
  /** The roles whose yes it needs. */
  readonly approvers: readonly string[];
  /** How many more of them. */
  readonly lacking: number;
  /** In epoch ms. */
  readonly expiresAt: number;
  /** Whether it is the requester of this list who asked for it. */
  readonly isOwn: boolean;
  /** Whether they may decide on it, and have not yet. */
  readonly mayDecide: boolean;
}

/** "the approval", "2 approvals": to be followed by whose. */
export function approvalsLacking(lacking: number): string {
  return lacking === 1 ? "the approval" : `${lacking} approvals`;
}
