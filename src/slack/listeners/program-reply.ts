import type { Message } from "../messages/message.ts";
import type { Outcome } from "../messages/outcome-message.ts";

/** What kind of answer a message is, for a program, which cannot read it. */
export type ReplyDetail =
  | { readonly kind: "outcome"; readonly outcome: Outcome }
  | { readonly kind: "refused" }
  | ({ readonly kind: "question" } & Question)
  /** Nothing was done, and the same request may work in a moment. */
  | { readonly kind: "not-now" }
  /** Another instance does it and answers. */
  | { readonly kind: "taken-over" }
  /** Nothing was done, and the same request is not tried again. */
  | { readonly kind: "not-done" }
  | { readonly kind: "error" };

/** What a line lacks. */
export interface Question {
  readonly missing?: readonly string[];
  readonly problems?: Readonly<Record<string, string>>;
  /** What must be confirmed. */
  readonly confirm?: string | undefined;
}

/** Takes the answer to a program, in place of Slack. */
export type ReplyToProgram = (message: Message, detail: ReplyDetail) => Promise<void>;
