import { mayName } from "../../changes/queries/queries.ts";
import { commandOf } from "../../commands/catalogue.ts";
import type { Command } from "../../commands/command.ts";
import type { ReferenceField } from "../../commands/field.ts";
import type { Entity } from "../../directory/directory.ts";
import { blockIdOf } from "../fields/field-kind.ts";
import { readState } from "../fields/read-fields.ts";
import { directoryFor, optionFor } from "../fields/reference.ts";
import { readMeta } from "../forms/form.ts";
import { limits } from "../messages/message.ts";
import { contextFor, type Desk, type DeskContext, refusalFor } from "./desk.ts";

export interface Suggestion {
  readonly userId: string;
  readonly blockId: string;
  readonly query: string;
  readonly privateMetadata: string;
  /** What stands in the form so far. */
  readonly values: unknown;
}

/** As many as help; Slack takes 100 (platform.md §6.6). */
const mostOptions = 25;
/** Some are left out again, those that the requester may not know of: then more are looked through. */
const lookedThrough = [2 * mostOptions, 10 * mostOptions, 1000];

/** Options for a reference as it is typed: what Curfew knows, and what was typed as an id of its own. Nothing for those who may not use the form. */
export async function handleSuggestion(desk: Desk, { userId, blockId, query, privateMetadata, values }: Suggestion) {
  // No name and no id that could be chosen is as long.
  if (query.length > limits.optionValue) return [];
  if ((await desk.actors.actor(userId)).membership !== "member") return [];
  const meta = readMeta(privateMetadata);
  const command = meta && commandOf(meta.words);
  const field = command && fieldIn(command, blockId);
  if (!field) return [];
  const context = await contextFor(desk, { userId, channelId: meta.channelId, responseUrl: undefined });
  if (refusalFor(desk, command, context)) return [];
  const { input } = field.of ? await readState(command, values, context, meta.edits) : { input: {} };
  const directory = directoryFor(field, input, context.directory);
  let found: readonly Entity[] = [];
  for (const limit of lookedThrough) {
    const all = await directory.search(field.to, query, limit);
    found = (await nameable(desk, command, all, context)).slice(0, mostOptions);
    if (found.length === mostOptions || all.length < limit) break;
  }
  const typed = query.trim();
  const isIdLike = typed !== "" && !/\s/.test(typed) && !found.some(({ id }) => id === typed);
  return [...found.map(optionFor), ...(isIdLike ? [{ ...optionFor({ id: typed, name: null }) }] : [])];
}

/** Those of a project for which the requester could use the form; an action only for those who may list it, too. */
async function nameable(
  desk: Desk,
  command: Command,
  things: readonly Entity[],
  context: DeskContext,
): Promise<readonly Entity[]> {
  const planOf = once((id: string) => context.directory.get("plan", id));
  const projects = await Promise.all(things.map((thing) => projectOf(thing, planOf)));
  const isNameable = once((projectId: string | undefined) => mayName(desk.settings(), command, context, projectId));
  const isReadable = once((projectId: string | undefined) => context.may("ListActions", { projectId }));
  return things.filter(({ kind }, index) => {
    const projectId = projects[index];
    return isNameable(projectId) && (kind !== "action" || isReadable(projectId));
  });
}

/** Many things are of a few projects, and many selectors of a few plans. */
function once<Given, Found>(find: (given: Given) => Found): (given: Given) => Found {
  const found = new Map<Given, Found>();
  return (given) => {
    const directory = found.get(given) ?? find(given);
    found.set(given, directory);
    return directory;
  };
}

/** A selector has its plan's. */
async function projectOf(
  { projectId, body }: Entity,
  planOf: (id: string) => Promise<Entity | undefined>,
): Promise<string | undefined> {
  const planId = "planId" in body && typeof body.planId === "string" ? body.planId : undefined;
  const plan = projectId === null && planId !== undefined ? await planOf(planId) : undefined;
  return projectId ?? plan?.projectId ?? undefined;
}

function fieldIn(command: Command, blockId: string): ReferenceField | undefined {
  const [, field] = Object.entries(command.fields).find(([name]) => blockIdOf(command, name) === blockId) ?? [];
  return field?.kind === "reference" ? field : undefined;
}
