import type { ChangeState } from "../../changes/change.ts";
import { commandOf } from "../../commands/catalogue.ts";
import { type Input, inputSchema } from "../../commands/field.ts";
import { complete } from "../fields/read-fields.ts";
import { formFor, metaFor } from "../forms/form.ts";
import { openForm } from "../forms/open-form.ts";
import { formAction, runAction } from "../messages/button.ts";
import { noticeMessage, refusalMessage } from "../messages/outcome-message.ts";
import {
  answer,
  contextFor,
  type Desk,
  type Origin,
  refusalOfForm,
  refusalToSay,
  responderFor,
  runCommand,
} from "./desk.ts";
import { refusalOfOutsider } from "./refusal-of-outsider.ts";

export interface Press extends Origin {
  readonly actionId: string;
  readonly value: string;
  readonly triggerId: string;
  /** What the button stands on, as it was then: a message, a form, one drawing of the Home tab. */
  readonly surface: string;
  /** The open form that the button stands in. */
  readonly viewId: string | undefined;
  readonly isHome: boolean;
  readonly isEphemeral: boolean;
}

/** A pressed button of ours: opens a command's form or runs it, by the same way as a typed line. */
export async function handlePress(desk: Desk, press: Press): Promise<void> {
  const responder = responderFor(desk, press);
  if (press.isHome) desk.homes.seen(press.userId);
  const context = await contextFor(desk, press);
  const outsider = refusalOfOutsider(desk, context);
  if (outsider) {
    await responder.send(refusalMessage(outsider));
    return;
  }
  const [opens, words = ""] = press.actionId.split(":");
  const command = commandOf(words);
  const input = command && readValue(press, inputSchema(command.fields, { partial: opens === formAction }));
  if (!command || !input || (opens !== formAction && opens !== runAction)) {
    await responder.send(
      noticeMessage(":warning:", "This button is from another version of Curfew. Nothing was changed."),
    );
    return;
  }
  // Everybody sees a card's buttons; one that decides at once is judged when it does.
  const isJudgedThen = command.kind === "decision" && opens === runAction;
  const refusal = isJudgedThen ? undefined : await refusalToSay(desk, command, input, context);
  if (refusal) {
    await responder.send(refusal);
    return;
  }
  if (opens === formAction) {
    const refused = await refusalOfForm(desk, command, input, context);
    if (refused) return void (await responder.send(refused));
    const read = await complete(command, { input, problems: {}, typed: {} }, context);
    await openForm(desk, press, command.title, () => formFor(command, read, metaFor(command, press), context));
    return;
  }
  const outcome = await runCommand(desk, command, input, context, await pressKey(desk, press));
  // A list that only its reader sees gives way to what came of its button; a card in a channel is redrawn by its announcement.
  await answer(desk, press, outcome, press.isEphemeral);
  // What it showed was out of date, or the button would have led to a change.
  if (press.isHome && outcome.change === undefined) await desk.homes.show(press.userId);
}

/** Two presses of one button are one request, whoever pressed; one after an unknown outcome, or after an approval that was not given, is another try. */
async function pressKey({ changes }: Desk, { channelId, surface, actionId, value }: Press): Promise<string> {
  const key = `press:${channelId ?? ""}:${surface}:${actionId}:${value}`;
  const earlier = await changes.actedOn(key);
  return earlier && mayBeTriedAgain.has(earlier.state) ? `${key}:after:${earlier.id}` : key;
}

const mayBeTriedAgain: ReadonlySet<ChangeState> = new Set(["unknown", "denied", "withdrawn", "expired"]);

function readValue({ value }: Press, schema: ReturnType<typeof inputSchema>): Input | undefined {
  try {
    return schema.safeParse(JSON.parse(value)).data;
  } catch {
    return undefined;
  }
}
