import { isJsonObject, type JsonObject, objectsIn, plainText, stringAt } from "../json-object.ts";

/** The unique address of an element on its surface. */
export interface ElementPlace {
  readonly blockId: string;
  readonly actionId: string;
}

/** An element that holds a value. */
export interface FormField extends ElementPlace {
  readonly element: JsonObject;
  /** The most likely name a person would use. */
  readonly label: string;
  readonly otherNames: readonly string[];
  readonly isInput: boolean;
  readonly isOptional: boolean;
  /** Whether a change is sent to the app (PLATFORM.md §6.3). */
  readonly dispatches: boolean;
}

const stateless = new Set(["button", "overflow", "image", "workflow_button", "feedback_buttons", "icon_button"]);

export function formFields(blocks: readonly JsonObject[]): readonly FormField[] {
  return blocks.flatMap((block) =>
    elementsOf(block)
      .filter((element) => !stateless.has(String(element.type)))
      .map((element) => formField(block, element)),
  );
}

/** Finds a field by label, placeholder or id. Throws with the labels there are. */
export function fieldNamed(blocks: readonly JsonObject[], name: string): FormField {
  const fields = formFields(blocks);
  const field = fields.find((each) => each.label === name) ?? fields.find((each) => each.otherNames.includes(name));
  if (field !== undefined) return field;
  const known = fields.map((each) => `"${each.label}"`).join(", ");
  throw new Error(`There is no field "${name}" here. Fields: ${known || "none"}.`);
}

/** The field at this place. Throws when it is gone. */
export function fieldAt(blocks: readonly JsonObject[], { blockId, actionId }: ElementPlace): FormField {
  const field = formFields(blocks).find((each) => each.blockId === blockId && each.actionId === actionId);
  if (field === undefined) throw new Error("The field is no longer there.");
  return field;
}

/** The interactive elements of a block of any kind. */
export function elementsOf(block: JsonObject): readonly JsonObject[] {
  const single = [block.element, block.accessory].filter(isJsonObject);
  return block.type === "actions" || block.type === "context_actions" ? objectsIn(block.elements) : single;
}

function formField(block: JsonObject, element: JsonObject): FormField {
  const isInput = block.type === "input";
  const blockId = stringAt(block.block_id) ?? "";
  const actionId = stringAt(element.action_id) ?? "";
  const names = [plainText(isInput ? block.label : block.text), plainText(element.placeholder), actionId, blockId];
  const [label = "", ...otherNames] = names.filter((name) => name !== "");
  const isOptional = block.optional === true;
  return {
    blockId,
    actionId,
    element,
    label,
    otherNames,
    isInput,
    isOptional,
    dispatches: !isInput || block.dispatch_action === true,
  };
}
