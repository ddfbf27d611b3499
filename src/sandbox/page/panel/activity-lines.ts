import type { Run } from "../../service/runs.ts";
import type { RecordedRequest } from "../../service/start-sandbox-service.ts";
import type { AppManifest } from "../../workspace/app-manifest.ts";
import { isJsonObject, objectAt, objectsIn, plainText, stringAt } from "../../workspace/json-object.ts";
import type { Viewer } from "../../workspace/render/format-date.ts";
import { mrkdwnToText } from "../../workspace/render/mrkdwn.ts";
import type { AppRequest } from "../../workspace/transport/deliveries.ts";
import type { ApiCall } from "../../workspace/workspace-server.ts";
import type { ActivityLine } from "../wire.ts";
import { withoutSecrets } from "./service-tables.ts";

/** Who acted. */
export function actorOf({ payload }: AppRequest): string {
  return (
    stringAt(payload.user_id) ?? stringAt(objectAt(payload.user).id) ?? stringAt(objectAt(payload.event).user) ?? ""
  );
}

/** Slack sends the app its own messages too. Nobody acted. */
export const isOwnMessage = ({ payload }: AppRequest): boolean => objectAt(payload.event).bot_id !== undefined;

const noOutcome = { outcome: "", isTrouble: false, details: "" } as const;

/** What a person did, as Curfew received it. */
export function actLine(act: AppRequest, manifest: AppManifest, viewer: Viewer): ActivityLine {
  const { id, answer, sentAt: at } = act;
  const who = actorOf(act);
  const text = `${who === "" ? "A workflow" : viewer.nameOf(who)} ${wordsFor(act, manifest, viewer)}`;
  const trouble = answer?.kind === "failed" ? { outcome: answer.error, isTrouble: true } : {};
  return { ...noOutcome, id, at, kind: "person", text, ...trouble };
}

/** The values of a form are only its person's, so only its title is shown. */
function wordsFor({ type, payload }: AppRequest, manifest: AppManifest, viewer: Viewer): string {
  const form = `the form “${plainText(objectAt(payload.view).title)}”`;
  switch (type) {
    case "command":
      return `typed “${typedLine(payload.command, payload.text, viewer)}” in #${viewer.nameOf(String(payload.channel_id))}`;
    case "block_actions":
      return objectAt(payload.view).type === "modal" ? `${pressed(payload)} in ${form}` : pressed(payload);
    case "view_submission":
      return `sent ${form}`;
    case "view_closed":
      return `closed ${form}`;
    case "block_suggestion":
      return "searched in a field";
    case "shortcut":
    case "message_action":
      return `used the shortcut “${shortcutName(payload.callback_id, manifest)}”`;
    case "function_executed":
      return `ran the step “${plainText(objectAt(objectAt(payload.event).function).title)}”`;
    case "app_home_opened":
      return "opened the Home tab";
    case "message":
    case "app_mention":
      return "wrote a message";
    default:
      return `caused the event ${type}`;
  }
}

/** Slack has escaped the text of a command. */
function typedLine(command: unknown, text: unknown, viewer: Viewer): string {
  const plain = String(text).replaceAll(/<mailto:[^<|>]*\|([^<>]*)>/g, "$1");
  return `${String(command)} ${mrkdwnToText(plain, viewer)}`.trim();
}

function pressed({ actions, view }: AppRequest["payload"]): string {
  const [action = {}] = objectsIn(actions);
  if (action.type === "button") return `pressed “${plainText(action.text)}”`;
  if (objectAt(view).type === "modal") return "changed a field";
  const chosen = plainText(objectAt(action.selected_option).text);
  return chosen === "" ? "chose something" : `chose “${chosen}”`;
}

function shortcutName(callbackId: unknown, { shortcuts }: AppManifest): string {
  return shortcuts.find((each) => each.callbackId === callbackId)?.name ?? String(callbackId);
}

/** Work that no person caused: Curfew starts, a timer is due, a message is sent again. */
export function ownWorkLine(at: number): ActivityLine {
  return { ...noOutcome, id: `own-${at}`, at, kind: "timer", text: "Curfew acted by itself" };
}

