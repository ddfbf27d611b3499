import type { Description } from "./answer.ts";
import type { Fields, Input } from "./field.ts";

/** One line of `history`. */
export interface HistoryEntry {
  readonly id: string;
  readonly words: string;
  readonly description: Description;
  readonly actorName: string;
  readonly requestedAt: number;
  /** In words, as those of its transitions. */
  readonly state: string;
  readonly isDone: boolean;
  readonly reason: string | null;
  /** What is to be known beside how it ended. */
  readonly note: string | null;
  /** Whether it still needs an approval. */
  readonly isAwaited: boolean;
  /** Told only of one that is asked for by its id: each state once, without what its approvers' words tell. */
  readonly transitions: readonly { readonly state: string; readonly at: number }[];
  /** The roles whose yes it needed. */
  readonly approvers: readonly string[];
  /** What its approvers said. */
  readonly decisions: readonly {
    readonly approverName: string;
    readonly verdict: string;
    readonly note: string | null;
    readonly at: number;
  }[];
  /** Whether there is a way to take it back, and the requester may use it here. */
  readonly isUndoable: boolean;
}

export interface HistoryFilter {
  readonly id?: string | undefined;
  readonly actorId?: string | undefined;
  readonly limit: number;
  /** So many of the latest that the requester may see are passed over. */
  readonly skip?: number | undefined;
}

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

/** What is said of a change that waits: an approver's yes or no, or that its requester takes it back. */
export interface Ruling {
  readonly verdict: "approved" | "denied" | "withdrawn";
  readonly note: string | null;
}

/** Decides on a change that waits for an approval. */
export interface DecisionCommand {
  readonly kind: "decision";
  readonly words: string;
  readonly aliases?: readonly string[];
  readonly title: string;
  readonly summary: string;
  readonly operation: null;
  readonly fields: Fields;
  /** Withdrawing is for requesters, the rest for approvers. */
  readonly verdict: Ruling["verdict"];
  readonly confirms?: string;
  /** The id of the change. */
  changeId(input: Input): string;
  ruling(input: Input): Ruling;
}
