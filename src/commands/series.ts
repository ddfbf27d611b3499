import type { ChangeOperation } from "../service/operations.ts";
import type { Problem } from "./answer.ts";
import type { Input } from "./field.ts";

/** One of the changes that a series is made of: a command with its input. */
export interface Step {
  readonly words: string;
  readonly input: Input;
  /** It in words: "disable bob". */
  readonly asked: string;
  /** The whole of which it is a part, by which its requester's rights are judged. */
  readonly judgedAs?: Input | undefined;
}

/** What a series will do. */
export interface SeriesPlan {
  readonly steps: readonly Step[];
  /** What its reader must know beside the steps, in sentences. */
  readonly notes: readonly string[];
  /** The same, as long as it is not over. */
  readonly ahead: readonly string[];
  /** When its steps are made, in words, where each is made at another time. */
  readonly times?: string | undefined;
}

/** How a change is made of others, each of which is a change by itself. */
export interface Series<I, C> {
  /** The operations that it always needs the right for; each step needs its own as well. */
  readonly operations: readonly ChangeOperation[];
  readonly plan: (input: I, context: C) => Promise<SeriesPlan | Problem>;
  /** Each step is made at its own time; else they are made one after the other. */
  readonly isTimed?: true;
  /** The steps that follow from what the service answered to one. */
  readonly further: (step: Pick<Step, "words" | "input">, answer: unknown) => readonly Step[];
  /** What its undo leaves as it is, in a sentence. */
  readonly staysUndone: string;
}

/** A change that was made: the Slack user who asked for it, and the service's answer. */
export interface EarlierChange {
  readonly actorId: string;
  readonly answer: unknown;
  /** When it was made, in epoch ms. */
  readonly at: number;
}