export function requestLine(
  { operation, method, path, query, body, status, at }: RecordedRequest,
  index: number,
): ActivityLine {
  const search = new URLSearchParams(query).toString();
  return {
    id: `request-${index}`,
    at,
    kind: "service",
    text: `${operation ?? "no operation"} · ${method} ${path}${search === "" ? "" : `?${search}`}`,
    outcome: status === undefined ? "no answer" : String(status),
    isTrouble: status === undefined || status >= 400,
    details: body === undefined ? "" : JSON.stringify(withoutSecrets(body), null, 2),
  };
}

export function callLine(call: ApiCall, index: number): ActivityLine {
  const { method: text, at } = call;
  const trouble = callTrouble(call);
  const outcome = trouble ?? "ok";
  return { ...noOutcome, id: `call-${index}`, at, kind: "slack", text, outcome, isTrouble: trouble !== undefined };
}

/** Why a call to Slack did not work; undefined when it did. */
function callTrouble({ answer, status }: ApiCall): string | undefined {
  if (answer === null) return "disconnected";
  const error = isJsonObject(answer) && answer.ok === false ? stringAt(answer.error) : undefined;
  return error ?? (status >= 400 ? String(status) : undefined);
}

export function runLine({ at, actionId, actionName, acted, skipped }: Run): ActivityLine {
  const exclusionNames = [...new Set(skipped.map(({ exclusionName }) => exclusionName))].join(", ");
  const excluded = skipped.map(({ resourceId }) => resourceId).join(", ");
  const isSkipped = acted.length === 0 && skipped.length > 0;
  const part = skipped.length > 0 ? `ran without ${excluded} (excluded by ${exclusionNames})` : "ran";
  return {
    id: `run-${actionId}-${at}`,
    at,
    kind: "run",
    text: actionName,
    outcome: isSkipped ? `skipped, excluded by ${exclusionNames}` : part,
    isTrouble: false,
    details: skipped.length > 0 ? JSON.stringify({ acted, skipped }, null, 2) : "",
  };
}

/** What people see of a call to Slack that worked; undefined when they see nothing. */
export function callEffect(call: ApiCall, { nameOf }: Viewer, requester: string): string | undefined {
  if (callTrouble(call) !== undefined) return undefined;
  const { channel, user, thread_ts } = call.arguments;
  const to = stringAt(channel) ?? "";
  const isDirect = !to.startsWith("C") && !to.startsWith("G");
  const place = isDirect ? "a direct message" : `#${nameOf(to)}`;
  switch (call.method) {
    case "chat.postMessage":
      if (isDirect) return to.startsWith("U") ? `direct message to ${nameOf(to)}` : "direct message";
      return thread_ts === undefined ? `card in ${place}` : `reply in a thread in ${place}`;
    case "chat.update":
      return isDirect ? `update of ${place}` : `update of the card in ${place}`;
    case "chat.postEphemeral":
      return answerOnlyFor(nameOf(String(user)));
    case "response_url":
      return answerEffect(call.arguments, requester);
    case "views.open":
    case "views.push":
      return "form opened";
    case "views.update":
      return "form updated";
    case "views.publish":
      return "Home tab updated";
    default:
      return undefined;
  }
}

/** An answer that came with the acknowledgement. */
export function ackEffect({ kind, answer }: AppRequest, requester: string): string | undefined {
  if (answer?.kind !== "acknowledged" || answer.body.kind === "empty" || kind === "options") return undefined;
  const body = objectAt(answer.body.kind === "json" ? answer.body.value : undefined);
  if (kind === "command") return answerEffect(body, requester);
  if (body.response_action === "errors") return "errors in the form";
  return body.response_action === undefined ? undefined : "form updated";
}

function answerEffect({ response_type, replace_original, delete_original }: ApiCall["arguments"], requester: string) {
  if (delete_original === true) return "answer removed";
  if (replace_original === true) return `update of the answer to ${requester}`;
  return response_type === "in_channel" ? "answer that everyone sees" : answerOnlyFor(requester);
}

const answerOnlyFor = (name: string): string => `answer that only ${name} sees`;

/** `card in #ops · 2 × form updated`: each effect once, in order. */
export function counted(effects: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const effect of effects) counts.set(effect, (counts.get(effect) ?? 0) + 1);
  return [...counts].map(([effect, count]) => (count === 1 ? effect : `${count} × ${effect}`)).join(" · ");
}
