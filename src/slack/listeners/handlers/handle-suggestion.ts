import { commandOf } from "../../../commands/catalogue.ts";
import type { Command } from "../../../commands/command.ts";
import type { ReferenceField } from "../../../commands/field.ts";
import type { Entity } from "../../../directory/directory.ts";
import { couldBeId } from "../../../directory/resolve-name.ts";
import { blockIdOf } from "../../fields/field-kind.ts";
import { directoryFor, newIdOption, optionFor } from "../../fields/kinds/reference.ts";
import { readState } from "../../fields/read-fields.ts";
import { readMeta } from "../../forms/form.ts";
import { limits } from "../../messages/message.ts";
import type { Actors } from "../../people/actors.ts";
import type { Access } from "../access.ts";
import type { ContextOf } from "../request-context.ts";

/** The ports of `handleSuggestion`. */
export interface SuggestionPorts {
  readonly actors: Pick<Actors, "actor">;
  readonly contextOf: ContextOf;
  readonly access: Access;
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
 * Options for a reference while it is typed: entities in the directory, and the typed text as an id that says it is new. Choosing
 * that one confirms it. Empty for people who may not use the form.
 */
export async function handleSuggestion(
  ports: SuggestionPorts,
  { userId, blockId, query, privateMetadata, values }: Suggestion,
) {
  const { actors, contextOf, access } = ports;
  // No name or id that could be chosen is this long.
  if (query.length > limits.optionValue) return [];
  if ((await actors.actor(userId)).membership !== "member") return [];
  const meta = readMeta(privateMetadata);
  const command = meta && commandOf(meta.words);
  const field = command && fieldIn(command, blockId);
  if (!field) return [];
  const context = await contextOf({ userId, channelId: meta.channelId });
  if (access.refusal(command, context)) return [];
  const { input } = field.of ? await readState(command, values, context, meta.edits) : { input: {} };
  const directory = directoryFor(field, input, context.directory);
  let found: readonly Entity[] = [];
  for (const limit of searchLimits) {
    const all = await directory.search(field.to, query, limit);
    found = (await context.nameable(all, command)).slice(0, maxOptions);
    if (found.length === maxOptions || all.length < limit) break;
  }
  const typed = query.trim();
  const isNew = couldBeId(typed) && !found.some(({ id }) => id === typed);
  return [...found.map(optionFor), ...(isNew ? [newIdOption(typed)] : [])];
}

function fieldIn(command: Command, blockId: string): ReferenceField | undefined {
  const [, field] = Object.entries(command.fields).find(([name]) => blockIdOf(command, name) === blockId) ?? [];
  return field?.kind === "reference" ? field : undefined;
}
