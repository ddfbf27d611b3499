import type { Input } from "./field.ts";

/**
 * What a command says, free of any chat's markup: the Slack side escapes and draws it. A time is `{ at }` in epoch ms, so that
 * every reader sees it in a zone of their own.
 */
export type FactValue = string | { readonly list: readonly string[] } | { readonly at: number };

export interface Fact {
  readonly label: string;
  readonly value: FactValue;
  /** What it was before, where a change altered it. */
  readonly before?: FactValue | undefined;
}

/** A button that runs a command, or opens its form, with this input. */
export interface CommandButton {
  readonly label: string;
  readonly words: string;
  readonly opens: "form" | "result";
  readonly input: Input;
}

export interface Item {
  readonly title: string;
  readonly facts: readonly Fact[];
  /** Said below those, with a line each. */
  readonly steps?: readonly Fact[];
  readonly buttons?: readonly CommandButton[];
}

/** The answer to a query. */
export interface Answer {
  readonly title: string;
  readonly note?: string | undefined;
  readonly items: readonly Item[];
  readonly buttons?: readonly CommandButton[];
}

/** A change in words that follow a person's name ("disabled bob") or "asked to" ("disable bob"), and the facts beside it. */
export interface Description {
  readonly done: string;
  readonly asked: string;
  readonly facts: readonly Fact[];
}

/** Why an input cannot be acted on, as a full sentence; at `field` where one is to blame. */
export interface Problem {
  readonly problem: string;
  readonly field?: string;
}

export function isProblem(value: object): value is Problem {
  return "problem" in value;
}
