import { optionGroup, selectOption } from "./composition-rules.ts";
import { exactlyOne, fields, listOf } from "./rule.ts";

/** Validates the answer to a `block_suggestion`. An empty list of options is valid (PLATFORM.md §6.6). */
export function validateOptionsAnswer(body: unknown): string[] {
  return [...answer(body, "")];
}

const answer = fields(
  {},
  { options: listOf(selectOption, 0, 100), option_groups: listOf(optionGroup, 0, 100) },
  exactlyOne("options", "option_groups"),
);
