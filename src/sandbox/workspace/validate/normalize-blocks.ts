import { isJsonObject, type JsonObject, objectAt, objectsIn, stringAt } from "../json-object.ts";
import { elementRules } from "./element-rules.ts";

/** Adds the defaults that Slack fills in (PLATFORM.md §7.2). */
export function fillDefaults(blocks: readonly JsonObject[], randomId: () => string): JsonObject[] {
  return blocks.map((block) => fillBlock(block, randomId));
}

/** The same for a whole view, including its title and buttons. */
export function fillViewDefaults(view: JsonObject, randomId: () => string): JsonObject {
  const { blocks, ...rest } = view;
  return { ...fillTexts(rest), blocks: fillDefaults(objectsIn(blocks), randomId) };
}

function fillBlock(block: JsonObject, randomId: () => string): JsonObject {
  const withId = { ...fillTexts(block), block_id: stringAt(block.block_id) || randomId() };
  switch (block.type) {
    case "input":
      return { optional: false, dispatch_action: false, ...withId, element: fillElement(withId, "element", randomId) };
    case "section":
      return block.accessory === undefined
        ? withId
        : { ...withId, accessory: fillElement(withId, "accessory", randomId) };
    case "actions":
      return { ...withId, elements: objectsIn(objectAt(withId).elements).map((each) => withActionId(each, randomId)) };
    default:
      return withId;
  }
}

function fillElement(block: JsonObject, name: string, randomId: () => string): JsonObject {
  return withActionId(objectAt(block[name]), randomId);
}

function withActionId(element: JsonObject, randomId: () => string): JsonObject {
  const hasActions = element.type !== "image" && Object.hasOwn(elementRules, stringAt(element.type) ?? "");
  return hasActions ? { ...element, action_id: stringAt(element.action_id) || randomId() } : element;
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
