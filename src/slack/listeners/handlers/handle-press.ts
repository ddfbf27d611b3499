import type { WebClient } from "@slack/web-api";
import { z } from "zod";
import type { ChangeState } from "../../../changes/change.ts";
import type { Changes } from "../../../changes/changes.ts";
import type { CommandButton } from "../../../commands/answer.ts";
import { commandOf } from "../../../commands/catalogue.ts";
import type { Input } from "../../../commands/field.ts";
import { inputSchema } from "../../../commands/field-values.ts";
import { asRequired, lacksRequired } from "../../../commands/required-fields.ts";
import type { Logger } from "../../../observability/log.ts";
import { complete, readTyped } from "../../fields/read-fields.ts";
import { formFor } from "../../forms/form.ts";
import { metaFor } from "../../forms/form-meta.ts";
import { answerView, openForm } from "../../forms/open-form.ts";
import type { Homes } from "../../home/homes.ts";
import { readAction, typedKey } from "../../messages/button.ts";
import { noticeMessage, refusalMessage } from "../../messages/notices.ts";
import { type Access, purposeOf } from "../access.ts";
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
  /** Opens forms; undefined after a restart. */
  readonly triggerId: string | undefined;
  /** The place of the button: a message, a form, or one drawing of the Home tab. */
  readonly surface: string;
  /** The open form that contains the button. */
  readonly viewId: string | undefined;
  readonly isHome: boolean;
  /** Chosen in a select, where Slack reports the same choice only once. */
  readonly isChoice?: boolean;
  readonly isEphemeral: boolean;
}

/** Handles a pressed button: opens a command's form or runs the command, in the same way as a typed line. */
export async function handlePress(ports: PressPorts, press: Press): Promise<void> {
  await pressed(ports, press);
  // A new drawing has nothing chosen.
  if (press.isHome && press.isChoice) await ports.homes.show(press.userId);
}

async function pressed(ports: PressPorts, press: Press): Promise<void> {
  const { contextOf, access, runCommand, replies, homes, client, log } = ports;
  const { triggerId } = press;
  const responder = replies.to(press);
  if (press.isHome) homes.seen(press.userId);
  const context = await contextOf(press, press.fromHome ? "change" : "read");
  const outsider = access.refusalOfOutsider(context);
  if (outsider) {
    await responder.send(refusalMessage(outsider));
    return;
  }
  const action = readAction(press.actionId);
  const declared = action && commandOf(action.words);
  const given = declared && readValue(press, inputSchema(declared.fields, { partial: action.opens === "form" }));
  const input = given?.input;
  if (!declared || !input) {
    await responder.send(
      noticeMessage(
        ":warning:",
        "This button is from another version of Curfew. Nothing was changed: type it instead; “help” shows how.",
      ),
    );
    return;
  }
  const command = asRequired(declared, context.settings);
  // What the config requires beside the button's values is asked for first.
  const isForm = action.opens === "form" || lacksRequired(command, input);
  // Everybody sees a card's buttons. What is about a change is judged by that change, when it runs.
  const isJudgedByChange = (command.kind === "decision" || command.kind === "outcome") && !isForm;
  const refusal = isJudgedByChange ? undefined : await access.refusalOf(command, input, context);
  if (refusal) {
    await responder.send(refusal);
    return;
  }
  if (isForm) {
    const refused = await access.refusalOfForm(command, input, context);
    if (refused) return void (await responder.send(refused));
    if (triggerId === undefined) {
      const button: CommandButton = { label: "Open the form", words: command.words, opens: "form", input };
      return void (await responder.send(noticeMessage(":pencil2:", needsMore, [button])));
    }
    const typed = await readTyped(command, given?.typed ?? {}, context);
    const read = await complete(command, { input, ...typed }, context);
    await openForm({ client, log }, { ...press, triggerId }, command.title, async () => {
      const notice = await access.formNotice(command, input, context);
      return formFor(command, { ...read, notice }, metaFor(command, press), context);
    });
    return;
  }
  if (press.fromHome && purposeOf(command) === "read" && command.kind === "query" && triggerId !== undefined) {
    await openForm({ client, log }, { ...press, triggerId }, command.title, async () => {
      const { message } = await runCommand(command, input, context, "");
      return answerView(command, message, metaFor(command, press));
    });
    return;
  }
  const outcome = await runCommand(command, input, context, await pressKey(ports, press), action.isAsking);
  // An ephemeral list is replaced by the outcome of its button; a card in a channel is redrawn by its announcement.
  await replies.answer(press, outcome, press.isEphemeral);
  if (press.viewId !== undefined) {
    const view = answerView(command, outcome.message, metaFor(command, press));
    await client.views
      .update({ view_id: press.viewId, view })
      .catch((error: unknown) => log.warn({ err: error }, "a form could not show the answer to its button"));
  }
  // The Home tab was out of date, or its button would have made a change.
  if (press.isHome && outcome.change === undefined) await homes.show(press.userId);
}

const needsMore =
  "Curfew was restarted after you pressed the button, and needs more from you. Nothing was changed: continue in the form.";

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

type Typed = Readonly<Record<string, string>>;

const typedSchema = z.looseObject({ [typedKey]: z.record(z.string(), z.string()).default({}) });

function readValue(
  { value }: Press,
  schema: ReturnType<typeof inputSchema>,
): { readonly input: Input; readonly typed: Typed } | undefined {
  try {
    const { [typedKey]: typed, ...rest } = typedSchema.parse(JSON.parse(value));
    const input = schema.safeParse(rest).data;
    return input && { input, typed };
  } catch {
    return undefined;
  }
}
