import { isJsonObject, type JsonObject, objectsIn, plainText, stringAt } from "../json-object.ts";
import { type ElementPlace, elementsOf } from "./form-fields.ts";

export interface Pressable {
  readonly blockId: string;
  readonly element: JsonObject;
  /** Set for an entry of an overflow menu. */
  readonly option?: JsonObject;
  readonly text: string;
  readonly value: string | undefined;
  readonly hasConfirm: boolean;
}

export interface ButtonHint {
  readonly actionId?: string;
  readonly value?: string;
}

/** The one button or overflow entry with this text. Throws when there is none, or several that the hint does not distinguish. */
export function findButton(blocks: readonly JsonObject[], text: string, { actionId, value }: ButtonHint): Pressable {
  const all = blocks.flatMap(pressables);
  const matches = all.filter(
    (each) =>
      each.text === text &&
      (actionId === undefined || each.element.action_id === actionId) &&
      (value === undefined || each.value === value),
  );
  const [button] = matches;
  if (button !== undefined && matches.length === 1) return button;
  const shown = all.map((each) => `"${each.text}" (${String(each.element.action_id)}, ${each.value ?? "no value"})`);
  const problem =
    button === undefined ? `There is no button "${text}"` : `There are ${matches.length} buttons "${text}"`;
  throw new Error(`${problem} among ${shown.join(", ") || "no buttons at all"}.`);
}

/** The button at this place, or the overflow entry with this value. Throws when it is gone. */
export function buttonAt(
  blocks: readonly JsonObject[],
  { blockId, actionId }: ElementPlace,
  option: string | undefined,
): Pressable {
  const button = blocks
    .flatMap(pressables)
    .find(
      (each) =>
        each.blockId === blockId &&
        each.element.action_id === actionId &&
        (each.option === undefined ? option === undefined : each.value === option),
    );
  if (button === undefined) throw new Error("The button is no longer there.");
  return button;
}

function pressables(block: JsonObject): readonly Pressable[] {
  const blockId = stringAt(block.block_id) ?? "";
  return elementsOf(block).flatMap((element): readonly Pressable[] => {
    const hasConfirm = isJsonObject(element.confirm);
    const base = { blockId, element, hasConfirm };
    if (element.type === "button") return [{ ...base, text: plainText(element.text), value: stringAt(element.value) }];
    if (element.type !== "overflow") return [];
    return objectsIn(element.options).map((option) => ({
      ...base,
      option,
      text: plainText(option.text),
      value: stringAt(option.value),
    }));
  });
}
