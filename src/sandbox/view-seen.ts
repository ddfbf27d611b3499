import type { Sandbox } from "./sandbox.ts";
import { viewerOf } from "./viewer-of.ts";
import { formFields } from "./workspace/driver/form-fields.ts";
import type { OpenView } from "./workspace/driver/open-view.ts";
import { viewToText } from "./workspace/render/view-to-text.ts";
import type { StateValues } from "./workspace/validate/state-values.ts";

/** The form a person has open, drawn with what it holds and complains about. */
export function viewSeen(sandbox: Sandbox, handle: string): string | undefined {
  const view = sandbox.workspace.as(handle).openView();
  if (view === undefined) return undefined;
  const { blocks, title, submit, close } = view;
  const { state, errors } = byBlock(view);
  return viewToText(
    { type: "modal", blocks, title, submit: textObject(submit), close: textObject(close) },
    {
      ...viewerOf(sandbox, handle),
      state,
      errors,
    },
  );
}

function textObject(text: string | null) {
  return text === null ? undefined : { type: "plain_text", text };
}

/** An open view tells values and errors by label; the drawing wants them by block. */
function byBlock({ blocks, values, errors }: OpenView) {
  const state: Record<string, StateValues[string]> = {};
  const complaints: Record<string, string> = { ...errors };
  for (const { blockId, actionId, label } of formFields(blocks)) {
    const value = values[label];
    if (value !== undefined) state[blockId] = { ...state[blockId], [actionId]: value };
    const error = errors[label];
    if (error !== undefined) complaints[blockId] = error;
  }
  return { state, errors: complaints };
}
