import { isProblem, type Problem } from "../../../commands/answer.ts";
import { type Command, type FillContext, mustConfirm } from "../../../commands/command.ts";
import { exclusionCreate, exclusionEnd } from "../../../commands/exclusion/exclusion.ts";
import { expiryOf, mayAlter, resourceWords } from "../../../commands/exclusion/exclusion-body.ts";
import { exclusionEdit } from "../../../commands/exclusion/exclusion-edit.ts";
import { exclusionExtend } from "../../../commands/exclusion/exclusion-extend.ts";
import { madeAgain, makerOf } from "../../../commands/exclusion/exclusion-over.ts";
import type { Input } from "../../../commands/field.ts";
import type { Entity } from "../../../directory/directory.ts";
import { isSameResource, resourceKeys } from "../../../directory/resources.ts";
import type { SplitLine } from "../../../language/split-line.ts";
import { groupNamed } from "../../fields/near-groups.ts";
import { readParts } from "../../fields/read-fields.ts";
import type { RequestContext } from "../request-context.ts";
import type { Understood } from "./without-trailing.ts";

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
  const isEnd = command.words === exclusionEnd.words;
  if (!isEnd && command.words !== exclusionExtend.words) return undefined;
  const found = problems.length + unexplained.length > 0 ? undefined : await heldWithOthers(split, context);
  const again = found && madeAgain(found.exclusion.body);
  if (!found || !again || mustConfirm(exclusionEnd, context.actor.userId)) return undefined;
  const { exclusion, ids, others } = found;
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
  return isLater ? [held] : [held, await as(exclusionEdit, kept)];
}

interface Held {
  readonly exclusion: Exclusion;
  readonly ids: readonly string[];
  /** What it holds beside these. */
  readonly others: readonly string[];
}

/** The only exclusion that holds all that the words name, and more. */
async function heldWithOthers({ parts }: SplitLine, context: RequestContext): Promise<Held | undefined> {
  const words = (parts.get("exclusion") ?? []).map(({ value }) => value.replace(/,$/, ""));
  const { resourceGroups } = context.settings;
  const named = words.filter((word) => word !== "" && !/^(?:and|&|\+)$/i.test(word));
  const ids = named.flatMap((word) => groupNamed(word, resourceGroups)?.ids ?? [word]);
  if (ids.length === 0) return undefined;
  const live = await context.directory.liveExclusions(context.now, ids.flatMap(resourceKeys));
  const isIn = (all: readonly string[], id: string) => all.some((each) => isSameResource(each, id));
  const [exclusion, ...more] = live.filter(({ body }) => ids.every((id) => isIn(body.resourceIds ?? [], id)));
  if (!exclusion || more.length > 0) return undefined;
  const others = (exclusion.body.resourceIds ?? []).filter((id) => !isIn(ids, id));
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
    problem: `${what}: excluded with ${resourceWords(kept.resourceIds)}, by ${await makerOf(exclusion, context)}. Nothing was changed yet.`,
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
