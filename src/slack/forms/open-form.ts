import type { KnownBlock, ModalView } from "@slack/types";
import type { WebClient } from "@slack/web-api";
import type { Command } from "../../commands/command.ts";
import type { Logger } from "../../observability/log.ts";
import { logWithReference } from "../../observability/log.ts";
import { within } from "../../time/within.ts";
import { plainText } from "../fields/field-kind.ts";
import { type Message, section } from "../messages/message.ts";
import { clip, code, limits, type Mrkdwn, md } from "../messages/text.ts";
import type { FormMeta } from "./form-meta.ts";

/** Slack's trigger lives 3 s (PLATFORM.md §5). A form that takes longer than this is opened as a loading view first. */
const waitMs = 700;

interface Place {
  readonly triggerId: string;
  /** An open form that this one replaces. */
  readonly viewId?: string | undefined;
  /** Stopped when a loading view is opened. */
  readonly progress?: { stop(): Promise<void> } | undefined;
}

/** Opens the form, or first a loading view when the form is not ready soon. */
export async function openForm(
  { client, log }: { readonly client: WebClient; readonly log: Logger },
  { triggerId, viewId, progress }: Place,
  title: string,
  draw: () => Promise<ModalView>,
): Promise<void> {
  if (viewId !== undefined) {
    await client.views.update({ view_id: viewId, view: await draw() });
    return;
  }
  const form = draw();
  const soon = await within(waitMs, form);
  if (soon) {
    await client.views.open({ trigger_id: triggerId, view: soon });
    return;
  }
  const loading = noticeView(title, md`:hourglass_flowing_sand: One moment…`);
  const { view } = await client.views.open({ trigger_id: triggerId, view: loading });
  // The loading view already says that the request is in progress.
  await progress?.stop();
  const drawn = await form.catch((error: unknown) => {
    const reference = logWithReference(log, error, "could not draw a form");
    const text = md`:warning: Curfew could not prepare this form (${code(reference)}). Nothing was changed: try again.`;
    return noticeView(title, text);
  });
  if (view?.id) await client.views.update({ view_id: view.id, view: drawn });
}

/** An answer in a view: to a question on the Home tab, or to a button of a form. What is pressed in it has the same origin. */
export function answerView({ title }: Pick<Command, "title">, { blocks }: Message, meta: FormMeta): ModalView {
  return { ...plainView(title, blocks), private_metadata: JSON.stringify(meta) };
}

/** A view without inputs, shown while a form is prepared or instead of it. */
export function noticeView(title: string, text: Mrkdwn): ModalView {
  return plainView(title, [section(text)]);
}

const plainView = (title: string, blocks: readonly KnownBlock[]): ModalView => ({
  type: "modal",
  title: plainText(clip(title, limits.viewTitle)),
  close: plainText("Close"),
  blocks: [...blocks],
});
