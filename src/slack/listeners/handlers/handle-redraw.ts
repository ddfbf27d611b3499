import type { WebClient } from "@slack/web-api";
import { commandOf } from "../../../commands/catalogue.ts";
import { readState } from "../../fields/read-fields.ts";
import { fixedBy, formFor, readMeta } from "../../forms/form.ts";
import { readShown } from "../../forms/shown-words.ts";
import type { Actors } from "../../people/actors.ts";
import type { Access } from "../access.ts";
import type { ContextOf } from "../request-context.ts";

/** The ports of `handleRedraw`. */
export interface RedrawPorts {
  readonly actors: Pick<Actors, "actor">;
  readonly contextOf: ContextOf;
  readonly access: Access;
  readonly client: WebClient;
}

export interface Redraw {
  readonly userId: string;
  readonly viewId: string;
  /** The hash of the view as the person saw it; Slack rejects an update of a form that has changed since (PLATFORM.md §7.3). */
  readonly hash: string;
  readonly privateMetadata: string;
  readonly values: unknown;
}

/** Redraws a form after a choice that changes its fields. Slack keeps what was typed in inputs with the same ids. */
export async function handleRedraw(
  { actors, contextOf, access, client }: RedrawPorts,
  { userId, viewId, hash, privateMetadata, values }: Redraw,
): Promise<void> {
  if ((await actors.actor(userId)).membership !== "member") return;
  const meta = readMeta(privateMetadata);
  const command = meta && commandOf(meta.words);
  if (!meta || !command) return;
  const context = await contextOf({ userId, channelId: meta.channelId });
  if (access.refusal(command, context)) return;
  const shown = readShown(meta.shown, false);
  const { input, missing, meanings, newNames } = await readState(command, values, { ...context, shown }, fixedBy(meta));
  const read = { input, missing, problems: {}, typed: {}, ...(meanings ? { meanings } : {}), newNames };
  const view = await formFor(command, read, meta, context);
  await client.views.update({ view_id: viewId, hash, view });
}
