import type { Problem } from "../../../commands/answer.ts";
import { commandOf } from "../../../commands/catalogue.ts";
import { type Command, mustConfirm } from "../../../commands/command.ts";
import { followingFrom } from "../../../commands/exclusion/resource-context.ts";
import type { Field, Input } from "../../../commands/field.ts";
import { maySeeProject } from "../../../commands/lookup/may-see.ts";
import type { Word } from "../../../language/tokenize.ts";
import { isProgram } from "../../../permissions/actor.ts";
import { groupNamed } from "../../fields/near-groups.ts";
import { readParts } from "../../fields/read-fields.ts";
import { asOne, clip, withLines } from "../../messages/message.ts";
import { noticeMessage } from "../../messages/notices.ts";
import type { RequestContext } from "../request-context.ts";
import { type CommandReply, type RunCommand, withoutReceipt } from "../run-command.ts";
import type { Line, LinePorts } from "./line.ts";
import type { Understood } from "./without-trailing.ts";

/** More would be a list, and its answer too long. */
const most = 8;
const shownButtons = 5;

/**
 * What each part of a line means that no one change can hold: several lines or times, groups of several projects, all groups of one, or
 * several users. Undefined where the line is not so. A problem where it says several things that are not all complete: none is done.
 */
export async function severalIn(
  { split, read }: Understood,
  context: RequestContext,
): Promise<readonly Understood[] | Problem | undefined> {
  const { also = [] } = split;
  const each = await Promise.all(
    [split, ...also].map(async (one) => {
      const own = one === split ? read : await readParts(one.command, one.parts, context, one.sets);
      return (await byThing({ split: one, read: own }, context)) ?? [{ split: one, read: own }];
    }),
  );
  const all = each.flat();
  if (all.length < 2) return undefined;
  const isDone = all.length <= most && !isProgram(context.actor.userId) && all.every(isWhole(context.actor.userId));
  return isDone ? all : also.length > 0 ? eachByItself(all) : undefined;
}

const isWhole =
  (userId: string) =>
  ({ split: { command }, read: { missing, problems, choices } }: Understood): boolean =>
    !(command.kind === "change" && mustConfirm(command, userId)) &&
    missing.length + Object.keys({ ...problems, ...choices }).length === 0;

const eachByItself = (all: readonly Understood[]): Problem => ({
  problem: `That is ${all.length} things, and not each can be done without a question. Nothing was changed: choose each by itself.`,
  buttons: all.slice(0, shownButtons).map(({ split: { command, words }, read: { input } }) => ({
    label: clip(words.map(({ value }) => value).join(" "), 75),
    ...{ words: command.words, input, opens: "form" },
  })),
});

/** The parts of a line about several things. */
async function byThing(
  { split, read }: Understood,
  context: RequestContext,
): Promise<readonly Understood[] | undefined> {
  const { command, parts, sets, problems, unexplained } = split;
  const { userId } = context.actor;
  const isPlain = command.kind === "change" && !mustConfirm(command, userId) && !isProgram(userId);
  if (!isPlain || problems.length + unexplained.length > 0) return undefined;
  const isOpen = ([each]: readonly [string, Field]) => each in read.problems || each in read.choices;
  const isPlaced = ([, each]: readonly [string, Field]) => each.kind === "resource-ids" && each.placedBy !== undefined;
  const fields = Object.entries<Field>(command.fields);
  const [name, field] = fields.find(isOpen) ?? fields.find(isPlaced) ?? [];
  const words = name === undefined ? undefined : parts.get(name);
  if (name === undefined || !field || !words) return undefined;
  const pieces =
    name in read.input
      ? byPlace(words, context)
      : await piecesOf(field, words, String(read.input.project ?? ""), context);
  if (pieces.length < 2 || pieces.length > most) return undefined;
  const each = await Promise.all(
    pieces.map(async (piece): Promise<Understood> => {
      const own = { ...split, parts: new Map(parts).set(name, piece) };
      return { split: own, read: await readParts(command, own.parts, context, sets) };
    }),
  );
  return each.every(isWhole(userId)) ? each : undefined;
}

async function piecesOf(
  field: Field,
  words: readonly Word[],
  project: string,
  context: RequestContext,
): Promise<readonly (readonly Word[])[]> {
  if (field.kind === "reference" && !field.multiple) return apart(words);
  if (field.kind !== "resource-ids" || field.placedBy === undefined) return [];
  return (await groupsOfProject(words, project, context)) ?? byPlace(words, context);
}

