import { z } from "zod";
import type { ChangeState } from "../../../changes/change.ts";
import type { ConfigDecision, ConfigVerdict } from "../../../changes/config-requests.ts";
import type { CommandButton } from "../../../commands/answer.ts";
import { commandOf } from "../../../commands/catalogue.ts";
import type { Input } from "../../../commands/field.ts";
import { inputSchema } from "../../../commands/field-values.ts";
import { asRequired, lacksRequired } from "../../../commands/required-fields.ts";
import { complete, readTyped } from "../../fields/read-fields.ts";
import { answerView, formFor, openForm } from "../../forms/form.ts";
import { metaFor } from "../../forms/form-meta.ts";
import { readAction, typedKey } from "../../messages/button.ts";
import { noticeMessage, refusalMessage } from "../../messages/notices.ts";
import type { Icon } from "../../messages/text.ts";
import { purposeOf } from "../access.ts";
import type { Deps } from "../deps.ts";
import type { Origin } from "../request-context.ts";

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
export async function handlePress(deps: Deps, press: Press): Promise<void> {
  await pressed(deps, press);
  // A new drawing has nothing chosen.
  if (press.isHome && press.isChoice) await deps.homes.show(press.userId);
}

async function pressed(deps: Deps, press: Press): Promise<void> {
  const { contextOf, access, runCommand, replies, homes, client, log } = deps;
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
  const outcome = await runCommand(command, input, context, await pressKey(deps, press), action.isAsking);
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
  { changes }: Pick<Deps, "changes">,
  { channelId, surface, actionId, value }: Press,
): Promise<string> {
  const key = `press:${channelId ?? ""}:${surface}:${actionId}:${value}`;
  const earlier = await changes.actedOn(key);
  return earlier && retryableStates.has(earlier.state) ? `${key}:after:${earlier.id}` : key;
}

const retryableStates: ReadonlySet<ChangeState> = new Set(["unknown", "denied", "withdrawn", "expired"]);

const typedSchema = z.looseObject({ [typedKey]: z.record(z.string(), z.string()).default({}) });

function readValue(
  { value }: Press,
  schema: ReturnType<typeof inputSchema>,
): { readonly input: Input; readonly typed: Readonly<Record<string, string>> } | undefined {
  try {
    const { [typedKey]: typed, ...rest } = typedSchema.parse(JSON.parse(value));
    const input = schema.safeParse(rest).data;
    return input && { input, typed };
  } catch {
    return undefined;
  }
}

/** Handles a pressed button of the card about a config that loosens something. The card is replaced by who decided. */
export async function handleConfigPress(
  { actors, configRequests, replies }: Deps,
  press: Omit<Press, "arrivedAt">,
): Promise<void> {
  const responder = replies.to(press);
  const actor = await actors.actor(press.userId, "change");
  const verdict = press.actionId.endsWith(":use") ? "use" : "keep";
  const decision = await configRequests.decide({ id: press.value, verdict, actor, channelId: press.channelId });
  if (decision.kind === "refused") {
    await responder.send(noticeMessage(":no_entry:", `${decision.reason} Nothing was changed.`));
    return;
  }
  if (decision.kind === "too-late" && !decision.isGone) {
    await responder.send(noticeMessage(":information_source:", decision.text));
    return;
  }
  await responder.replace(noticeMessage(iconOf(decision, verdict), inWords(decision, verdict, actor.name)));
}

const iconOf = ({ kind }: ConfigDecision, verdict: ConfigVerdict): Icon =>
  kind === "decided" && verdict === "use" ? ":unlock:" : ":information_source:";

function inWords(decision: Exclude<ConfigDecision, { kind: "refused" }>, verdict: ConfigVerdict, name: string): string {
  if (decision.kind === "too-late") return decision.text;
  const chose = verdict === "use" ? "to use the new config" : "to keep the old config";
  return `${name} chose ${chose}. ${decision.text}`;
}
