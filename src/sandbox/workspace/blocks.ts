import {
  anyNumber,
  anyText,
  byType,
  type Check,
  characters,
  elementAt,
  elementKinds,
  exactlyOne,
  fields,
  flag,
  type Held,
  listOf,
  optionGroup,
  plainText,
  problem,
  type Rule,
  type Shape,
  selectOption,
  typed,
} from "./elements.ts";
import { isJsonObject, type JsonObject, objectAt, objectsIn, type StateValues, stringAt } from "./json-object.ts";

// The blocks that Curfew sends. Any other is refused as unknown.

/** Requests, exactly as they are sent. */
const preformatted = byType({
  rich_text_preformatted: typed({
    elements: listOf(byType({ text: typed({ text: characters(1, anyNumber) }) }), 0, anyNumber),
  }),
});

const block = (shape: Shape, ...checks: readonly Check[]): Rule =>
  typed({ "block_id?": characters(0, 255), ...shape }, ...checks);

/** Each block with its fields and limits, on every surface (PLATFORM.md §8.2). */
const anyBlock: Rule = byType({
  section: block(
    {
      "text?": anyText(3000),
      "fields?": listOf(anyText(2000), 1, 10),
      "accessory?": elementAt("accessory"),
    },
    ({ text, fields }, pointer) =>
      text === undefined && fields === undefined ? problem("must define either `text` or `fields`", pointer) : [],
  ),
  actions: block({ elements: listOf(elementAt("actions"), 1, 25) }, actionIdsDiffer),
  context: block({ elements: listOf(anyText(3000), 1, 10) }),
  input: block({
    label: plainText(2000),
    element: elementAt("input"),
    "hint?": plainText(2000),
    "optional?": flag,
    "dispatch_action?": flag,
  }),
  rich_text: block({ elements: listOf(preformatted, 0, anyNumber) }),
  header: block({ text: plainText(150) }),
  divider: block({}),
});

interface PlacedElement {
  readonly element: JsonObject;
  /** Its place inside the block, as the end of a JSON pointer. */
  readonly path: string;
}

/** The interactive elements of a block. */
export function placedElements(given: JsonObject): readonly PlacedElement[] {
  const inside = given.type === "actions" && Array.isArray(given.elements) ? given.elements : [];
  const places: readonly (readonly [string, unknown])[] = [
    ["/accessory", given.type === "section" ? given.accessory : undefined],
    ["/element", given.type === "input" ? given.element : undefined],
    ...inside.map((element: unknown, index) => [`/elements/${index}`, element] as const),
  ];
  return places.flatMap(([path, element]) => (isJsonObject(element) ? [{ path, element }] : []));
}

/** A problem for each id that an earlier item has. */
function repeated(
  name: "action_id" | "block_id",
  items: readonly { readonly item: JsonObject; readonly at: string }[],
): readonly string[] {
  const seen = new Set<string>();
  return items.flatMap(({ item, at }) => {
    const given = stringAt(item[name]);
    if (given === undefined) return [];
    const isTaken = seen.has(given);
    seen.add(given);
    return isTaken ? problem(`\`${name}\` "${given}" already exists`, `${at}/${name}`) : [];
  });
}

function actionIdsDiffer(actions: JsonObject, pointer: string): readonly string[] {
  const placed = placedElements(actions).map(({ element: item, path }) => ({ item, at: pointer + path }));
  return repeated("action_id", placed);
}

export type Surface = "message" | "modal" | "home";

/** The problems for which Slack rejects the blocks, each with its JSON pointer; empty when valid (PLATFORM.md §8, §9.2). */
export function validateBlocks(blocks: unknown, surface: Surface, pointer = "/blocks"): readonly string[] {
  const items = (Array.isArray(blocks) ? blocks : []).flatMap((item: unknown, index) =>
    isJsonObject(item) ? [{ item, at: `${pointer}/${index}` }] : [],
  );
  return [...listOf(anyBlock, 0, surface === "message" ? 50 : 100)(blocks, pointer), ...repeated("block_id", items)];
}

/** Undocumented; the value comes from one report (PLATFORM.md §8.1). */
const maxCharacters = 13_200;

/** The error code when each block is valid but together they are too large. */
export function messageLimit(blocks: unknown): "msg_blocks_too_long" | undefined {
  return textLength(blocks) > maxCharacters ? "msg_blocks_too_long" : undefined;
}

