import { whyOver } from "../../../changes/authorize/decide-change.ts";
import { type CommandButton, isProblem, type Problem } from "../../../commands/answer.ts";
import { catalogue, commandOf } from "../../../commands/catalogue.ts";
import { type ChangeCommand, type Command, mustConfirm } from "../../../commands/command.ts";
import { resourceWords } from "../../../commands/exclusion/exclusion-body.ts";
import { exclusionEdit } from "../../../commands/exclusion/exclusion-edit.ts";
import { meantForPlan } from "../../../commands/exclusion/planned/about-plan.ts";
import type { Field, Input } from "../../../commands/field.ts";
import { missingFields } from "../../../commands/field-values.ts";
import { maySeeProject } from "../../../commands/lookup/may-see.ts";
import type { LineSplit, SplitLine } from "../../../language/split-line.ts";
import { flagOf } from "../../../language/take-flags.ts";
import { isProgram } from "../../../permissions/actor.ts";
import { isExpiredTrigger } from "../../checks/slack-refusal.ts";
import { directoryFor, ownExclusions } from "../../fields/kinds/reference.ts";
import { choicesAsProblems, complete, type FieldsRead, readParts } from "../../fields/read-fields.ts";
import { formFor, openForm } from "../../forms/form.ts";
import { metaFor } from "../../forms/form-meta.ts";
import { selectRow, withButtons } from "../../messages/button.ts";
import { type Message, withLines, withNote } from "../../messages/message.ts";
import { choiceMessage, noticeMessage, problemMessage, refusalMessage } from "../../messages/notices.ts";
import { asValue, clip, limits } from "../../messages/text.ts";
import type { Deps } from "../deps.ts";
import type { ReplyDetail, RequestContext } from "../request-context.ts";
import { understandInThread } from "./about-card.ts";
import type { Line, LineDeps } from "./line.ts";
import { formButton, insteadOf, offerReadings, untilInstead } from "./offer-readings.ts";
import { ofItsMachines, runOne, runSeveral, severalIn } from "./several.ts";
import { readLine } from "./understand-line.ts";
import { pastItsStop, type Understood, withoutTrailing } from "./without-trailing.ts";

/**
 * Handles a typed line: runs it if each of its words was understood and it is complete. Else asks for the one missing choice, opens
 * the form, or offers what may have been meant.
 */
export async function handleLine(deps: LineDeps, line: Line): Promise<void> {
  const { contextOf, access, replies } = deps;
  const responder = replies.to(line);
  const found = await contextOf(line);
  const typed = line.text === "" ? undefined : `${deps.slashCommand} ${line.text.trim()}`;
  const context = { ...found, typed, ...(line.askedAt === undefined ? {} : { now: line.askedAt }) };
  const outsider = access.refusalOfOutsider(context);
  if (outsider) return void (await responder.send(refusalMessage(outsider), refused));
  const split =
    line.split ?? (await understandInThread(line.text, context, line.card, () => deps.names(context.actor)));
  const refusal = await refusalOfMeant(deps, split, context);
  const note = split.kind === "split" ? split.note : undefined;
  if (refusal) return void (await responder.send(note === undefined ? refusal : withNote(refusal, note), refused));
  if (split.kind === "unclear") return void (await responder.send(await offerReadings(deps, split, context)));
  const { command } = split;
  // Before the permission check, only the name of a change is read, and what a refused change is about: it says who could make it.
  const isJudged = command.kind === "decision" || (command.kind === "change" && !access.isOffered(command, context));
  const said = isJudged ? await readParts(command, split.parts, context, split.sets) : undefined;
  const filled =
    said && command.kind === "change" ? await withFilledFields(command, withoutUnseen(said, context), context) : said;
  const refusalOfChange = await access.refusalOf(command, filled && !isProblem(filled) ? filled.input : {}, context);
  // What nobody can do counts more than what this person may not see.
  if (refusalOfChange && command.kind === "query" && note !== undefined)
    return void (await responder.send(noticeMessage(":grey_question:", note), refused));
  if (refusalOfChange) {
    const instead = await insteadOf(access, split, context);
    return void (await responder.send(withButtons(refusalOfChange, instead), refused));
  }
  const parted = await ofItsMachines(split, context);
  if (parted && isProblem(parted))
    return void (await responder.send(noticeMessage(":question:", parted.problem, parted.buttons)));
  if (parted) return runSeveral(deps, line, parted, context);
  const first = await readParts(command, split.parts, context, split.sets);
  const several = await severalIn({ split, read: first }, context);
  if (several && isProblem(several)) return void (await responder.send(problemMessage(several)));
  if (several) return runSeveral(deps, line, several, context);
  const understood = await withoutTrailing({ split, read: first }, context);
  const held = await pastItsStop(understood, context);
  const meant = isProblem(held) ? held : await ofPlan(held, context);
  if (isProblem(meant)) return void (await responder.send(problemMessage(meant)));
  await handleParts(deps, line, meant, context);
}