const joiner = /^(?:and|&|\+|,)$/i;

/** "alice, bob and frank" */
function apart(words: readonly Word[]): readonly (readonly Word[])[] {
  const pieces: Word[][] = [[]];
  for (const word of words) {
    if (!word.isQuoted && joiner.test(word.value)) pieces.push([]);
    else pieces.at(-1)?.push({ ...word, value: word.value.replace(/,$/, "") });
    if (!word.isQuoted && word.value.endsWith(",")) pieces.push([]);
  }
  return pieces.filter((piece) => piece.length > 0);
}

const everything = /^(?:(?:everything|all|all of|all groups|all machines)(?: (?:in|of) )?)?/i;

/** "Development", "everything in Development": each of its groups. */
async function groupsOfProject(
  words: readonly Word[],
  given: string,
  context: RequestContext,
): Promise<readonly (readonly Word[])[] | undefined> {
  const text = words.map(({ value }) => value).join(" ");
  const named = text.replace(everything, "").trim();
  const found = named === "" ? [] : await context.directory.match("project", named);
  const ids = named === "" ? [given] : found.map(({ id }) => id);
  const [project, ...others] = ids.filter((id) => maySeeProject(context, id));
  if (!project || others.length > 0) return undefined;
  const groups = Object.entries(context.settings.resourceGroups).filter(([, group]) => group.project === project);
  return groups.map(([value]) => [{ value, isQuoted: true, start: words[0]?.start ?? 0 }]);
}

/** The groups of each project and type together, and the machines of groups; none where a word is neither. */
function byPlace(words: readonly Word[], { settings }: RequestContext): readonly (readonly Word[])[] {
  const places = new Map<string, Word[]>();
  for (const word of words.filter(({ value }) => !joiner.test(value))) {
    const value = word.value.replace(/,$/, "");
    const group = groupNamed(value, settings.resourceGroups);
    const { project, type } = group ?? followingFrom([value], settings.resourceGroups);
    if (project === undefined || type === undefined) return [];
    const place = `${project} ${type}`;
    places.set(place, [...(places.get(place) ?? []), { ...word, value }]);
  }
  return [...places.values()];
}

/** Makes one change after the other. All are judged before: if one is refused, none is made. */
export async function runSeveral(
  { access, runCommand, replies }: LinePorts,
  line: Line,
  each: readonly Understood[],
  context: RequestContext,
): Promise<void> {
  for (const { split, read } of each) {
    const refusal = await access.refusalOf(split.command, read.input, context);
    if (refusal) return void (await replies.to(line).send(refusal, { kind: "refused" }));
  }
  const done: CommandReply[] = [];
  for (const [index, { split, read }] of each.entries()) {
    const key = index === 0 ? line.key : `${line.key}#${index}`;
    const own = index === each.length - 1 ? context : withoutReceipt(context);
    done.push(await runOne(runCommand, { command: split.command, input: read.input, key }, own));
  }
  const [first, ...others] = done;
  if (!first) return;
  const assumed = [...new Set(each.flatMap(({ read }) => read.assumed ?? []))];
  const message = withLines(asOne(done.map((reply) => reply.message)), assumed);
  await replies.answer(line, { ...first, message, others: others.map(({ change }) => change) });
}

interface One {
  readonly command: Command;
  readonly input: Input;
  readonly key: string;
}

/** Runs a complete command, unless it asks something first. Who wants something longer that is kept already means the end of that. */
export async function runOne(
  runCommand: RunCommand,
  { command, input, key }: One,
  context: RequestContext,
  isConfirmed = false,
): Promise<CommandReply> {
  const problem = command.kind === "change" && !isConfirmed ? await command.asksFirst?.(input, context) : undefined;
  if (problem) {
    const message = noticeMessage(":question:", problem.problem, problem.buttons);
    return { message, change: undefined, outcome: { kind: "invalid", problem } };
  }
  const asked = await runCommand(command, input, context, key);
  const instead = asked.outcome.kind === "invalid" ? asked.outcome.problem.instead : undefined;
  const longer = instead && commandOf(instead.words);
  return longer ? runCommand(longer, instead.input, context, key) : asked;
}
