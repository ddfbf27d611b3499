import type { InputBlock } from "@slack/types";
import { z } from "zod";
import type { Command, CommandContext } from "../../commands/command.ts";
import type { Field, Input } from "../../commands/field.ts";
import type { Word } from "../../language/tokenize.ts";
import type { Meanings, ShownWords } from "../forms/shown-words.ts";
import { legible } from "../messages/message.ts";

/** What reading a field may look up besides what every command may. */
export interface ReadingContext extends CommandContext {
  /** The e-mail address in a Slack profile; undefined when there is none to be seen. */
  readonly emailOf: (slackUserId: string) => Promise<string | undefined>;
  /** What other fields were given. */
  readonly said?: Input | undefined;
  /** What the form showed the words of this input to mean. */
  readonly shown?: ShownWords | undefined;
}

export type Reading =
  /** `doubt`: what may have been meant instead, to be said where something is missing that would have followed from that. */
  | {
      readonly kind: "value";
      readonly value: unknown;
      readonly doubt?: string | undefined;
      /** What words stand for that may mean something else another time. */
      readonly meanings?: Meanings;
    }
  | { readonly kind: "missing" }
  | { readonly kind: "problem"; readonly problem: string };

/** One input's entry in `state.values` (platform.md §7.6); which keys it has depends on the element. */
export const stateValue = z.looseObject({
  value: z.string().nullish(),
  selected_option: z.looseObject({ value: z.string() }).nullish(),
  selected_options: z.array(z.looseObject({ value: z.string() })).nullish(),
  selected_date_time: z.number().nullish(),
  selected_time: z.string().nullish(),
  selected_user: z.string().nullish(),
});
export type StateValue = z.infer<typeof stateValue>;

/** How a kind of field is read from a line, drawn in a form, read from it, and named in a command's usage. */
export interface FieldKind<F extends Field> {
  usage(field: F): string;
  /** What might be typed for it, as it stands on a line. */
  example(field: F): string;
  fromLine(field: F, words: readonly Word[], context: ReadingContext): Promise<Reading>;
  /** `value` has been read from a line or proposed; `typed` is what stood on the line when it could not be read. */
  draw(field: F, shown: Shown, context: CommandContext): Promise<InputBlock["element"]>;
  fromState(field: F, state: StateValue, context: ReadingContext): Promise<Reading>;
}

export interface Shown {
  readonly value: unknown;
  readonly typed: string | undefined;
}

export const missing: Reading = { kind: "missing" };
export const value = (read: unknown): Reading => ({ kind: "value", value: read });
export const problem = (text: string): Reading => ({ kind: "problem", problem: text });

export const plainText = (text: string) => ({ type: "plain_text", text: legible(text), emoji: false }) as const;

/** Every input has the same action id, so that a field is found by its block id alone. */
export const inputActionId = "input";

/**
 * The block that a command's field stands in. The command is part of it: when one form takes another's place, Slack keeps what was
 * typed in blocks with equal ids (platform.md §7.3), and it must not end up in another command's field.
 */
export function blockIdOf({ words }: Pick<Command, "words">, field: string): string {
  return `${words}/${field}`;
}
