import type { ModalView } from "@slack/types";
import { type CommandButton, isProblem } from "../../../commands/answer.ts";
import { commandOf } from "../../../commands/catalogue.ts";
import type { Command } from "../../../commands/command.ts";
import { resourceWords } from "../../../commands/exclusion/exclusion-body.ts";
import { meantForPlan } from "../../../commands/exclusion/planned/about-plan.ts";
import type { Field, Input } from "../../../commands/field.ts";
import { asRequired } from "../../../commands/required-fields.ts";
import { within } from "../../../time/within.ts";
import { blockIdOf, blockIn } from "../../fields/field-kind.ts";
import { readState } from "../../fields/read-fields.ts";
import { answerView, formFor, isUnannounced, newNamesText, versionOf } from "../../forms/form.ts";
import { type FormMeta, fixedBy, readMeta, readShown } from "../../forms/form-meta.ts";
import type { Message } from "../../messages/message.ts";
import { noticeMessage, problemMessage, refusalMessage, refusalWords } from "../../messages/notices.ts";
import { clip } from "../../messages/text.ts";
import { freshnessOf, purposeOf, refusalButtons } from "../access.ts";
import type { Deps } from "../deps.ts";
import type { Origin, RequestContext } from "../request-context.ts";

export interface Submission {
  readonly userId: string;
  readonly viewId: string;
  readonly privateMetadata: string | undefined;
  readonly values: unknown;
}

export interface Acknowledge {
  /** Closes the form. */
  close(): Promise<void>;
  /** Keeps the form open and shows the errors, by block id. */
  errors(byBlock: Readonly<Record<string, string>>): Promise<void>;
  /** Keeps the form open and draws it again, with what was typed. */
  update(view: ModalView): Promise<void>;
}

const changedSinceOpened =
  "It has been changed since you opened this form. Nothing was changed now: open it again to see what it is like.";

const tooLateToAsk =
  "That took too long to show in the form. Nothing was changed: type it as a line, or open the form again.";

type Verdict =
  | { readonly kind: "good"; readonly command: Command; readonly input: Input; readonly context: RequestContext }
  | { readonly kind: "wrong"; readonly errors: Readonly<Record<string, string>> }
  /** The form asks for a yes: it is drawn again with a note, and sending that form is the yes. */
  | { readonly kind: "asks"; readonly note: string; readonly view: ModalView }
  /** The form is drawn again with why nothing was done, and the next steps. */
  | { readonly kind: "refused"; readonly message: Message; readonly view: ModalView };

/** From the arrival of the form; Slack waits 3 s. After this time the form closes, and errors follow as a message. */
const waitMs = 1200;
/** A question from the Home tab is answered in its form, or in a direct message if that takes longer. */
const answerMs = 2200;

/**
 * Handles a sent form: shows errors at their fields and keeps the form open; else closes it, runs the command and sends
 * the outcome.
 */
export async function handleSubmission(
  deps: Deps,
  submission: Submission,
  acknowledge: Acknowledge,
  origin: Origin,
): Promise<void> {
  const { replies, runCommand } = deps;
  const meta = readMeta(submission.privateMetadata);
  const command = meta && commandOf(meta.words);
  const responder = replies.to(origin);
  if (!command) {
    await acknowledge.close();
    await responder.send(
      noticeMessage(":warning:", "This form is from another version of Curfew. Nothing was changed: open it again."),
    );
    return;
  }
  const idempotencyKey = `view:${submission.viewId}`;
  const judging = judge(deps, command, origin, submission.values, meta, idempotencyKey);
  const early = await within(Math.max(0, origin.arrivedAt + waitMs - performance.now()), judging);
  // Slack shows errors only at the inputs that it sent.
  if (early?.kind === "wrong" && hasInputs(submission.values)) {
    const blockOf = (field: string) => blockIn(submission.values, command, field) ?? blockIdOf(command, field);
    const byBlock = Object.entries(early.errors).map(([field, text]) => [blockOf(field), text]);
    await acknowledge.errors(Object.fromEntries(byBlock));
    return;
  }
  if (early?.kind === "asks" || early?.kind === "refused") return acknowledge.update(early.view);
  if (early?.kind === "good" && meta.fromHome && purposeOf(command) === "read") {
    const answering = runCommand(command, early.input, early.context, idempotencyKey);
    const soon = await within(Math.max(0, origin.arrivedAt + answerMs - performance.now()), answering);
    if (soon && command.kind === "query") return acknowledge.update(answerView(command, soon.message, meta));
    await acknowledge.close();
    return replies.answer(origin, await answering);
  }
  await acknowledge.close();
  const verdict = early ?? (await judging);
  if (verdict.kind === "refused") return void (await responder.send(verdict.message));
  if (verdict.kind === "asks") {
    await responder.send(noticeMessage(":question:", `${verdict.note} ${tooLateToAsk}`));
    return;
  }
  if (verdict.kind === "wrong") {
    const problems = Object.values(verdict.errors).join(" ");
    const again: CommandButton = { label: "Open the form", words: command.words, opens: "form", input: fixedBy(meta) };
    await responder.send(noticeMessage(":warning:", `${problems} Nothing was changed.`, [again]));
    return;
  }
  await replies.answer(origin, await runCommand(command, verdict.input, verdict.context, idempotencyKey));
}

const hasInputs = (values: unknown): boolean => typeof values === "object" && Object.keys(values ?? {}).length > 0;

