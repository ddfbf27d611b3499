import type { Fields, Input } from "./field.ts";

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
