import type { WebClient } from "@slack/web-api";
import type { CardSubject } from "../../../changes/queries/card-subject.ts";
import { withdraw, withdrawalFor } from "../../../commands/about-changes/approval.ts";
import { isProblem, type Problem } from "../../../commands/answer.ts";
import { catalogue } from "../../../commands/catalogue.ts";
import type { Command } from "../../../commands/command.ts";
import { exclusionEnd } from "../../../commands/exclusion/exclusion.ts";
import { missingFields } from "../../../commands/field-values.ts";
import type { LineSplit, SplitLine } from "../../../language/split-line.ts";
import type { Logger } from "../../../observability/log.ts";
import { isExpiredTrigger } from "../../checks/slack-refusal.ts";
import { choicesAsProblems, type FieldsRead, readParts } from "../../fields/read-fields.ts";
import { formFor } from "../../forms/form.ts";
import { metaFor } from "../../forms/form-meta.ts";
import { openForm } from "../../forms/open-form.ts";
import { withButtons } from "../../messages/button.ts";
import { choiceMessage } from "../../messages/choice-message.ts";
import { withLines } from "../../messages/message.ts";
import { noticeMessage, problemMessage, refusalMessage } from "../../messages/notices.ts";
import type { Access } from "../access.ts";
import type { Replies } from "../replies.ts";
import type { ContextOf, Origin, RequestContext } from "../request-context.ts";
import type { RunCommand } from "../run-command.ts";
import { aboutCard } from "./about-card.ts";
import { opensEdit, questionFor } from "./ask-one-choice.ts";
import { insteadOf } from "./instead-of.ts";
import { formButton, offerReadings } from "./offer-readings.ts";
import { understandLine } from "./understand-line.ts";
import { type Understood, withoutTrailing } from "./without-trailing.ts";

/** The ports of `handleLine`. */
export interface LinePorts {
  readonly contextOf: ContextOf;
  readonly access: Access;
  readonly runCommand: RunCommand;
  readonly replies: Replies;
  readonly client: WebClient;
  readonly slashCommand: string;
  readonly log: Logger;
}

export interface Line extends Origin {
  readonly text: string;
  /** Opens forms; undefined for a message, and after a restart. */
  readonly triggerId: string | undefined;
  /** Its idempotency key, and the id of its receipt. */
  readonly key: string;
  /** What was understood of it before. After a restart, that is all that is left of a line. */
  readonly split?: LineSplit | undefined;
  /** The card in whose thread it was written. */
  readonly card?: CardSubject | undefined;
  /** When it was asked, if that is not now. */
  readonly askedAt?: number | undefined;
}

/**
 * Handles a typed line: runs it if each of its words was understood and it is complete. Else asks for the one missing choice, opens
 * the form, or offers what may have been meant.
 */
export async function handleLine(ports: LinePorts, line: Line): Promise<void> {
  const { contextOf, access, replies } = ports;
  const responder = replies.to(line);
  const found = await contextOf(line);
  const typed = line.text === "" ? undefined : `${ports.slashCommand} ${line.text.trim()}`;
  const context = { ...found, typed, ...(line.askedAt === undefined ? {} : { now: line.askedAt }) };
  const outsider = access.refusalOfOutsider(context);
  if (outsider) return void (await responder.send(refusalMessage(outsider)));
  const split = line.split ?? aboutCard(understandLine(line.text, catalogue, context), line.card);
  if (split.kind === "unclear") return void (await responder.send(await offerReadings(ports, split, context)));
  const { command } = split;
  // Before the permission check, only the name of a change is read.
  const said = command.kind === "decision" ? (await readParts(command, split.parts, context)).input : {};
  const refusal = await access.refusalOf(command, said, context);
  if (refusal) {
    const instead = await insteadOf(access, split, context);
    return void (await responder.send(withButtons(refusal, instead)));
  }
  const first = await readParts(command, split.parts, context, split.sets);
  const understood = await withoutTrailing({ split, read: first }, context);
  await handleParts(ports, line, ofPlan(understood), context);
}

