import type { ServiceError } from "../service/service-error.ts";
import { choice, type Input } from "./field.ts";

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

/** A failed read, in a sentence: what the service said. */
export function serviceProblem(error: ServiceError): Problem {
  return { problem: `The service could not show this: ${error.message} (${error.code}).` };
}

const options = [
  { value: "yes", label: "Yes" },
  { value: "no", label: "No" },
] as const;

type Rest = Parameters<typeof choice<"yes" | "no", { readonly label: string }>>[1];

/** A choice that must be able to say no as well, as where something is edited. */
export const yesOrNo = <const O extends Rest>(rest: O) => choice(options, rest);

/** For an edit that would leave a thing as Curfew knows it. */
export function nothingDiffers(noun: string): Problem {
  return {
    problem: `Nothing in this differs from what Curfew knows of the ${noun}, so nothing was sent. Nothing was changed.`,
  };
}
