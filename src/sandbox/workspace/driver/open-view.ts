import { isJsonObject, type JsonObject, objectAt, plainText, stringAt } from "../json-object.ts";
import { blocksOf, type ViewRecord } from "../state/views.ts";
import { formFields } from "./form-fields.ts";

/** A view as its reader sees it. */
export type OpenView = ReturnType<typeof describeView>;

export function describeView({ id, hash, definition, state, errors }: ViewRecord) {
  const blocks = blocksOf(definition);
  const fields = formFields(blocks);
  const textOf = (text: unknown): string | null => (text === undefined ? null : plainText(text));
  return {
    id,
    callbackId: stringAt(definition.callback_id) ?? "",
    privateMetadata: stringAt(definition.private_metadata) ?? "",
    hash,
    title: plainText(definition.title),
    submit: textOf(definition.submit),
    close: textOf(definition.close),
    blocks,
    /** All text in the blocks, a line each. */
    text: shownText(blocks),
    /** Labels of the fields, in order. */
    fields: fields.map((field) => field.label),
    /** State value by label. */
    values: Object.fromEntries(
      fields.map(({ label, blockId, actionId }): readonly [string, JsonObject] => [
        label,
        objectAt(state[blockId]?.[actionId]),
      ]),
    ),
    /** Messages under inputs, by label. */
    errors: errorsByLabel(definition, errors),
    /** The same values and messages by block id. */
    state,
    blockErrors: errors,
  };
}

export function errorsByLabel(
  definition: JsonObject,
  errors: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const fields = formFields(blocksOf(definition));
  const label = (blockId: string): string => fields.find((field) => field.blockId === blockId)?.label ?? blockId;
  return Object.fromEntries(Object.entries(errors).map(([blockId, message]) => [label(blockId), message]));
}

/** Every text in blocks, a message or a view, in order, one per line. */
export function shownText(blocks: unknown): string {
  return textsIn(blocks).join("\n");
}

function textsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key === "text" && typeof item === "string" ? [item] : textsIn(item),
  );
}
