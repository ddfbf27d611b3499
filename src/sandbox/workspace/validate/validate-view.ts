import { isJsonObject, type JsonObject, objectAt, objectsIn, stringAt } from "../json-object.ts";
import { optionGroup, plainText, selectOption } from "./elements.ts";
import { byType, characters, exactlyOne, fields, flag, listOf, problem, type Rule, type Shape, typed } from "./rule.ts";
import { validateBlocks } from "./validate-message.ts";

/** The problems for which Slack rejects a modal or Home view. Does not check the size. */
export function validateView(view: unknown): string[] {
  return [...viewRule(view, "/view")];
}

/** Whether a view has more than 250 KB of JSON (PLATFORM.md §7.1). */
export function isViewTooLarge(view: unknown): boolean {
  return Buffer.byteLength(JSON.stringify(view) ?? "") > 250_000;
}

export const wrongViewType = "must match the `type` of the root view whose stack we're pushing onto";

const shared = {
  "private_metadata?": characters(0, 3000),
  "callback_id?": characters(0, 255),
  "external_id?": characters(0, 255),
};

const viewRule: Rule = byType({
  modal: typed(
    {
      title: plainText(24),
      "submit?": plainText(24),
      "close?": plainText(24),
      "clear_on_close?": flag,
      "notify_on_close?": flag,
      ...shared,
      blocks: (blocks, pointer) => validateBlocks(blocks, "modal", pointer),
    },
    inputsNeedSubmit,
  ),
  home: typed({ blocks: (blocks, pointer) => validateBlocks(blocks, "home", pointer), ...shared }),
});

function inputsNeedSubmit(view: JsonObject, pointer: string): readonly string[] {
  const blocks: readonly unknown[] = Array.isArray(view.blocks) ? view.blocks : [];
  const first = blocks.findIndex((block) => isJsonObject(block) && block.type === "input");
  if (first === -1 || view.submit !== undefined) return [];
  return problem("must define `submit` to use an `input` block in modals", `${pointer}/blocks/${first}/input`);
}

/**
 * Validates the answer to a `view_submission` (PLATFORM.md §7.4). An absent or empty body closes the view.
 * Slack shows the person an error for each problem, but not all of its texts are known. Some texts here are the sandbox's own.
 */
export function validateSubmissionAnswer(body: unknown, submittedView: unknown): string[] {
  if (body === undefined || body === null || body === "") return [];
  if (!isJsonObject(body)) return [...problem("must provide an object", "")];
  const { response_action: action } = body;
  if (action === undefined) return [...problem("missing required field: response_action", "")];
  const shapes: Readonly<Record<string, Shape>> = {
    clear: {},
    update: { view: modalView },
    push: { view: modalView },
    errors: { errors: errorsFor(objectAt(submittedView)) },
  };
  const shape = typeof action === "string" && Object.hasOwn(shapes, action) ? shapes[action] : undefined;
  if (shape === undefined) return [...problem("must be a valid enum value", "/response_action")];
  return [...fields({ response_action: () => [], ...shape })(body, "")];
}

function modalView(view: unknown, pointer: string): readonly string[] {
  if (isViewTooLarge(view)) return problem("view_too_large", pointer);
  const isOtherType = isJsonObject(view) && view.type === "home";
  return isOtherType ? problem(wrongViewType, `${pointer}/type`) : validateView(view);
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

const optionsAnswer = fields(
  { "options?": listOf(selectOption, 0, 100), "option_groups?": listOf(optionGroup, 0, 100) },
  exactlyOne("options", "option_groups"),
);

/** Validates the answer to a `block_suggestion`. An empty list of options is valid (PLATFORM.md §6.6). */
export const validateOptionsAnswer = (body: unknown): string[] => [...optionsAnswer(body, "")];
