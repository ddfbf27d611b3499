import type { Ruling, Seen } from "./about-changes/about-changes.ts";
import type { Fields, Input } from "./field.ts";

/**
 * Another way to say a command. `<field>` stands for the words of a field: "rename <project> to <name>". `sets`: the values that
 * follow from saying it so.
 */
export type Alias = string | { readonly phrase: string; readonly sets: Input };

/** A thread in a channel. */
export interface Thread {
  readonly channelId: string;
  /** Of the message that it is under. */
  readonly ts: string;
}

export interface CommandBase<F extends Fields> {
  readonly words: string;
  readonly aliases?: readonly Alias[];
  /** Names its form and its button; 24 characters at most (PLATFORM.md §7.1). */
  readonly title: string;
  readonly summary: string;
  readonly fields: F;
  /** How it is a step of a workflow; undefined where it is none. */
  readonly step?: Step;
}

/** A command as a step of a workflow, which the config allows by its name. */
export interface Step {
  readonly name: string;
  readonly title: string;
  /** The fields that it asks for; a change also takes a reason and a ticket. */
  readonly inputs: readonly string[];
  /** The values that follow from the step. */
  readonly sets?: Input;
}

/** A command about an earlier change, which decides what the command does. */
export interface CommandOnChange extends CommandBase<Fields> {
  readonly operation: null;
  readonly confirms?: string;
}

/** Decides on a change that waits for an approval. */
export interface DecisionCommand extends CommandOnChange {
  readonly kind: "decision";
  /** The id of that change; undefined where it is named otherwise, or not. */
  readonly changeId: (input: Input) => string | undefined;
  /** Withdrawing is for requesters, the rest for approvers. */
  readonly verdict: Ruling["verdict"];
  readonly ruling: (input: Input) => Ruling;
}

/** Settles a change whose outcome is unknown. */
export interface OutcomeCommand extends CommandOnChange {
  readonly kind: "outcome";
  /** The id of that change. */
  readonly changeId: (input: Input) => string;
  /** What somebody saw in the service; undefined for Curfew to find out. */
  readonly seen: (input: Input) => Seen | undefined;
  /** It runs what is left of a series instead. */
  readonly isRetry?: true;
}
