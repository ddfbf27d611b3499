import type { ChangeCommand, FillContext, Preview } from "../../commands/command.ts";
import type { Input } from "../../commands/field.ts";
import { within } from "../../time/within.ts";

/** A preview is optional: a form or an answer waits no longer for it. */
const waitMs = 1500;

/** The preview of a command's effect, with the hours that it comes to; undefined when it takes too long. */
export async function previewSoon(
  command: ChangeCommand,
  input: Input,
  context: FillContext,
): Promise<Preview | undefined> {
  return within(waitMs, previewOf(command, input, context));
}

async function previewOf(command: ChangeCommand, input: Input, context: FillContext): Promise<Preview> {
  const [preview = nothing, hours] = await Promise.all([
    command.preview?.(input, context),
    context.hoursAhead?.(command, input),
  ]);
  if (!hours || hours.lines.length === 0) return preview;
  const { lines, buttons, answer = { effect: "", lines } } = preview;
  return {
    lines: [...hours.lines, ...lines],
    buttons,
    answer: { ...answer, lines: [...hours.over, ...answer.lines] },
  };
}

const nothing: Preview = { lines: [], buttons: [] };