/** Whoever may not do what a line is about need not learn how to say it. */
async function refusalOfMeant(
  { access }: LineDeps,
  { meant }: LineSplit,
  context: RequestContext,
): Promise<Message | undefined> {
  const split = meant === undefined ? undefined : readLine(meant, catalogue, context);
  if (split?.kind !== "split" || access.isOffered(split.command, context)) return undefined;
  const { command, parts, sets } = split;
  const { input } = await readParts(command, parts, context, sets);
  return access.refusalOf(command, input, context);
}

const refused = { kind: "refused" } as const;

/** "end staging" and the like, where that is only planned: the plan's own command, or a question. */
async function ofPlan(said: Understood, context: RequestContext): Promise<Understood | Problem> {
  const { split, read } = await withTimes(said, context);
  const { words } = split.command;
  const isRead = Object.keys({ ...read.problems, ...read.choices }).length === 0;
  const meant =
    isRead && split.unexplained.length === 0 ? await meantForPlan({ words, input: read.input }, context) : undefined;
  if (meant === undefined || isProblem(meant)) return meant ?? { split, read };
  const command = commandOf(meant.words) ?? split.command;
  const opensForm = meant.opens === "form";
  return { split: { ...split, command }, read: { ...read, input: meant.input, missing: [] }, opensForm };
}

/** Of a plan, `until 14 jan` may be the last day of a series, and `until 22:30` the end of each time. */
async function withTimes(said: Understood, context: RequestContext): Promise<Understood> {
  const { command, parts, sets } = said.split;
  const until = parts.get("until");
  const isPlan = command.words === exclusionEdit.words && /^chg-\w+$/.test(String(said.read.input.exclusion));
  if (!isPlan || !until || parts.has("every")) return said;
  const timed = new Map([...parts, ["every", until] as const].filter(([name]) => name !== "until"));
  const split = { ...said.split, parts: timed };
  return { ...said, split, read: await readParts(command, timed, context, sets) };
}

async function handleParts(
  deps: LineDeps,
  line: Line,
  { split, read: given, opensForm }: Understood,
  context: RequestContext,
): Promise<void> {
  const { command } = split;
  const parts = line.isConfirmed ? await withConfirmed(command, given, context) : given;
  const responder = deps.replies.to(line);
  const isWhole = split.problems.length === 0 && split.unexplained.length === 0;
  const which = isWhole ? await choiceMessage(command, parts, context) : undefined;
  if (which) return void (await responder.send(which, choiceDetail(parts)));
  const read = await withFilledFields(command, choicesAsProblems(parts), context);
  if (isProblem(read)) return void (await responder.send(problemMessage(read)));
  const message = isUnderstood(split, read)
    ? await questionFor(deps, command, read, context)
    : await offerReadings(deps, split, context, read);
  if (message) return void (await responder.send(message));
  await runOrOpenForm(deps, line, { split, read, opensForm }, context);
}

/** Whether the line's own words are clear. A flag or a time with a wrong value is marked in the form instead. */
function isUnderstood({ command, problems, unexplained }: SplitLine, read: FieldsRead): boolean {
  const isPositional = (name: string) => command.fields[name]?.positional !== undefined;
  return problems.length === 0 && unexplained.length === 0 && !Object.keys(read.problems).some(isPositional);
}

