import { isProblem, type Problem } from "../../../commands/answer.ts";
import { commandOf } from "../../../commands/catalogue.ts";
import { type Command, type FillContext, mustConfirm } from "../../../commands/command.ts";
import { exclusionCreate, exclusionEnd } from "../../../commands/exclusion/exclusion.ts";
import { expiryOf, keptWords, makerOf, mayAlter, resourceWords } from "../../../commands/exclusion/exclusion-body.ts";
import { exclusionEdit } from "../../../commands/exclusion/exclusion-edit.ts";
import { exclusionExtend } from "../../../commands/exclusion/exclusion-extend.ts";
import { madeAgain } from "../../../commands/exclusion/exclusion-over.ts";
import { followingFrom } from "../../../commands/exclusion/resource-context.ts";
import type { Field, Input } from "../../../commands/field.ts";
import { knownMachines, maySeeProject } from "../../../commands/lookup/may-see.ts";
import type { Entity } from "../../../directory/directory.ts";
import { amongResources } from "../../../directory/resources.ts";
import type { SplitLine } from "../../../language/split-line.ts";
import type { Word } from "../../../language/tokenize.ts";
import { isProgram } from "../../../permissions/actor.ts";
import { resourceKeys } from "../../../service/resources.ts";
import { readParts } from "../../fields/read-fields.ts";
import { groupNamed } from "../../fields/resource-words.ts";
import { asOne, withLines } from "../../messages/message.ts";
import { noticeMessage } from "../../messages/notices.ts";
import { clip } from "../../messages/text.ts";
import type { RequestContext } from "../request-context.ts";
import { type CommandReply, type RunCommand, withoutReceipt } from "../run-command.ts";
import type { Line, LineDeps } from "./line.ts";
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
  { access, runCommand, replies }: LineDeps,
  line: Line,
  each: readonly Understood[],
  context: RequestContext,
): Promise<void> {
  for (const { split, read } of each) {
    const refusal = await access.refusalOf(split.command, read.input, context);
    if (refusal) return void (await replies.to(line).send(refusal, { kind: "refused" }));
  }
  const done: CommandReply[] = [];
  const asked = { ...context, isOneOfSeveral: each.length > 1 };
  for (const [index, { split, read }] of each.entries()) {
    const key = index === 0 ? line.key : `${line.key}#${index}`;
    const own = index === each.length - 1 ? asked : withoutReceipt(asked);
    done.push(await runOne(runCommand, { command: split.command, input: read.input, key }, own));
  }
  const [first, ...others] = done;
  if (!first) return;
  const assumed = [...new Set(each.flatMap(({ read }) => read.assumed ?? []))];
  const message = withLines(asOne(done.map((reply) => reply.message)), assumed);
  await replies.answer(line, { ...first, message, others: others.map(({ change }) => change) });
}

