import { endSetBy } from "../../../changes/change.ts";
import { type CommandButton, isProblem, type Problem } from "../../../commands/answer.ts";
import { commandOf } from "../../../commands/catalogue.ts";
import type { Command } from "../../../commands/command.ts";
import { exclusionExtend } from "../../../commands/exclusion/exclusion-extend.ts";
import { actionsCalled, unnamedMachines } from "../../../commands/exclusion/skip.ts";
import type { Field, Input } from "../../../commands/field.ts";
import { inputSchema } from "../../../commands/field-values.ts";
import { groupsOf } from "../../../commands/lookup/runs.ts";
import { userShow } from "../../../commands/lookup/user-show.ts";
import { thingsMeant } from "../../../commands/thing.ts";
import { readingsOf } from "../../../language/readings.ts";
import type { LineSplit, SplitLine } from "../../../language/split-line.ts";
import { shortMoment } from "../../../time/format-moment.ts";
import { asTyped } from "../../fields/plain-letters.ts";
import { type FieldsRead, readParts } from "../../fields/read-fields.ts";
import { type Message, message, section } from "../../messages/message.ts";
import { noticeMessage, problemMessage } from "../../messages/notices.ts";
import { clip, literal } from "../../messages/text.ts";
import { shortUsageOf } from "../../messages/usage.ts";
import { type Access, purposeOf } from "../access.ts";
import type { Deps } from "../deps.ts";
import type { RequestContext } from "../request-context.ts";
import type { CommandReply } from "../run-command.ts";
import { readLine } from "./understand-line.ts";

const maxOffered = 4;

/** Says what was not understood, and offers what this person may have meant and may do. Nothing was done. */
export async function offerReadings(
  { access, slashCommand }: Pick<Deps, "access" | "slashCommand">,
  split: LineSplit,
  context: RequestContext,
  read?: FieldsRead,
): Promise<Message> {
  if (split.kind === "unclear" && split.isCourtesy) return message(split.problem, [section(literal(split.problem))]);
  const unnamed = read?.problems.resourceIds && split.kind === "split" && (await unnamedAction(split, context));
  if (unnamed) return problemMessage(unnamed);
  const offered = access.offered(context);
  const names = Object.keys(context.settings.resourceGroups);
  const buttons: CommandButton[] = [];
  const { offers, isLead = false } = split.kind === "unclear" ? split : {};
  for (const line of offers ?? readingsOf(split, offered, names)) {
    const button = await readingButton(line, offered, access, context, isLead);
    if (button && !buttons.some((each) => isSame(each, button))) buttons.push(button);
    if (buttons.length === maxOffered) break;
  }
  const isOnly = offers?.length === 1 && buttons.length === 0;
  const { form, unfit = "" } =
    split.kind === "split" && read
      ? { form: formButton(split.command, read.input, read.typed) }
      : await formOfMeant(split, offered, context, isOnly);
  const [single, ...more] = buttons;
  if (offers?.length === 1 && single && more.length === 0 && !isLead && split.kind === "unclear") {
    const confirmed = await asConfirmation(access, single, split.problem, context);
    if (confirmed) return noticeMessage(":question:", confirmed.text, [confirmed.button, ...(form ? [form] : [])]);
  }
  const shown = [...buttons.slice(0, form ? maxOffered - 1 : maxOffered), ...(form ? [form] : [])];
  const why = await asTyped((isOnly && unfit) || whatIsUnclear(split, read, slashCommand), context.nameOf);
  return noticeMessage(":grey_question:", why, shown);
}

/** "Disable dave? Reason: he is on leave. Nothing was changed yet." */
async function asConfirmation(
  access: Access,
  button: CommandButton,
  problem: string,
  context: RequestContext,
): Promise<{ readonly text: string; readonly button: CommandButton } | undefined> {
  const command = commandOf(button.words);
  const would = command?.kind === "change" ? await access.wouldDo(command, button.input, context) : undefined;
  if (!would) return undefined;
  const asked = `${would.asked.charAt(0).toUpperCase()}${would.asked.slice(1)}`;
  const moments = would.facts.flatMap(({ label, value }) =>
    typeof value === "object" && "at" in value && /^(?:From|Until)$/.test(label)
      ? [`${label.toLowerCase()} ${shortMoment(value.at, context.actor.timeZone, context.now)}`]
      : [],
  );
  const already = would.facts.flatMap(({ value }) =>
    typeof value === "string" && value.startsWith("already ") ? [`A${value.slice(1)}.`] : [],
  );
  const { reason } = button.input;
  const because = typeof reason === "string" ? `Reason: ${reason.replace(/\.$/, "")}.` : "";
  const why = problem.replace(/^This is what I understood\.|\s*Nothing was changed\.$/g, "").trim();
  const text = [why, ...already, `${[asked, ...moments].join(" ")}?`, because, "Nothing was changed yet."]
    .filter(Boolean)
    .join(" ");
  const isForm = button.opens === "form";
  return { text, button: { ...button, label: `${asked}${isForm ? "…" : ""}`, ...(isForm ? {} : { isSure: true }) } };
}

/** An action whose machines no group names: what its *Keep running* offers. */
async function unnamedAction({ parts }: SplitLine, context: RequestContext): Promise<Problem | undefined> {
  const said = (parts.get("resourceIds") ?? []).map(({ value }) => value).join(" ");
  const [action] = await actionsCalled(said, context);
  return action && groupsOf(action.body, context).length === 0 ? unnamedMachines(action, context) : undefined;
}

