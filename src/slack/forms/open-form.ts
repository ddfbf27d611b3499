import type { ModalView } from "@slack/types";
import { within } from "../../time/within.ts";
import type { Desk } from "../listeners/desk.ts";
import type { ProgressNotice } from "../listeners/responder.ts";
import { noticeView } from "./form.ts";

/** Slack's trigger lives 3 s (platform.md §5); past this much of it a loading view is opened, to become the form when it is ready. */
const waitMs = 700;

export interface Place {
  readonly triggerId: string;
  /** An open form to be taken over by this one. */
  readonly viewId?: string | undefined;
  readonly progress?: ProgressNotice | undefined;
}

/** Opens a form at once when it is ready soon, else a light view that is then updated. */
export async function openForm(
  { client, log }: Pick<Desk, "client" | "log">,
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
  const loading = noticeView(title, ":hourglass_flowing_sand: One moment…");
  const { view } = await client.views.open({ trigger_id: triggerId, view: loading });
  // The view says already that it is under way.
  await progress?.stop();
  const drawn = await form.catch((error: unknown) => {
    log.error({ err: error }, "a form could not be drawn");
    return noticeView(title, ":warning: This form could not be made ready just now. Nothing was changed: try again.");
  });
  if (view?.id) await client.views.update({ view_id: view.id, view: drawn });
}
