import type { EntityKind } from "../../directory/directory.ts";
import type { CommandButton, Description, Sentence, Sign } from "../answer.ts";

/** One line of `history`. */
export interface HistoryEntry {
  readonly id: string;
  readonly words: string;
  readonly description: Description;
  readonly actorName: string;
  readonly requestedAt: number;
  /** When it was settled, else when it was asked for. */
  readonly latestAt: number;
  /** In words, like the states of its transitions. */
  readonly state: string;
  readonly sign: Sign;
  readonly isDone: boolean;
  readonly reason: string | null;
  readonly ticket: string | null;
  /** An addition to the final state. */
  readonly note: string | null;
  /** How its outcome was found out, if that was unknown. */
  readonly verified: string | undefined;
  /** What its reader may do about an unknown outcome. */
  readonly followUp: readonly CommandButton[];
  /** Whether it still needs an approval. */
  readonly isAwaited: boolean;
  /** Only for a change that is asked for by its id: each state once, without the approvers' decisions. */
  /** The id of the change that this one undoes. */
  readonly undoes?: string | undefined;
  readonly transitions: readonly { readonly state: string; readonly at: number }[];
  /** Of a change that waits for approval and is asked for by its id: the operation and its exact request, as JSON. */
  readonly request?: string | undefined;
  /** The roles whose approval it needed. */
  readonly approvers: readonly string[];
  /** The decisions of its approvers. */
  readonly decisions: readonly {
    readonly approverName: string;
    readonly verdict: string;
    readonly note: string | null;
    readonly at: number;
  }[];
  /** The messages to the owner of the altered account, and to others with a later address of it. */
  readonly notices: readonly {
    readonly name: string;
    readonly about: "asked" | "made";
    readonly isOwner: boolean;
    readonly at: number;
  }[];
  /** The id of the series that it is a step of. */
  readonly partOf: string | undefined;
  /** Whether it can be undone, and the requester may do so here. */
  readonly isUndoable: boolean;
}

export interface HistoryFilter {
  readonly id?: string | undefined;
  readonly actorId?: string | undefined;
  readonly ticket?: string | undefined;
  readonly about?: HistorySubjects | undefined;
  /** The words of commands. */
  readonly commands?: readonly string[] | undefined;
  readonly states?: readonly HistoryState[] | undefined;
  /** In epoch ms. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Only of this account of the service; `all`: the further accounts. */
  readonly account?: { readonly name: string; readonly all: readonly string[] } | undefined;
  /** The kinds of thing that were changed. */
  readonly kinds?: readonly EntityKind[] | undefined;
  readonly limit: number;
  /** The number of the latest visible changes to skip. */
  readonly skip?: number | undefined;
}

/** A Slack user who asked for changes. */
export interface Person {
  readonly userId: string;
  readonly name: string;
}

/** Changes of one of these entities, and of exclusions and groups that name one of these resources. */
export interface HistorySubjects {
  readonly subjects: readonly { readonly kind: EntityKind; readonly id: string }[];
  readonly resourceIds: readonly string[];
}

/** The states by the words that people use. */
export const statesCalled = {
  waiting: ["awaiting-approval"],
  pending: ["awaiting-approval", "approved"],
  planned: ["planned"],
  approved: ["approved"],
  denied: ["denied"],
  refused: ["denied"],
  withdrawn: ["withdrawn"],
  lapsed: ["expired"],
  expired: ["expired"],
  performing: ["performing"],
  running: ["performing"],
  done: ["succeeded"],
  succeeded: ["succeeded"],
  successful: ["succeeded"],
  partly: ["partly"],
  failed: ["failed"],
  unknown: ["unknown"],
} as const;
export type HistoryState = (typeof statesCalled)[keyof typeof statesCalled][number];

/** A pending change: it waits for approvers, or once approved for the service to be reachable. */
export interface WaitingEntry {
  readonly id: string;
  readonly actorId: string;
  readonly description: Description;
  readonly actorName: string;
  readonly reason: string | null;
  readonly ticket: string | null;
  readonly isApproved: boolean;
  /** Why its requester may not do it alone; undefined if they may, and the config asks for an approval. */
  readonly beyond: string | undefined;
  /** What its approvers should look at. */
  readonly concerns: readonly Sentence[];
  /** The roles whose approval it needs. */
  readonly approvers: readonly string[];
  /** Those in these roles whose approval it lacks: people and user groups. */
  readonly deciders: readonly string[];
  /** The number of approvals that are still missing. */
  readonly lacking: number;
  /** In epoch ms. */
  readonly requestedAt: number;
  /** In epoch ms. */
  readonly expiresAt: number;
  /** Whether the person who sees this list asked for it. */
  readonly isOwn: boolean;
  /** Whether they may decide on it and have not decided yet. */
  readonly mayDecide: boolean;
}

export const isChangeId = (value: unknown): value is string => typeof value === "string" && /^chg-\w+$/i.test(value);

/** "the approval" or "2 approvals", to be followed by "of" and the roles. */
export function approvalsLacking(lacking: number): string {
  return lacking === 1 ? "the approval" : `${lacking} approvals`;
}

/** A decision on a pending change: an approver approves or denies it, or its requester withdraws it. */
export interface Ruling {
  readonly verdict: "approved" | "denied" | "withdrawn";
  readonly note: string | null;
  /** Only the time of a series that starts then, in epoch ms, is left out. */
  readonly occurrence?: number;
  /** It is put back instead. */
  readonly isBack?: boolean;
}

/** What somebody who looked in the service says came of a change. */
export type Seen = "done" | "not-done";
