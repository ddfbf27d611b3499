import type { ServiceError } from "../service/service-error.ts";
import { choice, type Input } from "./field.ts";

/**
 * A value without any chat's markup: slack/ escapes and draws it. A time is `{ at }` in epoch ms, so that every reader sees it in
 * their own zone.
 */
export type FactValue = string | { readonly list: readonly string[] } | { readonly at: number };

export interface Fact {
  readonly label: string;
  readonly value: FactValue;
  /** The former value, where a change altered it. */
  readonly before?: FactValue | undefined;
}

/** The facts of which something is known, by their labels. */
export const factsIn = (values: Readonly<Record<string, FactValue | null | undefined>>): readonly Fact[] =>
  Object.entries(values).flatMap(([label, value]) => (value ? [{ label, value }] : []));

/** A moment as a value, where it is known. */
export const atMoment = (at: number | undefined): FactValue | undefined => (at === undefined ? undefined : { at });

/** A fact with its former value, where that was another. */
export const changedFact = (label: string, value: FactValue, before: FactValue | null | undefined): Fact => ({
  ...{ label, value },
  ...(before && before !== value ? { before } : {}),
});

/** A button that runs a command, or opens its form, with this input. */
export interface CommandButton {
  readonly label: string;
  readonly words: string;
  readonly opens: "form" | "result";
  readonly input: Input;
  /** A sentence with which the question begins that confirms it. */
  readonly about?: string;
  /** The message says what it does, so Slack does not ask again. */
  readonly isSure?: true;
  /** Asks others to allow it, since the person may not do it themselves. */
  readonly isAsking?: true;
  /** The typed words of fields that could not be read: the form shows them, to be corrected. */
  readonly typed?: Readonly<Record<string, string>>;
  /** What it was drawn for. A press after that has changed is a new one; two presses before are one. */
  readonly version?: string;
  /** The channel in whose name it is pressed, on a surface outside any channel. It counts only while its presser is in that channel. */
  readonly channelId?: string | undefined;
}

export const resultButton = (label: string, words: string, input: Input = {}): CommandButton => ({
  ...{ label, words, opens: "result", input },
});
export const formButton = (label: string, words: string, input: Input = {}): CommandButton => ({
  ...{ label, words, opens: "form", input },
});

/** More choices than buttons show. The chosen one completes the command, which then runs. */
export interface CommandSelect {
  readonly words: string;
  /** The field that is chosen, and the rest of the input. */
  readonly field: string;
  readonly input: Input;
  readonly options: readonly { readonly label: string; readonly value: string }[];
  readonly placeholder?: string;
}

export interface Item {
  readonly title: string;
  readonly facts: readonly Fact[];
  /** The facts follow the title. */
  readonly isOneLine?: true;
  /** Shown below the facts, one a line. */
  readonly steps?: readonly Fact[];
  /** What its reader should look at, one a line. */
  readonly concerns?: readonly Sentence[];
  /** JSON that must be shown exactly as it is. */
  readonly json?: string | undefined;
  readonly buttons?: readonly CommandButton[];
}

/** A part of a line: words, somebody in Slack, or a moment between words. */
export type LinePart =
  | string
  | { readonly before?: string; readonly person: string; readonly after?: string }
  | { readonly before?: string; readonly at: number; readonly after?: string };

/** Parts that follow each other. */
export type Sentence = readonly LinePart[];

/** A sentence where no chat shows its moments. */
export const inWords = (sentence: Sentence, moment: (at: number) => string): string =>
  sentence.map((part) => (typeof part === "string" ? part : "at" in part ? moment(part.at) : "")).join("");

/** How a thing in a list is doing, at a glance. */
export type Sign = "on" | "off" | "over" | "planned" | "waiting" | "done" | "failed" | "unknown" | "run" | "none";

/** A thing in a list, on one line. */
export interface Line {
  /** Of the thing; unlike that of every other line in the list. */
  readonly id: string;
  readonly sign: Sign;
  readonly name: string;
  /** Where the service's console shows it. */
  readonly address?: string | undefined;
  readonly parts: readonly LinePart[];
  /** What its reader may do with it, the usual first. */
  readonly menu: readonly CommandButton[];
  /** What people mostly want of it, in place of the menu. */
  readonly button?: CommandButton | undefined;
}

export function isLine(item: Item | Line): item is Line {
  return "menu" in item;
}

/** The answer to a query. */
export interface Answer {
  readonly title: string;
  /** There is nothing to show, so the title is in small print. */
  readonly isEmpty?: boolean;
  /** Follows the title, and says it all. */
  readonly lead?: Sentence | undefined;
  readonly note?: string | undefined;
  readonly items: readonly (Item | Line)[];
  /** The number of items on all pages. */
  readonly count?: number;
  readonly buttons?: readonly CommandButton[];
  readonly select?: CommandSelect | undefined;
}

/** A step of a change that is made of several, and how it went. */
export interface StepLine {
  readonly sign: Sign;
  readonly text: string;
  /** Of its own change, once it was begun. */
  readonly id?: string;
}

/** A change in words, with its facts: `done` follows a name ("disabled bob"), `asked` follows "wants to" ("disable bob"). */
export interface Description {
  readonly done: string;
  readonly asked: string;
  /** What holds now, to whoever did it: "Keeping staging running". */
  readonly now?: string;
  /** The same, to the owner of the account that it is about. */
  readonly ofOwner?: { readonly done: string; readonly asked: string };
  readonly facts: readonly Fact[];
  /** Whether `done` says all that was altered, so that a short account need not repeat it. */
  readonly saysAll?: boolean;
  /** Where it is made of several changes. */
  readonly steps?: readonly StepLine[];
  /** What its reader must know before and after it, in a sentence. */
  readonly warning?: string;
}

/** Why an input cannot be used, as a full sentence; `field` is the wrong one. */
export interface Problem {
  readonly problem: string;
  readonly field?: string;
  /** What was asked for holds already, by this exclusion until then. A pipeline or a workflow goes on. */
  readonly met?: { readonly exclusion: string | undefined; readonly endsAt: number | undefined };
  /** The command that brings it about, for a step of a workflow: nobody could press its button. */
  readonly instead?: CommandButton;
  /** The next steps. */
  readonly buttons?: readonly CommandButton[];
  readonly select?: CommandSelect;
}

export function isProblem(value: object): value is Problem {
  return "problem" in value;
}

/** A failed read, with the message of the service. */
export function serviceProblem(error: ServiceError): Problem {
  const next = error.status === 404 ? "Check its name or id." : "Try again in a moment.";
  return { problem: `The service could not show this: ${error.message} (${error.code}). ${next}` };
}

const options = [
  { value: "yes", label: "Yes" },
  { value: "no", label: "No" },
] as const;

type Rest = Parameters<typeof choice<"yes" | "no", { readonly label: string }>>[1];

/** A choice for edits, where "no" must be possible as well. */
export const yesOrNo = <const O extends Rest>(rest: O) => choice(options, rest);

/** For an edit that changes nothing. */
export const nothingDiffers: Problem = {
  problem: "It is like that already. Nothing was changed: give another value.",
};
