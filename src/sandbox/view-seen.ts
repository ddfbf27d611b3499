import type { Sandbox } from "./sandbox.ts";
import { viewerOf } from "./sandbox.ts";
import { viewToText } from "./workspace/render/view-to-text.ts";

/** The form a person has open, rendered with its values and errors. */
export function viewSeen(sandbox: Sandbox, handle: string): string | undefined {
  const view = sandbox.workspace.as(handle).openView();
  if (view === undefined) return undefined;
  const { blocks, title, submit, close, state, blockErrors } = view;
  return viewToText(
    { type: "modal", blocks, title, submit: textObject(submit), close: textObject(close) },
    {
      ...viewerOf(sandbox, handle),
      state,
      errors: blockErrors,
    },
  );
}

function textObject(text: string | null) {
  return text === null ? undefined : { type: "plain_text", text };
}
