import { isJsonObject, type JsonObject, objectAt, objectsIn, stringAt } from "../json-object.ts";
import { optionGroup, selectOption } from "./composition-rules.ts";
import { anything, characters, exactlyOne, fields, listOf, problem, type Rule } from "./rule.ts";
import { isViewTooLarge, validateView, viewTooLarge } from "./validate-view.ts";

/**
 * Validates the answer to a `view_submission` (PLATFORM.md §7.4). An absent or empty body closes the view.
 * Slack shows the person an error for each problem, but not all of its texts are known. Some texts here are the sandbox's own.
 */
export function validateSubmissionAnswer(body: unknown, submittedView: unknown): string[] {
  if (body === undefined || body === null || body === "") return [];
  if (!isJsonObject(body)) return [...problem("must provide an object", "")];
  const action = body.response_action;
  if (action === undefined) return [...problem("missing required field: response_action", "")];
  const rule = submissionAnswers.find(({ name }) => name === action)?.rule(objectAt(submittedView));
  return [...(rule?.(body, "") ?? problem("must be a valid enum value", "/response_action"))];
}

const submissionAnswers: readonly { readonly name: string; rule(submitted: JsonObject): Rule }[] = [
  { name: "clear", rule: () => submissionAnswer({}) },
  { name: "update", rule: () => submissionAnswer({ view: modalView }) },
  { name: "push", rule: () => submissionAnswer({ view: modalView }) },
  { name: "errors", rule: (submitted) => submissionAnswer({ errors: errorsFor(submitted) }) },
];

function submissionAnswer(more: Readonly<Record<string, Rule>>): Rule {
  return fields({ response_action: anything, ...more });
}

function modalView(view: unknown, pointer: string): readonly string[] {
  if (isViewTooLarge(view)) return problem(viewTooLarge, pointer);
  const isOtherType = isJsonObject(view) && view.type === "home";
  const wrongType = "must match the `type` of the root view whose stack we're pushing onto";
  return isOtherType ? problem(wrongType, `${pointer}/type`) : validateView(view);
}

function errorsFor(submitted: JsonObject): Rule {
  const inputs = objectsIn(submitted.blocks).filter(({ type }) => type === "input");
  const inputIds = new Set(inputs.map(({ block_id }) => stringAt(block_id)));
  const message = characters(1, 3000);
  return (errors, pointer) => {
    if (!isJsonObject(errors)) return problem("must provide an object", pointer);
    if (Object.keys(errors).length === 0) return problem("must have minimum 1 properties", pointer);
    return Object.entries(errors).flatMap(([blockId, text]) => {
      const at = `${pointer}/${blockId.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      return inputIds.has(blockId)
        ? message(text, at)
        : problem(`no \`input\` block has the block_id "${blockId}"`, at);
    });
  };
}

/** Validates the answer to a `block_suggestion`. An empty list of options is valid (PLATFORM.md §6.6). */
export function validateOptionsAnswer(body: unknown): string[] {
  return [...optionsAnswer(body, "")];
}

const optionsAnswer = fields(
  {},
  { options: listOf(selectOption, 0, 100), option_groups: listOf(optionGroup, 0, 100) },
  exactlyOne("options", "option_groups"),
);
