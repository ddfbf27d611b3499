import { commandOf } from "../../commands/catalogue.ts";
import type { Command } from "../../commands/command.ts";
import { resourceWords } from "../../commands/exclusion/exclusion-body.ts";
import type { Field, Input } from "../../commands/field.ts";
import type { RecordDeadline } from "../../time/record-deadline.ts";
import { within } from "../../time/within.ts";
import { blockIdOf } from "../fields/field-kind.ts";
import { readState } from "../fields/read-fields.ts";
import { type FormMeta, readMeta, versionOf } from "../forms/form.ts";
import { readShown } from "../forms/shown-words.ts";
import { clip } from "../messages/message.ts";
import { noticeMessage } from "../messages/outcome-message.ts";
import {
  answer,
  contextFor,
  type Desk,
  type DeskContext,
  type Origin,
  purposeOf,
  responderFor,
  runCommand,
} from "./desk.ts";
import { refusalOfOutsider } from "./refusal-of-outsider.ts";
import type { ProgressNotice } from "./responder.ts";

export interface Submission {
  readonly userId: string;
  readonly viewId: string;
  readonly privateMetadata: string;
  readonly values: unknown;
  readonly deadline?: RecordDeadline | undefined;
}

export interface Acknowledge {
  /** Closes the form. */
  close(): Promise<void>;
  /** Keeps it open, with what is wrong, by block id. */
  errors(byBlock: Readonly<Record<string, string>>): Promise<void>;
}

const changedMeanwhile =
  "It has been changed since you opened this form. Nothing was changed now: open it again to see what it is like.";

type Verdict =
  | { readonly kind: "good"; readonly command: Command; readonly input: Input; readonly context: DeskContext }
  | { readonly kind: "wrong"; readonly errors: Readonly<Record<string, string>> };

/** Slack waits 3 s for its answer; past this the form closes and what was wrong is told as a message. */
const waitMs = 2000;

/** A sent form: what is wrong is shown at its field and the form stays; else it closes, the command runs, and the outcome is told. */
export async function handleSubmission(
  desk: Desk,
  submission: Submission,
  acknowledge: Acknowledge,
  progress?: ProgressNotice,
): Promise<void> {
  const meta = readMeta(submission.privateMetadata);
  const command = meta && commandOf(meta.words);
  const origin: Origin = { ...originOf(submission), progress, deadline: submission.deadline };
  const responder = responderFor(desk, origin);
  if (!command) {
    await acknowledge.close();
    await responder.send(
      noticeMessage(":warning:", "This form is from another version of Curfew. Nothing was changed: open it again."),
    );
    return;
  }
  const idempotencyKey = `view:${submission.viewId}`;
  const judging = judge(desk, command, origin, submission.values, meta, idempotencyKey);
  const early = await within(waitMs, judging);
  if (early?.kind === "wrong") {
    const byBlock = Object.entries(early.errors).map(([field, text]) => [blockIdOf(command, field), text]);
    await acknowledge.errors(Object.fromEntries(byBlock));
    return;
  }
  await acknowledge.close();
  const verdict = early ?? (await judging);
  if (verdict.kind === "wrong") {
    const problems = Object.values(verdict.errors).join(" ");
    await responder.send(noticeMessage(":warning:", `${problems} Nothing was changed.`));
    return;
  }
  await answer(desk, origin, await runCommand(desk, command, verdict.input, verdict.context, idempotencyKey));
}

/** Where the form was asked for, which is where its sender is answered. */
export function originOf({ userId, privateMetadata }: Pick<Submission, "userId" | "privateMetadata">): Origin {
  const meta = readMeta(privateMetadata);
  return { userId, channelId: meta?.channelId ?? null, responseUrl: meta?.responseUrl };
}

async function judge(
  desk: Desk,
  command: Command,
  origin: Origin,
  values: unknown,
  { edits, version, shown }: Pick<FormMeta, "edits" | "version" | "shown">,
  idempotencyKey: string,
): Promise<Verdict> {
  // Slack shows errors only at inputs of the form (platform.md §7.4), so what concerns no one field stands at the first.
  const drawn = Object.keys(command.fields).filter((name) => isShown(values, blockIdOf(command, name)));
  const [first = ""] = drawn;
  const context = await contextFor(desk, origin, purposeOf(command)).catch((error: unknown) => {
    desk.log.warn({ err: error, userId: origin.userId }, "Slack did not say who sent a form");
    return undefined;
  });
  if (!context)
    return wrong({ [first]: "Slack did not say who you are just now. Nothing was changed: send it again." });
  const outsider = refusalOfOutsider(desk, context);
  if (outsider) return wrong({ [first]: `${outsider.reason} Nothing was changed.` });
  const seen = { ...context, shown: readShown(shown, true) };
  const { input, problems, missing } = await readState(command, values, seen, edits);
  const lacking = missing.map((name) =>
    drawn.includes(name)
      ? [name, whyNeeded(command.fields[name], input)]
      : [first, "Choose it first: the rest of the form then follows."],
  );
  const errors = { ...problems, ...Object.fromEntries(lacking) };
  if (Object.keys(errors).length > 0) return wrong(errors);
  if (command.kind !== "change") return { kind: "good", command, input, context };
  // Sent once more, it is to hear what came of the first sending.
  if (await desk.changes.actedOn(idempotencyKey)) return { kind: "good", command, input, context };
  const present = version === undefined ? {} : await versionOf(command, input, context);
  if (present.version !== version) return wrong({ [first]: changedMeanwhile });
  const checked = await desk.changes.check({ command, input, context });
  if (checked.kind === "authorized") return { kind: "good", command, input, context };
  if (checked.kind === "refused") {
    const { reason, couldDo } = checked.decision;
    const ask = couldDo.length ? ` Who could: ${couldDo.map(({ role }) => role).join(", ")}.` : "";
    return wrong({ [first]: `${reason} Nothing was changed.${ask}` });
  }
  const { field, problem } = checked.problem;
  return wrong({ [field !== undefined && drawn.includes(field) ? field : first]: problem });
}

/** Of what need not always be given: why it must be here. */
function whyNeeded({ derivedFrom }: Pick<Field, "derivedFrom"> = {}, input: Input): string {
  const given = derivedFrom === undefined ? undefined : input[derivedFrom];
  return Array.isArray(given)
    ? `This is needed: Curfew cannot tell it from ${resourceWords(given.map(String))}.`
    : "This is needed.";
}

function isShown(values: unknown, blockId: string): boolean {
  return typeof values === "object" && values !== null && blockId in values;
}

function wrong(errors: Readonly<Record<string, string>>): Verdict {
  const clipped = Object.entries(errors).map(([field, text]) => [field, clip(text, 500)]);
  return { kind: "wrong", errors: Object.fromEntries(clipped) };
}