/** Where the form was opened from, which is where its sender gets the answer. */
export function originOf({
  userId,
  privateMetadata,
}: Pick<Submission, "userId" | "privateMetadata">): Omit<Origin, "arrivedAt"> {
  const meta = readMeta(privateMetadata);
  const { channelId = null, threadTs, fromHome, responseUrl } = meta ?? {};
  const askedIn = channelId !== null && threadTs !== undefined ? { channelId, ts: threadTs } : undefined;
  return { userId, channelId, askedIn, fromHome, responseUrl };
}

async function judge(
  { contextOf, access, changes, log }: Deps,
  declared: Command,
  origin: Origin,
  values: unknown,
  meta: FormMeta,
  idempotencyKey: string,
): Promise<Verdict> {
  const { version } = meta;
  // Slack shows errors only at inputs (PLATFORM.md §7.4), so an error about no one field goes to the first.
  const drawn = Object.keys(declared.fields).filter((name) => blockIn(values, declared, name) !== undefined);
  const [first = ""] = drawn;
  const context = await contextOf(origin, freshnessOf(declared)).catch((error: unknown) => {
    log.warn({ err: error, userId: origin.userId }, "Slack did not say who sent a form");
    return undefined;
  });
  if (!context)
    return wrong({ [first]: "Slack did not say who you are just now. Nothing was changed: send it again." });
  const outsider = access.refusalOfOutsider(context);
  if (outsider) return wrong({ [first]: `${refusalWords(outsider)} Nothing was changed.` });
  const command = asRequired(declared, context.settings);
  const shown = readShown(meta.shown, true);
  const read = await readState(command, values, { ...context, shown }, fixedBy(meta), meta.otherwise);
  const { problems, missing, newNames } = read;
  // What a form alone has is part of other values.
  const input = Object.fromEntries(
    Object.entries(read.input).filter(([name]) => command.fields[name]?.hidden !== "line"),
  );
  const needed = missing.filter((name) => isGivenFor(command.fields[name], input));
  const unseen = [...Object.keys(problems), ...needed].filter((name) => isFolded(command, name, drawn));
  if (unseen.length > 0) {
    const labels = unseen.map((name) => command.fields[name]?.label).join(" and ");
    return {
      kind: "asks",
      note: `${labels} must be given.`,
      view: await formFor(command, { ...read, isFromLine: true }, meta, context),
    };
  }
  const asked = missing.filter((name) => !isFolded(command, name, drawn));
  const lacking = asked.map((name) =>
    drawn.includes(name)
      ? [name, whyNeeded(command.fields[name], input)]
      : [first, "Choose it first: the rest of the form then follows."],
  );
  const errors = { ...problems, ...Object.fromEntries(lacking) };
  if (Object.keys(errors).length > 0) return wrong(errors);
  const good = async (): Promise<Verdict> =>
    newNames && isUnannounced(newNames, shown)
      ? { kind: "asks", note: newNamesText(newNames), view: await formFor(command, read, meta, context) }
      : { kind: "good", command, input, context };
  if (command.kind !== "change") return good();
  // A repeat skips the check, so that it gets the outcome of the first.
  if (await changes.actedOn(idempotencyKey)) return { kind: "good", command, input, context };
  const drawnAgain = async (message: Message): Promise<Verdict> => ({
    ...{ kind: "refused", message },
    view: await formFor(command, { ...read, notice: message.blocks }, meta, context),
  });
  const ofPlan = await meantForPlan({ words: command.words, input }, context);
  if (ofPlan) return isProblem(ofPlan) ? drawnAgain(problemMessage(ofPlan)) : good();
  const present = version === undefined ? {} : await versionOf(command, input, context);
  if (present.version !== version) return wrong({ [first]: changedSinceOpened });
  const checked = await changes.check({ command, input, context });
  if (checked.kind === "authorized") return good();
  if (checked.kind === "refused") {
    access.refused(command.words, context, checked.decision);
    const buttons = await refusalButtons(checked.decision, command, input, context);
    return drawnAgain(refusalMessage(checked.decision, { buttons, teamId: context.actor.teamId }));
  }
  const { field, problem, buttons = [] } = checked.problem;
  if (field === undefined && buttons.length > 0) return drawnAgain(problemMessage(checked.problem));
  return wrong({ [field !== undefined && drawn.includes(field) ? field : first]: problem });
}

/** Why a field that is often optional is needed here. */
function whyNeeded({ derivedFrom }: Pick<Field, "derivedFrom"> = {}, input: Input): string {
  const given = derivedFrom === undefined ? undefined : input[derivedFrom];
  return Array.isArray(given)
    ? `This is needed: Curfew cannot derive it from ${resourceWords(given.map(String))}.`
    : "This is needed.";
}

/** Whether what could determine a field is there, so that it is needed itself. */
function isGivenFor({ derivedFrom }: Pick<Field, "derivedFrom"> = {}, input: Input): boolean {
  return derivedFrom === undefined || input[derivedFrom] !== undefined;
}

/** Whether the form did not show a field that it can show. The config may require a ticket since. */
function isFolded({ fields }: Command, name: string, drawn: readonly string[]): boolean {
  return (fields[name]?.folded !== undefined || name === "ticket") && !drawn.includes(name);
}

function wrong(errors: Readonly<Record<string, string>>): Verdict {
  const clipped = Object.entries(errors).map(([field, text]) => [field, clip(text, 500)]);
  return { kind: "wrong", errors: Object.fromEntries(clipped) };
}
