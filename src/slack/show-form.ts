import type { ModalView } from "@slack/types";
import type { WebClient } from "@slack/web-api";
import { noticeView } from "./form.ts";

/** Slack's trigger lives 3 s; past this much of it a loading view is opened, to be filled in when the form is ready. */
const patienceMs = 800;

/** Opens the form at once when it is ready soon, else a light view that becomes the form (platform.md §5, §7.4). */
export async function showForm(client: WebClient, triggerId: string, title: string, form: Promise<ModalView>): Promise<void> {
  const soon = await Promise.race([form, later(patienceMs)]);
  if (soon) {
    await client.views.open({ trigger_id: triggerId, view: soon });
    return;
  }
  const opened = await client.views.open({ trigger_id: triggerId, view: noticeView(title, ":hourglass_flowing_sand: One moment…") });
  const viewId = opened.view?.id;
  if (viewId) await client.views.update({ view_id: viewId, view: await form });
}

function later(ms: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), ms).unref();
  });
}