async function runOrOpenForm(
  { runCommand, replies, access, client, log }: LineDeps,
  line: Line,
  { split, read, opensForm }: Understood,
  context: RequestContext,
): Promise<void> {
  const { command } = split;
  if (opensForm ?? needsForm(split, read, line)) {
    const refusal = await access.refusalOfForm(command, read.input, context);
    if (refusal) return void (await replies.to(line).send(refusal, refused));
    const over = command.kind === "change" ? await whyOver(command, read.input, context) : undefined;
    if (over) return void (await replies.to(line).send(problemMessage(over)));
    if (isProgram(line.userId)) return void (await replies.to(line).send(...questionToProgram(command, read)));
    const isFromLine = split.parts.size > 0;
    const draw = async () => {
      const notice = await access.formNotice(command, read.input, context);
      return formFor(command, { ...read, isFromLine, notice }, metaFor(command, line), context);
    };
    const { triggerId, progress, place } = line;
    const button = formButton(command, read.input, read.typed);
    const offerForm = () => {
      const text = place ? continueInForm(command, read) : noForm;
      return replies.to(line).send(noticeMessage(place ? ":pencil2:" : ":hourglass:", text, button ? [button] : []));
    };
    if (triggerId === undefined) return void (await offerForm());
    await openForm({ client, log }, { triggerId, progress }, command.title, draw).catch(async (error: unknown) => {
      if (!isExpiredTrigger(error)) throw error;
      log.warn({ userId: line.userId }, "Slack took so long that no form could be opened any more");
      await offerForm();
    });
    return;
  }
  const asked = { command, input: read.input, key: line.key };
  const reply = await runOne(runCommand, asked, context, line.isConfirmed);
  const message = withLines(reply.message, read.assumed ?? []);
  const shown = withButtons(message, untilInstead(reply, read.instead, context));
  await replies.answer(line, { ...reply, message: split.note === undefined ? shown : withNote(shown, split.note) });
}

const noForm = "The form could not be opened in time. Nothing was changed: open it here.";

/** For a message, after which Slack lets nobody open a form. */
function continueInForm({ title }: Command, { problems }: FieldsRead): string {
  const wrong = Object.values(problems).join(" ");
  return `${wrong ? `${wrong} ` : ""}${title}: continue in the form. Nothing was changed yet.`;
}

function needsForm(
  { command, parts }: SplitLine,
  { input, missing, problems }: FieldsRead,
  { isConfirmed, userId }: Line,
): boolean {
  // What may be decided on is shown first.
  if (command.kind === "decision" && command.changeId(input) === undefined) return false;
  const isPlan = command.kind === "change" && command.replaces?.(input) !== undefined;
  // The line of a series says its times anew, so what of them is meant to stay is seen in the form.
  if (isPlan && (parts.size === 0 || command.series !== undefined)) return true;
  const isOpen = missing.length > 0 || Object.keys(problems).length > 0;
  return isOpen || (!isConfirmed && mustConfirm(command, userId));
}