/** The total length of every `text`, at any depth. */
function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item: unknown) => sum + textLength(item), 0);
  if (!isJsonObject(value)) return 0;
  return Object.entries(value).reduce(
    (sum, [name, item]) => sum + (name === "text" && typeof item === "string" ? item.length : textLength(item)),
    0,
  );
}

/** The problems for which Slack rejects a modal or Home view. Does not check the size. */
export function validateView(view: unknown): readonly string[] {
  return viewRule(view, "/view");
}

/** Whether a view has more than 250 KB of JSON (PLATFORM.md §7.1). */
export function isViewTooLarge(view: unknown): boolean {
  return Buffer.byteLength(JSON.stringify(view) ?? "") > 250_000;
}

export const wrongViewType = "must match the `type` of the root view whose stack we're pushing onto";

const shared = {
  "private_metadata?": characters(0, 3000),
  "callback_id?": characters(0, 255),
};

const viewRule: Rule = byType({
  modal: typed(
    {
      title: plainText(24),
      "submit?": plainText(24),
      "close?": plainText(24),
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
export function validateSubmissionAnswer(body: unknown, submittedView: unknown): readonly string[] {
  if (body === undefined || body === null || body === "") return [];
  if (!isJsonObject(body)) return problem("must provide an object", "");
  const { response_action: action } = body;
  if (action === undefined) return problem("missing required field: response_action", "");
  const shapes: Readonly<Record<string, Shape>> = {
    update: { view: modalView },
    errors: { errors: errorsFor(objectAt(submittedView)) },
  };
  const shape = typeof action === "string" && Object.hasOwn(shapes, action) ? shapes[action] : undefined;
  if (shape === undefined) return problem("must be a valid enum value", "/response_action");
  return fields({ response_action: () => [], ...shape })(body, "");
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
export const validateOptionsAnswer = (body: unknown) => optionsAnswer(body, "");

/** `state.values` before anyone touches the blocks, for every stateful element (PLATFORM.md §7.6). */
export function initialState(blocks: readonly JsonObject[]): StateValues {
  const entries = blocks.map((block) => {
    const values = placedElements(block).flatMap(({ element }) => {
      const value = elementState(element);
      return value === undefined ? [] : [[stringAt(element.action_id) ?? "", value] as const];
    });
    return [stringAt(block.block_id) ?? "", Object.fromEntries(values)] as const;
  });
  return Object.fromEntries(entries.filter(([, values]) => Object.keys(values).length > 0));
}

/** What an element holds; undefined for one that holds no value, such as a button. */
export function heldBy({ type }: JsonObject): Held | undefined {
  return typeof type === "string" && Object.hasOwn(elementKinds, type) ? elementKinds[type]?.holds : undefined;
}

export function elementState(element: JsonObject): JsonObject | undefined {
  const held = heldBy(element);
  if (held === undefined) return undefined;
  const { type, timezone } = element;
  const value = element[held.initial];
  const zone = type === "timepicker" && timezone !== undefined ? { timezone } : {};
  return { type, [held.name]: value === undefined || value === "" ? held.untouched : value, ...zone };
}

/** Adds the defaults that Slack fills in (PLATFORM.md §7.2). */
export function fillDefaults(blocks: readonly JsonObject[], randomId: () => string): JsonObject[] {
  return blocks.map((block) => {
    const filled = { ...fillTexts(block), block_id: stringAt(block.block_id) || randomId() };
    const withId = (element: unknown): JsonObject => {
      const given = objectAt(element);
      return { ...given, action_id: stringAt(given.action_id) || randomId() };
    };
    const { element, accessory, elements }: JsonObject = filled;
    if (block.type === "input") return { optional: false, dispatch_action: false, ...filled, element: withId(element) };
    if (block.type === "section" && accessory !== undefined) return { ...filled, accessory: withId(accessory) };
    return block.type === "actions" ? { ...filled, elements: objectsIn(elements).map(withId) } : filled;
  });
}

/** The same for a whole view, including its title and buttons. */
export function fillViewDefaults({ blocks, ...rest }: JsonObject, randomId: () => string): JsonObject {
  return { ...fillTexts(rest), blocks: fillDefaults(objectsIn(blocks), randomId) };
}

function fillTexts(value: JsonObject): JsonObject {
  const filled = Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillInside(item)]));
  if (typeof value.text !== "string") return filled;
  if (value.type === "plain_text") return { emoji: true, ...filled };
  return value.type === "mrkdwn" ? { verbatim: false, ...filled } : filled;
}

function fillInside(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fillInside);
  return isJsonObject(value) ? fillTexts(value) : value;
}