/** "end staging", where that is only planned, withdraws the plan. */
function ofPlan(understood: Understood): Understood {
  const { split, read } = understood;
  const planned = split.command.words === exclusionEnd.words ? withdrawalFor(read.input) : undefined;
  return planned ? { split: { ...split, command: withdraw }, read: { ...read, input: planned } } : understood;
}

async function handleParts(
  ports: LinePorts,
  line: Line,
  { split, read: parts }: Understood,
  context: RequestContext,
): Promise<void> {
  const { command } = split;
  const responder = ports.replies.to(line);
  const isWhole = split.problems.length === 0 && split.unexplained.length === 0;
  const which = isWhole ? await choiceMessage(command, parts, context) : undefined;
  if (which) return void (await responder.send(which));
  const read = await withFilledFields(command, choicesAsProblems(parts), context);
  if (isProblem(read)) return void (await responder.send(problemMessage(read)));
  const message = isUnderstood(split, read)
    ? await questionFor(ports, command, read, context)
    : await offerReadings(ports, split, context, read);
  if (message) return void (await responder.send(message));
  await runOrOpenForm(ports, line, { split, read }, context);
}

/** Whether the line's own words are clear. A flag or a time with a wrong value is marked in the form instead. */
function isUnderstood({ command, problems, unexplained }: SplitLine, read: FieldsRead): boolean {
  const isPositional = (name: string) => command.fields[name]?.positional !== undefined;
  return problems.length === 0 && unexplained.length === 0 && !Object.keys(read.problems).some(isPositional);
}

async function runOrOpenForm(
  { runCommand, replies, access, client, log }: LinePorts,
  line: Line,
  { split, read }: { readonly split: SplitLine; readonly read: FieldsRead },
  context: RequestContext,
): Promise<void> {
  const { command } = split;
  if (needsForm(command, read)) {
    const refused = await access.refusalOfForm(command, read.input, context);
    if (refused) return void (await replies.to(line).send(refused));
    const isFromLine = split.parts.size > 0;
    const draw = async () => {
      const notice = await access.formNotice(command, read.input, context);
      return formFor(command, { ...read, isFromLine, notice }, metaFor(command, line), context);
    };
    const { triggerId, progress, place } = line;
    const button = formButton(command, read.input, read.typed);
    const offerForm = () => {
      const [icon, text] = place ? [":pencil2:", continueInForm(command, read)] : [":hourglass:", noForm];
      return replies.to(line).send(noticeMessage(icon, text, button ? [button] : []));
    };
    if (triggerId === undefined) return void (await offerForm());
    await openForm({ client, log }, { triggerId, progress }, command.title, draw).catch(async (error: unknown) => {
      if (!isExpiredTrigger(error)) throw error;
      log.warn({ userId: line.userId }, "Slack took so long that no form could be opened any more");
      await offerForm();
    });
    return;
  }
  const reply = await runCommand(command, read.input, context, line.key);
  await replies.answer(line, { ...reply, message: withLines(reply.message, read.assumed ?? []) });
}

const noForm = "The form could not be opened in time. Nothing was changed: open it here.";

/** For a message, after which Slack lets nobody open a form. */
function continueInForm({ title }: Command, { problems }: FieldsRead): string {
  const wrong = Object.values(problems).join(" ");
  return `${wrong ? `${wrong} ` : ""}${title}: continue in the form. Nothing was changed yet.`;
}

function needsForm(command: Command, { missing, problems }: FieldsRead): boolean {
  const mustConfirm = command.kind === "change" && command.confirms !== undefined;
  return missing.length > 0 || Object.keys(problems).length > 0 || mustConfirm;
}

/** A line that edits an entity keeps its other fields; a line that only names it opens its form. */
async function withFilledFields(
  command: Command,
  read: FieldsRead,
  context: RequestContext,
): Promise<FieldsRead | Problem> {
  if (command.kind !== "change" || opensEdit(command, read.input)) return read;
  const filled = await command.fill?.(read.input, context);
  if (!filled) return read;
  if (isProblem(filled)) return filled;
  const input = { ...filled, ...read.input };
  return { ...read, input, missing: missingFields(command.fields, input).filter((name) => !(name in read.problems)) };
}
