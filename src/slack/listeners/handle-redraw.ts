import { commandOf } from "../../commands/catalogue.ts";
import { readState } from "../fields/read-fields.ts";
import { formFor, readMeta } from "../forms/form.ts";
import { readShown } from "../forms/shown-words.ts";
import { contextFor, type Desk, refusalFor } from "./desk.ts";

export interface Redraw {
  readonly userId: string;
  readonly viewId: string;
  /** Of the view as the person saw it: a form that has changed since is left alone (platform.md §7.3). */
  readonly hash: string;
  readonly privateMetadata: string;
  readonly values: unknown;
}

/** Draws a form again after a choice that alters it. What was typed stays, since Slack keeps it for inputs with the same ids. */
export async function handleRedraw(
  desk: Desk,
  { userId, viewId, hash, privateMetadata, values }: Redraw,
): Promise<void> {
  if ((await desk.actors.actor(userId)).membership !== "member") return;
  const meta = readMeta(privateMetadata);
  const command = meta && commandOf(meta.words);
  if (!meta || !command) return;
  const context = await contextFor(desk, { userId, channelId: meta.channelId, responseUrl: undefined });
  if (refusalFor(desk, command, context)) return;
  const shown = readShown(meta.shown, false);
  const { input, missing, meanings } = await readState(command, values, { ...context, shown }, meta.edits);
  const read = { input, missing, problems: {}, typed: {}, ...(meanings ? { meanings } : {}) };
  const view = await formFor(command, read, meta, context);
  await desk.client.views.update({ view_id: viewId, hash, view });
}
