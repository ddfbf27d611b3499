import type { Description } from "./answer.ts";

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
