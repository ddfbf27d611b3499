import { isJsonObject, objectAt } from "../json-object.ts";
import { type LiveWorkspace, sendInteraction, showFailure } from "../live-workspace.ts";
import { replaceView, type ViewRecord, viewPayload } from "../state/views.ts";
import { issueTrigger, type User } from "../state/workspace-state.ts";
import type { AckBody } from "../transport/deliveries.ts";
import { validateSubmissionAnswer } from "../validate/validate-view.ts";
import { SlackError } from "../web-api/api.ts";
import { acceptView } from "../web-api/views.ts";

export type Submission =
  | { readonly kind: "closed" | "updated" | "cleared" }
  /** By block id. */
  | { readonly kind: "errors"; readonly errors: Readonly<Record<string, string>> }
  /** No answer, or one that Slack rejects. The modal stays open. */
  | { readonly kind: "failed"; readonly shown: string };

/** Submits a modal and applies the answer (PLATFORM.md §7.4). */
export async function submitView(workspace: LiveWorkspace, user: User, view: ViewRecord): Promise<Submission> {
  const answer = await sendInteraction(workspace, user, {
    type: "view_submission",
    trigger_id: issueTrigger(workspace, user),
    view: viewPayload(view, workspace.app),
    response_urls: [],
  });
  const submission = answer.kind === "failed" ? fail(answer.error) : applyAck(workspace, view, answer.body);
  if (submission.kind === "failed") showFailure(workspace, user.id, null, submission.shown);
  return submission;
}

function applyAck(workspace: LiveWorkspace, view: ViewRecord, body: AckBody): Submission {
  const { views } = workspace;
  if (body.kind === "empty") {
    views.remove(view.id);
    return { kind: "closed" };
  }
  const answer = body.kind === "json" ? body.value : undefined;
  const problems = validateSubmissionAnswer(answer, view.definition);
  if (!isJsonObject(answer) || problems.length > 0) return fail(`invalid_submission_response: ${problems.join("; ")}`);
  if (answer.response_action === "clear") {
    views.remove(view.id);
    return { kind: "cleared" };
  }
  if (answer.response_action === "errors") {
    const given = Object.entries(objectAt(answer.errors)).map(([blockId, text]) => [blockId, String(text)] as const);
    const errors = Object.fromEntries(given);
    views.change(view.id, { errors });
    return { kind: "errors", errors };
  }
  return update(workspace, view, answer.view);
}

function update(workspace: LiveWorkspace, view: ViewRecord, next: unknown): Submission {
  try {
    const definition = acceptView(next, "modal", view.id, workspace);
    if (workspace.views.get(view.id) === undefined) return fail("not_found");
    replaceView(workspace, view.id, definition);
    return { kind: "updated" };
  } catch (error) {
    if (error instanceof SlackError) return fail(error.code);
    throw error;
  }
}

function fail(shown: string): Submission {
  return { kind: "failed", shown };
}

/** Closes the modal by Cancel or the X. The app is notified only with `notify_on_close`, without state and trigger (PLATFORM.md §7.5). */
export async function closeView(workspace: LiveWorkspace, user: User, view: ViewRecord, isByX: boolean): Promise<void> {
  workspace.views.remove(view.id);
  if (view.definition.notify_on_close !== true) return;
  await sendInteraction(workspace, user, {
    type: "view_closed",
    view: { ...viewPayload(view, workspace.app), state: { values: {} } },
    is_cleared: isByX,
  });
}
