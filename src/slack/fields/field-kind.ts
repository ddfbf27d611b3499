import type { InputBlock } from "@slack/types";
import { z } from "zod";
import type { Command, CommandContext, FillContext } from "../../commands/command.ts";
import type { Field, Input } from "../../commands/field.ts";
import type { Entity, EntityKind } from "../../directory/directory.ts";
import type { Word } from "../../language/tokenize.ts";
import type { ResourceType } from "../../service/resources.ts";
import type { Meanings, ShownWords } from "../forms/form-meta.ts";
import { cut, legible, limits, unescaped } from "../messages/text.ts";

/** The context for reading a field: that of a command, and more. */
export interface ReadingContext extends FillContext {
  /** The e-mail address in a Slack profile; undefined when the profile shows none. */
  readonly emailOf: (slackUserId: string) => Promise<string | undefined>;
  readonly nameOf: (slackUserId: string) => Promise<string | undefined>;
  /** Those of the entities that may be named to the requester for this command here. */
  readonly nameable: <K extends EntityKind>(
    entities: readonly Entity<K>[],
    command: Command,
  ) => Promise<readonly Entity<K>[]>;
  /** Those of the entities for which the requester could use this command here; all, if there are none. */
  readonly usable: <K extends EntityKind>(entities: readonly Entity<K>[], command: Command) => readonly Entity<K>[];
  /** The command whose fields are read. */
  readonly command?: Command | undefined;
  /** The values of the fields read before this one. */
  readonly given?: Input | undefined;
  /** The meanings that the form showed for the words of this input. */
  readonly shown?: ShownWords | undefined;
}

export type Reading =
  /** `suggestion`: what the person may have meant instead, shown when a field is missing that would follow from it. */
  | {
      readonly kind: "value";
      readonly value: unknown;
      readonly suggestion?: string | undefined;
      /** What was assumed to read it, in words for the requester. */
      readonly assumed?: string | undefined;
      /** A moment that was less likely meant, in epoch ms. */
      readonly instead?: number | undefined;
      /** The meanings of words that may change later, such as names of groups. */
      readonly meanings?: Meanings;
      /** Names of resources that Curfew sees for the first time. */
      readonly newNames?: NewNames | undefined;
      /** Values of other fields that follow from what was typed, such as the type from an ARN. */
      readonly implied?: Input | undefined;
    }
  | { readonly kind: "missing" }
  | { readonly kind: "problem"; readonly problem: string }
  | ({ readonly kind: "choice" } & Choice);

/** A question with ready answers. The text says what happened, and makes sense without the answers. */
export interface Choice {
  readonly text: string;
  /** The value of the field for each answer. */
  readonly options: readonly ChoiceOption[];
  /** None of them may be right, and an id would be: the form takes it. */
  readonly takesId?: true;
}

export interface ChoiceOption {
  readonly label: string;
  readonly value: unknown;
  /** Values of other fields that the answer gives too, such as the start of a period. */
  readonly also?: Input;
}

export interface NewNames {
  readonly names: readonly string[];
  readonly type: ResourceType;
}

const option = z.looseObject({ value: z.string().transform(unescaped) });

/** One input's entry in `state.values` (PLATFORM.md §7.6). Its keys depend on the element. */
export const stateValue = z.looseObject({
  value: z.string().nullish(),
  selected_option: option.nullish(),
  selected_options: z.array(option).nullish(),
  selected_date_time: z.number().nullish(),
  selected_time: z.string().nullish(),
  selected_user: z.string().nullish(),
});
export type StateValue = z.infer<typeof stateValue>;

/** A kind of field: how it is read from a line, drawn in a form, read from the form, and named in a usage. */
export interface FieldKind<F extends Field> {
  usage(field: F): string;
  /** An example of what is typed for it. */
  example(field: F): string;
  fromLine(field: F, words: readonly Word[], context: ReadingContext): Promise<Reading>;
  /** `value` was read from a line or proposed. `typed` is the text on the line when it could not be read. */
  draw(field: F, shown: Shown, context: CommandContext): Promise<InputBlock["element"]>;
  fromState(field: F, state: StateValue, context: ReadingContext): Promise<Reading>;
}

export interface Shown {
  readonly value: unknown;
  readonly typed: string | undefined;
}

/** A kind that people type: its words are read alike on a line and in a form. */
interface TypedKind<F extends Field> extends Pick<FieldKind<F>, "usage" | "example"> {
  /** Reads what was typed, without the blanks around it. It is not empty. */
  read(text: string, field: F, context: ReadingContext): Reading | Promise<Reading>;
  /** A value as a person would type it; undefined for what is none. */
  write?(value: unknown, context: CommandContext): string | undefined;
  /** The text input of a form. */
  input?(
    field: F,
    context: CommandContext,
  ): { readonly maxLength?: number; readonly placeholder?: string; readonly multiline?: boolean };
  /** Where an element sends its value under another name. */
  sent?(state: StateValue): string | null | undefined;
}

export function typedKind<F extends Field>(kind: TypedKind<F>): FieldKind<F> {
  const { usage, example, write, input, sent = (state) => state.value } = kind;
  const read = async (field: F, text: string, context: ReadingContext) =>
    text.trim() === "" ? missing : kind.read(text.trim(), field, context);
  return {
    usage,
    example,
    fromLine: (field, words, context) => read(field, words.map((word) => word.value).join(" "), context),
    fromState: (field, state, context) => read(field, sent(state) ?? "", context),
    draw: async (field, { value: known, typed = "" }, context) => {
      const { maxLength, placeholder, multiline } = input?.(field, context) ?? {};
      const text = (write ? write(known, context) : typeof known === "string" ? known : undefined) ?? typed;
      return {
        ...typedInput(text, maxLength),
        ...(maxLength === undefined ? {} : { max_length: maxLength }),
        ...(placeholder === undefined ? {} : { placeholder: plainText(placeholder) }),
        ...(multiline === undefined ? {} : { multiline }),
      };
    },
  };
}

/** A text input with words that no picker can show, so that they stay to be corrected. */
export const typedInput = (words: string, maxLength: number = limits.inputText) =>
  ({
    ...({ type: "plain_text_input", action_id: inputActionId } as const),
    ...(words === "" ? {} : { initial_value: cut(words, maxLength) }),
  }) as const;

/** The same words, as a line has them. */
export const asWords = (text: string): readonly Word[] => [{ value: text, isQuoted: true, start: 0 }];

export const missing: Reading = { kind: "missing" };
export const value = (read: unknown): Reading => ({ kind: "value", value: read });
export const problem = (text: string): Reading => ({ kind: "problem", problem: text });

export const plainText = (text: string) => ({ type: "plain_text", text: legible(text), emoji: false }) as const;

/** Every input has the same action id: a field is found by its block id alone. */
export const inputActionId = "input";

/**
 * The block id of a command's field; `chosen`: how often a ready answer replaced its value. It includes the command: when one form replaces another, Slack keeps the text typed in blocks
 * with equal ids (PLATFORM.md §7.3), and it must not end up in another command's field.
 */
export function blockIdOf({ words }: Pick<Command, "words">, field: string, chosen = 0): string {
  return `${words}/${field}${chosen > 0 ? `#${chosen}` : ""}`;
}

/** The block of a command's field among those of a form; undefined when the form has none. */
export function blockIn(values: unknown, command: Pick<Command, "words">, field: string): string | undefined {
  const id = blockIdOf(command, field);
  const blocks = typeof values === "object" && values !== null ? Object.keys(values) : [];
  return blocks.find((each) => each === id || each.startsWith(`${id}#`));
}