/** Runs a complete command, unless it asks something first. Who wants something longer that is kept already means the end of that. */
export async function runOne(
  runCommand: RunCommand,
  { command, input, key }: { readonly command: Command; readonly input: Input; readonly key: string },
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

type Exclusion = Entity<"exclusion">;

/**
 * "end i-0b1", "extend i-0b1 1h", where an exclusion holds it with others: only what is named is let go, or gets another end. Undefined where
 * the line is not so.
 */
export async function ofItsMachines(
  split: SplitLine,
  context: RequestContext,
): Promise<readonly Understood[] | Problem | undefined> {
  const { command, parts, sets, problems, unexplained } = split;
  const isEnd = command === exclusionEnd;
  if (!isEnd && command !== exclusionExtend) return undefined;
  const found = problems.length + unexplained.length > 0 ? undefined : await heldWithOthers(split, context);
  const again = found && madeAgain(found.exclusion.body);
  if (!found || !again || mustConfirm(exclusionEnd, context.actor.userId)) return undefined;
  const { exclusion, ids, others } = found;
  const { operation } = isEnd ? exclusionEnd : exclusionExtend;
  const isWhole = exclusion.body.curfewParts !== undefined && mayAlter(exclusion, operation, context);
  if (isEnd && isWhole) return notAlone(ids, exclusion, "end");
  const reason = new Map([...parts].filter(([name]) => name === "reason"));
  const as = (to: Command, input: Input) => asked({ ...split, command: to, parts: reason, sets: input }, context);
  const kept = { exclusion: exclusion.id, resourceIds: others };
  if (isEnd) return (await lettingGo(exclusion, ids, kept, context)) ?? [await as(exclusionEdit, kept)];
  const { input } = await readParts(command, new Map([...parts].filter(([name]) => name === "until")), context, sets);
  const at = endMeant(input, expiryOf(exclusion.body) ?? 0);
  if (at === undefined) return undefined;
  const { name, ...place } = again.input;
  const held = await as(exclusionCreate, { ...place, resourceIds: ids, until: at, another: true });
  const isLater = at > (expiryOf(exclusion.body) ?? 0);
  if (!isLater && isWhole) return notAlone(ids, exclusion, "shorten");
  return isLater ? [held] : [held, await as(exclusionEdit, kept)];
}

/** A large group is several in the service, which are altered as one. */
const notAlone = (ids: readonly string[], { body }: Exclusion, verb: string): Problem => ({
  problem: `Curfew can't ${verb} ${resourceWords(ids)} alone: that is kept with all of ${keptWords(body)}. Nothing was changed: ${verb} the whole.`,
});

interface Held {
  readonly exclusion: Exclusion;
  readonly ids: readonly string[];
  /** What it holds beside these. */
  readonly others: readonly string[];
}

/** A machine by its name, else the word itself. */
function machineIds(word: string, context: RequestContext): readonly string[] {
  const machines = knownMachines(word, context);
  return machines.length > 0 ? machines.map(({ id }) => id) : [word];
}

/** The only exclusion that holds all that the words name, and more. */
async function heldWithOthers({ parts }: SplitLine, context: RequestContext): Promise<Held | undefined> {
  const words = (parts.get("exclusion") ?? []).map(({ value }) => value.replace(/,$/, ""));
  const { resourceGroups } = context.settings;
  const named = words.filter((word) => word !== "" && !/^(?:and|&|\+)$/i.test(word));
  const ids = named.flatMap((word) => groupNamed(word, resourceGroups)?.ids ?? machineIds(word, context));
  if (ids.length === 0) return undefined;
  const live = await context.directory.liveExclusions(context.now, ids.flatMap(resourceKeys));
  const [exclusion, ...more] = live.filter(({ body }) => ids.every(amongResources(body.resourceIds)));
  if (!exclusion || more.length > 0) return undefined;
  const isAsked = amongResources(ids);
  const others = (exclusion.body.resourceIds ?? []).filter((id) => !isAsked(id));
  return others.length > 0 ? { exclusion, ids, others } : undefined;
}

/** Asks before a line takes machines out of what somebody else made. */
async function lettingGo(
  exclusion: Exclusion,
  ids: readonly string[],
  kept: Input & { readonly resourceIds: readonly string[] },
  context: FillContext,
): Promise<Problem | undefined> {
  const isOwn = exclusion.ownerId === context.actor.userId;
  const filled =
    isOwn || !mayAlter(exclusion, exclusionEdit.operation, context) ? undefined : await whole(kept, context);
  if (!filled) return undefined;
  const what = resourceWords(ids);
  const label = `End it for ${what}`;
  return {
    problem: `${what}: kept with ${resourceWords(kept.resourceIds)}, by ${await makerOf(exclusion, context)}. Nothing was changed yet.`,
    buttons: [{ label, words: exclusionEdit.words, opens: "result", input: filled }],
  };
}

async function whole(input: Input, context: FillContext): Promise<Input | undefined> {
  const filled = await exclusionEdit.fill?.(input, context);
  return !filled || isProblem(filled) ? undefined : { ...filled, ...input };
}

async function asked(split: SplitLine, context: RequestContext): Promise<Understood> {
  const read = await readParts(split.command, split.parts, context, split.sets);
  const input = split.command === exclusionEdit ? await whole(read.input, context) : undefined;
  return { split, read: input ? { ...read, input, missing: [] } : read };
}

function endMeant({ until, shorter }: Input, present: number): number | undefined {
  if (typeof until !== "object" || until === null) return undefined;
  if ("until" in until) return Number(until.until);
  const more = "forMs" in until ? Number(until.forMs) : 0;
  return present + (shorter ? -more : more);
}
