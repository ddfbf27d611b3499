import { type JsonObject, objectAt, stringAt } from "../json-object.ts";
import { anyText, hasOneImageSource, imageSource, plainText, textTypes } from "./composition-rules.ts";
import { elementRules } from "./element-rules.ts";
import { elementsOf } from "./elements-of.ts";
import { elementAt, type Surface } from "./placement.ts";
import { richTextBlock } from "./rich-text-rules.ts";
import {
  byType,
  type Check,
  characters,
  fields,
  finiteNumber,
  flag,
  integerBetween,
  listOf,
  oneOf,
  problem,
  type Rule,
  type Shape,
  typed,
} from "./rule.ts";

/** Each block that the sandbox renders, with its fields and limits (PLATFORM.md §8.2). */
export function blockShapes(surface: Surface) {
  const section = {
    text: anyText(3000),
    fields: listOf(anyText(2000), 1, 10),
    accessory: elementAt("accessory", surface),
    expand: flag,
  };
  return {
    actions: block({ elements: listOf(elementAt("actions", surface), 1, 25) }, {}, actionIdsDiffer),
    context: block({ elements: listOf(byType({ ...textTypes(3000), image: elementRules.image }), 1, 10) }),
    divider: block({}),
    header: block({ text: plainText(150) }, { level: integerBetween(1, 4) }),
    image: block({ alt_text: characters(1, 2000) }, { title: plainText(2000), ...imageSource }, hasOneImageSource),
    input: block(
      { label: plainText(2000), element: elementAt("input", surface) },
      { hint: plainText(2000), optional: flag, dispatch_action: flag },
      filesDoNotDispatch,
    ),
    // All markdown blocks share one limit, which `validateBlocks` checks.
    markdown: block({ text: characters(1, Number.POSITIVE_INFINITY) }),
    rich_text: richTextBlock,
    section: block({}, section, hasTextOrFields),
    table: block({ rows: listOf(listOf(tableCell(), 1, 20), 1, 100) }, { column_settings: listOf(column(), 0, 20) }),
  } satisfies Shape;
}

function block(required: Shape, optional: Shape = {}, ...checks: readonly Check[]): Rule {
  return typed(required, { block_id: characters(0, 255), ...optional }, ...checks);
}

function actionIdsDiffer(actions: JsonObject, pointer: string): readonly string[] {
  const seen = new Set<string>();
  return elementsOf(actions).flatMap(({ element, path }) => {
    const id = stringAt(element.action_id);
    if (id === undefined) return [];
    const isTaken = seen.has(id);
    seen.add(id);
    return isTaken ? problem(`\`action_id\` "${id}" already exists`, `${pointer}${path}/action_id`) : [];
  });
}

function filesDoNotDispatch(input: JsonObject, pointer: string): readonly string[] {
  const dispatches = input.dispatch_action === true && objectAt(input.element).type === "file_input";
  return dispatches ? problem("invalid additional property: dispatch_action", pointer) : [];
}

function hasTextOrFields({ text, fields }: JsonObject, pointer: string): readonly string[] {
  return text === undefined && fields === undefined ? problem("must define either `text` or `fields`", pointer) : [];
}

function tableCell(): Rule {
  const text = characters(1, Number.POSITIVE_INFINITY);
  return byType({
    raw_text: typed({ text }),
    raw_number: typed({ value: finiteNumber, text }),
    rich_text: richTextBlock,
  });
}

function column(): Rule {
  const setting = fields({}, { align: oneOf("left", "center", "right"), is_wrapped: flag });
  return (value, pointer) => (value === null ? [] : setting(value, pointer));
}
