import type { ChangeSettings } from "../../changes/ports.ts";
import { mayName } from "../../changes/queries/queries.ts";
import { commandOf } from "../../commands/catalogue.ts";
import type { Command } from "../../commands/command.ts";
import type { ReferenceField } from "../../commands/field.ts";
import type { Entity } from "../../directory/directory.ts";
import { unknownProject } from "../../permissions/decide.ts";
import { browseOperation } from "../../service/operations.ts";
import { blockIdOf } from "../fields/field-kind.ts";
import { directoryFor, optionFor } from "../fields/kinds/reference.ts";
import { readState } from "../fields/read-fields.ts";
import { readMeta } from "../forms/form.ts";
import { limits } from "../messages/message.ts";
import type { Actors } from "../people/actors.ts";
import type { Access } from "./access.ts";
import type { ContextOf, RequestContext } from "./request-context.ts";

/** The ports of `handleSuggestion`. */
export interface SuggestionPorts {
  readonly actors: Pick<Actors, "actor">;
  readonly contextOf: ContextOf;
  readonly access: Access;
  readonly settings: () => ChangeSettings;
}

export interface Suggestion {
  readonly userId: string;
  readonly blockId: string;
  readonly query: string;
  readonly privateMetadata: string;
  /** The values in the form so far. */
  readonly values: unknown;
}

/** More would not help; Slack takes 100 (PLATFORM.md §6.6). */
const maxOptions = 25;
/** How many entities are searched, step by step: the requester may not see all of them. */
const searchLimits = [2 * maxOptions, 10 * maxOptions, 1000];

/**
 * Options for a reference while it is typed: entities in the directory, and the typed text as an id. Empty for people who
 * may not use the form.
 */
export async function handleSuggestion(
  ports: SuggestionPorts,
  { userId, blockId, query, privateMetadata, values }: Suggestion,
) {
  const { actors, contextOf, access, settings } = ports;
  // No name or id that could be chosen is this long.
  if (query.length > limits.optionValue) return [];
  if ((await actors.actor(userId)).membership !== "member") return [];
  const meta = readMeta(privateMetadata);
  const command = meta && commandOf(meta.words);
  const field = command && fieldIn(command, blockId);
  if (!field) return [];
  const context = await contextOf({ userId, channelId: meta.channelId, responseUrl: undefined });
  if (access.refusal(command, context)) return [];
  const { input } = field.of ? await readState(command, values, context, meta.edits) : { input: {} };
  const directory = directoryFor(field, input, context.directory);
  let found: readonly Entity[] = [];
  for (const limit of searchLimits) {
    const all = await directory.search(field.to, query, limit);
    found = (await nameable(settings, command, all, context)).slice(0, maxOptions);
    if (found.length === maxOptions || all.length < limit) break;
  }
  const typed = query.trim();
  const isIdLike = typed !== "" && !/\s/.test(typed) && !found.some(({ id }) => id === typed);
  return [...found.map(optionFor), ...(isIdLike ? [{ ...optionFor({ id: typed, name: null }) }] : [])];
}

/** Entities in projects for which the requester could use the form; actions only if they may list them. */
async function nameable(
  settings: SuggestionPorts["settings"],
  command: Command,
  things: readonly Entity[],
  context: RequestContext,
): Promise<readonly Entity[]> {
  const planOf = cached((id: string) => context.directory.get("plan", id));
  const projects = await Promise.all(things.map((thing) => projectOf(thing, planOf)));
  const isNameable = cached((projectId: string | undefined) => mayName(settings(), command, context, projectId));
  const isReadable = cached((projectId: string | undefined) =>
    context.may(browseOperation, { projectId: projectId ?? unknownProject }),
  );
  return things.filter(({ kind }, index) => {
    const projectId = projects[index];
    return isNameable(projectId) && (kind !== "action" || isReadable(projectId));
  });
}

/** Caches results: many entities share a few projects, and many selectors a few plans. */
function cached<Given, Found>(find: (given: Given) => Found): (given: Given) => Found {
  const found = new Map<Given, Found>();
  return (given) => {
    const answer = found.get(given) ?? find(given);
    found.set(given, answer);
    return answer;
  };
}

/** A selector belongs to its plan's project. */
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
