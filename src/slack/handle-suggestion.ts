import { commandOf } from "../commands/catalogue.ts";
import { knownKinds } from "../commands/field.ts";
import { contextFor, type Desk, refusalFor } from "./desk.ts";
import { optionFor, suggestionId } from "./fields/reference.ts";
import { readMeta } from "./form.ts";

export interface Suggestion {
  readonly userId: string;
  readonly actionId: string;
  readonly query: string;
  readonly privateMetadata: string;
}

/** As many as help; Slack takes 100 (platform.md §6.6). */
const mostOptions = 25;

/** Options for a reference as it is typed: what Curfew knows, and what was typed as an id of its own. Nothing for those who may not use the form. */
export async function handleSuggestion(desk: Desk, { userId, actionId, query, privateMetadata }: Suggestion) {
  const meta = readMeta(privateMetadata);
  const kind = knownKinds.find((known) => suggestionId(known) === actionId);
  const command = meta && commandOf(meta.words);
  if (!kind || !command) return [];
  const context = await contextFor(desk, { userId, channelId: meta.channelId, responseUrl: undefined });
  if (refusalFor(desk, command, context)) return [];
  const all = await context.known.search(kind, query, mostOptions);
  // An action is shown only to those who may read it; other things are named by whoever may use the form.
  const found =
    kind === "action"
      ? all.filter(({ projectId }) => context.may("ListActions", { projectId: projectId ?? undefined }))
      : all;
  const typed = query.trim();
  const isIdLike = typed !== "" && !/\s/.test(typed) && !found.some(({ id }) => id === typed);
  return [...found.map(optionFor), ...(isIdLike ? [{ ...optionFor({ id: typed, name: null }) }] : [])];
}