/** The form of the change that a line is about, with what was understood of it. `unfit`: what is wrong with that. */
async function formOfMeant(
  split: LineSplit,
  offered: readonly Command[],
  context: RequestContext,
  isOnly: boolean,
): Promise<{ readonly form?: CommandButton | undefined; readonly unfit?: string }> {
  const meant =
    split.kind === "unclear" && (split.hasForm || isOnly) && split.meant !== undefined
      ? readLine(split.meant, offered, context)
      : undefined;
  if (meant?.kind !== "split" || meant.command.kind !== "change") return {};
  const { input, typed, problems, choices } = await readParts(meant.command, meant.parts, context, meant.sets);
  const unfit = [...Object.values(choices).map(({ text }) => text), ...Object.values(problems)].join(" ");
  return { form: formButton(meant.command, input, typed), unfit };
}

const isSame = (one: CommandButton, other: CommandButton): boolean =>
  one.words === other.words && JSON.stringify(one.input) === JSON.stringify(other.input);

/** A button that does what a line says, labelled with the line; undefined if it is incomplete or not allowed. */
async function readingButton(
  line: string,
  offered: readonly Command[],
  access: Access,
  context: RequestContext,
  isLead: boolean,
): Promise<CommandButton | undefined> {
  const split = readLine(line, offered, context);
  if (split.kind === "unclear" || split.unexplained.length > 0 || split.problems.length > 0) return undefined;
  const { command, parts, sets } = split;
  const { input, missing, problems, choices } = await readParts(command, parts, context, sets);
  if ((missing.length > 0 && !isLead) || Object.keys({ ...problems, ...choices }).length > 0) return undefined;
  if (command.kind === "query" && !(await isKnown(input.thing, context))) return undefined;
  const isForm = missing.length > 0 && command.kind === "change";
  if (isForm ? await access.refusalOfForm(command, input, context) : !(await access.mayRun(command, input, context)))
    return undefined;
  const opens = command.kind === "change" && (isLead || command.confirms !== undefined) ? "form" : "result";
  const label = await asTyped(line, context.nameOf);
  return {
    label: `${label.charAt(0).toUpperCase()}${label.slice(1)}${isLead && opens === "form" ? "…" : ""}`,
    words: command.words,
    opens,
    input,
  };
}

/** Nobody who says “fair” wants to see the status of a fair. */
async function isKnown(thing: unknown, context: RequestContext): Promise<boolean> {
  if (typeof thing !== "string" || thing.startsWith("<@")) return true;
  return !isProblem(await thingsMeant(thing, { ...context, personIn: async () => undefined }));
}

/** Opens the form with what was understood; undefined for a command without fields. */
export function formButton(
  command: Command,
  input: Input,
  typed: Readonly<Record<string, string>> = {},
): CommandButton | undefined {
  if (Object.keys(command.fields).length === 0) return undefined;
  const kept: Input = inputSchema(command.fields, { partial: true }).safeParse(input).data ?? {};
  return { label: "Open the form", words: command.words, opens: "form", input: kept, typed };
}

/** What was not understood, that nothing was changed, and how the line is written. */
function whatIsUnclear(split: LineSplit, read: FieldsRead | undefined, slashCommand: string): string {
  if (split.kind === "unclear") return split.problem;
  const { command, problems, unexplained } = split;
  const words = unexplained.map(({ value }) => value).join(" ");
  const sentences = [
    ...(words ? [`I didn't understand “${words}”.`] : []),
    ...problems,
    ...Object.values(read?.problems ?? {}),
  ];
  const unchanged = purposeOf(command) === "change" ? " Nothing was changed." : "";
  const why = `${sentences.join(" ")}${sentences.join(" ").includes("Nothing was changed") ? "" : unchanged}`;
  // Where each word was understood, the problem says it all.
  const isLineClear = unexplained.length === 0 && problems.length === 0;
  return isLineClear ? why : `${why} The line is: “${shortUsageOf(slashCommand, command)}”`;
}

/** What its requester may ask in place of a refused question about a thing: to be shown the user of that name. */
export async function insteadOf(
  access: Access,
  { command, parts }: SplitLine,
  context: RequestContext,
): Promise<readonly CommandButton[]> {
  const asked = Object.entries<Field>(command.fields).find(([, { positional }]) => positional !== undefined);
  const words = asked && parts.get(asked[0]);
  if (command.kind !== "query" || !words || !access.isOffered(userShow, context)) return [];
  const { input, missing, problems, choices } = await readParts(userShow, new Map([["user", words]]), context);
  const isRead = missing.length === 0 && Object.keys({ ...problems, ...choices }).length === 0;
  const name = words.map(({ value }) => value).join(" ");
  const label = /[<>]/.test(name) ? userShow.title : clip(`Show user ${name}`, 75);
  return isRead ? [{ label, words: userShow.words, opens: "result", input }] : [];
}

/** "Until tomorrow 08:00 instead": moves the end that was just set to the moment that was less likely meant. */
export function untilInstead(
  { outcome }: CommandReply,
  at: number | undefined,
  { actor, now }: RequestContext,
): readonly CommandButton[] {
  if (at === undefined || outcome.kind !== "settled") return [];
  const { state, subjectId } = outcome.change;
  if (state !== "succeeded" || subjectId === null || endSetBy(outcome.change) === undefined) return [];
  const label = `Until ${shortMoment(at, actor.timeZone, now)} instead`;
  const { words } = exclusionExtend;
  return [{ label, words, opens: "result", input: { exclusion: subjectId, until: { until: at } } }];
}
