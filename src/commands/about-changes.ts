import type { Description } from "./answer.ts";

/** One line of `history`. */
export interface HistoryEntry {
  readonly id: string;
  readonly words: string;
  readonly description: Description;
  readonly actorName: string;
  readonly requestedAt: number;
  /** In words, like the states of its transitions. */
  readonly state: string;
  readonly isDone: boolean;
  readonly reason: string | null;
  /** An addition to the final state. */
  readonly note: string | null;
  /** Whether it still needs an approval. */
  readonly isAwaited: boolean;
  /** Only for a change that is asked for by its id: each state once, without the approvers' decisions. */
  readonly transitions: readonly { readonly state: string; readonly at: number }[];
  /** The roles whose approval it needed. */
  readonly approvers: readonly string[];
  /** The decisions of its approvers. */
  readonly decisions: readonly {
    readonly approverName: string;
    readonly verdict: string;
    readonly note: string | null;
    readonly at: number;
  }[];
  /** Whether it can be undone, and the requester may do so here. */
  readonly isUndoable: boolean;
}

export interface HistoryFilter {
  readonly id?: string | undefined;
  readonly actorId?: string | undefined;
  readonly limit: number;
  /** The number of the latest visible changes to skip. */
  readonly skip?: number | undefined;
}

/** A pending change: it waits for approvers, or once approved for the service to be reachable. */
export interface WaitingEntry {
  readonly id: string;
  readonly description: Description;
  readonly actorName: string;
  readonly reason: string | null;
  readonly isApproved: boolean;
  /** The roles whose approval it needs. */
  readonly approvers: readonly string[];
  /** The number of approvals that are still missing. */
  readonly lacking: number;
  /** In epoch ms. */
  readonly expiresAt: number;
  /** Whether the person who sees this list asked for it. */
  readonly isOwn: boolean;
  /** Whether they may decide on it and have not decided yet. */
  readonly mayDecide: boolean;
}

/** "the approval" or "2 approvals", to be followed by "of" and the roles. */
export function approvalsLacking(lacking: number): string {
  return lacking === 1 ? "the approval" : `${lacking} approvals`;
}

/** A decision on a pending change: an approver approves or denies it, or its requester withdraws it. */
export interface Ruling {
  readonly verdict: "approved" | "denied" | "withdrawn";
  readonly note: string | null;
}
