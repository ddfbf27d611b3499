import { isJsonObject, type JsonObject, objectAt, objectsIn, plainText } from "../json-object.ts";
import type { StateValues } from "../validate/state-values.ts";
import { blockToText, type Drawing } from "./block-to-text.ts";
import { lengthOf, wrapText } from "./columns.ts";
import { oneLine, stripControls } from "./strip-controls.ts";
import type { Viewer } from "./viewer.ts";

export interface ViewOptions extends Viewer {
  readonly width?: number;
  /** The input values; by default those in the view. */
  readonly state?: StateValues;
  /** Error messages by block id. */
  readonly errors?: Readonly<Record<string, string>>;
}

/** Renders a modal or the Home tab as a framed form: label, value or placeholder, hint and error of each input. */
export function viewToText(view: JsonObject, options: ViewOptions): string {
  const width = options.width ?? 80;
  const state = options.state ?? parseState(objectAt(view.state).values);
  const drawing: Drawing = { ...options, width: width - 2, state, errors: options.errors ?? {} };
  const body = objectsIn(view.blocks).map((block) => stripControls(blockToText(block, drawing)));
  const rows = wrapText(body.join("\n\n"), width - 2);
  const title = view.type === "home" ? "Home" : oneLine(plainText(view.title));
  const frame = [rule("┌", title, width), ...rows.map((row) => `│ ${row}`.trimEnd()), rule("└", buttons(view), width)];
  return stripControls(frame.join("\n"));
}

function parseState(values: unknown): StateValues {
  return Object.fromEntries(
    Object.entries(objectAt(values)).map(([blockId, elements]) => [
      blockId,
      Object.fromEntries(Object.entries(objectAt(elements)).filter(isStateEntry)),
    ]),
  );
}

function isStateEntry(entry: [string, unknown]): entry is [string, JsonObject] {
  return isJsonObject(entry[1]);
}

function rule(corner: string, text: string, width: number): string {
  const start = text === "" ? corner : `${corner}─ ${text} `;
  return start + "─".repeat(Math.max(width - lengthOf(start), 0));
}

/** Every modal has a close button; Slack's default label is Cancel. */
function buttons(view: JsonObject): string {
  if (view.type === "home") return "";
  const submit = isJsonObject(view.submit) ? [`[ ${oneLine(plainText(view.submit))} ]`] : [];
  return [`[ ${oneLine(plainText(view.close)) || "Cancel"} ]`, ...submit].join(" ");
}
