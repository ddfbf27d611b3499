import type { WebClient } from "@slack/web-api";
import type { ChangeState } from "../../../changes/change.ts";
import type { Changes } from "../../../changes/changes.ts";
import { commandOf } from "../../../commands/catalogue.ts";
import { type Input, inputSchema } from "../../../commands/field.ts";
import type { Logger } from "../../../observability/log.ts";
import { complete } from "../../fields/read-fields.ts";
import { formFor, metaFor } from "../../forms/form.ts";
import { openForm } from "../../forms/open-form.ts";
import type { Homes } from "../../home/homes.ts";
import { formAction, runAction } from "../../messages/button.ts";
import { noticeMessage, refusalMessage } from "../../messages/outcome-message.ts";
import type { Access } from "../access.ts";
import type { Replies } from "../replies.ts";
import type { ContextOf, Origin } from "../request-context.ts";
import type { RunCommand } from "../run-command.ts";

/** The ports of `handlePress`. */
export interface PressPorts {
  readonly contextOf: ContextOf;
  readonly access: Access;
  readonly runCommand: RunCommand;
  readonly replies: Replies;
  readonly changes: Pick<Changes, "actedOn">;
  readonly homes: Pick<Homes, "seen" | "show">;
  readonly client: WebClient;
  readonly log: Logger;
}

export interface Press extends Origin {
  readonly actionId: string;
  readonly value: string;
  readonly triggerId: string;
  /** The place of the button: a message, a form, or one drawing of the Home tab. */
  readonly surface: string;
  /** The open form that contains the button. */
  readonly viewId: string | undefined;
  readonly isHome: boolean;
  readonly isEphemeral: boolean;
}

/** Handles a pressed button: opens a command's form or runs the command, in the same way as a typed line. */
export async function handlePress(ports: PressPorts, press: Press): Promise<void> {
  const { contextOf, access, runCommand, replies, homes, client, log } = ports;
  const responder = replies.to(press);
  if (press.isHome) homes.seen(press.userId);
  const context = await contextOf(press);
  const outsider = access.refusalOfOutsider(context);
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
  // Everybody sees a card's buttons. A decision that runs now is checked when it is recorded.
  const isCheckedOnDecision = command.kind === "decision" && opens === runAction;
  const refusal = isCheckedOnDecision ? undefined : await access.refusalOf(command, input, context);
  if (refusal) {
    await responder.send(refusal);
    return;
  }
  if (opens === formAction) {
    const refused = await access.refusalOfForm(command, input, context);
    if (refused) return void (await responder.send(refused));
    const read = await complete(command, { input, problems: {}, typed: {} }, context);
    await openForm({ client, log }, press, command.title, () =>
      formFor(command, read, metaFor(command, press), context),
    );
    return;
  }
  const outcome = await runCommand(command, input, context, await pressKey(ports, press));
  // An ephemeral list is replaced by the outcome of its button; a card in a channel is redrawn by its announcement.
  await replies.answer(press, outcome, press.isEphemeral);
  // The Home tab was out of date, or its button would have made a change.
  if (press.isHome && outcome.change === undefined) await homes.show(press.userId);
}

/**
 * Two presses of one button are one request, even by two people. After an unknown outcome, or an approval that was not
 * given, a press is a new try.
 */
async function pressKey(
  { changes }: Pick<PressPorts, "changes">,
  { channelId, surface, actionId, value }: Press,
): Promise<string> {
  const key = `press:${channelId ?? ""}:${surface}:${actionId}:${value}`;
  const earlier = await changes.actedOn(key);
  return earlier && retryableStates.has(earlier.state) ? `${key}:after:${earlier.id}` : key;
}

const retryableStates: ReadonlySet<ChangeState> = new Set(["unknown", "denied", "withdrawn", "expired"]);

function readValue({ value }: Press, schema: ReturnType<typeof inputSchema>): Input | undefined {
  try {
    return schema.safeParse(JSON.parse(value)).data;
  } catch {
    return undefined;
  }
}
