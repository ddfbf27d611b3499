import { isJsonObject, type JsonObject, objectAt, objectsIn, type StateValues, stringAt } from "../json-object.ts";
import { placedElements } from "./blocks.ts";
import { elementKinds, type Held } from "./elements.ts";

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