/** Where a machine is that was only named says nothing to those who may not see that place. */
function withoutUnseen(read: FieldsRead, context: RequestContext): FieldsRead {
  const { project, type, projectFrom, ...input } = read.input;
  const isUnseen = read.derived.includes("project") && !maySeeProject(context, String(project));
  return isUnseen ? { ...read, input } : read;
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

/** With more answers they are in a select. */
const maxButtons = 4;

/**
 * One question with the answers that this person may give, when a single choice is missing: as buttons, or in a select. The command
 * is done when one is chosen. Undefined when there is nothing to ask, or the answers do not fit.
 */
export async function questionFor(
  { access }: Pick<Deps, "access">,
  command: Command,
  { input, missing, problems }: FieldsRead,
  context: RequestContext,
): Promise<Message | undefined> {
  const [name, ...others] = missing;
  const field = name === undefined ? undefined : command.fields[name];
  if (name === undefined || !field || others.length > 0 || Object.keys(problems).length > 0) return undefined;
  if (command.kind === "change" && (command.confirms !== undefined || opensEdit(command, input))) return undefined;
  const all = await choicesOf(field, input, context);
  // Judging each takes its time, and a form must open while its trigger lasts.
  if (all.length > limits.selectOptions) return undefined;
  if (all.length > maxButtons && asValue(input).length > limits.blockId) return undefined;
  const choices: Choice[] = [];
  for (const each of all)
    if (await access.mayRun(command, { ...input, [name]: each.value }, context)) choices.push(each);
  if (choices.length === 0) return undefined;
  const { words, title } = command;
  const other: CommandButton = { label: "Other…", words, opens: "form", input };
  const ask = `${title}: ${questionAbout(name, field, input)} Nothing was changed yet.`;
  if (choices.length <= maxButtons) {
    const answers = choices.map(
      ({ label, value }): CommandButton => ({
        label: clip(label, limits.buttonText),
        ...{ words, opens: "result", input: { ...input, [name]: value } },
      }),
    );
    return noticeMessage(":question:", ask, [...answers, other]);
  }
  const select = selectRow({ words, field: name, input, options: choices });
  return select && noticeMessage(":question:", ask, [other], select);
}

/** Whether the input only names the thing to edit, so that the form of its values is asked for. */
export function opensEdit({ fill, fields }: ChangeCommand, input: Input): boolean {
  const isAside = (name: string) => name === "ticket" || fields[name]?.positional !== undefined;
  return fill !== undefined && Object.keys(input).every(isAside);
}

interface Choice {
  readonly label: string;
  readonly value: string;
}

async function choicesOf(field: Field, input: Input, context: RequestContext): Promise<readonly Choice[]> {
  if (field.kind === "choice" && !field.multiple) return field.options;
  if (field.kind === "reference" && field.to === "exclusion") return ownChoices(context);
  // What a command acts on is chosen in the form: one press must not disable a neighbour in a list of names.
  if (field.kind !== "reference" || field.multiple || field.positional) return [];
  const found = await directoryFor(field, input, context.directory).search(field.to, "", limits.selectOptions + 1);
  // Slack refuses two buttons with one action id, and that is made from the label in lower case.
  const isShared = (name: string) => found.filter((each) => each.name?.toLowerCase() === name.toLowerCase()).length > 1;
  return found.map(({ id, name }) => ({
    label: !name ? id : isShared(name) ? `${name} (${id})` : name,
    value: id,
  }));
}

/** One's own exclusions are few, and moving the end of the wrong one can be undone. */
async function ownChoices(context: RequestContext): Promise<readonly Choice[]> {
  return (await ownExclusions(context)).map(({ id, name }) => ({ label: name ? `${name} (${id})` : id, value: id }));
}

function questionAbout(name: string, { label }: Field, { resourceIds }: Input): string {
  if (name === "project" && Array.isArray(resourceIds))
    return `Which project ${resourceIds.length === 1 ? "is" : "are"} ${resourceWords(resourceIds.map(String))} in?`;
  return name === "exclusion" ? "Which one?" : `Which ${label.toLowerCase()}?`;
}

/** The answer to a question that only asks whether what was typed is really meant, such as an id that Curfew has not seen. */
function confirmable({ choices, typed }: FieldsRead) {
  return Object.entries(choices).flatMap(([field, { options }]) => {
    const same = options.find(({ value }) => value === typed[field]);
    return same ? [{ field, ...same }] : [];
  });
}

/** The fields with everything confirmed that can be. A guess of another name is not taken: the line must say it. */
export async function withConfirmed(command: Command, read: FieldsRead, context: RequestContext): Promise<FieldsRead> {
  const given = Object.fromEntries(confirmable(read).map(({ field, value }) => [field, value]));
  if (Object.keys(given).length === 0) return read;
  const choices = Object.fromEntries(Object.entries(read.choices).filter(([field]) => !(field in given)));
  const { problems, typed, input } = read;
  const completed = await complete(command, { problems, typed, choices, input: { ...input, ...given } }, context);
  return { ...read, ...completed };
}

/** What a question with ready answers says to a program. */
export function choiceDetail(read: FieldsRead): ReplyDetail {
  const labels = confirmable(read).map(({ label }) => label);
  return { kind: "question", confirm: labels.length > 0 ? labels.join("; ") : undefined };
}

/** What a person would do in a form: give what is missing, correct what is wrong, or confirm. */
function questionToProgram(command: Command, { missing, problems }: FieldsRead): [Message, ReplyDetail] {
  const labels = missing.map((name) => `${command.fields[name]?.label ?? name} (--${flagOf(name)})`);
  const isComplete = missing.length === 0 && Object.keys(problems).length === 0;
  const confirm = isComplete && command.kind === "change" ? command.confirms : undefined;
  const sentences = [
    ...Object.values(problems),
    ...(labels.length > 0 ? [`${command.title} also needs: ${labels.join(", ")}. Add it to the line.`] : []),
    ...(confirm === undefined ? [] : [`${confirm} Send the line again with "confirm": true.`]),
  ];
  const text = `${sentences.join(" ")} Nothing was changed.`;
  return [noticeMessage(":question:", text), { kind: "question", missing, problems, confirm }];
}
