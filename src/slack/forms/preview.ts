import type { ChangeCommand, FillContext, Preview } from "../../commands/command.ts";
import type { Input } from "../../commands/field.ts";
import { within } from "../../time/within.ts";

/** A preview is optional: a form or an answer waits no longer for it. */
const waitMs = 1500;

/** The preview of a command's effect; undefined when it takes too long. */
export async function previewSoon(
  command: ChangeCommand,
  input: Input,
  context: FillContext,
): Promise<Preview | undefined> {
  if (!command.preview) return { lines: [], buttons: [] };
  return within(waitMs, command.preview(input, context));
}
