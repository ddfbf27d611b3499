import { isJsonObject, type JsonObject, objectAt, plainText, stringAt } from "../json-object.ts";
import { blocksOf, type ViewRecord } from "../state/views.ts";
import type { StateValues } from "../validate/state-values.ts";
import { formFields } from "./form-fields.ts";

/** A view as its reader sees it. */
export interface OpenView {
  readonly id: string;
  readonly callbackId: string;
  readonly externalId: string;
  readonly privateMetadata: string;
  readonly hash: string;
  readonly title: string;
  readonly submit: string | null;
  readonly close: string | null;
  readonly blocks: readonly JsonObject[];
  /** All text in the blocks, a line each. */
  readonly text: string;
  /** Labels of the fields, in order. */
  readonly fields: readonly string[];
  /** State value by label. */
  readonly values: Readonly<Record<string, JsonObject>>;
  /** Messages under inputs, by label. */
  readonly errors: Readonly<Record<string, string>>;
  /** The same values and messages by block id. */
  readonly state: StateValues;
  readonly blockErrors: Readonly<Record<string, string>>;
}

export function describeView(view: ViewRecord): OpenView {
  const { definition } = view;
  const blocks = blocksOf(definition);
  const fields = formFields(blocks);
  return {
    id: view.id,
    callbackId: stringAt(definition.callback_id) ?? "",
    externalId: stringAt(definition.external_id) ?? "",
    privateMetadata: stringAt(definition.private_metadata) ?? "",
    hash: view.hash,
    title: plainText(definition.title),
    submit: definition.submit === undefined ? null : plainText(definition.submit),
    close: definition.close === undefined ? null : plainText(definition.close),
    blocks,
    text: shownText(blocks),
    fields: fields.map((field) => field.label),
    values: Object.fromEntries(
      fields.map(({ label, blockId, actionId }) => [label, objectAt(view.state[blockId]?.[actionId])]),
    ),
    errors: errorsByLabel(view, view.errors),
    state: view.state,
    blockErrors: view.errors,
  };
}

export function errorsByLabel(
  view: ViewRecord,
  errors: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const fields = formFields(blocksOf(view.definition));
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
