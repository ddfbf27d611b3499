import type { PersonField } from "../../../commands/field.ts";
import { type FieldKind, inputActionId, missing, plainText, problem, type Reading, value } from "../field-kind.ts";

/** A person in Slack, by mention or user id. */
export const personKind: FieldKind<PersonField> = {
  usage: () => "<@person>",
  example: () => "@bob",
  fromLine: async (_field, words) => read(words.map((word) => word.value).join(" ")),
  draw: async (_field, { value: id, typed }) => {
    const initial = [id, typed].find((each) => typeof each === "string" && userId.test(each));
    return {
      type: "users_select",
      action_id: inputActionId,
      placeholder: plainText("Choose somebody"),
      ...(typeof initial === "string" ? { initial_user: initial } : {}),
    };
  },
  fromState: async (_field, { selected_user }) => read(selected_user ?? ""),
};

const userId = /^[UW][A-Z0-9]+$/;

function read(typed: string): Reading {
  const text = typed.trim();
  if (text === "") return missing;
  const id = /^<@([^|>]+)(?:\|[^>]*)?>$/.exec(text)?.[1] ?? text;
  return userId.test(id) ? value(id) : problem(`“${text}” is not a person in Slack. Mention them, as in @alice.`);
}
