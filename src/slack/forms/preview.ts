import type { ChangeCommand, FillContext, Preview } from "../../commands/command.ts";
import type { Input } from "../../commands/field.ts";
import { within } from "../../time/within.ts";

/** How long a form or an answer waits for what is only said beside it. */
const waitMs = 1500;

/** What a command says of its effect; undefined when that cannot be found out soon. */
export async function previewSoon(
  command: ChangeCommand,
  input: Input,
  context: FillContext,
): Promise<Preview | undefined> {
  if (!command.preview) return { lines: [], buttons: [] };
  return within(waitMs, command.preview(input, context));
}
