import { acceptView } from "../accept-view.ts";
import { isJsonObject, type JsonObject, objectAt, stringAt } from "../json-object.ts";
import type { User } from "../state/people.ts";
import { blocksOf, type ViewRecord, viewPayload } from "../state/views.ts";
import type { AckBody } from "../transport/deliveries.ts";
import { validateSubmissionAnswer } from "../validate/validate-answer.ts";
import { type Exchange, payloadBase, sendInteraction, showFailure } from "./exchange.ts";

export type Submission =
  | { readonly kind: "closed" | "updated" | "pushed" | "cleared" }
  /** By block id. */
  | { readonly kind: "errors"; readonly errors: Readonly<Record<string, string>> }
  /** No answer, or one that Slack rejects. The modal stays open. */
  | { readonly kind: "failed"; readonly shown: string };

const maxStackDepth = 3;

/** Submits a modal and applies the answer (PLATFORM.md §7.4). */
export async function submitView(exchange: Exchange, user: User, view: ViewRecord): Promise<Submission> {
  const { workspace } = exchange;
  const payload = {
    type: "view_submission",
    ...payloadBase(exchange, user),
    trigger_id: workspace.triggers.issue({ userId: user.id, viewId: view.id }),
    view: viewPayload(view, workspace.app),
    response_urls: responseUrls(exchange, user, view),
  };
  const answer = await sendInteraction(exchange, "interactive", payload);
  const submission = answer.kind === "failed" ? fail(answer.error) : applyAck(exchange, user, view, answer.body);
  if (submission.kind === "failed") showFailure(exchange, user.id, null, submission.shown);
  return submission;
}

function applyAck(exchange: Exchange, user: User, view: ViewRecord, body: AckBody): Submission {
  const { views } = exchange.workspace;
  if (body.kind === "empty") {
    views.close(view.id);
    return { kind: "closed" };
  }
  const answer = body.kind === "json" ? body.value : undefined;
  const problems = validateSubmissionAnswer(answer, view.definition);
  if (!isJsonObject(answer) || problems.length > 0) return fail(`invalid_submission_response: ${problems.join("; ")}`);
  if (answer.response_action === "clear") {
    views.closeAll(user.id);
    return { kind: "cleared" };
  }
  if (answer.response_action === "errors") return showErrors(exchange, view, objectAt(answer.errors));
  return showNext(exchange, user, view, answer);
}

function showErrors({ workspace }: Exchange, view: ViewRecord, given: JsonObject): Submission {
  const errors = Object.fromEntries(Object.entries(given).map(([blockId, text]) => [blockId, String(text)]));
  workspace.views.setErrors(view.id, errors);
  return { kind: "errors", errors };
}

function showNext({ workspace }: Exchange, user: User, view: ViewRecord, answer: JsonObject): Submission {
  const { views } = workspace;
  const isUpdate = answer.response_action === "update";
  const accepted = acceptView(answer.view, { type: "modal", replacedId: isUpdate ? view.id : null }, workspace);
  if ("refusal" in accepted) return fail([accepted.refusal, ...accepted.messages].join("; "));
  if (views.get(view.id) === undefined) return fail("not_found");
  if (isUpdate) {
    views.replace(view.id, accepted.definition);
    return { kind: "updated" };
  }
  if (views.stackOf(user.id).length >= maxStackDepth) return fail("push_limit_reached");
  views.push(user.id, accepted.definition);
  return { kind: "pushed" };
}

function fail(shown: string): Submission {
  return { kind: "failed", shown };
}

/** One `response_url` for each filled-in conversation whose input requested it (PLATFORM.md §4). */
function responseUrls({ workspace }: Exchange, user: User, view: ViewRecord): readonly JsonObject[] {
  return blocksOf(view.definition).flatMap((block) => {
    const element = objectAt(block.element);
    const blockId = stringAt(block.block_id) ?? "";
    const actionId = stringAt(element.action_id) ?? "";
    const value = view.state[blockId]?.[actionId];
    const channelId = stringAt(value?.selected_conversation) ?? stringAt(value?.selected_channel);
    if (block.type !== "input" || element.response_url_enabled !== true || channelId === undefined) return [];
    const response_url = workspace.responseUrls.issue("app", { userId: user.id, channelId });
    return [{ block_id: blockId, action_id: actionId, channel_id: channelId, response_url }];
  });
}
